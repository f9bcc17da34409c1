//! Times, spans, sizes and numbers in words.
//!
//! It guesses nothing: a time it cannot read is shown as it stands.

use chrono::{DateTime, Utc};

/// A report's time.
pub(in crate::render) fn parse(time: &str) -> Option<DateTime<Utc>> {
    DateTime::parse_from_rfc3339(time).ok().map(|time| time.with_timezone(&Utc))
}

/// `2026-11-30 15:22:30 UTC`.
pub(in crate::render) fn moment(time: &str) -> String {
    parse(time).map_or_else(|| time.to_owned(), |time| time.format("%Y-%m-%d %H:%M:%S UTC").to_string())
}

/// `15:22:30.411`, with the date in front when it is another day than `day`'s.
pub(in crate::render) fn clock_time(time: &str, day: Option<&str>) -> String {
    let fraction = parse(time).is_some_and(|time| time.timestamp_subsec_millis() > 0);
    time_of_day(time, day, if fraction { "%H:%M:%S%.3f" } else { "%H:%M:%S" })
}

/// As [`clock_time`], without the fraction.
pub(in crate::render) fn second(time: &str, day: Option<&str>) -> String {
    time_of_day(time, day, "%H:%M:%S")
}

/// A time of day, with the date in front when it is another day.
fn time_of_day(time: &str, day: Option<&str>, clock: &str) -> String {
    let Some(parsed) = parse(time) else { return time.to_owned() };
    let same_day = day.and_then(parse).is_none_or(|day| day.date_naive() == parsed.date_naive());
    let shape = if same_day { clock.to_owned() } else { format!("%Y-%m-%d {clock}") };
    parsed.format(&shape).to_string()
}

/// How long after (or before) another moment: `2.6 s later`; nothing for the same moment.
pub(in crate::render) fn offset(time: &str, from: &str) -> Option<String> {
    let milliseconds = (parse(time)? - parse(from)?).num_milliseconds();
    let word = if milliseconds < 0 { "before" } else { "later" };
    (milliseconds != 0).then(|| format!("{} {word}", span(milliseconds.unsigned_abs())))
}

/// A span in the unit that fits: `12 ms`, `2.6 s`, `4 min 10 s`, `3 h 5 min`, `2 d 4 h`.
fn span(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    match seconds {
        0 => format!("{milliseconds} ms"),
        1..=59 => format!("{seconds}.{} s", milliseconds % 1000 / 100),
        60..=3599 => format!("{} min {} s", seconds / 60, seconds % 60),
        3600..=86_399 => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds % 86_400 / 3600),
    }
}

/// A size in binary units: `400.0 MiB`.
#[expect(clippy::cast_precision_loss, reason = "shown with one digit behind the point")]
pub(in crate::render) fn size(bytes: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64;
    let mut unit = "bytes";
    for next in units {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    if unit == "bytes" { format!("{bytes} bytes") } else { format!("{value:.1} {unit}") }
}

/// `1 file`, `3 files`, `12 345 lines`.
pub(in crate::render) fn count(number: u64, one: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {one}{plural}", grouped(number))
}

/// A number with thin groups of three: `12 345`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) && digits.len() > 4 {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// The first eight characters of a uuid, twelve of another long hexadecimal id, else the id.
pub(in crate::render) fn short_id(id: &str) -> &str {
    let uuid = id.len() == 36 && id.bytes().filter(|byte| *byte == b'-').count() == 4;
    let hexadecimal = id.len() > 12 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    let length = if uuid {
        8
    } else if hexadecimal {
        12
    } else {
        id.len()
    };
    id.get(..length).unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes() {
        assert_eq!(moment("2026-11-30T15:22:30.411Z"), "2026-11-30 15:22:30 UTC");
        assert_eq!(
            clock_time("2026-11-30T15:22:30.411Z", Some("2026-11-29T00:00:00Z")),
            "2026-11-30 15:22:30.411"
        );
        assert_eq!(offset("2026-11-30T15:22:33Z", "2026-11-30T15:22:30.4Z").as_deref(), Some("2.6 s later"));
        assert_eq!(
            offset("2026-11-30T15:22:30Z", "2026-11-30T15:26:40Z").as_deref(),
            Some("4 min 10 s before")
        );
        assert_eq!(size(419_430_400), "400.0 MiB");
        assert_eq!(count(1_234_567, "line"), "1 234 567 lines");
        assert_eq!(short_id("b273fb86-d5a8-48b8-8771-f8f6010cdf71"), "b273fb86");
    }
}
