//! The needles of all parsers, searched at once: which lines can matter, and to whom.
//!
//! Every third place of a block is looked at. A needle, wherever it lies, has for each of the three ways in which it
//! can lie to those places four bytes (a *gram*) that stand at one of them; which four, [`Ordinary`] says. So a third
//! of the places costs one look into a small bit map each, and only where that says *perhaps* are needles compared.
//! One automaton over all needles looks at every byte, and building it takes longer than reading ten small files.

use super::ordinary::Ordinary;
use crate::parse::{PARSERS, broken};
use std::sync::LazyLock;

/// Literals of envelopes that hide a message from its needles: journald prints coloured messages as lists of bytes,
/// and a carrier's split line may have its needle in the next piece. No parser owns them.
const OF_ENVELOPES: &[&str] = &["\"MESSAGE\":[", "\"MESSAGE\" : [", " stderr P ", " stdout P "];

/// How far apart the places are that are looked at.
const STRIDE: usize = 3;
/// How many bytes are looked at together.
const GRAM: usize = 4;
/// How many bytes of a block are taken at once, and how far the next ones are.
const CHUNK: usize = 16;
/// Four places.
const STEP: usize = 4 * STRIDE;
/// The bit map has 2^20 bits: 128 KiB, of which ordinary lines need a small part. One of a quarter of that stays in the
/// processor's first cache, says *perhaps* by chance four times as often, and the search takes half as long again.
const MAP_WORDS: usize = 1 << 14;
/// How many lists the grams are kept in.
const LISTS: usize = 1 << 14;

/// A needle, and the parser that owns it.
struct Needle {
    text: &'static [u8],
    owner: Option<usize>,
}

/// Four bytes that stand in a needle, `offset` bytes behind its beginning.
#[derive(Clone, Copy)]
struct Gram {
    value: u32,
    needle: u16,
    offset: i16,
}

/// All needles and their grams.
struct Needles {
    known: Vec<Needle>,
    /// A bit for each gram, by its hash.
    map: Box<[u64; MAP_WORDS]>,
    /// All grams, by list.
    grams: Vec<Gram>,
    /// Where each list begins in `grams`, and where the last one ends.
    starts: Vec<u32>,
}

static NEEDLES: LazyLock<Needles> = LazyLock::new(|| Needles::new(all()));

/// The needles of all parsers and envelopes.
fn all() -> Vec<Needle> {
    let parsers = PARSERS.iter().enumerate();
    let owned =
        parsers.flat_map(|(index, parser)| parser.needles.iter().map(move |text| (*text, Some(index))));
    let others = OF_ENVELOPES.iter().chain(broken::NEEDLES).map(|text| (*text, None));
    owned.chain(others).map(|(text, owner)| Needle { text: text.as_bytes(), owner }).collect()
}

/// Every needle once: what a line must hold to be looked at.
pub(super) fn texts() -> Vec<&'static str> {
    let parsers = PARSERS.iter().flat_map(|parser| parser.needles);
    let mut texts: Vec<_> = parsers.chain(OF_ENVELOPES).chain(broken::NEEDLES).copied().collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

/// A place of the first line, at or after a place in a block, that holds a needle.
pub(super) fn next(block: &[u8], at: usize) -> Option<usize> {
    let mut first = None;
    NEEDLES.search(block, at, &mut |start, _| {
        first = Some(start);
        true
    });
    first
}

/// Parsers, a bit each, as they are numbered in `PARSERS`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Owners(u64);

impl Owners {
    /// The parsers that own a needle in a text.
    pub(super) fn of(text: &str) -> Self {
        let mut owners = Self::default();
        NEEDLES.search(text.as_bytes(), 0, &mut |_, needle| {
            owners.0 |= needle.owner.map_or(0, |owner| 1 << owner);
            false
        });
        owners
    }

    /// These and others.
    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a parser is among them.
    pub(super) fn holds(self, parser: usize) -> bool {
        self.0 >> parser & 1 == 1
    }
}

const _: () = assert!(PARSERS.len() <= 64, "a bit for each parser");

/// Told where a needle begins and which it is; `true` ends the search.
type Found<'f> = dyn FnMut(usize, &Needle) -> bool + 'f;

impl Needles {
    /// Chooses the grams.
    #[expect(clippy::large_stack_arrays, reason = "it goes to the heap at once")]
    fn new(needles: Vec<Needle>) -> Self {
        let ordinary = Ordinary::new();
        let mut map = Box::new([0; MAP_WORDS]);
        let mut grams = Vec::new();
        for (index, needle) in (0..).zip(&needles) {
            for lie in 0..STRIDE {
                let Some(offset) = rarest(needle.text, lie, &ordinary) else { continue };
                for value in values(needle.text, offset) {
                    let (word, bit) = place(value);
                    map[word] |= 1 << bit;
                    grams.push(Gram { value, needle: index, offset });
                }
            }
        }
        let (grams, starts) = listed(&grams);
        Self { known: needles, map, grams, starts }
    }

    /// Tells of needles from a place on, one line after the other.
    fn search(&self, block: &[u8], from: usize, found: &mut Found<'_>) {
        let mut at = from;
        let mut rest = block.get(from..).unwrap_or_default();
        while let Some(chunk) = rest.first_chunk::<CHUNK>() {
            if self.perhaps(chunk) && self.compare(block, at, chunk, found) {
                return;
            }
            at += STEP;
            rest = rest.get(STEP..).unwrap_or_default();
        }
        // What is left is shorter than a chunk, and has places that lie behind the next step.
        while !rest.is_empty() {
            let mut chunk = [0; CHUNK];
            chunk.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
            if self.compare(block, at, &chunk, found) {
                return;
            }
            at += STEP;
            rest = rest.get(STEP..).unwrap_or_default();
        }
    }

    /// Whether a gram may stand at one of a chunk's places.
    #[inline]
    fn perhaps(&self, chunk: &[u8; CHUNK]) -> bool {
        let bits = grams_of(chunk).map(|value| {
            let (word, bit) = place(value);
            self.map[word] >> bit
        });
        (bits[0] | bits[1] | bits[2] | bits[3]) & 1 != 0
    }

    /// Compares the needles whose grams stand at a chunk's places; `true` if the search has ended.
    fn compare(&self, block: &[u8], at: usize, chunk: &[u8; CHUNK], found: &mut Found<'_>) -> bool {
        for (value, at) in grams_of(chunk).into_iter().zip((at..).step_by(STRIDE)) {
            let (word, bit) = place(value);
            if self.map[word] >> bit & 1 == 0 {
                continue;
            }
            for gram in self.list_of(value).iter().filter(|gram| gram.value == value) {
                let start = at.checked_add_signed(-isize::from(gram.offset));
                let needle = self.known.get(usize::from(gram.needle));
                if let (Some(start), Some(needle)) = (start, needle)
                    && block.get(start..).is_some_and(|text| text.starts_with(needle.text))
                    && found(start, needle)
                {
                    return true;
                }
            }
        }
        false
    }

    /// The grams of a value's list.
    fn list_of(&self, value: u32) -> &[Gram] {
        let index = list(value);
        let bound = |index: usize| usize::try_from(*self.starts.get(index)?).ok();
        let range = bound(index).zip(bound(index + 1));
        range.and_then(|(start, end)| self.grams.get(start..end)).unwrap_or_default()
    }
}

/// Puts grams into lists: their order, and where each list begins. There are more than ten thousand, and every start
/// of the program makes them, so they are counted and not sorted.
fn listed(grams: &[Gram]) -> (Vec<Gram>, Vec<u32>) {
    let mut ends = vec![0; LISTS + 1];
    for gram in grams {
        ends[list(gram.value)] += 1;
    }
    let mut all = 0;
    for end in &mut ends {
        all += *end;
        *end = all;
    }
    let mut sorted = vec![Gram { value: 0, needle: 0, offset: 0 }; grams.len()];
    // From behind, each list fills up from its end to its beginning, and keeps the order of its needles.
    for gram in grams.iter().rev() {
        let end = &mut ends[list(gram.value)];
        *end -= 1;
        if let Some(slot) = usize::try_from(*end).ok().and_then(|at| sorted.get_mut(at)) {
            *slot = *gram;
        }
    }
    (sorted, ends)
}

/// The four grams that stand at a chunk's places.
#[inline]
fn grams_of(chunk: &[u8; CHUNK]) -> [u32; 4] {
    [0, STRIDE, 2 * STRIDE, 3 * STRIDE].map(|at| chunk.get(at..).and_then(gram).unwrap_or_default())
}

/// Where a value's bit stands.
#[inline]
fn place(value: u32) -> (usize, u32) {
    let hash = value.wrapping_mul(0x9e37_79b1) >> 12;
    (usize::try_from(hash >> 6).unwrap_or_default() % MAP_WORDS, hash & 63)
}

/// The list of a value.
fn list(value: u32) -> usize {
    usize::try_from(value.wrapping_mul(0x9e37_79b1) >> 18).unwrap_or_default() % LISTS
}

/// Four bytes as a number.
fn gram(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

/// Where in a needle the gram begins that ordinary lines hold most rarely, of those that lie in this way.
///
/// In a needle of four or five bytes one byte of the gram may stand before or behind it.
fn rarest(needle: &[u8], lie: usize, ordinary: &Ordinary) -> Option<i16> {
    let inside = needle.windows(GRAM).enumerate().skip(lie).step_by(STRIDE);
    let behind = needle.get(lie..).filter(|end| end.len() == GRAM - 1).map(|end| (lie, end));
    let before = needle.get(..GRAM - 1).filter(|_| lie + 1 == STRIDE);
    let best = inside.min_by_key(|(_, bytes)| ordinary.count(bytes)).or(behind);
    let rarer = before.filter(|begin| {
        best.is_none_or(|(_, bytes)| bytes.len() < GRAM && ordinary.count(begin) < ordinary.count(bytes))
    });
    if rarer.is_some() { Some(-1) } else { i16::try_from(best?.0).ok() }
}

/// The values of a gram; 256 if one of its bytes is not the needle's.
fn values(needle: &[u8], offset: i16) -> Vec<u32> {
    let byte = |index: i16| usize::try_from(offset + index).ok().and_then(|at| needle.get(at).copied());
    let known = [0, 1, 2, 3].map(byte);
    let of = |other: u8| u32::from_le_bytes(known.map(|byte| byte.unwrap_or(other)));
    if known.iter().all(Option::is_some) { vec![of(0)] } else { (0..=u8::MAX).map(of).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a search tells, sorted: each needle's place and text.
    fn searched(needles: &Needles, block: &[u8], from: usize) -> Vec<(usize, &'static [u8])> {
        let mut found = Vec::new();
        needles.search(block, from, &mut |start, needle| {
            found.push((start, needle.text));
            false
        });
        found.sort_unstable();
        found
    }

    #[test]
    fn every_needle_is_found_wherever_it_lies() {
        for needle in &NEEDLES.known {
            for before in 0..=STEP {
                for behind in 0..=CHUNK {
                    let block = [&vec![b'x'; before], needle.text, &vec![b'\n'; behind]].concat();
                    let wanted = (before, needle.text);
                    assert!(
                        searched(&NEEDLES, &block, 0).contains(&wanted),
                        "{:?}",
                        needle.text.utf8_chunks()
                    );
                    assert!(searched(&NEEDLES, &block, before).contains(&wanted));
                }
            }
        }
    }

    #[test]
    fn a_needle_has_four_bytes_or_more_and_no_newline() {
        for needle in &NEEDLES.known {
            assert!(needle.text.len() >= GRAM && !needle.text.contains(&b'\n'));
        }
    }

    #[test]
    fn the_first_line_comes_first_and_chance_is_no_hit() {
        let block = b"nothing here\nand invoked oom-killer too\nKilled process\n";
        assert_eq!(next(block, 0).map(|at| memchr::memchr_iter(b'\n', &block[..at]).count()), Some(1));
        assert_eq!(next(b"killer invoked, process done, memory is fine", 0), None);
    }

    proptest::proptest! {
        /// As many needles as a plain search finds, between any other bytes.
        #[test]
        fn it_finds_what_a_plain_search_finds(picked in proptest::collection::vec((0usize..4096, "[a-z \\n\"]{0,9}"), 0..9)) {
            let needle = |index: &usize| NEEDLES.known[index % NEEDLES.known.len()].text;
            let block: Vec<u8> =
                picked.iter().flat_map(|(index, text)| [needle(index), text.as_bytes()].concat()).collect();
            let mut plain: Vec<_> = NEEDLES
                .known
                .iter()
                .flat_map(|needle| memchr::memmem::find_iter(&block, needle.text).map(|at| (at, needle.text)))
                .collect();
            plain.sort_unstable();
            plain.dedup();
            let mut found = searched(&NEEDLES, &block, 0);
            found.dedup();
            // A plain search gives no hits that overlap one before; this one does.
            proptest::prop_assert!(plain.iter().all(|hit| found.contains(hit)));
            proptest::prop_assert!(found.iter().all(|(at, text)| block[*at..].starts_with(text)));
        }
    }
}
