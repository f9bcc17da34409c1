//! Shared nom pieces of the envelopes: dates, times, fractions, zones.
//!
//! All give microseconds as [`Stamp`] counts them; none guesses a year or a zone.

use crate::stamp::{ClockKind, SECOND, Stamp};
use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag, take_while_m_n},
    character::complete::{char, one_of},
    combinator::{map, map_opt, opt, recognize},
    sequence::preceded,
};

/// Exactly `count` digits as a number.
pub fn digits(count: usize) -> impl Fn(&str) -> IResult<&str, u32> {
    move |input| {
        map_opt(take_while_m_n(count, count, |c: char| c.is_ascii_digit()), |text: &str| text.parse().ok())
            .parse(input)
    }
}

/// Between `least` and `most` digits as a number.
pub fn digits_between(least: usize, most: usize) -> impl Fn(&str) -> IResult<&str, u32> {
    move |input| {
        map_opt(take_while_m_n(least, most, |c: char| c.is_ascii_digit()), |text: &str| text.parse().ok())
            .parse(input)
    }
}

/// `2026-11-30`, also with slashes.
pub fn date(input: &str) -> IResult<&str, NaiveDate> {
    map_opt((digits(4), one_of("-/"), digits(2), one_of("-/"), digits(2)), |(year, _, month, _, day)| {
        NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)
    })
    .parse(input)
}

/// `15:22:30`, with a fraction of up to nine digits behind a dot or a comma: microseconds since midnight.
pub fn time(input: &str) -> IResult<&str, i64> {
    map_opt(
        (digits_between(1, 2), char(':'), digits(2), char(':'), digits(2), opt(fraction)),
        |(hour, _, minute, _, second, micros)| {
            // A leap second is printed as 60 and counts as the second before.
            NaiveTime::from_hms_opt(hour, minute, second.min(59))?;
            let seconds = i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second);
            Some(seconds * SECOND + micros.unwrap_or(0))
        },
    )
    .parse(input)
}

/// `.901`, `,035926`, `.404069843`: microseconds.
pub fn fraction(input: &str) -> IResult<&str, i64> {
    map(preceded(one_of(".,"), take_while_m_n(1, 9, |c: char| c.is_ascii_digit())), |text: &str| {
        let digits: String = text.chars().chain("000000".chars()).take(6).collect();
        digits.parse().unwrap_or(0)
    })
    .parse(input)
}

/// `Z`, `+08:00`, `+0800`, `-05`: seconds east of UTC.
pub fn zone(input: &str) -> IResult<&str, i64> {
    alt((map(one_of("Zz"), |_| 0), map(tag("UTC"), |_| 0), offset)).parse(input)
}

/// `+08:00`, `+0800`, `-05`: seconds east of UTC.
fn offset(input: &str) -> IResult<&str, i64> {
    map((one_of("+-"), digits(2), opt((opt(char(':')), digits(2)))), |(sign, hours, minutes)| {
        let seconds = i64::from(hours) * 3600 + minutes.map_or(0, |(_, minutes)| i64::from(minutes) * 60);
        if sign == '-' { -seconds } else { seconds }
    })
    .parse(input)
}

/// A three-letter English month.
pub fn month(input: &str) -> IResult<&str, u32> {
    map_opt(take_while_m_n(3, 3, |c: char| c.is_ascii_alphabetic()), |name: &str| {
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        names.iter().zip(1..).find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, number)| number)
    })
    .parse(input)
}

/// A three-letter English day of the week.
pub fn weekday(input: &str) -> IResult<&str, &str> {
    recognize(alt((tag("Mon"), tag("Tue"), tag("Wed"), tag("Thu"), tag("Fri"), tag("Sat"), tag("Sun"))))
        .parse(input)
}

/// `2026-11-30T15:22:30.411378443Z`, or with a blank between, with or without a zone.
pub fn iso(input: &str) -> IResult<&str, Stamp> {
    map_opt((date, one_of("T "), time, opt(zone)), |(date, _, time, zone)| {
        let local = local_micros(date, time)?;
        Some(match zone {
            Some(offset) => Stamp::new(ClockKind::Zoned, local - offset * SECOND),
            None => Stamp::new(ClockKind::Local, local),
        })
    })
    .parse(input)
}

/// Microseconds since the epoch of a date and a time of day, as if they were UTC.
pub fn local_micros(date: NaiveDate, time_of_day: i64) -> Option<i64> {
    let midnight = NaiveDateTime::new(date, NaiveTime::MIN).and_utc().timestamp_micros();
    midnight.checked_add(time_of_day)
}
