//! CRI log files of containerd, CRI-O and podman's `k8s-file`: `2026-11-30T15:22:30.1Z stderr F text`.
//!
//! `P` marks a piece of a longer line; also the last words of a killed process, whose newline never came. Where
//! the file stands names pod and container; this looks at the line only.

use super::{Begins, Envelope, Layer, prim};
use crate::event::{Channel, Origin};
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag, take_while},
    character::complete::{char, one_of},
    combinator::opt,
};
use smallvec::smallvec;
use std::borrow::Cow;

/// The envelope.
pub(super) const ENVELOPE: Envelope = Envelope {
    name: "container log",
    sample: "2026-11-30T15:22:30.411378443Z stderr F Killed",
    begins: Begins::DIGIT,
    peel,
};

/// Takes stamp, stream and tag off.
fn peel(text: &str) -> Option<Layer<'_>> {
    let (rest, stamp) = prim::iso(text).ok()?;
    let (rest, (stream, partial)) = stream(rest).ok()?;
    Some(Layer {
        rest: Cow::Borrowed(rest),
        stamps: smallvec![stamp],
        origin: Origin { stream: Some(stream.to_owned()), channel: Channel::Process, ..Origin::default() },
        partial,
        ..Layer::default()
    })
}

/// ` stderr F `; more tags may follow the first after colons.
fn stream(input: &str) -> IResult<&str, (&str, bool)> {
    let tags = opt((char(':'), take_while(|c: char| c == ':' || c.is_ascii_alphanumeric())));
    let (rest, (_, stream, _, first, _)) =
        (char(' '), alt((tag("stdout"), tag("stderr"))), char(' '), one_of("FP"), tags).parse(input)?;
    let (rest, _) = prim::blank_or_end(rest)?;
    Ok((rest, (stream, first == 'P')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_and_pieces() {
        let layer = peel("2026-11-30T23:22:30.1+08:00 stderr P half").unwrap();
        assert_eq!((layer.rest.as_ref(), layer.partial), ("half", true));
        assert_eq!(layer.stamps[0].to_string(), "zoned:1796052150100000");
        assert_eq!(peel("2026-11-30T15:22:30Z stdout F").unwrap().rest, "");
        assert!(peel("2026-11-30T15:22:30Z stdout Flat").is_none());
    }
}
