//! Civil dates: years, days and RFC 3339.

use crate::stamp::{DAY, SECOND};
use chrono::{DateTime, Datelike, SecondsFormat};

/// A time for people and machines: `2026-11-30T15:22:30.411Z`. `None` outside the range of dates.
pub fn rfc3339(micros: i64) -> Option<String> {
    let time = DateTime::from_timestamp_micros(micros)?;
    let format = if micros.rem_euclid(SECOND) == 0 { SecondsFormat::Secs } else { SecondsFormat::Millis };
    Some(time.to_rfc3339_opts(format, true))
}

/// The year of a time.
pub(super) fn year_of(micros: i64) -> Option<i32> {
    DateTime::from_timestamp_micros(micros).map(|time| time.year())
}

/// A time of the year 2000 moved to another year. February 29 becomes March 1 where there is none.
pub(super) fn in_year(micros_in_2000: i64, year: i32) -> Option<i64> {
    let time = DateTime::from_timestamp_micros(micros_in_2000)?;
    let moved = time.with_year(year).or_else(|| (time + chrono::Duration::days(1)).with_year(year))?;
    Some(moved.timestamp_micros())
}

/// The beginning of the day of a time.
pub(super) fn day_start(micros: i64) -> i64 {
    micros.div_euclid(DAY) * DAY
}

/// The day that a log's name gives: `jupyter-2024-03-05.log`, `syslog-20240305.gz`. Microseconds since the epoch.
pub(super) fn date_in_name(path: &str) -> Option<i64> {
    let name = path.rsplit('/').next()?;
    let mut runs = name.split(|c: char| !c.is_ascii_digit() && c != '-' && c != '_');
    runs.find_map(date_of)
}

/// The date that a run of digits and dashes is, or begins with.
fn date_of(run: &str) -> Option<i64> {
    let parts: Vec<&str> = run.split(['-', '_']).filter(|part| !part.is_empty()).collect();
    let (year, month, day) = parts.iter().enumerate().find_map(|(at, part)| {
        match (part.len(), parts.get(at + 1), parts.get(at + 2)) {
            (8, _, _) => Some((part.get(..4)?, part.get(4..6)?, part.get(6..8)?)),
            (4, Some(month), Some(day)) if month.len() == 2 && day.len() == 2 => Some((*part, *month, *day)),
            _ => None,
        }
    })?;
    let year: i32 = year.parse().ok().filter(|year| (1990..2100).contains(year))?;
    let date = chrono::NaiveDate::from_ymd_opt(year, month.parse().ok()?, day.parse().ok()?)?;
    Some(date.and_time(chrono::NaiveTime::MIN).and_utc().timestamp_micros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: Option<&str>) {
        assert_eq!(date_in_name(path).and_then(rfc3339).as_deref(), expected);
    }

    #[test]
    fn names_of_rotated_logs_have_dates() {
        check("logs/jupyter-2024-03-05.log", Some("2024-03-05T00:00:00Z"));
        check("var/syslog-20240305.gz", Some("2024-03-05T00:00:00Z"));
        check("2024-03-05/jupyter.log", None);
        check("slurm-77021434.out", None);
        check("core.1234", None);
        check("notebook-12345678-2.log", None);
    }

    #[test]
    fn february_29_has_a_place_in_every_year() {
        let leap = 951_782_400_000_000; // 2000-02-29
        assert_eq!(in_year(leap, 2023).and_then(rfc3339).as_deref(), Some("2023-03-01T00:00:00Z"));
        assert_eq!(in_year(leap, 2024).and_then(rfc3339).as_deref(), Some("2024-02-29T00:00:00Z"));
    }
}
