//! Searches for many literals at once.
//!
//! Every third place of a text is looked at. A literal, wherever it lies, has for each of the three ways in which it
//! can lie to those places four bytes (a *gram*) that stand at one of them; which four, [`Ordinary`] says. So a third
//! of the places costs one look into a small bit map each, and only where that says *perhaps* are literals compared.
//! One automaton over all literals looks at every byte, and building it takes longer than reading ten small files.

use super::ordinary::Ordinary;

/// How far apart the places are that are looked at.
const STRIDE: usize = 3;
/// How many bytes are looked at together, and of how many a literal is at least.
pub(super) const GRAM: usize = 4;
/// How many bytes of a text are taken at once, and how far the next ones are.
const CHUNK: usize = 16;
/// Four places.
const STEP: usize = 4 * STRIDE;
/// The bit map has 2^20 bits: 128 KiB, of which ordinary lines need a small part. One of a quarter of that stays in the
/// processor's first cache, says *perhaps* by chance four times as often, and the search takes half as long again.
const MAP_WORDS: usize = 1 << 14;
/// How many lists the grams are kept in.
const LISTS: usize = 1 << 14;

/// Four bytes that stand in a literal, `offset` bytes behind its beginning.
#[derive(Clone, Copy)]
struct Gram {
    value: u32,
    literal: u16,
    offset: i16,
}

/// Literals and their grams.
pub(super) struct Grams {
    literals: Vec<&'static [u8]>,
    /// A bit for each gram, by its hash.
    map: Box<[u64; MAP_WORDS]>,
    /// All grams, by list.
    listed: Vec<Gram>,
    /// Where each list begins in `listed`, and where the last one ends.
    starts: Vec<u32>,
}

impl Grams {
    /// Chooses the grams.
    #[expect(clippy::large_stack_arrays, reason = "it goes to the heap at once")]
    pub(super) fn new(literals: Vec<&'static [u8]>) -> Self {
        let ordinary = Ordinary::new();
        let mut map = Box::new([0; MAP_WORDS]);
        let mut grams = Vec::new();
        for (index, literal) in (0..).zip(&literals) {
            for lie in 0..STRIDE {
                let Some(offset) = rarest(literal, lie, &ordinary) else { continue };
                for value in values(literal, offset) {
                    let (word, bit) = place(value);
                    map[word] |= 1 << bit;
                    grams.push(Gram { value, literal: index, offset });
                }
            }
        }
        let (listed, starts) = listed(&grams);
        Self { literals, map, listed, starts }
    }

    /// The literals, in the order of their numbers.
    #[cfg(test)]
    pub(super) fn literals(&self) -> &[&'static [u8]] {
        &self.literals
    }

    /// Tells of literals from a place on, one line after the other: where one begins, and its number. `true` ends the
    /// search.
    #[inline]
    pub(super) fn search(&self, text: &[u8], from: usize, mut found: impl FnMut(usize, usize) -> bool) {
        let mut at = from;
        let mut rest = text.get(from..).unwrap_or_default();
        while let Some(chunk) = rest.first_chunk::<CHUNK>() {
            let perhaps = self.perhaps(chunk);
            if perhaps != 0 && self.compare(text, at, chunk, perhaps, &mut found) {
                return;
            }
            at += STEP;
            rest = rest.get(STEP..).unwrap_or_default();
        }
        // What is left is shorter than a chunk, and has places that lie behind the next step.
        while !rest.is_empty() {
            let mut chunk = [0; CHUNK];
            chunk.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
            let perhaps = self.perhaps(&chunk);
            if perhaps != 0 && self.compare(text, at, &chunk, perhaps, &mut found) {
                return;
            }
            at += STEP;
            rest = rest.get(STEP..).unwrap_or_default();
        }
    }

    /// At which of a chunk's places a gram may stand, a bit each.
    #[inline]
    fn perhaps(&self, chunk: &[u8; CHUNK]) -> u64 {
        let [one, two, three, four] = grams_of(chunk).map(|value| {
            let (word, bit) = place(value);
            self.map[word] >> bit & 1
        });
        one | two << 1 | three << 2 | four << 3
    }

    /// Compares the literals whose grams may stand at a chunk's places; `true` if the search has ended.
    #[inline]
    fn compare(
        &self,
        text: &[u8],
        at: usize,
        chunk: &[u8; CHUNK],
        perhaps: u64,
        found: &mut impl FnMut(usize, usize) -> bool,
    ) -> bool {
        for (index, value) in grams_of(chunk).into_iter().enumerate() {
            if perhaps >> index & 1 == 0 {
                continue;
            }
            let at = at + index * STRIDE;
            for gram in self.list_of(value).iter().filter(|gram| gram.value == value) {
                let literal = usize::from(gram.literal);
                if let Some(start) = self.start(text, at, *gram)
                    && found(start, literal)
                {
                    return true;
                }
            }
        }
        false
    }

    /// Where the literal begins that has this gram at a place, if it stands there.
    #[inline]
    fn start(&self, text: &[u8], at: usize, gram: Gram) -> Option<usize> {
        let start = at.checked_add_signed(-isize::from(gram.offset))?;
        let literal = self.literals.get(usize::from(gram.literal))?;
        text.get(start..)?.starts_with(literal).then_some(start)
    }

    /// The grams of a value's list.
    #[inline]
    fn list_of(&self, value: u32) -> &[Gram] {
        let index = list(value);
        let bound = |index: usize| usize::try_from(*self.starts.get(index)?).ok();
        let range = bound(index).zip(bound(index + 1));
        range.and_then(|(start, end)| self.listed.get(start..end)).unwrap_or_default()
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
    let mut sorted = vec![Gram { value: 0, literal: 0, offset: 0 }; grams.len()];
    // From behind, each list fills up from its end to its beginning, and keeps the order of its literals.
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
#[inline]
fn list(value: u32) -> usize {
    usize::try_from(value.wrapping_mul(0x9e37_79b1) >> 18).unwrap_or_default() % LISTS
}

/// Four bytes as a number.
#[inline]
fn gram(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

/// Where in a literal the gram begins that ordinary lines hold most rarely, of those that lie in this way.
///
/// In a literal of four or five bytes one byte of the gram may stand before or behind it.
fn rarest(literal: &[u8], lie: usize, ordinary: &Ordinary) -> Option<i16> {
    let inside = (lie..).step_by(STRIDE).map_while(|at| Some((at, literal.get(at..at + GRAM)?)));
    let behind = literal.get(lie..).filter(|end| end.len() == GRAM - 1).map(|end| (lie, end));
    let before = literal.get(..GRAM - 1).filter(|_| lie + 1 == STRIDE);
    let best = inside.min_by_key(|(_, bytes)| ordinary.count(bytes)).or(behind);
    let rarer = before.filter(|begin| {
        best.is_none_or(|(_, bytes)| bytes.len() < GRAM && ordinary.count(begin) < ordinary.count(bytes))
    });
    if rarer.is_some() { Some(-1) } else { i16::try_from(best?.0).ok() }
}

/// The values of a gram; 256 if one of its bytes is not the literal's.
fn values(literal: &[u8], offset: i16) -> impl Iterator<Item = u32> {
    let byte = |index: i16| usize::try_from(offset + index).ok().and_then(|at| literal.get(at).copied());
    let known = [0, 1, 2, 3].map(byte);
    let last = if known.iter().all(Option::is_some) { 0 } else { u8::MAX };
    (0..=last).map(move |other| u32::from_le_bytes(known.map(|byte| byte.unwrap_or(other))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::needles::{LINES, all};
    use std::sync::LazyLock;

    static NEEDLES: LazyLock<Grams> = LazyLock::new(|| Grams::new(all()));

    /// What a search tells, sorted: each literal's place and text.
    fn searched(grams: &Grams, text: &[u8], from: usize) -> Vec<(usize, &'static [u8])> {
        let mut found = Vec::new();
        grams.search(text, from, |start, index| {
            found.push((start, grams.literals[index]));
            false
        });
        found.sort_unstable();
        found
    }

    #[test]
    fn every_literal_is_found_wherever_it_lies() {
        for grams in [&*NEEDLES, &LINES.grams] {
            for literal in &grams.literals {
                for before in 0..=STEP {
                    for behind in 0..=CHUNK {
                        let block = [&vec![b'x'; before], *literal, &vec![b'\n'; behind]].concat();
                        let wanted = (before, *literal);
                        assert!(searched(grams, &block, 0).contains(&wanted), "{:?}", literal.utf8_chunks());
                        assert!(searched(grams, &block, before).contains(&wanted));
                    }
                }
            }
        }
    }

    #[test]
    fn a_literal_has_four_bytes_or_more_and_no_newline() {
        for literal in NEEDLES.literals.iter().chain(&LINES.grams.literals) {
            assert!(literal.len() >= GRAM && !literal.contains(&b'\n'));
        }
    }

    proptest::proptest! {
        /// As many literals as a plain search finds, between any other bytes.
        #[test]
        fn it_finds_what_a_plain_search_finds(picked in proptest::collection::vec((0usize..4096, "[a-z \\n\"]{0,9}"), 0..9)) {
            let literal = |index: &usize| NEEDLES.literals[index % NEEDLES.literals.len()];
            let block: Vec<u8> =
                picked.iter().flat_map(|(index, text)| [literal(index), text.as_bytes()].concat()).collect();
            let mut plain: Vec<_> = NEEDLES
                .literals
                .iter()
                .flat_map(|literal| memchr::memmem::find_iter(&block, literal).map(|at| (at, *literal)))
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
