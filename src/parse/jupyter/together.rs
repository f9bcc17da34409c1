//! `Together`: several small parsers that share one source kind and see the same lines.
//!
//! It knows of what they look for only the words without which they need not look.

use crate::{
    line::Line,
    parse::{Claim, Found, Parser},
};
use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// Parsers that look at each line one after the other. The first that claims a line speaks for all.
pub(in crate::parse) struct Together {
    parsers: Vec<Box<dyn Parser>>,
    words: Option<&'static Words>,
}

/// The words of parsers, one list a parser. A line without any of its parser's words is not that parser's and tells it
/// nothing, as long as it is not hungry. A parser with an empty list sees every line.
pub(super) struct Words {
    automaton: Option<AhoCorasick>,
    /// The parser that a word belongs to, as a bit; as the automaton numbers words.
    owners: Vec<u32>,
    /// The parsers that see every line.
    all: u32,
}

impl Words {
    /// Of as many lists as there are parsers, 32 at most, in their order.
    pub(super) fn new(lists: &[&[&str]]) -> Self {
        let bit = |index: usize| u32::try_from(index).ok().and_then(|index| 1u32.checked_shl(index)).unwrap_or(0);
        let words = lists.iter().enumerate().flat_map(|(index, list)| list.iter().map(move |word| (*word, index)));
        let (words, owners): (Vec<&str>, Vec<usize>) = words.unzip();
        let open = lists.iter().enumerate().filter(|(_, list)| list.is_empty());
        Self {
            // It is built at once, in a tenth of the time and space of a table; words overlap.
            automaton: AhoCorasick::builder().kind(Some(AhoCorasickKind::ContiguousNFA)).build(words).ok(),
            owners: owners.into_iter().map(bit).collect(),
            all: open.fold(0, |all, (index, _)| all | bit(index)),
        }
    }

    /// The parsers that a text may be for.
    fn of(&self, text: &str) -> u32 {
        let Some(automaton) = &self.automaton else { return u32::MAX };
        let hits = automaton.find_overlapping_iter(text);
        hits.fold(self.all, |all, hit| all | self.owners.get(hit.pattern().as_usize()).copied().unwrap_or_default())
    }
}

impl Together {
    /// Parsers that all see every line.
    pub(in crate::parse) fn new(parsers: Vec<Box<dyn Parser>>) -> Self {
        Self { parsers, words: None }
    }

    /// Parsers that see the lines with their words.
    pub(super) fn by_words(parsers: Vec<Box<dyn Parser>>, words: &'static Words) -> Self {
        Self { parsers, words: Some(words) }
    }
}

impl Parser for Together {
    /// Each parser sees each line, claimed or not: an open record has to see where it ends.
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        let mut wanted = self.words.map_or(u32::MAX, |words| words.of(line.text));
        let mut claim = Claim::NotMine;
        for parser in &mut self.parsers {
            let mut next = Claim::NotMine;
            if wanted & 1 == 1 || parser.hungry() {
                next = parser.line(line, found);
            }
            wanted >>= 1;
            if claim == Claim::NotMine {
                claim = next;
            }
        }
        claim
    }

    fn hungry(&self) -> bool {
        self.parsers.iter().any(|parser| parser.hungry())
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        for parser in &mut self.parsers {
            parser.finish(found);
        }
    }
}
