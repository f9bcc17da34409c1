//! Which of many words a line holds, and whose they are, in one pass over the line.
//!
//! It knows neither parsers nor what a word means.

/// How many bytes of a word are looked up at once.
const GRAM: usize = 3;
/// How far the places of a text are apart that are looked at. A word, wherever it lies, has bytes at one of them.
const STRIDE: usize = 2;
/// The shortest word that has so many bytes wherever it lies.
const SHORTEST: usize = GRAM + STRIDE - 1;
/// The bit map has 2^12 bits.
const MAP_WORDS: usize = 64;

/// Three bytes of a word, as they are looked up.
#[derive(Debug, Clone, Copy)]
struct Gram {
    value: u32,
    /// How far behind the word's beginning they stand.
    offset: usize,
    word: &'static str,
    /// The word's parser, a bit.
    owner: u32,
}

/// The words of parsers, one list a parser. A line without any of its parser's words is not that parser's and tells it
/// nothing, as long as it is not hungry. A parser with an empty list sees every line.
pub(in crate::parse) struct Words {
    /// The bytes of all words, in the order of the map's words.
    grams: Vec<Gram>,
    /// Where those of each of the map's words begin.
    starts: [usize; MAP_WORDS + 1],
    /// A bit for each value in `grams`, by its hash: nearly all places of a line are ruled out by it.
    map: [u64; MAP_WORDS],
    /// The parsers that see every line.
    all: u32,
}

impl Words {
    /// Of as many lists as there are parsers, 32 at most, in their order.
    pub(in crate::parse) fn new(lists: &[&[&'static str]]) -> Self {
        let mut words = Self { grams: Vec::new(), starts: [0; MAP_WORDS + 1], map: [0; MAP_WORDS], all: 0 };
        for (list, owner) in lists.iter().zip((0..32).map(|index| 1 << index)) {
            if list.is_empty() || list.iter().any(|word| word.len() < SHORTEST) {
                words.all |= owner;
            }
            list.iter().for_each(|word| words.add(word, owner));
        }
        words.grams.sort_by_key(|gram| place(gram.value).0);
        let grams = &words.grams;
        words.starts = std::array::from_fn(|index| grams.partition_point(|gram| place(gram.value).0 < index));
        words
    }

    /// Adds a word.
    fn add(&mut self, word: &'static str, owner: u32) {
        let grams = word
            .as_bytes()
            .windows(GRAM)
            .filter_map(<[u8]>::first_chunk)
            .map(|[a, b, c]| value_of([a, b, c]));
        for (offset, value) in grams.take(STRIDE).enumerate() {
            self.grams.push(Gram { value, offset, word, owner });
            let (index, bit) = place(value);
            self.map[index] |= 1 << bit;
        }
    }

    /// The parsers that a text may be for.
    pub(in crate::parse) fn owners_in(&self, text: &str) -> u32 {
        let (bytes, mut at, mut owners) = (text.as_bytes(), 0, self.all);
        // Four places at once; nearly always none of them holds anything.
        while let Some([a, b, c, d, e, f, g, h, i]) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
            let values = [[a, b, c], [c, d, e], [e, f, g], [g, h, i]].map(value_of);
            if values.into_iter().fold(false, |perhaps, value| perhaps | self.perhaps(value)) {
                owners |= self.owners_at(bytes, at, values);
            }
            at += values.len() * STRIDE;
        }
        let rest = bytes.get(at..).unwrap_or_default().windows(GRAM).step_by(STRIDE);
        let values = rest.filter_map(<[u8]>::first_chunk).map(|[a, b, c]| value_of([a, b, c]));
        owners | self.owners_at(bytes, at, values)
    }

    /// Whether bytes of this value may be some word's.
    fn perhaps(&self, value: u32) -> bool {
        let (index, bit) = place(value);
        self.map[index] >> bit & 1 == 1
    }

    /// The parsers of the words that stand in a text which has bytes of these values from this place on.
    fn owners_at(&self, text: &[u8], at: usize, values: impl IntoIterator<Item = u32>) -> u32 {
        let places = values.into_iter().zip((at..).step_by(STRIDE)).filter(|(value, _)| self.perhaps(*value));
        places.fold(0, |owners, (value, at)| {
            let (index, _) = place(value);
            let alike = self.starts.get(index).zip(self.starts.get(index + 1));
            let alike = alike.and_then(|(start, end)| self.grams.get(*start..*end)).unwrap_or_default();
            alike
                .iter()
                .filter(|gram| gram.stands(value, text, at))
                .fold(owners, |owners, gram| owners | gram.owner)
        })
    }

    /// Which of the first so many parsers a text may be for.
    pub(in crate::parse) fn among<const COUNT: usize>(&self, text: &str) -> [bool; COUNT] {
        let owners = self.owners_in(text);
        std::array::from_fn(|index| owners >> index & 1 == 1)
    }
}

impl Gram {
    /// Whether the word stands in a text that has bytes of this value at this place.
    fn stands(&self, value: u32, text: &[u8], at: usize) -> bool {
        let rest = || at.checked_sub(self.offset).and_then(|start| text.get(start..));
        self.value == value && rest().is_some_and(|rest| rest.starts_with(self.word.as_bytes()))
    }
}

/// Three bytes as a number.
fn value_of([one, two, three]: [&u8; GRAM]) -> u32 {
    u32::from_le_bytes([*one, *two, *three, 0])
}

/// Where a value's bit stands.
fn place(value: u32) -> (usize, u32) {
    let hash = value.wrapping_mul(0x9e37_79b1) >> 20;
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
            let plain = |list: &&[&str]| list.is_empty() || list.iter().any(|word| word.len() < SHORTEST || text.contains(word));
            let plain = LISTS.iter().rev().fold(0, |owners, list| owners << 1 | u32::from(plain(list)));
            proptest::prop_assert_eq!(Words::new(LISTS).owners_in(&text), plain);
        }
    }
}
