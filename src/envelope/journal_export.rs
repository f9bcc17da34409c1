//! `journalctl -o export` and `-o verbose`: a field a line.
//!
//! A line at a time is enough: `MESSAGE=` inherits the time of the `__REALTIME_TIMESTAMP=` or the header line
//! above it. Host, program and unit stand on other lines of the record and are not joined to it.

use super::{Begins, Envelope, Layer, prim};
use crate::{
    event::Origin,
    stamp::{ClockKind, Stamp},
};
use nom::{
    IResult, Parser,
    bytes::complete::tag,
    character::complete::char,
    combinator::{map_opt, opt},
};
use smallvec::smallvec;
use std::borrow::Cow;

/// The envelope.
pub(super) const ENVELOPE: Envelope =
    Envelope { name: "journald export", sample: "MESSAGE=Killed", begins: Begins::WORD.and(b"_ "), peel };

/// Takes a field's name off, or reads a record's time.
fn peel(text: &str) -> Option<Layer<'_>> {
    let field = text.trim_start_matches(' ');
    if let Some(message) = field.strip_prefix("MESSAGE=") {
        return Some(Layer { rest: Cow::Borrowed(message), ..Layer::default() });
    }
    if let Some(micros) = text.strip_prefix("__REALTIME_TIMESTAMP=") {
        let stamp = Stamp::new(ClockKind::Zoned, micros.parse().ok()?);
        return Some(Layer { stamps: smallvec![stamp], ..Layer::default() });
    }
    let (rest, stamp) = header(text).ok()?;
    let boot = rest.split(';').find_map(|part| part.strip_prefix("b=")).map(str::to_owned);
    Some(Layer { stamps: smallvec![stamp], origin: Origin { boot, ..Origin::default() }, ..Layer::default() })
}

/// `Mon 2026-11-30 15:22:30.123456 CST [s=…;i=…;b=…` of `-o verbose`.
fn header(input: &str) -> IResult<&str, Stamp> {
    let stamp = map_opt(
        (prim::weekday, char(' '), prim::date, char(' '), prim::time, opt(prim::zone)),
        |(_, _, date, _, time, zone)| Some(prim::placed(prim::local_micros(date, time)?, zone)),
    );
    let (rest, (stamp, _, _)) = (stamp, opt((char(' '), prim::abbreviation)), tag(" [s=")).parse(input)?;
    Ok((rest, stamp))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields() {
        assert_eq!(peel("MESSAGE=hi").unwrap().rest, "hi");
        assert_eq!(peel("    MESSAGE=hi").unwrap().rest, "hi");
        assert_eq!(peel("__REALTIME_TIMESTAMP=12").unwrap().stamps[0].to_string(), "zoned:12");
        let layer = peel("Mon 2026-11-30 15:22:30.123456 CST [s=ab;i=1;b=cd;m=2]").unwrap();
        assert_eq!(
            (layer.stamps[0].to_string().as_str(), layer.origin.boot.as_deref()),
            ("local:1796052150123456", Some("cd"))
        );
        assert!(peel("OTHER_MESSAGE=hi").is_none());
    }
}
