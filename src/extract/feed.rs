//! Takes lines that can matter, peels them, and shows them to the parsers.

use super::{
    Extract,
    kept::Kept,
    needles::Held,
    readers::Readers,
    test_name,
    wrapping::{Logical, Wrapping},
};
use crate::{
    envelope::{self, Peeled},
    event::Origin,
    line::{Line, clean, segments},
    parse::Found,
    source::SourceId,
    stamp::Stamps,
};
use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

/// How many lines in a row may look in vain for a stamp before them; a log that has none is not searched further.
const VAIN_SEARCHES: u32 = 32;

/// A line as text. Nearly all are valid, which is checked many bytes at a time.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// What a line holds, as it stands in the log and without its envelopes, of which most are a beginning.
fn held(raw: &str, shown: &str) -> Held {
    let held = Held::of(raw);
    if raw.ends_with(shown) { held } else { held.and(Held::of(shown)) }
}

/// One log as it is read, line by line.
pub(super) struct Feed {
    kept: Kept,
    readers: Readers,
    /// What the envelopes of the last line said.
    origin: Arc<Origin>,
    wrapping: Wrapping,
    number: u64,
    /// The stamps of the last stamped line.
    stamps: Stamps,
    /// The line whose stamps (or whose neighbours') those are.
    stamps_of: u64,
    vain: u32,
    envelopes: BTreeMap<&'static str, u64>,
    /// Whether a container's log is Linux's own, passed on.
    relay: bool,
    /// Whether lines come in another order than the file's.
    ordered: bool,
}

impl Feed {
    /// Begins work on a log.
    pub(super) fn new(path: &str, source: SourceId) -> Self {
        Self {
            kept: Kept::new(path, source),
            readers: Readers::new(),
            origin: Arc::default(),
            wrapping: Wrapping::default(),
            number: 1,
            stamps: Stamps::new(),
            stamps_of: 0,
            vain: 0,
            envelopes: BTreeMap::new(),
            relay: false,
            ordered: false,
        }
    }

    /// Says whether Linux's lines inside a container's envelope are its own.
    pub(super) fn set_relay(&mut self, relay: bool) {
        self.relay = relay;
        // Who passes it on says that it is Linux's, and nobody else does.
        self.kept.extract.output |= relay;
    }

    /// Says that lines come in the order of time, whatever their numbers.
    pub(super) fn set_order(&mut self, relay: bool) {
        self.set_relay(relay);
        self.ordered = true;
    }

    /// Says which line comes next.
    pub(super) fn set_number(&mut self, number: u64) {
        self.number = number;
    }

    /// The number of the next line.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Whether an open record asks for the next line whatever it holds.
    pub(super) fn hungry(&self) -> bool {
        self.wrapping.waits() || self.readers.hungry()
    }

    /// Counts bytes read.
    pub(super) fn count_bytes(&mut self, bytes: usize) {
        self.kept.extract.bytes += bytes as u64;
    }

    /// Adds a remark.
    pub(super) fn note(&mut self, line: Option<u64>, text: impl Into<String>) {
        self.kept.note(line, text);
    }

    /// Looks at a line only for its stamp; `true` if it has one.
    pub(super) fn cover(&mut self, bytes: &[u8]) -> bool {
        let text = decoded(bytes);
        let cleaned = clean(&text);
        let peeled = envelope::peel(&cleaned);
        self.count_envelopes(&peeled);
        self.kept.channel(&peeled.origin, peeled.logger.as_ref());
        self.kept.cover(&peeled.stamps);
        !peeled.stamps.is_empty()
    }

    /// Counts the envelopes of a line, for the source's kind.
    fn count_envelopes(&mut self, peeled: &Peeled<'_>) {
        for name in peeled.names.iter().take(1) {
            *self.envelopes.entry(name).or_default() += 1;
        }
    }

    /// Takes one physical line; `before` gives the lines before it, nearest first.
    pub(super) fn line<'b>(&mut self, bytes: &[u8], before: impl FnOnce() -> Vec<&'b [u8]>) {
        let decoded = decoded(bytes);
        let cleaned = clean(&decoded);
        let mut before = Some(before);
        for segment in segments(&cleaned) {
            let mut peeled = envelope::peel(segment);
            if self.relay {
                peeled.trust_relay();
            }
            self.count_envelopes(&peeled);
            if peeled.stamps.is_empty() && (self.ordered || self.stamps_of + 1 < self.number) {
                self.inherit(before.take());
            }
            let whole = held(segment, &peeled.shown);
            if self.wrapping.is_whole(&peeled, whole.shapes()) {
                self.show(whole, &Logical::of(peeled, self.number));
            } else {
                let columns = cleaned.chars().count();
                for logical in self.wrapping.unwrap(peeled, self.number, columns, whole.shapes()) {
                    self.show(held(segment, &logical.shown), &logical);
                }
            }
            self.stamps_of = self.number;
        }
        self.number += 1;
    }

    /// Finds the stamp of the nearest stamped line before one without, if lines between were not looked at.
    fn inherit<'b>(&mut self, before: Option<impl FnOnce() -> Vec<&'b [u8]>>) {
        let Some(before) = before.filter(|_| self.vain < VAIN_SEARCHES) else { return };
        self.vain += 1;
        for bytes in before() {
            let text = decoded(bytes);
            let cleaned = clean(&text);
            let peeled = envelope::peel(&cleaned);
            if !peeled.stamps.is_empty() {
                self.stamps = peeled.stamps;
                self.vain = 0;
                return;
            }
        }
    }

    /// Shows one logical line to the parsers whose needles it holds and to those that are hungry.
    fn show(&mut self, held: Held, logical: &Logical<'_>) {
        let exact = !logical.stamps.is_empty();
        self.kept.channel(&logical.origin, logical.logger.as_ref());
        if exact {
            self.kept.cover(&logical.stamps);
            self.stamps.clone_from(&logical.stamps);
            self.vain = 0;
        }
        if *self.origin != logical.origin {
            self.origin = Arc::new(logical.origin.clone());
        }
        let mut line = Line {
            number: logical.number,
            text: logical.shown.get(logical.body..).unwrap_or(&logical.shown),
            shown: &logical.shown,
            stamps: &self.stamps,
            exact,
            origin: &self.origin,
            logger: logical.logger.as_ref(),
            parts: u32::MAX,
        };
        if !test_name::is_name_and_outcome(line.text) {
            self.readers.show(held, &mut line, &mut self.kept);
        }
    }

    /// Keeps what a whole document said.
    pub(super) fn document(&mut self, name: &'static str, found: Vec<Found>, text: &str) {
        self.kept.extract.bytes = text.len() as u64;
        self.number = 1 + text.lines().count() as u64;
        name.clone_into(&mut self.kept.extract.kind);
        for found in found {
            self.kept.cover(&found.mark.stamps);
            self.kept.push(found);
        }
    }

    /// Ends the log.
    pub(super) fn finish(mut self) -> Extract {
        for logical in self.wrapping.finish() {
            self.show(Held::of(&logical.shown), &logical);
        }
        self.readers.finish(&mut self.kept);
        self.kept.extract.lines = self.number - 1;
        if self.kept.extract.kind.is_empty() {
            self.kind().clone_into(&mut self.kept.extract.kind);
        }
        self.kept.finish(self.ordered)
    }

    /// The source's kind: the parser that found most, else the commonest envelope.
    fn kind(&self) -> &'static str {
        let envelope = || self.envelopes.iter().max_by_key(|(_, count)| **count).map(|(name, _)| *name);
        self.readers.busiest().map(|spec| spec.name).or_else(envelope).unwrap_or("text")
    }
}
