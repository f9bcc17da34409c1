//! The clocks of `dmesg` (util-linux): `[  499.804915] `, `[Mon Nov 30 15:32:36 2026] `, iso, `-x`, `-r`, `-e`, JSON.

use super::{Envelope, Layer, prim};
use crate::{
    event::{Channel, Origin},
    stamp::{ClockKind, SECOND, Stamp},
};
use nom::{
    IResult, Parser,
    bytes::complete::tag,
    character::complete::{char, digit1, multispace0},
    combinator::{map_opt, opt},
    sequence::delimited,
};
use std::borrow::Cow;

/// The envelope.
pub(super) const ENVELOPE: Envelope = Envelope { name: "dmesg", peel };

/// Takes the bracketed clock off.
fn peel(text: &str) -> Option<Layer<'_>> {
    let (rest, stamp) = since_boot(text).or_else(|_| ctime(text)).ok()?;
    Some(Layer {
        rest: Cow::Borrowed(rest),
        stamps: vec![stamp],
        origin: Origin { channel: Channel::RingBuffer, ..Origin::default() },
        partial: false,
    })
}

/// `[  499.804915] `: seconds since boot.
fn since_boot(input: &str) -> IResult<&str, Stamp> {
    map_opt(
        (delimited((char('['), multispace0), (digit1, prim::fraction), char(']')), opt(char(' '))),
        |((seconds, micros), _): ((&str, i64), _)| {
            let seconds: i64 = seconds.parse().ok()?;
            Some(Stamp::new(ClockKind::Boot, seconds.checked_mul(SECOND)?.checked_add(micros)?))
        },
    )
    .parse(input)
}

/// `[Mon Nov 30 15:32:36 2026] `: local time, recomputed when it was printed.
fn ctime(input: &str) -> IResult<&str, Stamp> {
    let (rest, _) = (char('['), prim::weekday, tag(" ")).parse(input)?;
    map_opt(
        (
            prim::month,
            multispace0,
            prim::digits_between(1, 2),
            tag(" "),
            prim::time,
            tag(" "),
            prim::digits(4),
            char(']'),
            opt(char(' ')),
        ),
        |(month, _, day, _, time, _, year, _, _)| {
            let date = chrono::NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
            Some(Stamp::new(ClockKind::Local, prim::local_micros(date, time)?))
        },
    )
    .parse(rest)
}
