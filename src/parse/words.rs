//! Which of many words a line holds, and whose they are, in one pass over the line.
//!
//! It knows neither parsers nor what a word means.

/// How many bytes of a word are looked up at once: its first.
const GRAM: usize = 4;
/// The bit map has 2^12 bits.
const MAP_WORDS: usize = 64;

/// The words of parsers, one list a parser. A line without any of its parser's words is not that parser's and tells it
/// nothing, as long as it is not hungry. A parser with an empty list sees every line.
pub(in crate::parse) struct Words {
    /// The words' first bytes as a number, the words, and the parser of each as a bit; sorted.
    known: Vec<(u32, &'static str, u32)>,
    /// A bit for each number in `known`, by its hash: nearly all places of a line are ruled out by it.
    map: [u64; MAP_WORDS],
    /// The parsers that see every line.
    all: u32,
}

impl Words {
    /// Of as many lists as there are parsers, 32 at most, in their order.
    pub(in crate::parse) fn new(lists: &[&[&'static str]]) -> Self {
        let mut words = Self { known: Vec::new(), map: [0; MAP_WORDS], all: 0 };
        for (list, owner) in lists.iter().zip((0..32).map(|index| 1 << index)) {
            if list.is_empty() {
                words.all |= owner;
            }
            for word in *list {
                match word.as_bytes().first_chunk() {
                    Some(gram) => words.add(u32::from_le_bytes(*gram), word, owner),
                    // Too short to be looked up.
                    None => words.all |= owner,
                }
            }
        }
        words.known.sort_unstable();
        words
    }

    /// Adds a word.
    fn add(&mut self, gram: u32, word: &'static str, owner: u32) {
        self.known.push((gram, word, owner));
        let (index, bit) = place(gram);
        self.map[index] |= 1 << bit;
    }

    /// The parsers that a text may be for.
    pub(in crate::parse) fn owners_in(&self, text: &str) -> u32 {
        let bytes = text.as_bytes();
        let grams = bytes.windows(GRAM).filter_map(<[u8]>::first_chunk).map(|gram| u32::from_le_bytes(*gram));
        grams.enumerate().fold(self.all, |owners, (at, gram)| {
            let (index, bit) = place(gram);
            if self.map[index] >> bit & 1 == 0 {
                return owners;
            }
            owners | self.owners_at(gram, bytes.get(at..).unwrap_or_default())
        })
    }

    /// Which of the first so many parsers a text may be for.
    pub(in crate::parse) fn among<const COUNT: usize>(&self, text: &str) -> [bool; COUNT] {
        let owners = self.owners_in(text);
        std::array::from_fn(|index| owners >> index & 1 == 1)
    }

    /// The parsers of the words at the beginning of a text, whose first bytes make this number.
    fn owners_at(&self, gram: u32, text: &[u8]) -> u32 {
        let start = self.known.partition_point(|(known, ..)| *known < gram);
        let alike = self.known.iter().skip(start).take_while(|(known, ..)| *known == gram);
        let here = alike.filter(|(_, word, _)| text.starts_with(word.as_bytes()));
        here.fold(0, |owners, (.., owner)| owners | owner)
    }
}

/// Where a number's bit stands.
fn place(gram: u32) -> (usize, u32) {
    let hash = gram.wrapping_mul(0x9e37_79b1) >> 20;
    (usize::try_from(hash >> 6).unwrap_or_default() % MAP_WORDS, hash & 63)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTS: &[&[&str]] =
        &[&["Kernel started", "Kernel"], &["started: ", "rnel st"], &[], &["abc"], &["é died"]];

    proptest::proptest! {
        /// As a plain search tells.
        #[test]
        fn it_finds_what_a_plain_search_finds(text in "(Kernel started: |Kernel|rnel s|t|abc| |é died|é|[a-z]){0,12}") {
            let plain = |list: &&[&str]| list.is_empty() || list.iter().any(|word| word.len() < GRAM || text.contains(word));
            let plain = LISTS.iter().rev().fold(0, |owners, list| owners << 1 | u32::from(plain(list)));
            proptest::prop_assert_eq!(Words::new(LISTS).owners_in(&text), plain);
        }
    }
}
