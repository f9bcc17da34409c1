//! Colab's “View runtime logs”: a CSV export, and the same table pasted with bars.
//!
//! Both print the viewer's local time with AM and PM, and the newest row first. The level is Colab's own (all of
//! stderr is `WARNING`), so it is dropped.

use super::{Begins, Envelope, Layer, prim};
use crate::{
    event::{Channel, Origin},
    stamp::{ClockKind, SECOND, Stamp},
};
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag, take_while_m_n},
    character::complete::{char, one_of},
    combinator::{map_opt, value},
};
use smallvec::smallvec;
use std::borrow::Cow;

/// The envelope.
pub(super) const ENVELOPE: Envelope = Envelope {
    name: "colab",
    sample: "Nov 30, 2026, 3:22:30 PM | WARNING | Killed",
    begins: Begins::WORD.and(b"\""),
    peel,
};

/// Half a day.
const NOON: i64 = 12 * 3600 * SECOND;

/// Takes stamp and level off.
fn peel(text: &str) -> Option<Layer<'_>> {
    let (rest, stamp) = alt((csv, barred)).parse(text).ok()?;
    let message = match rest.strip_prefix('"') {
        Some(quoted) if text.starts_with('"') => Cow::Owned(unquote(quoted)),
        _ => Cow::Borrowed(rest),
    };
    Some(Layer {
        rest: message,
        stamps: smallvec![stamp],
        origin: Origin { channel: Channel::Process, ..Origin::default() },
        ..Layer::default()
    })
}

/// `"Jan 30, 2025, 7:12:31 PM",WARNING,`
fn csv(input: &str) -> IResult<&str, Stamp> {
    let (rest, (_, stamp, _, _, _)) = (char('"'), stamp, tag("\","), level, char(',')).parse(input)?;
    Ok((rest, stamp))
}

/// `Oct 18, 2019, 7:55:20 AM | WARNING | `
fn barred(input: &str) -> IResult<&str, Stamp> {
    let (rest, (stamp, _, _, _)) = (stamp, tag(" | "), level, tag(" |")).parse(input)?;
    let (rest, _) = prim::blank_or_end(rest)?;
    Ok((rest, stamp))
}

/// A level.
fn level(input: &str) -> IResult<&str, &str> {
    take_while_m_n(3, 10, |c: char| c.is_ascii_uppercase()).parse(input)
}

/// `Jan 30, 2025, 7:12:31 PM`; newer browsers put a narrow no-break space before `PM`.
fn stamp(input: &str) -> IResult<&str, Stamp> {
    let afternoon = alt((value(false, tag("AM")), value(true, tag("PM"))));
    let day = (prim::month, char(' '), prim::digits_between(1, 2), tag(", "), prim::digits(4), tag(", "));
    map_opt(
        (day, prim::time, one_of(" \u{202f}\u{a0}"), afternoon),
        |((month, _, day, _, year, _), time, _, afternoon)| {
            let date = chrono::NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
            let hour = time % NOON + if afternoon { NOON } else { 0 };
            Some(Stamp::new(ClockKind::Local, prim::local_micros(date, hour)?))
        },
    )
    .parse(input)
}

/// A quoted CSV field; one whose closing quote stands on a later line ends where the line does.
fn unquote(quoted: &str) -> String {
    quoted.strip_suffix('"').unwrap_or(quoted).replace("\"\"", "\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, rest: &str, stamp: &str) {
        let layer = peel(text).unwrap();
        assert_eq!((layer.rest.as_ref(), layer.stamps[0].to_string().as_str()), (rest, stamp));
    }

    #[test]
    fn both_forms() {
        check("\"Nov 30, 2026, 3:22:30 PM\",INFO,\"a \"\"b\"\", c\"", "a \"b\", c", "local:1796052150000000");
        check("\"Nov 30, 2026, 12:22:30 AM\",WARNING,open \"end", "open \"end", "local:1795998150000000");
        check("Nov 30, 2026, 12:22:30 PM | INFO | a | b", "a | b", "local:1796041350000000");
        check("Nov 30, 2026, 3:22:30\u{202f}PM | INFO | a", "a", "local:1796052150000000");
        assert!(peel("Timestamp,Level,Message").is_none());
    }
}
