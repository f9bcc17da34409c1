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
