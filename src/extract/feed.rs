//! Takes lines that can matter, peels them, shows them to the parsers, and keeps what they find.

use super::{Extract, Span};
use crate::{
    envelope::{self, Peeled},
    event::{Origin, Record, Role},
    line::{Line, clean, segments},
    note::Note,
    parse::{Claim, Found, PARSERS, Parser},
    source::{Location, SourceId},
    stamp::Stamp,
};
use aho_corasick::{AhoCorasick, AhoCorasickKind, Input};
use regex::Regex;
use std::{collections::BTreeMap, sync::LazyLock};

/// The most records kept of one log. Repeated events are folded before they count.
const MOST_RECORDS: usize = 100_000;
/// The most pairs of clocks kept of one log.
const MOST_PAIRS: usize = 32;
/// The most notes kept of one log.
const MOST_NOTES: usize = 50;
/// The longest line that a carrier may have split into pieces.
const LONGEST_JOINED: usize = 1 << 20;

/// One automaton over every needle of every parser, and whose each is.
struct Needles {
    automaton: Option<AhoCorasick>,
    owners: Vec<usize>,
}

static NEEDLES: LazyLock<Needles> = LazyLock::new(|| {
    let mut owners = Vec::new();
    let mut needles = Vec::new();
    for (index, parser) in PARSERS.iter().enumerate() {
        for needle in parser.needles {
            owners.push(index);
            needles.push(*needle);
        }
    }
    let automaton = AhoCorasick::builder().kind(Some(AhoCorasickKind::DFA)).build(needles).ok();
    Needles { automaton, owners }
});

/// A logger's head in the middle of a line: the kernel's last words had no newline and the server's next line was
/// glued to them. An anchored parser would miss exactly the line that tells of the death.
static GLUED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\[[DIWEC] (?:\d{4}-\d\d-\d\d |\d{6} )?\d\d:\d\d:\d\d[.\d]* [A-Z]\w+").ok());

/// The parsers at work on one log.
pub(super) struct Feed {
    extract: Extract,
    source: SourceId,
    parsers: Vec<Box<dyn Parser>>,
    number: u64,
    stamps: Vec<Stamp>,
    /// The beginnings of split lines, by stream.
    partial: BTreeMap<(Option<String>, Option<String>), String>,
    /// The last record of each kind, for folding.
    latest: BTreeMap<&'static str, usize>,
    found_by: Vec<u64>,
    envelopes: BTreeMap<&'static str, u64>,
    ascending: u64,
    descending: u64,
    dropped: u64,
    damaged: u64,
}

impl Feed {
    /// Begins work on a log.
    pub(super) fn new(path: &str, source: SourceId) -> Self {
        Self {
            extract: Extract { path: path.to_owned(), ..Extract::default() },
            source,
            parsers: PARSERS.iter().map(|spec| (spec.make)()).collect(),
            number: 1,
            stamps: Vec::new(),
            partial: BTreeMap::new(),
            latest: BTreeMap::new(),
            found_by: vec![0; PARSERS.len()],
            envelopes: BTreeMap::new(),
            ascending: 0,
            descending: 0,
            dropped: 0,
            damaged: 0,
        }
    }

    /// The number of the next line.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Whether an open record asks for the next line whatever it holds.
    pub(super) fn hungry(&self) -> bool {
        !self.partial.is_empty() || self.parsers.iter().any(|parser| parser.hungry())
    }

    /// Where the next needle begins, at or after a place in a block.
    pub(super) fn next_needle(block: &[u8], at: usize) -> Option<usize> {
        let automaton = NEEDLES.automaton.as_ref()?;
        automaton.find(Input::new(block).range(at..)).map(|hit| hit.start())
    }

    /// Counts lines that nobody looked at.
    pub(super) fn skip_lines(&mut self, lines: u64) {
        self.number += lines;
    }

    /// Counts bytes read.
    pub(super) fn count_bytes(&mut self, bytes: usize) {
        self.extract.bytes += bytes as u64;
    }

    /// Adds a remark.
    pub(super) fn note(&mut self, line: Option<u64>, text: impl Into<String>) {
        if self.extract.notes.len() < MOST_NOTES {
            self.extract.notes.push(Note { path: self.extract.path.clone(), line, text: text.into() });
        }
    }

    /// Looks at a line only for its stamp; `true` if it has one.
    pub(super) fn cover(&mut self, bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes);
        let cleaned = clean(&text);
        let peeled = envelope::peel(&cleaned);
        self.count_envelopes(&peeled);
        self.cover_stamps(&peeled.stamps);
        !peeled.stamps.is_empty()
    }

    /// Widens what each clock covers.
    fn cover_stamps(&mut self, stamps: &[Stamp]) {
        for stamp in stamps {
            let at = stamp.micros;
            let fresh = Span { first: at, last: at, earliest: at, latest: at };
            let span = self.extract.spans.entry(stamp.clock).or_insert(fresh);
            if Stamp::best(stamps) == Some(*stamp) {
                self.ascending += u64::from(at > span.last);
                self.descending += u64::from(at < span.last);
            }
            span.last = at;
            span.earliest = span.earliest.min(at);
            span.latest = span.latest.max(at);
        }
    }

    /// Counts the envelopes of a line, for the source's kind.
    fn count_envelopes(&mut self, peeled: &Peeled<'_>) {
        for name in peeled.names.iter().take(1) {
            *self.envelopes.entry(name).or_default() += 1;
        }
    }

    /// Takes one physical line; `before` gives the lines before it, nearest first.
    pub(super) fn line<'b>(&mut self, bytes: &[u8], before: impl FnOnce() -> Vec<&'b [u8]>) {
        let decoded = String::from_utf8_lossy(bytes);
        let cleaned = clean(&decoded);
        let mut before = Some(before);
        for segment in segments(&cleaned) {
            let peeled = envelope::peel(segment);
            self.count_envelopes(&peeled);
            if peeled.stamps.is_empty()
                && let Some(before) = before.take()
            {
                self.inherit(&before());
            }
            self.logical_line(segment, peeled);
        }
        self.number += 1;
    }

    /// Finds the stamp of the nearest stamped line before one without.
    fn inherit(&mut self, before: &[&[u8]]) {
        for bytes in before {
            let text = String::from_utf8_lossy(bytes);
            let cleaned = clean(&text);
            let peeled = envelope::peel(&cleaned);
            if !peeled.stamps.is_empty() {
                self.stamps = peeled.stamps;
                return;
            }
        }
    }

    /// Takes a line off its envelopes: joins split ones, divides glued ones.
    fn logical_line(&mut self, raw: &str, mut peeled: Peeled<'_>) {
        let key = (peeled.origin.container_id.clone(), peeled.origin.stream.clone());
        if peeled.partial {
            let part = self.partial.entry(key).or_default();
            if part.len() < LONGEST_JOINED {
                part.push_str(&peeled.shown);
            }
            return;
        }
        if let Some(start) = self.partial.remove(&key) {
            let joined = start + &peeled.shown;
            let inner = envelope::peel(&joined);
            peeled.body = inner.body;
            peeled.logger = inner.logger;
            peeled.shown = std::borrow::Cow::Owned(inner.shown.into_owned());
        }
        let glued =
            GLUED.as_ref().and_then(|glued| glued.find_iter(&peeled.shown).find(|hit| hit.start() > 0));
        if let Some(hit) = glued {
            let (first, second) = peeled.shown.split_at(hit.start());
            let inner = envelope::peel(second);
            let stamps = if peeled.names.is_empty() { Vec::new() } else { peeled.stamps.clone() };
            self.show(
                raw,
                first,
                peeled.body.min(first.len()),
                &stamps,
                &peeled.origin,
                peeled.logger.as_ref(),
            );
            let stamps: Vec<_> = stamps.into_iter().chain(inner.stamps.iter().copied()).collect();
            self.show(raw, &inner.shown, inner.body, &stamps, &peeled.origin, inner.logger.as_ref());
        } else {
            self.show(
                raw,
                &peeled.shown,
                peeled.body,
                &peeled.stamps,
                &peeled.origin,
                peeled.logger.as_ref(),
            );
        }
    }

    /// Shows one logical line to the parsers whose needles it holds and to those that are hungry.
    fn show(
        &mut self,
        raw: &str,
        shown: &str,
        body: usize,
        stamps: &[Stamp],
        origin: &Origin,
        logger: Option<&crate::line::Logger>,
    ) {
        let exact = !stamps.is_empty();
        if exact {
            self.cover_stamps(stamps);
            self.stamps = stamps.to_vec();
            if let [outer, .., inner] = stamps
                && outer.clock != inner.clock
                && self.extract.pairs.len() < MOST_PAIRS
            {
                self.extract.pairs.push((*outer, *inner));
            }
        }
        let stamps = self.stamps.clone();
        let text = shown.get(body..).unwrap_or(shown);
        let line = Line { number: self.number, text, shown, stamps: &stamps, exact, origin, logger };
        let mut wanted = vec![false; self.parsers.len()];
        if let Some(automaton) = &NEEDLES.automaton {
            for hay in [raw, shown] {
                for hit in automaton.find_overlapping_iter(hay) {
                    wanted[NEEDLES.owners[hit.pattern().as_usize()]] = true;
                }
            }
        }
        for (index, wanted) in wanted.into_iter().enumerate() {
            let mut found = Vec::new();
            let parser = &mut self.parsers[index];
            if !wanted && !parser.hungry() {
                continue;
            }
            let claim = parser.line(&line, &mut found);
            self.keep(index, found);
            if let Claim::Damaged(expected) = claim {
                self.damaged += 1;
                self.note(
                    Some(self.number),
                    format!("damaged {} line: expected {expected}", PARSERS[index].name),
                );
            }
        }
    }

    /// Keeps what a parser found.
    fn keep(&mut self, parser: usize, found: Vec<Found>) {
        self.found_by[parser] += found.len() as u64;
        for found in found {
            self.push(found);
        }
    }

    /// Keeps one event, folding it into an equal one before it.
    fn push(&mut self, found: Found) {
        let kind = found.event.kind();
        let folds = matches!(kind.role, Role::Trouble | Role::Context);
        if folds
            && let Some(before) =
                self.latest.get(kind.name).and_then(|index| self.extract.records.get_mut(*index))
            && before.event == found.event
            && before.origin == found.mark.origin
        {
            before.count += 1;
            before.last = Stamp::best(&found.mark.stamps);
            return;
        }
        if self.extract.records.len() >= MOST_RECORDS {
            self.dropped += 1;
            return;
        }
        self.latest.insert(kind.name, self.extract.records.len());
        let location = Location { source: self.source, line: found.mark.number };
        self.extract.records.push(Record {
            event: found.event,
            at: location,
            stamps: found.mark.stamps,
            exact: found.mark.exact,
            last: None,
            count: 1,
            text: found.mark.text,
            origin: found.mark.origin,
        });
    }

    /// Keeps what a whole document said.
    pub(super) fn document(&mut self, name: &'static str, found: Vec<Found>, text: &str) {
        self.extract.bytes = text.len() as u64;
        self.number = 1 + text.lines().count() as u64;
        name.clone_into(&mut self.extract.kind);
        for found in found {
            self.cover_stamps(&found.mark.stamps);
            self.push(found);
        }
    }

    /// Ends the log.
    pub(super) fn finish(mut self) -> Extract {
        for index in 0..self.parsers.len() {
            let mut found = Vec::new();
            self.parsers[index].finish(&mut found);
            self.keep(index, found);
        }
        if self.dropped > 0 {
            self.note(None, format!("{} more events were not kept", self.dropped));
        }
        if self.damaged > MOST_NOTES as u64 {
            self.extract.notes.truncate(MOST_NOTES - 1);
            self.note(None, format!("{} damaged lines in all", self.damaged));
        }
        self.extract.lines = self.number - 1;
        self.extract.newest_first = self.descending > self.ascending;
        if self.extract.kind.is_empty() {
            self.extract.kind = self.kind().to_owned();
        }
        self.extract.records.sort_by_key(|record| record.at.line);
        self.extract
    }

    /// The source's kind: the parser that found most, else the commonest envelope.
    fn kind(&self) -> &'static str {
        let most = self.found_by.iter().enumerate().rev().max_by_key(|(_, count)| **count);
        match most {
            Some((index, count)) if *count > 0 => PARSERS[index].name,
            _ => self.envelopes.iter().max_by_key(|(_, count)| **count).map_or("text", |(name, _)| name),
        }
    }
}
