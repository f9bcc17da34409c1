//! Filters of templates: a value as people, Docker or Kubernetes want to read it.
//!
//! It escapes nothing for any output format; renderers do.

use crate::event::{FieldType, Value};
use chrono::{DateTime, SecondsFormat};

/// Bytes of the binary units, largest first, with the words of [`Filter::Size`].
const UNITS: [(f64, &str); 4] =
    [(1_099_511_627_776.0, "TiB"), (1_073_741_824.0, "GiB"), (1_048_576.0, "MiB"), (1024.0, "KiB")];
/// From here on a limit is given in whole gibibytes; below, in mebibytes unless it is whole.
const WHOLE_GIBIBYTES_FROM: f64 = 16.0;

/// How a placeholder's value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    /// Bytes: `400 MiB`, with at most one decimal.
    Size,
    /// Bytes as `docker --memory` takes them, rounded up: `600m`, `24g`.
    Docker,
    /// Bytes as a Kubernetes quantity, rounded up: `600Mi`, `24Gi`.
    Kubernetes,
    /// `87.5%`.
    Percent,
    /// Thousands grouped: `1,234,567`.
    Count,
    /// Microseconds since the Unix epoch as RFC 3339 in UTC.
    Time,
    /// The same as journalctl takes it, quoted for a shell: before systemd 253 it knows no RFC 3339.
    Journald,
    /// Seconds: `1 h 2 min`.
    Duration,
    /// `0x1f`.
    Hex,
}

impl Filter {
    /// All filters.
    pub const ALL: [Self; 9] = [
        Self::Size,
        Self::Docker,
        Self::Kubernetes,
        Self::Percent,
        Self::Count,
        Self::Time,
        Self::Journald,
        Self::Duration,
        Self::Hex,
    ];

    /// The filter's name in templates.
    pub fn word(self) -> &'static str {
        match self {
            Self::Size => "size",
            Self::Docker => "docker",
            Self::Kubernetes => "kubernetes",
            Self::Percent => "percent",
            Self::Count => "count",
            Self::Time => "time",
            Self::Journald => "journald",
            Self::Duration => "duration",
            Self::Hex => "hex",
        }
    }

    /// The filter of this name.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|filter| filter.word() == word)
    }

    /// Whether it can be used on values of this type: all filters write numbers.
    pub fn fits(self, kind: FieldType) -> bool {
        match self {
            Self::Time | Self::Journald | Self::Hex => kind == FieldType::Integer,
            _ => kind != FieldType::Text,
        }
    }

    /// The value as written; nothing if it is no number or none that makes sense.
    pub fn apply(self, value: &Value) -> Option<String> {
        let number = value.number().filter(|number| number.is_finite())?;
        match self {
            Self::Size => Some(size(number)),
            Self::Docker => limit(number, "m", "g"),
            Self::Kubernetes => limit(number, "Mi", "Gi"),
            Self::Percent => Some(format!("{}%", decimal(number))),
            Self::Count => Some(count(number)),
            Self::Time => integer(value).and_then(time),
            Self::Journald => integer(value).and_then(|micros| journald(micros, " UTC")),
            Self::Duration => duration(number),
            Self::Hex => integer(value).map(|number| format!("{number:#x}")),
        }
    }

    /// The same for a clock whose zone is not known: moments are written without one, and who runs the command on
    /// the machine of the log means that machine's zone.
    pub fn apply_unzoned(self, value: &Value) -> Option<String> {
        match self {
            Self::Time => self.apply(value).map(|text| text.trim_end_matches('Z').to_owned()),
            Self::Journald => integer(value).and_then(|micros| journald(micros, "")),
            _ => self.apply(value),
        }
    }
}

fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(number) => Some(*number),
        _ => None,
    }
}

/// With one decimal unless that is a zero.
fn decimal(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

/// In the largest unit of which it holds one, as it will be rounded: 1023.96 MiB are `1 GiB`.
fn size(bytes: f64) -> String {
    let fits = UNITS.into_iter().find(|(unit, _)| (bytes.abs() / unit * 1024.0).round() >= 1024.0);
    match fits {
        Some((unit, name)) => format!("{} {name}", decimal(bytes / unit)),
        None if decimal(bytes) == "1" => "1 byte".to_owned(),
        None => format!("{bytes:.0} bytes"),
    }
}

/// A limit, never below the figure it is meant to hold.
fn limit(bytes: f64, mebi: &str, gibi: &str) -> Option<String> {
    let [_, (gibibyte, _), (mebibyte, _), _] = UNITS;
    let gibibytes = bytes / gibibyte;
    let whole = gibibytes.fract().abs() < f64::EPSILON;
    let text = if gibibytes >= WHOLE_GIBIBYTES_FROM || (gibibytes >= 1.0 && whole) {
        format!("{:.0}{gibi}", gibibytes.ceil())
    } else {
        format!("{:.0}{mebi}", (bytes / mebibyte).ceil())
    };
    (bytes > 0.0).then_some(text)
}

/// Whole part in groups of three, and one decimal if there is any.
fn count(number: f64) -> String {
    let text = decimal(number.abs());
    let (whole, fraction) =
        text.split_once('.').map_or((text.as_str(), None), |(whole, rest)| (whole, Some(rest)));
    let mut grouped = String::from(if number < 0.0 { "-" } else { "" });
    for (position, digit) in whole.chars().enumerate() {
        if position > 0 && (whole.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    fraction.map_or(grouped.clone(), |fraction| format!("{grouped}.{fraction}"))
}

fn time(micros: i64) -> Option<String> {
    Some(DateTime::from_timestamp_micros(micros)?.to_rfc3339_opts(SecondsFormat::AutoSi, true))
}

fn journald(micros: i64, zone: &str) -> Option<String> {
    let time = DateTime::from_timestamp_micros(micros)?;
    Some(format!("\"{}{zone}\"", time.format("%Y-%m-%d %H:%M:%S")))
}

/// The two largest units, the second only if it is not zero.
fn duration(seconds: f64) -> Option<String> {
    if seconds < 0.0 {
        return None;
    }
    if seconds < 60.0 {
        return Some(format!("{} s", decimal(seconds)));
    }
    let seconds = seconds.round();
    let units = [(86_400.0, "d"), (3600.0, "h"), (60.0, "min"), (1.0, "s")];
    let first = units.iter().position(|(unit, _)| seconds >= *unit)?;
    let (unit, name) = units.get(first)?;
    let head = format!("{:.0} {name}", (seconds / unit).floor());
    let tail = units.get(first + 1).map(|(next, name)| ((seconds % unit / next).floor(), name));
    Some(
        tail.filter(|(rest, _)| *rest >= 1.0)
            .map_or(head.clone(), |(rest, name)| format!("{head} {rest:.0} {name}")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(filter: &str, value: &Value, expected: &str) {
        let shown = Filter::from_word(filter).unwrap().apply(value);
        assert_eq!(shown.as_deref().unwrap_or("nothing"), expected, "{filter} {value:?}");
    }

    #[test]
    fn integers() {
        for (filter, value, expected) in [
            ("size", 409_600 << 10, "400 MiB"),
            ("size", 1_610_612_736, "1.5 GiB"),
            ("size", (1 << 30) - 1, "1 GiB"),
            ("size", 1, "1 byte"),
            ("size", 1000, "1000 bytes"),
            ("size", -1024, "-1 KiB"),
            ("docker", 600 << 20, "600m"),
            ("docker", (600 << 20) + 1, "601m"),
            ("docker", 24 << 30, "24g"),
            ("docker", (24 << 30) + 1, "25g"),
            ("docker", 1_610_612_736, "1536m"),
            ("docker", 0, "nothing"),
            ("kubernetes", 4 << 30, "4Gi"),
            ("kubernetes", 600 << 20, "600Mi"),
            ("percent", 87, "87%"),
            ("count", 1_234_567, "1,234,567"),
            ("count", 999, "999"),
            ("count", -1000, "-1,000"),
            ("time", 1_796_052_150_411_000, "2026-11-30T15:22:30.411Z"),
            ("time", i64::MAX, "nothing"),
            ("journald", 1_796_052_150_411_000, "\"2026-11-30 15:22:30 UTC\""),
            ("duration", 3720, "1 h 2 min"),
            ("duration", 45, "45 s"),
            ("duration", 3600, "1 h"),
            ("duration", 90_000, "1 d 1 h"),
            ("duration", -1, "nothing"),
            ("hex", 3_221_225_477, "0xc0000005"),
        ] {
            check(filter, &Value::Integer(value), expected);
        }
    }

    #[test]
    fn numbers_and_text() {
        check("percent", &Value::Number(87.46), "87.5%");
        check("duration", &Value::Number(0.5), "0.5 s");
        check("size", &Value::Number(f64::NAN), "nothing");
        check("count", &Value::Number(1234.5), "1,234.5");
        check("size", &Value::Text("a lot".into()), "nothing");
        assert!(!Filter::Size.fits(FieldType::Text) && Filter::Hex.fits(FieldType::Integer));
    }
}
