//! The parsers at work on one log: who is asked about a line, and how much each of them has found.

use super::{kept::Kept, needles::Held};
use crate::{
    line::Line,
    parse::{Claim, Found, PARSERS, Parser, Spec},
};

/// The parsers of one log.
pub(super) struct Readers {
    parsers: Vec<Box<dyn Parser>>,
    /// The parsers that ask for the next line, a bit each: what a parser asks for changes only when it sees a line.
    hungry: u64,
    /// What the last parser found, empty but for the moment: its space is used again.
    found: Vec<Found>,
    /// How much each of them has found.
    found_by: Vec<u64>,
}

impl Readers {
    /// All of them, at the beginning of a log.
    pub(super) fn new() -> Self {
        let parsers: Vec<Box<dyn Parser>> = PARSERS.iter().map(|spec| (spec.make)()).collect();
        let hungry = parsers.iter().rev().fold(0, |bits, parser| bits << 1 | u64::from(parser.hungry()));
        Self { parsers, hungry, found: Vec::new(), found_by: vec![0; PARSERS.len()] }
    }

    /// Whether an open record asks for the next line whatever it holds.
    pub(super) fn hungry(&self) -> bool {
        self.hungry != 0
    }

    /// Shows a line to the parsers whose needles it holds and to those that are hungry.
    pub(super) fn show(&mut self, held: Held, line: &mut Line<'_>, kept: &mut Kept) {
        let mut wanted = held.parsers() | self.hungry;
        while wanted != 0 {
            let index = usize::try_from(wanted.trailing_zeros()).unwrap_or_default();
            wanted &= wanted - 1;
            line.parts = held.parts_of(index);
            self.ask(index, line, kept);
        }
    }

    /// Asks one parser.
    fn ask(&mut self, index: usize, line: &Line<'_>, kept: &mut Kept) {
        let (Some(parser), Some(spec)) = (self.parsers.get_mut(index), PARSERS.get(index)) else { return };
        let claim = parser.line(line, &mut self.found);
        self.hungry = self.hungry & !(1 << index) | u64::from(parser.hungry()) << index;
        self.keep(index, kept);
        if let Claim::Damaged(expected) = claim {
            kept.damaged(line.number, spec.name, &expected);
        }
    }

    /// Hands on what a parser found.
    fn keep(&mut self, parser: usize, kept: &mut Kept) {
        if let Some(count) = self.found_by.get_mut(parser) {
            *count += self.found.len() as u64;
        }
        self.found.drain(..).for_each(|found| kept.push(found));
    }

    /// Ends the log: open records are handed on as far as they go.
    pub(super) fn finish(&mut self, kept: &mut Kept) {
        for index in 0..self.parsers.len() {
            if let Some(parser) = self.parsers.get_mut(index) {
                parser.finish(&mut self.found);
            }
            self.keep(index, kept);
        }
    }

    /// The parser that found most, the first of several.
    pub(super) fn busiest(&self) -> Option<&'static Spec> {
        let most = self.found_by.iter().zip(PARSERS).rev().max_by_key(|(count, _)| **count);
        most.filter(|(count, _)| **count > 0).map(|(_, spec)| spec)
    }
}
