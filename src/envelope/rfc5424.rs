//! RFC 5424 syslog: `<14>1 2026-11-30T15:22:30.251280+00:00 host app procid msgid - message`.
//!
//! Structured data is passed over.

use super::{Begins, Envelope, Layer, prim};
use crate::event::{Channel, Origin};
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag, take_until, take_while_m_n, take_while1},
    character::complete::char,
    combinator::{map, opt, recognize},
    multi::many1_count,
    sequence::{delimited, terminated},
};
use std::borrow::Cow;

/// The envelope.
pub(super) const ENVELOPE: Envelope = Envelope {
    name: "syslog (RFC 5424)",
    sample: "<6>1 2026-11-30T15:22:30.411378+00:00 lab7 kernel - - - usb 1-1: new device",
    begins: Begins::of(b"<"),
    peel,
};

/// Takes the header and the structured data off.
fn peel(text: &str) -> Option<Layer<'_>> {
    let (rest, _) = priority(text).ok()?;
    let (rest, stamp) =
        terminated(alt((map(prim::iso, Some), map(char('-'), |_| None))), char(' ')).parse(rest).ok()?;
    let (rest, (host, program, process, _)) = (field, field, field, field).parse(rest).ok()?;
    let (rest, _) = (structured, opt(char(' ')), opt(char('\u{feff}'))).parse(rest).ok()?;
    let program_is_linux = program == Some("kernel");
    Some(Layer {
        rest: Cow::Borrowed(rest),
        stamps: stamp.into_iter().collect(),
        origin: Origin {
            host: host.map(str::to_owned),
            program: program.map(str::to_owned),
            pid: process.and_then(|process| process.parse().ok()),
            channel: if program_is_linux { Channel::RingBuffer } else { Channel::Process },
            ..Origin::default()
        },
        ..Layer::default()
    })
}

/// `<14>1 `: priority and version.
fn priority(input: &str) -> IResult<&str, &str> {
    recognize((char('<'), take_while_m_n(1, 3, |c: char| c.is_ascii_digit()), tag(">1 "))).parse(input)
}

/// One field; `-` is none.
fn field(input: &str) -> IResult<&str, Option<&str>> {
    let word = terminated(take_while1(|c: char| !c.is_whitespace()), char(' '));
    map(word, |word| (word != "-").then_some(word)).parse(input)
}

/// `-` or `[id name="value"]…`. A value that holds an escaped `]` ends the data early, and the rest is shown.
fn structured(input: &str) -> IResult<&str, &str> {
    let element = delimited(char('['), take_until("]"), char(']'));
    alt((tag("-"), recognize(many1_count(element)))).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_and_data_go() {
        let line = "<14>1 2026-11-30T15:22:30.251280+00:00 h1 app 77 - [a b=\"c\"][d] msg";
        let layer = peel(line).unwrap();
        assert_eq!((layer.rest.as_ref(), layer.origin.pid), ("msg", Some(77)));
        assert_eq!(layer.stamps[0].to_string(), "zoned:1796052150251280");
        assert_eq!(peel("<14>1 - h1 kernel - - - msg").unwrap().origin.channel, Channel::RingBuffer);
        assert!(peel("<14>1 apple").is_none());
    }
}
