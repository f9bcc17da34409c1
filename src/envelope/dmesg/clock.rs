//! The bracketed and bare clocks that util-linux's `dmesg` and `/dev/kmsg` print before a message.
//!
//! `None` stands for a clock that has no value of its own: a difference to the line before.

use super::super::{locale, prim};
use crate::stamp::{ClockKind, SECOND, Stamp};
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag, take_until, take_while_m_n},
    character::complete::{char, digit1, one_of, space0},
    combinator::{map, map_opt, opt, value},
    sequence::delimited,
};

/// Any clock, with the blank behind it.
pub(super) fn any(input: &str) -> IResult<&str, Option<Stamp>> {
    alt((map(iso, Some), delimited(char('['), bracketed, (char(']'), opt(char(' ')))))).parse(input)
}

/// What stands between brackets.
fn bracketed(input: &str) -> IResult<&str, Option<Stamp>> {
    alt((
        map((since_boot, opt((char(' '), delta))), |(stamp, _)| Some(stamp)),
        map((whole_second_ctime, opt((char(' '), delta))), |(stamp, _)| Some(stamp)),
        map(minute, Some),
        value(None, delta),
        value(None, (space0, char('+'), digit1, prim::fraction)),
    ))
    .parse(input)
}

/// `  499.804915`: seconds since boot, always with six digits behind the point.
fn since_boot(input: &str) -> IResult<&str, Stamp> {
    let six = take_while_m_n(6, 6, |c: char| c.is_ascii_digit());
    map_opt((space0, digit1, char('.'), six), |(_, seconds, _, micros): (_, &str, _, &str)| {
        boot(seconds.parse().ok()?, micros.parse().ok()?)
    })
    .parse(input)
}

/// A stamp of seconds and microseconds since boot.
pub(super) fn boot(seconds: i64, micros: i64) -> Option<Stamp> {
    Some(Stamp::new(ClockKind::Boot, seconds.checked_mul(SECOND)?.checked_add(micros)?))
}

/// `Mon Nov 30 15:32:36 2026` of `-T`: local time, recomputed when it was printed. Apache writes a fraction.
fn whole_second_ctime(input: &str) -> IResult<&str, Stamp> {
    let (rest, stamp) = prim::ctime(input)?;
    let taken = input.get(..input.len() - rest.len()).unwrap_or_default();
    if stamp.clock != ClockKind::Local || taken.contains(['.', ',']) {
        return Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Verify)));
    }
    Ok((rest, stamp))
}

/// `<    7.000000>` of `-d`, `<    0.000001 >` of `journalctl -o short-delta`: time since the line before.
fn delta(input: &str) -> IResult<&str, ()> {
    value((), (char('<'), space0, digit1, prim::fraction, space0, char('>'))).parse(input)
}

/// `Nov30 15:32` of `-e`, printed only where the minute changes.
fn minute(input: &str) -> IResult<&str, Stamp> {
    map_opt(
        (locale::month, prim::digits(2), char(' '), prim::digits(2), char(':'), prim::digits(2)),
        |parts| {
            let (month, day, _, hour, _, minute) = parts;
            let time = chrono::NaiveTime::from_hms_opt(hour, minute, 0)?;
            let since_midnight = time.signed_duration_since(chrono::NaiveTime::MIN).num_microseconds()?;
            Some(Stamp::new(ClockKind::YearLess, prim::year_less_micros(month, day, since_midnight)?))
        },
    )
    .parse(input)
}

/// `2026-11-30T15:36:25,790467+00:00 ` of `--time-format iso`.
fn iso(input: &str) -> IResult<&str, Stamp> {
    let (rest, _) =
        (prim::date, char('T'), take_while_m_n(8, 8, |c: char| c.is_ascii_digit() || c == ':'), char(','))
            .parse(input)?;
    let (rest, _) = (
        take_while_m_n(6, 6, |c: char| c.is_ascii_digit()),
        one_of("+-"),
        prim::digits(2),
        char(':'),
        prim::digits(2),
    )
        .parse(rest)?;
    let (rest, _) = prim::blank_or_end(rest)?;
    let (_, stamp) = prim::iso(input)?;
    Ok((rest, stamp))
}

/// `6,1804,47700428483,-;` of `/dev/kmsg`: level, number, microseconds since boot, flags.
pub(super) fn kmsg(input: &str) -> IResult<&str, Option<Stamp>> {
    let flags = (one_of("-c+"), take_until(";"), tag(";"));
    map_opt(
        (digit1, char(','), digit1, char(','), digit1, char(','), flags),
        |(level, _, _, _, micros, _, flags)| {
            let (level, micros): (u32, i64) = (str::parse(level).ok()?, str::parse(micros).ok()?);
            let plain = flags.1.is_empty() || flags.1.starts_with(',');
            (level < 256 && plain).then(|| boot(0, micros))
        },
    )
    .parse(input)
}
