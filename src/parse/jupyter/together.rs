//! `Together`: several small parsers that share one source kind and see the same lines.
//!
//! It knows of what they look for only the words without which they need not look.

use crate::{
    line::Line,
    parse::{Claim, Found, Parser, words::Words},
};

/// Parsers that look at each line one after the other. The first that claims a line speaks for all.
pub(in crate::parse) struct Together {
    parsers: Vec<Box<dyn Parser>>,
    words: Option<&'static Words>,
    /// The parsers that ask for the next line, a bit each: what they ask for changes only when they see a line.
    hungry: u32,
}

impl Together {
    /// Parsers that all see every line.
    pub(in crate::parse) fn new(parsers: Vec<Box<dyn Parser>>) -> Self {
        let hungry = parsers.iter().rev().fold(0, |bits, parser| bits << 1 | u32::from(parser.hungry()));
        Self { parsers, words: None, hungry }
    }

    /// Parsers, 32 at most, that see the lines with their words.
    pub(super) fn by_words(parsers: Vec<Box<dyn Parser>>, words: &'static Words) -> Self {
        Self { words: Some(words), ..Self::new(parsers) }
    }
}

impl Parser for Together {
    /// Each parser sees each line, claimed or not: an open record has to see where it ends.
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        let wanted = self.words.map_or(u32::MAX, |words| words.owners_in(line.text)) | self.hungry;
        let mut claim = Claim::NotMine;
        for (index, parser) in self.parsers.iter_mut().enumerate() {
            if wanted >> index & 1 == 0 {
                continue;
            }
            let next = parser.line(line, found);
            self.hungry = self.hungry & !(1 << index) | u32::from(parser.hungry()) << index;
            if claim == Claim::NotMine {
                claim = next;
            }
        }
        claim
    }

    fn hungry(&self) -> bool {
        self.hungry != 0
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        for parser in &mut self.parsers {
            parser.finish(found);
        }
    }
}
