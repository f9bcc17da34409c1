//! Times, spans, sizes and numbers in words.
//!
//! It guesses nothing: a time it cannot read is shown as it stands.

use crate::language::{Messages, fill};
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
pub(in crate::render) fn offset(time: &str, from: &str, messages: &Messages) -> Option<String> {
    let (span, later) = distance(time, from, messages)?;
    Some(fill(if later { messages.later } else { messages.before }, &[("span", &span)]))
}

/// How far from another moment, and whether after it; nothing for the same moment.
pub(in crate::render) fn distance(time: &str, from: &str, messages: &Messages) -> Option<(String, bool)> {
    let milliseconds = (parse(time)? - parse(from)?).num_milliseconds();
    (milliseconds != 0).then(|| (span(milliseconds.unsigned_abs(), messages), milliseconds > 0))
}

/// A span in the unit that fits: `12 ms`, `2.6 s`, `4 min 10 s`, `3 h 5 min`, `2 d 4 h`.
fn span(milliseconds: u64, messages: &Messages) -> String {
    let seconds = milliseconds / 1000;
    let (phrase, a, b) = match seconds {
        0 => (messages.milliseconds, milliseconds.to_string(), 0),
        1..=59 => (messages.seconds, format!("{seconds}.{}", milliseconds % 1000 / 100), 0),
        60..=3599 => (messages.minutes, (seconds / 60).to_string(), seconds % 60),
        3600..=86_399 => (messages.hours, (seconds / 3600).to_string(), seconds % 3600 / 60),
        _ => (messages.days, (seconds / 86_400).to_string(), seconds % 86_400 / 3600),
    };
    fill(phrase, &[("a", &a), ("b", &b.to_string())])
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
    use crate::language::Language;

    #[test]
    fn times_and_sizes() {
        assert_eq!(moment("2026-11-30T15:22:30.411Z"), "2026-11-30 15:22:30 UTC");
        assert_eq!(
            clock_time("2026-11-30T15:22:30.411Z", Some("2026-11-29T00:00:00Z")),
            "2026-11-30 15:22:30.411"
        );
        let offset = |time, from, language: Language| offset(time, from, language.messages());
        let (first, last) = ("2026-11-30T15:22:30.4Z", "2026-11-30T15:22:33Z");
        assert_eq!(offset(last, first, Language::English).as_deref(), Some("2.6 s later"));
        assert_eq!(offset(last, first, Language::Chinese).as_deref(), Some("晚 2.6 秒"));
        assert_eq!(
            offset("2026-11-30T15:22:30Z", "2026-11-30T15:26:40Z", Language::English).as_deref(),
            Some("4 min 10 s before")
        );
        assert_eq!(size(419_430_400), "400.0 MiB");
        assert_eq!(short_id("b273fb86-d5a8-48b8-8771-f8f6010cdf71"), "b273fb86");
    }
}
