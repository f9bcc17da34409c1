//! Shared nom pieces of the envelopes: dates, times, fractions, zones.
//!
//! All give microseconds as [`Stamp`] counts them; none guesses a year or a zone.

use super::locale;
use crate::stamp::{ClockKind, SECOND, Stamp};
use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag, take_while, take_while_m_n},
    character::complete::{char, one_of, space1},
    combinator::{eof, map, map_opt, not, opt, peek, value},
    sequence::{preceded, terminated},
};

/// The most that any zone of the world is away from UTC, in hours (Kiritimati, +14).
const FARTHEST_ZONE: u32 = 14;
/// How many microseconds the last of so many digits of a fraction counts, six at most.
const MICROS_OF_LAST: [i64; 7] = [0, 100_000, 10_000, 1_000, 100, 10, 1];
/// The year of stamps that name none: a leap year, so that the 29th of February is a date.
const LEAP_YEAR: i32 = 2000;

/// Exactly `count` digits as a number.
pub fn digits(count: usize) -> impl Fn(&str) -> IResult<&str, u32> {
    digits_between(count, count)
}

/// Between `least` and `most` digits as a number.
pub fn digits_between(least: usize, most: usize) -> impl Fn(&str) -> IResult<&str, u32> {
    move |input| {
        // By bytes, for every line is tried for stamps.
        let count = input.bytes().take(most).take_while(u8::is_ascii_digit).count();
        let (digits, rest) = input.split_at_checked(count).unwrap_or_default();
        match digits.parse() {
            Ok(number) if count >= least => Ok((rest, number)),
            _ => Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Digit))),
        }
    }
}

/// Nothing, where no letter or digit follows: a stamp that runs on into a word is none.
pub fn boundary(input: &str) -> IResult<&str, ()> {
    not(peek(take_while_m_n(1, 1, char::is_alphanumeric))).parse(input)
}

/// The number that these digits make.
fn number<const COUNT: usize>(digits: [u8; COUNT]) -> Option<u32> {
    let digit = |byte: u8| byte.is_ascii_digit().then(|| u32::from(byte - b'0'));
    digits.into_iter().try_fold(0, |number, byte| Some(number * 10 + digit(byte)?))
}

/// What was read of the first bytes of a text, which are ASCII, and the rest.
fn read<T>(input: &str, read: Option<(T, usize)>) -> IResult<&str, T> {
    match read.and_then(|(value, length)| Some((input.get(length..)?, value))) {
        Some(found) => Ok(found),
        None => Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::MapOpt))),
    }
}

/// `2026-11-30`, also with slashes.
///
/// Date, time and fraction are read byte by byte and not by nom's pieces: a line is tried for them up to ten times.
pub fn date(input: &str) -> IResult<&str, NaiveDate> {
    let date = |text: &[u8; 10]| {
        let [y1, y2, y3, y4, b'-' | b'/', m1, m2, b'-' | b'/', d1, d2] = *text else { return None };
        let year = i32::try_from(number([y1, y2, y3, y4])?).ok()?;
        NaiveDate::from_ymd_opt(year, number([m1, m2])?, number([d1, d2])?)
    };
    read(input, input.as_bytes().first_chunk().and_then(date).map(|date| (date, 10)))
}

/// `15:22:30`, with a fraction of up to nine digits behind a dot or a comma: microseconds since midnight.
pub fn time(input: &str) -> IResult<&str, i64> {
    map(timed, |(micros, _)| micros).parse(input)
}

/// As [`time`], with how many digits the fraction has: programs differ in that, and are told apart by it.
pub fn timed(input: &str) -> IResult<&str, (i64, usize)> {
    let (rest, seconds) = read(input, whole_seconds(input.as_bytes()))?;
    let (micros, digits) = fraction_of(rest.as_bytes()).unwrap_or((0, 0));
    let length = if digits > 0 { digits + 1 } else { 0 };
    read(rest, Some(((seconds * SECOND + micros, digits), length)))
}

/// `15:22:30` or `9:22:30` as seconds since midnight, and its length.
fn whole_seconds(text: &[u8]) -> Option<(i64, usize)> {
    let (hour, rest, length) = match *text {
        [h1, h2, b':', ref rest @ ..] => (number([h1, h2])?, rest, 8),
        [h, b':', ref rest @ ..] => (number([h])?, rest, 7),
        _ => return None,
    };
    let [m1, m2, b':', s1, s2, ..] = *rest else { return None };
    let (minute, second) = (number([m1, m2])?, number([s1, s2])?);
    // A leap second is printed as 60.
    let is_time = hour < 24 && minute < 60 && second <= 60;
    is_time.then(|| (i64::from(hour * 3600 + minute * 60 + second), length))
}

/// `.901`, `,035926`, `.404069843`: microseconds.
pub fn fraction(input: &str) -> IResult<&str, i64> {
    map(fraction_digits, |(micros, _)| micros).parse(input)
}

/// As [`fraction`], with the number of its digits.
fn fraction_digits(input: &str) -> IResult<&str, (i64, usize)> {
    read(input, fraction_of(input.as_bytes()).map(|found| (found, 1 + found.1)))
}

/// The microseconds of a fraction, and the number of its digits: nine at most, of which six count.
fn fraction_of(text: &[u8]) -> Option<(i64, usize)> {
    let [b'.' | b',', rest @ ..] = text else { return None };
    let digits = rest.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
    let six = digits.min(MICROS_OF_LAST.len() - 1);
    let number = rest.iter().take(six).fold(0, |number, digit| number * 10 + i64::from(digit - b'0'));
    (digits > 0).then(|| (number * MICROS_OF_LAST[six], digits))
}

/// A zone behind a time: `Z`, `+08:00`, `+0800`, `-05`, ` UTC`, Go's ` +0800 CST`: seconds east of UTC.
///
/// Abbreviations other than `UTC`, `GMT` and `Z` are no zone: `CST` is three of them, and a stamp with one stays
/// local. An offset behind a blank counts only with Go's abbreviation after it, for ` +1200 MB` may follow a time.
pub fn zone(input: &str) -> IResult<&str, i64> {
    // Most stamps have none, and two bytes behind the blank show it: ` - ` is what Python's loggers print.
    match input.as_bytes().strip_prefix(b" ").unwrap_or(input.as_bytes()) {
        [b'Z' | b'z', ..] | [b'U', b'T', ..] | [b'G', b'M', ..] | [b'+' | b'-', b'0'..=b'9', ..] => {
            any_zone(input)
        }
        _ => read(input, None),
    }
}

/// As [`zone`], whatever the first bytes.
fn any_zone(input: &str) -> IResult<&str, i64> {
    alt((
        value(0, (one_of("Zz"), boundary)),
        value(0, (opt(char(' ')), alt((tag("UTC"), tag("GMT"))), boundary)),
        // Jupyter's event log prints `+00:00Z`.
        terminated(offset, (opt(char('Z')), boundary)),
        preceded(
            char(' '),
            terminated(offset, (char(' '), alt((value((), abbreviation), value((), offset))), boundary)),
        ),
    ))
    .parse(input)
}

/// `CST`, `CEST`: the name of a zone, which may be the name of several.
pub fn abbreviation(input: &str) -> IResult<&str, &str> {
    terminated(take_while_m_n(3, 5, |c: char| c.is_ascii_uppercase()), boundary).parse(input)
}

/// `+08:00`, `+0800`, `-05`: seconds east of UTC.
fn offset(input: &str) -> IResult<&str, i64> {
    map_opt((one_of("+-"), digits(2), opt((opt(char(':')), digits(2)))), |(sign, hours, minutes)| {
        let minutes = minutes.map_or(0, |(_, minutes)| minutes);
        if hours > FARTHEST_ZONE || minutes > 59 {
            return None;
        }
        let seconds = i64::from(hours) * 3600 + i64::from(minutes) * 60;
        Some(if sign == '-' { -seconds } else { seconds })
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
    let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    read(input, input.get(..3).filter(|name| days.contains(name)).map(|name| (name, 3)))
}

/// `2026-11-30T15:22:30.411378443Z`, or with a blank between, with or without a zone.
pub fn iso(input: &str) -> IResult<&str, Stamp> {
    map(iso_digits, |(stamp, _)| stamp).parse(input)
}

/// As [`iso`], with how many digits the fraction of the second has.
pub fn iso_digits(input: &str) -> IResult<&str, (Stamp, usize)> {
    let (rest, date) = date(input)?;
    let (rest, ()) = read(rest, rest.starts_with(['T', ' ']).then_some(((), 1)))?;
    let (rest, (time, digits)) = timed(rest)?;
    let (rest, zone) = opt(zone).parse(rest)?;
    let stamp = local_micros(date, time).map(|local| placed(local, zone));
    read(rest, stamp.map(|stamp| ((stamp, digits), 0)))
}

/// `Nov 30 15:22:30`, the stamp of RFC 3164: no year, no zone.
pub fn year_less(input: &str) -> IResult<&str, Stamp> {
    map_opt((locale::month, space1, digits_between(1, 2), char(' '), time), |(month, _, day, _, time)| {
        let date = NaiveDate::from_ymd_opt(LEAP_YEAR, month, day)?;
        Some(Stamp::new(ClockKind::YearLess, local_micros(date, time)?))
    })
    .parse(input)
}

/// `Mon Nov 30 15:32:36 2026` of `ctime`, or `Mon Nov 30 15:32:36 UTC 2026` of `date`.
pub fn ctime(input: &str) -> IResult<&str, Stamp> {
    let (rest, (_, _, month, _, day, _, time)) =
        (locale::weekday, char(' '), locale::month, space1, digits_between(1, 2), char(' '), time)
            .parse(input)?;
    map_opt(
        (opt(zone), opt((char(' '), abbreviation)), char(' '), digits(4), boundary),
        |(zone, _, _, year, ())| {
            let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
            Some(placed(local_micros(date, time)?, zone))
        },
    )
    .parse(rest)
}

/// A stamp of a local time and the zone behind it, if one was named.
pub fn placed(local: i64, zone: Option<i64>) -> Stamp {
    match zone {
        Some(offset) => Stamp::zoned(local, offset),
        None => Stamp::new(ClockKind::Local, local),
    }
}

/// Microseconds since the epoch of a date and a time of day, as if they were UTC.
pub fn local_micros(date: NaiveDate, time_of_day: i64) -> Option<i64> {
    let midnight = NaiveDateTime::new(date, NaiveTime::MIN).and_utc().timestamp_micros();
    midnight.checked_add(time_of_day)
}

/// Microseconds of a stamp in its year-less form.
pub fn year_less_micros(month: u32, day: u32, time_of_day: i64) -> Option<i64> {
    local_micros(NaiveDate::from_ymd_opt(LEAP_YEAR, month, day)?, time_of_day)
}

/// One blank or the end of the text, where a stamp must end to stand alone.
pub fn blank_or_end(input: &str) -> IResult<&str, &str> {
    alt((tag(" "), eof)).parse(input)
}

/// Blanks, however many.
pub fn blanks(input: &str) -> IResult<&str, &str> {
    take_while(|c| c == ' ').parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stamp as text and what is left.
    #[track_caller]
    fn check(input: &str, clock: ClockKind, expected: &str, left: &str) {
        let (rest, stamp) = iso(input).unwrap();
        let (_, wanted) = iso(expected).unwrap();
        assert_eq!((stamp.clock, stamp.micros, rest), (clock, wanted.micros, left), "{input}");
    }

    #[test]
    fn only_unambiguous_zones_are_zones() {
        check("2026-11-30T23:22:30.5+08:00 x", ClockKind::Zoned, "2026-11-30T15:22:30.5Z", " x");
        check("2026-11-30T23:22:30+0800", ClockKind::Zoned, "2026-11-30T15:22:30Z", "");
        check("2026-11-30 15:22:30 UTC x", ClockKind::Zoned, "2026-11-30T15:22:30Z", " x");
        check("2026-11-30 15:22:30 GMT", ClockKind::Zoned, "2026-11-30T15:22:30Z", "");
        check("2026-11-30 23:22:30.17 +0800 CST died", ClockKind::Zoned, "2026-11-30T15:22:30.17Z", " died");
        check("2026-11-30 18:22:30 +0300 +03 died", ClockKind::Zoned, "2026-11-30T15:22:30Z", " died");
        check("2026-11-30T15:22:30.648017+00:00Z", ClockKind::Zoned, "2026-11-30T15:22:30.648017Z", "");
        check("2026-11-30 15:22:30 CST", ClockKind::Local, "2026-11-30T15:22:30Z", " CST");
        check("2026-11-30 15:22:30 +1200 MB", ClockKind::Local, "2026-11-30T15:22:30Z", " +1200 MB");
        check("2026-11-30 15:22:30 Zebra", ClockKind::Local, "2026-11-30T15:22:30Z", " Zebra");
        check("2026-11-30 15:22:30-2026-11-30", ClockKind::Local, "2026-11-30T15:22:30Z", "-2026-11-30");
    }

    /// A stamp as nom's pieces read it.
    fn by_pieces(input: &str) -> IResult<&str, (Stamp, usize)> {
        let separator = || one_of("-/");
        let date = map_opt(
            (digits(4), separator(), digits(2), separator(), digits(2)),
            |(year, _, month, _, day)| NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day),
        );
        let fraction = preceded(one_of(".,"), take_while_m_n(1, 9, |c: char| c.is_ascii_digit()));
        let clock = (digits_between(1, 2), char(':'), digits(2), char(':'), digits(2), opt(fraction));
        let time = map_opt(clock, |(hour, _, minute, _, second, fraction): (_, _, _, _, _, Option<&str>)| {
            NaiveTime::from_hms_opt(hour, minute, if second == 60 { 59 } else { second })?;
            let seconds = i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second);
            let micros: i64 = fraction.map_or(0, |digits| format!("{digits:0<6.6}").parse().unwrap());
            Some((seconds * SECOND + micros, fraction.map_or(0, str::len)))
        });
        map_opt((date, one_of("T "), time, opt(any_zone)), |(date, _, (time, digits), zone)| {
            Some((placed(local_micros(date, time)?, zone), digits))
        })
        .parse(input)
    }

    proptest::proptest! {
        #[test]
        fn a_stamp_is_what_its_pieces_say(
            text in "[0-9]{3,4}[-/.][01][0-9][-/][0-3][0-9][T ]([01]?[0-9]|2[0-4]):[0-6][0-9]:[0-6][0-9]?([.,][0-9]{0,10})?( ?(Z|UTC|GMT|[+-][01][0-9]:?[0-6]?[0-9]?)| )?( [A-Z]{2,4})?[aé ]?",
        ) {
            proptest::prop_assert_eq!(iso_digits(&text).ok(), by_pieces(&text).ok());
        }
    }

    #[test]
    fn the_output_of_date_is_a_stamp() {
        assert_eq!(ctime("Fri Oct 18 07:41:55 UTC 2019").unwrap().1.clock, ClockKind::Zoned);
        assert_eq!(ctime("Mon Jun 23 14:55:31 CEST 2025").unwrap().1.clock, ClockKind::Local);
        assert_eq!(ctime("Mon Jun  3 14:55:31 2025").unwrap().1.clock, ClockKind::Local);
        assert!(ctime("Mon Jun 23 14:55:31 20251").is_err());
    }
}
