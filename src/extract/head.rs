//! What the beginning of a log tells of the whole: whether the newest line stands first, and whether a container
//! only passes Linux's log on.
//!
//! It judges by many lines, never by one: clocks step back now and then, and anybody may quote Linux.

use crate::{
    envelope::{self, Peeled},
    line::clean,
    stamp::Stamp,
};

/// How many lines are looked at.
const LINES: usize = 400;

/// What the beginning of a log tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Head {
    /// The newest line stands first: `journalctl -r`, the clouds' consoles.
    pub(super) newest_first: bool,
    /// Most lines are Linux's own inside a container's envelope: a node's log collector.
    pub(super) relay: bool,
}

impl Head {
    /// Looks at the first lines.
    pub(super) fn of<'a>(lines: impl Iterator<Item = &'a str>) -> Self {
        let (mut up, mut down, mut relayed, mut own) = (0, 0, 0, 0);
        let mut before: Option<Stamp> = None;
        let mut cut = false;
        for line in lines.take(LINES) {
            let cleaned = clean(line);
            let peeled = envelope::peel(&cleaned);
            // The second piece of a line that the carrier split has no clock.
            if std::mem::replace(&mut cut, peeled.partial) || peeled.shown.trim().is_empty() {
                continue;
            }
            relayed += u32::from(peeled.relayed);
            own += u32::from(!peeled.relayed && !peeled.names.is_empty());
            let Some(stamp) = outer(&peeled) else { continue };
            let same = before.filter(|before| before.clock == stamp.clock).map(|before| before.micros);
            up += u32::from(same.is_some_and(|before| before < stamp.micros));
            down += u32::from(same.is_some_and(|before| before > stamp.micros));
            before = Some(stamp);
        }
        Self { newest_first: down >= 2 && down > up.saturating_mul(4), relay: relayed > own }
    }
}

/// The stamp that whoever sorted the lines went by: the outermost.
fn outer(peeled: &Peeled<'_>) -> Option<Stamp> {
    peeled.stamps.first().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_seen_in_many_lines() {
        let at = |seconds: &[u32]| {
            let lines: Vec<String> =
                seconds.iter().map(|s| format!("Nov 30 15:22:{s:02} h1 kernel: a")).collect();
            Head::of(lines.iter().map(String::as_str)).newest_first
        };
        assert!(at(&[30, 29, 29, 28]));
        assert!(!at(&[28, 29, 30]));
        assert!(!at(&[30, 29]));
        assert!(!at(&[1, 2, 3, 2, 4, 5]));
    }

    #[test]
    fn one_quotation_makes_no_relay() {
        let own = "2026-11-30T15:22:30.411378443Z stderr F [I 2026-11-30 15:22:30.902 ServerApp] x";
        let linux = "2026-11-30T15:22:30.411378443Z stdout F [ 8523.300411] usb 1-1: new device";
        assert!(Head::of([linux, linux, own].into_iter()).relay);
        assert!(!Head::of([own, own, linux].into_iter()).relay);
    }
}
