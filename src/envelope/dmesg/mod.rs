//! The clocks of `dmesg` (util-linux) and `/dev/kmsg`: `[  499.804915] `, `[Mon Nov 30 15:32:36 2026] `, iso, `-x`,
//! `-r`, `-e`, `-d`, JSON.
//!
//! It strips and reads; it does not compute. A relative stamp (`[  +0.000014] `) is taken off without a value,
//! so that the line inherits the minute above it. Each clock is one layer: `--time-format` given several times
//! prints them one after the other, and they are taken off one after the other.
//!
//! Ambiguous shapes: six digits behind the point and no fewer make `[0.5] loss` a message and not a boot clock; a
//! fraction inside a bracketed `ctime` stamp is Apache's error log; an iso stamp must have `dmesg`'s comma, six
//! digits and a zone, for Python prints a comma too.

mod clock;
mod json;

use super::{Begins, Envelope, Layer};
use crate::{
    event::{Channel, Origin},
    stamp::Stamp,
};
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag, take_while1},
    character::complete::{char, digit1, one_of, space0},
    combinator::{opt, peek, recognize, value},
    sequence::{delimited, preceded},
};
use std::borrow::Cow;

/// The envelope.
pub(super) const ENVELOPE: Envelope = Envelope {
    name: "dmesg",
    sample: "[ 8523.300411] usb 1-1: new device",
    begins: Begins::WORD.and(b"<[{ "),
    peel,
};

/// The words of `-x` before the first colon.
const FACILITIES: &[&str] = &[
    "kern", "user", "mail", "daemon", "auth", "syslog", "lpr", "news", "uucp", "cron", "authpriv", "ftp",
    "local0", "local1", "local2", "local3", "local4", "local5", "local6", "local7",
];
/// The words of `-x` before the second colon.
const LEVELS: &[&str] = &["emerg", "alert", "crit", "err", "warn", "notice", "info", "debug"];

/// Takes one clock off, with the level before it and the caller behind it.
fn peel(text: &str) -> Option<Layer<'_>> {
    if let Some(layer) = json::peel(text) {
        return Some(layer);
    }
    let (rest, level) = opt(alt((raw_level, decoded_level))).parse(text).ok()?;
    let clocked = alt((clock::any, clock::kmsg)).parse(rest);
    let (rest, stamp) = match clocked {
        Ok(found) => found,
        // `dmesg -x -t` prints the level and no clock.
        Err(_) if level == Some(true) => (rest, None),
        Err(_) => return None,
    };
    let (rest, _) = opt(caller).parse(rest).ok()?;
    Some(layer(Cow::Borrowed(rest), stamp))
}

/// A layer of the ring buffer.
fn layer(rest: Cow<'_, str>, stamp: Option<Stamp>) -> Layer<'_> {
    let origin = Origin { channel: Channel::RingBuffer, ..Origin::default() };
    Layer { rest, stamps: stamp.into_iter().collect(), origin, ..Layer::default() }
}

/// `<6>` of `dmesg -r` and pstore, only before a bracket: `<6>text` alone is how services talk to systemd.
fn raw_level(input: &str) -> IResult<&str, bool> {
    value(false, (char('<'), digit1, char('>'), peek(char('[')))).parse(input)
}

/// `kern  :info  : ` of `dmesg -x`.
fn decoded_level(input: &str) -> IResult<&str, bool> {
    let word = |input| take_while1(|c: char| c.is_ascii_alphanumeric())(input);
    let (rest, (facility, _, _, level, _, _)) =
        (word, space0, char(':'), word, space0, tag(": ")).parse(input)?;
    if FACILITIES.contains(&facility) && LEVELS.contains(&level) {
        return Ok((rest, true));
    }
    Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Tag)))
}

/// `[T1] `, `[ C0] `: the printing thread or processor (`CONFIG_PRINTK_CALLER`).
fn caller(input: &str) -> IResult<&str, &str> {
    let name = recognize((one_of("TC"), digit1));
    delimited((char('['), space0), name, (char(']'), preceded(opt(char(' ')), tag("")))).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stamp::ClockKind;

    /// What is left, and the stamp as printed by [`Stamp`].
    #[track_caller]
    fn check(text: &str, rest: &str, stamp: &str) {
        let layer = peel(text).unwrap_or_else(|| panic!("not peeled: {text}"));
        let stamps: Vec<_> = layer.stamps.iter().map(ToString::to_string).collect();
        assert_eq!((layer.rest.as_ref(), stamps.join(" ").as_str()), (rest, stamp), "{text}");
        assert_eq!(layer.origin.channel, Channel::RingBuffer);
    }

    #[test]
    fn every_clock() {
        check("[  499.804915] msg", "msg", "boot:499804915");
        check("[20401658.918112]  indented", " indented", "boot:20401658918112");
        check("[   50.011950][ T6736] msg", "msg", "boot:50011950");
        check("[    1.000000] [C0] msg", "msg", "boot:1000000");
        check("<6>[ 1126.635824] msg", "msg", "boot:1126635824");
        check("kern  :info  : [  499.804915] msg", "msg", "boot:499804915");
        check("daemon:info  : [  499.804915] msg", "msg", "boot:499804915");
        check("kern  :err   : msg", "msg", "");
        check("[    8.000000 <    7.000000>] msg", "msg", "boot:8000000");
        check("[<    7.000000>] msg", "msg", "");
        check("[Mon Nov 30 15:32:36 2026] msg", "msg", "local:1796052756000000");
        check("[Mon Nov 30 15:32:36 2026 <    7.000000>] msg", "msg", "local:1796052756000000");
        check("2026-11-30T15:32:36,790467+00:00 msg", "msg", "zoned:1796052756790467");
        check("2026-11-30T23:32:36,790467+08:00 msg", "msg", "zoned:1796052756790467");
        check("kern  :warn  : 2026-11-30T15:32:36,790467+00:00 msg", "msg", "zoned:1796052756790467");
        check("[Nov30 15:32] msg", "msg", "year-less:975598320000000");
        check("[  +0.000014] msg", "msg", "");
        check("[  +0,005735] msg", "msg", "");
        check("6,1804,47700428483,-;wlp4s0: associated", "wlp4s0: associated", "boot:47700428483");
        check("4,1805,47700428484,-,caller=T1;msg", "msg", "boot:47700428484");
        check("         \"time\":    499.804915,", "", "boot:499804915");
        check("         \"msg\": \"a \\\"b\\\"\"", "a \"b\"", "");
        check("{\"pri\":6,\"time\":  499.804915,\"msg\":\"x\"}", "x", "boot:499804915");
        check(
            "{\"fac\":\"kern\",\"pri\":\"err\",\"time\":1.5,\"caller\":\"T1\",\"msg\":\"x\"},",
            "x",
            "boot:1500000",
        );
    }

    #[test]
    fn look_alikes_are_left() {
        for text in [
            "[0.5] loss",
            "[12:30] lunch",
            "[Mon Nov 30 15:32:36.123456 2026] [core:notice] apache",
            "2026-11-30 15:32:36,790 - root - python logging",
            "6,7,8 numbers",
            "<6>notice for systemd",
            "user: info: text",
            "{\"pri\":6,\"msg\":\"no time\"}",
            "\"msg\": \"another program's\"",
        ] {
            assert!(peel(text).is_none(), "{text}");
        }
        assert_eq!(ClockKind::Boot.word(), "boot");
    }
}
