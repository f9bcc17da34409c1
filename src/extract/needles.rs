//! The needles of all parsers: which lines can matter, to whom, and to which parts of them.
//!
//! Blocks are searched for needles alone. A line that holds one is looked over once more, for the words of parsers' parts
//! and the beginnings of broken lines too: one look decides for all of them.

use super::grams::{GRAM, Grams};
use crate::parse::{
    PARSERS, Spec,
    broken::{self, Shapes},
};
use std::{collections::BTreeMap, sync::LazyLock};

/// Literals of envelopes that hide a message from its needles: journald prints coloured messages as lists of bytes,
/// and a carrier's split line may have its needle in the next piece. No parser owns them.
const OF_ENVELOPES: &[&str] = &["\"MESSAGE\":[", "\"MESSAGE\" : [", " stderr P ", " stdout P "];

/// What blocks are searched for.
static BLOCKS: LazyLock<Grams> = LazyLock::new(|| Grams::new(all()));

/// What lines are looked over for.
pub(super) static LINES: LazyLock<Lines> = LazyLock::new(Lines::new);

/// Every needle once: what a line must hold to be looked at.
pub(super) fn texts() -> Vec<&'static str> {
    let parsers = PARSERS.iter().flat_map(|parser| parser.needles);
    let mut texts: Vec<_> = parsers.chain(OF_ENVELOPES).chain(broken::NEEDLES).copied().collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

/// The same as bytes.
pub(super) fn all() -> Vec<&'static [u8]> {
    texts().into_iter().map(str::as_bytes).collect()
}

/// A place of the first line, at or after a place in a block, that holds a needle.
pub(super) fn next(block: &[u8], at: usize) -> Option<usize> {
    let mut first = None;
    BLOCKS.search(block, at, |start, _| {
        first = Some(start);
        true
    });
    first
}

/// What a line holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Held {
    /// The parsers of whose needles it holds one, a bit each, as they are numbered in `PARSERS`.
    parsers: u64,
    /// The parts of whose words it holds one, a bit each; those of all parsers one after the other.
    parts: u64,
    /// The shapes of broken lines of which it holds the first literal.
    shapes: Shapes,
}

/// Literals of lines, and what a line is told to hold that has one.
pub(super) struct Lines {
    pub(super) grams: Grams,
    held: Vec<Held>,
    /// The parts that see every line of their parser.
    always: u64,
}

/// Where the parts of each parser begin among those of all.
const FIRST_PART: [u32; PARSERS.len()] = {
    let (mut firsts, mut index, mut first) = ([0; PARSERS.len()], 0, 0);
    while index < PARSERS.len() {
        firsts[index] = first;
        let mut part = 0;
        while part < PARSERS[index].parts.len() {
            (part, first) = (part + 1, first + 1);
        }
        index += 1;
    }
    assert!(first <= 64 && PARSERS.len() <= 64, "a bit for each parser, and for each part");
    firsts
};

impl Held {
    /// What a text holds.
    pub(super) fn of(text: &str) -> Self {
        let lines = &*LINES;
        let mut all = Self { parts: lines.always, ..Self::default() };
        lines.grams.search(text.as_bytes(), 0, |_, literal| {
            all = lines.held.get(literal).map_or(all, |held| all.and(*held));
            false
        });
        all
    }

    /// This and more.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            parsers: self.parsers | other.parsers,
            parts: self.parts | other.parts,
            shapes: self.shapes | other.shapes,
        }
    }

    /// The parsers of whose needles it holds one, a bit each.
    pub(super) fn parsers(self) -> u64 {
        self.parsers
    }

    /// The parts of a parser of whose words it holds one, a bit each.
    pub(super) fn parts_of(self, parser: usize) -> u32 {
        let parts = FIRST_PART.get(parser).map_or(u64::MAX, |first| self.parts >> first);
        // A parser has few, and higher bits are other parsers'.
        u32::try_from(parts & u64::from(u32::MAX)).unwrap_or(u32::MAX)
    }

    /// The shapes of broken lines of which it holds the first literal.
    pub(super) fn shapes(self) -> Shapes {
        self.shapes
    }
}

impl Lines {
    /// Gathers them: the same literal may be a needle, and a word of several parts.
    fn new() -> Self {
        let mut literals: BTreeMap<&'static [u8], Held> = BTreeMap::new();
        let mut add = |text: &'static str, held: Held| {
            let known = literals.entry(text.as_bytes()).or_default();
            *known = known.and(held);
        };
        let mut always = 0;
        for (index, (parser, first)) in PARSERS.iter().zip(FIRST_PART).enumerate() {
            let of_parser = Held { parsers: 1 << index, ..Held::default() };
            parser.needles.iter().for_each(|text| add(text, of_parser));
            for (words, part) in parts(parser).zip(first..) {
                let part = 1 << part;
                always |=
                    if words.iter().all(|word| word.len() >= GRAM) && !words.is_empty() { 0 } else { part };
                let of_part = Held { parts: part, ..Held::default() };
                words.iter().filter(|word| word.len() >= GRAM).for_each(|word| add(word, of_part));
            }
        }
        broken::first_literals().for_each(|(text, shapes)| add(text, Held { shapes, ..Held::default() }));
        let (literals, held) = literals.into_iter().unzip();
        Self { grams: Grams::new(literals), held, always }
    }
}

/// The words of a parser's parts.
fn parts(parser: &Spec) -> impl Iterator<Item = &'static [&'static str]> {
    parser.parts.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_comes_first_and_chance_is_no_hit() {
        let block = b"nothing here\nand invoked oom-killer too\nKilled process\n";
        assert_eq!(next(block, 0).map(|at| memchr::memchr_iter(b'\n', &block[..at]).count()), Some(1));
        assert_eq!(next(b"killer invoked, process done, memory is fine", 0), None);
    }

    /// As a plain search tells.
    fn plainly(text: &str) -> Held {
        let mut held = Held::default();
        for (index, (parser, first)) in PARSERS.iter().zip(FIRST_PART).enumerate() {
            let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
            held.parsers |= u64::from(has(parser.needles)) << index;
            for (words, part) in parser.parts.iter().zip(first..) {
                let sees = words.is_empty() || has(words) || words.iter().any(|word| word.len() < GRAM);
                held.parts |= u64::from(sees) << part;
            }
        }
        let shapes = broken::first_literals().filter(|(literal, _)| text.contains(literal));
        held.shapes = shapes.fold(0, |shapes, (_, shape)| shapes | shape);
        held
    }

    proptest::proptest! {
        #[test]
        fn a_line_holds_what_a_plain_search_finds(picked in proptest::collection::vec((0usize..4096, "[a-z \"]{0,9}"), 0..5)) {
            let literals = LINES.grams.literals();
            let literal = |index: usize| str::from_utf8(literals[index % literals.len()]).unwrap();
            let text: String = picked.iter().flat_map(|(index, text)| [literal(*index), text]).collect();
            proptest::prop_assert_eq!(Held::of(&text), plainly(&text));
        }
    }
}
