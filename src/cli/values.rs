//! How the values of options are read: zones, times, formats, modes.
//!
//! It knows nothing of what they are for.

use crate::{
    diagnosis::Confidence,
    redact::Mode,
    render::{Format, SummaryFormat},
    rule::Layer,
};
use chrono::{DateTime, NaiveDate, NaiveDateTime};
use clap::{
    ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use std::path::PathBuf;

/// From which confidence on a death makes the exit code 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// A record names the cause and an identity ties it to the death
    Confirmed,
    /// A record names the cause
    Probable,
    /// Any death
    Possible,
    /// No death
    Never,
}

/// The zone of some logs: a path pattern, or all, and seconds east of UTC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    /// The pattern.
    pub glob: Option<String>,
    /// Seconds east of UTC.
    pub seconds: i64,
}

/// A format by its word.
pub(super) fn format() -> impl TypedValueParser<Value = Format> {
    words(Format::ALL.map(Format::word)).map(|word| Format::from_word(&word).unwrap_or_default())
}

/// A summary's format by its word.
pub(super) fn summary_format() -> impl TypedValueParser<Value = SummaryFormat> {
    let of = |word: &str| SummaryFormat::ALL.into_iter().find(|format| format.word() == word);
    words(SummaryFormat::ALL.map(SummaryFormat::word)).map(move |word| of(&word).unwrap_or_default())
}

/// `prometheus=kerneldoc.prom`.
pub(super) fn summary_output(text: &str) -> Result<(SummaryFormat, PathBuf), String> {
    output_of(text, &SummaryFormat::ALL.map(|format| (format, format.word())))
}

/// A confidence by its word.
pub(super) fn confidence() -> impl TypedValueParser<Value = Confidence> {
    words(Confidence::ALL.map(Confidence::word)).map(|word| Confidence::from_word(&word).unwrap_or_default())
}

/// A layer by its word.
pub(super) fn layer() -> impl TypedValueParser<Value = Layer> {
    words(Layer::ALL.map(Layer::word)).map(|word| Layer::from_word(&word).unwrap_or(Layer::Kernel))
}

/// A mode of redaction by its word.
pub(super) fn redaction() -> impl TypedValueParser<Value = Mode> {
    let modes = [Mode::Off, Mode::Secrets, Mode::Strict];
    words(modes.map(Mode::word))
        .map(move |word| modes.into_iter().find(|mode| mode.word() == word).unwrap_or_default())
}

/// One of some words.
fn words<const N: usize>(words: [&'static str; N]) -> PossibleValuesParser {
    PossibleValuesParser::new(words)
}

/// `json=report.json`.
pub(super) fn output(text: &str) -> Result<(Format, PathBuf), String> {
    output_of(text, &Format::ALL.map(|format| (format, format.word())))
}

/// One of some formats, and a file.
fn output_of<F: Copy>(text: &str, formats: &[(F, &str)]) -> Result<(F, PathBuf), String> {
    let (word, path) = text.split_once('=').ok_or("expected FORMAT=FILE, as in json=report.json")?;
    let format = formats.iter().find(|(_, name)| *name == word).map(|(format, _)| *format);
    let format = format.ok_or_else(|| {
        let names: Vec<&str> = formats.iter().map(|(_, name)| *name).collect();
        format!("`{word}` is no format; there are {}", names.join(", "))
    })?;
    if path.is_empty() {
        Err("the file's name is missing".to_owned())
    } else {
        Ok((format, PathBuf::from(path)))
    }
}

/// `+08:00`, `UTC`, `logs/*.log=-05:30`.
pub(super) fn zone(text: &str) -> Result<Zone, String> {
    let (glob, zone) = match text.rsplit_once('=') {
        Some((glob, zone)) => (Some(glob.to_owned()), zone),
        None => (None, text),
    };
    Ok(Zone { glob, seconds: seconds_east(zone)? })
}

/// Seconds east of UTC.
fn seconds_east(zone: &str) -> Result<i64, String> {
    if matches!(zone, "UTC" | "utc" | "Z" | "z" | "GMT") {
        return Ok(0);
    }
    let sign = match zone.chars().next() {
        Some('+') => 1,
        Some('-' | '−') => -1,
        _ => {
            let message = "names of zones are not supported yet, because a name stands for different offsets in \
                           summer and winter; give the offset of that day, such as +08:00, or UTC";
            return Err(message.to_owned());
        }
    };
    let digits: String = zone.chars().skip(1).filter(|c| *c != ':').collect();
    let number = |from: usize, to: usize| digits.get(from..to).and_then(|part| part.parse::<i64>().ok());
    let (hours, minutes) = match digits.len() {
        1 | 2 => (number(0, digits.len()), Some(0)),
        4 => (number(0, 2), number(2, 4)),
        _ => (None, None),
    };
    match (hours, minutes) {
        (Some(hours), Some(minutes)) if hours <= 14 && minutes < 60 => {
            Ok(sign * (hours * 3600 + minutes * 60))
        }
        _ => Err("expected an offset from -14:00 to +14:00, such as +08:00".to_owned()),
    }
}

/// `project=ML`.
pub(super) fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("expected KEY=VALUE, as in project=ML".to_owned()),
    }
}

/// `2026-11-30`.
pub(super) fn date(text: &str) -> Result<NaiveDate, String> {
    text.parse().map_err(|_| "expected a day, such as 2026-11-30".to_owned())
}

/// RFC 3339, or a date or a date and time in UTC: microseconds since the epoch.
pub(super) fn time(text: &str) -> Result<i64, String> {
    let utc = |time: NaiveDateTime| time.and_utc().timestamp_micros();
    if let Ok(time) = DateTime::parse_from_rfc3339(&text.replacen(' ', "T", 1)) {
        return Ok(time.timestamp_micros());
    }
    for shape in ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%dT%H:%M"] {
        if let Ok(time) = NaiveDateTime::parse_from_str(&text.replacen(' ', "T", 1), shape) {
            return Ok(utc(time));
        }
    }
    match NaiveDate::parse_from_str(text, "%Y-%m-%d") {
        Ok(date) => Ok(utc(date.and_time(chrono::NaiveTime::MIN))),
        Err(_) => Err("expected a time such as 2026-11-30T15:14:10Z, 2026-11-30T23:14:10+08:00, or in UTC \
                       2026-11-30 15:14"
            .to_owned()),
    }
}

/// Lower-case words joined by dashes.
pub(super) fn rule_id(text: &str) -> Result<String, String> {
    let word =
        |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    if text.split('-').all(word) {
        Ok(text.to_owned())
    } else {
        Err("expected lower-case words joined by dashes, such as container-memory-limit".to_owned())
    }
}

/// A number of seconds between two measurements.
pub(super) fn interval(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds, like 2 or 0.5".to_owned())?;
    if (0.1..=3600.0).contains(&seconds) { Ok(seconds) } else { Err("0.1 to 3600 seconds".to_owned()) }
}

/// From when on: a moment, or so long ago.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// Seconds since the epoch.
    At(u64),
    /// Seconds before now.
    Ago(u64),
}

impl Since {
    /// The moment, in seconds since the epoch.
    pub fn seconds(self, now: u64) -> u64 {
        match self {
            Self::At(seconds) => seconds,
            Self::Ago(seconds) => now.saturating_sub(seconds),
        }
    }
}

/// `24h`, `7d`, `90m`, or a time.
pub(super) fn since(text: &str) -> Result<Since, String> {
    let ago = |end: char, seconds: u64| {
        text.strip_suffix(end)?.parse::<u64>().ok().map(|count| count.saturating_mul(seconds))
    };
    let ago = ago('d', 86_400).or_else(|| ago('h', 3600)).or_else(|| ago('m', 60));
    match ago {
        Some(seconds) => Ok(Since::Ago(seconds)),
        None => time(text).map(|micros| Since::At(u64::try_from(micros / 1_000_000).unwrap_or(0))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones() {
        assert_eq!(seconds_east("+08:00"), Ok(28_800));
        assert_eq!(seconds_east("-0530"), Ok(-19_800));
        assert_eq!(seconds_east("+8"), Ok(28_800));
        assert_eq!(zone("logs/a=b*.log=UTC").unwrap().glob.as_deref(), Some("logs/a=b*.log"));
        assert!(seconds_east("Asia/Shanghai").unwrap_err().contains("+08:00"));
        assert!(
            seconds_east("+25:00").is_err() && seconds_east("+é:é").is_err() && seconds_east("").is_err()
        );
    }

    #[test]
    fn times() {
        let micros = 1_796_052_970_000_000;
        for text in [
            "2026-11-30T15:36:10Z",
            "2026-11-30T23:36:10+08:00",
            "2026-11-30 15:36:10",
            "2026-11-30T15:36:10",
        ] {
            assert_eq!(time(text), Ok(micros), "{text}");
        }
        assert_eq!(time("2026-11-30"), Ok(micros - 56_170_000_000));
        assert!(time("yesterday").is_err());
    }
}
