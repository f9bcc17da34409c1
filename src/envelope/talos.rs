//! `talosctl dmesg`: `10.5.0.2: user: warning: [2026-11-30T15:22:30.411Z]: text`, the node's address only of several.
//!
//! Talos Linux has no syslog and no journal; what its services say stands in the ring buffer too.

use super::{Begins, Envelope, Layer, prim};
use crate::{
    event::{Channel, Origin},
    stamp::Stamp,
};
use nom::{
    IResult, Parser,
    bytes::complete::{tag, take_while1},
    character::complete::{alpha1, char, space1},
    combinator::{opt, verify},
    sequence::{delimited, terminated},
};
use smallvec::smallvec;
use std::borrow::Cow;

/// The envelope.
pub(super) const ENVELOPE: Envelope = Envelope {
    name: "talosctl dmesg",
    sample: "user: warning: [2026-11-30T15:22:30.411378443Z]: [talos] OOM controller triggered",
    begins: Begins::WORD.and(b".:-"),
    peel,
};

/// The words before the second colon.
const LEVELS: &[&str] =
    &["emerg", "alert", "crit", "err", "error", "warn", "warning", "notice", "info", "debug"];

/// Takes node, facility, level and stamp off.
fn peel(text: &str) -> Option<Layer<'_>> {
    let (rest, (node, stamp)) = head(text).ok()?;
    Some(Layer {
        rest: Cow::Borrowed(rest),
        stamps: smallvec![stamp],
        origin: Origin { host: node.map(str::to_owned), channel: Channel::RingBuffer, ..Origin::default() },
        ..Layer::default()
    })
}

/// The whole head.
fn head(input: &str) -> IResult<&str, (Option<&str>, Stamp)> {
    let address = verify(
        take_while1(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '-')),
        |name: &str| name.ends_with(':') && name.contains('.'),
    );
    let (rest, node) = opt(terminated(address, char(' '))).parse(input)?;
    let level = verify(alpha1, |word: &str| LEVELS.contains(&word));
    let (rest, (_, _, _, _, _, _, stamp, _)) = (
        alpha1,
        char(':'),
        space1,
        level,
        char(':'),
        space1,
        delimited(char('['), prim::iso, char(']')),
        tag(": "),
    )
        .parse(rest)?;
    Ok((rest, (node.map(|node| node.trim_end_matches(':')), stamp)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_and_without_a_node() {
        for (text, host) in [
            ("kern:    info: [2026-11-30T15:22:30Z]: a", None),
            ("10.5.0.2: user: warning: [2026-11-30T15:22:30Z]: a", Some("10.5.0.2")),
        ] {
            let layer = peel(text).unwrap();
            assert_eq!((layer.rest.as_ref(), layer.origin.host.as_deref()), ("a", host), "{text}");
            assert_eq!(layer.stamps[0].to_string(), "zoned:1796052150000000");
        }
        assert!(peel("note: warning: [12] a").is_none());
    }
}
