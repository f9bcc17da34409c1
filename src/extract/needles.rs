//! The needles of all parsers, searched at once: which lines can matter, and to whom.
//!
//! Every third place of a block is looked at. A needle, wherever it lies, has for each of the three ways in which it
//! can lie to those places four bytes (a *gram*) that stand at one of them; which four is chosen when the table is
//! built: those that ordinary lines hold most rarely. So a third of the places costs one look into a small bit map
//! each, and only where that says *perhaps* are needles compared. One automaton over all needles looks at every
//! byte, and building it takes longer than reading ten small files.

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
/// The bit map has 2^18 bits: 32 KiB, which stay in the processor's first cache.
const MAP_WORDS: usize = 1 << 12;
/// How many lists the grams are kept in.
const LISTS: usize = 1 << 14;

/// What ordinary lines are made of: dates, levels, requests, logins, JSON's members. Grams of it are avoided where a
/// needle has others. It needs not be complete, it only saves time.
const ORDINARY: &str = "\
[I 2026-11-30 15:22:30.902 ServerApp] 200 GET /user/name/api/contents/work/notebook.ipynb?content=0 (name@10.0.0.1) 9.02ms
[D 2026-11-30 15:22:30.902 JupyterHub log:192] 302 POST /hub/api/users/name/server/activity?_=1796052150 -> /user/name/lab
{\"log\":\"text\\n\",\"stream\":\"stderr\",\"time\":\"2026-11-30T15:22:30.411378443Z\"} {\"level\":\"info\",\"msg\":\"message\",\"ts\":1}
2026-11-30T15:22:30.411Z stdout F time=\"2026-11-30T15:22:30+00:00\" level=info msg=\"container memory limits process \" error=\"none\"
Nov 30 15:22:30 host systemd[1]: Started Session 12 of User root. Starting service... Reached target: Stopped unit.
Nov 30 15:22:30 host sshd[123]: Accepted publickey for root from 10.0.0.1 port 22 ssh2; session opened, closed by user(uid=0)
Nov 30 15:22:30 host kernel: [ 1234.567890] eth0: link is not ready, IN=eth0 OUT= MAC=00 SRC=10.0.0.1 DST=10.0.0.2 PROTO=TCP
Nov 30 15:22:30 host CRON[12]: (root) CMD (command -v test > /dev/null && run-parts --report /etc/cron.hourly)
[ConfigProxy] info: Adding route -> http://127.0.0.1:8081 Connecting to kernel, Kernel started, restarting process
Epoch 12/1000: loss=0.1234 accuracy=0.98 step 1234 training validation model batch time remaining memory usage
INFO WARNING DEBUG ERROR Exception: error: failed to connect, Error: timeout, not found, File \"/opt/conda/lib/python3.11/site-packages/a.py\", line 12, in function
 downloading installing version of the package was not running; has been killed; exited with status code 0; received signal
10.0.0.1 - - [30/Nov/2026:15:22:30 +0000] \"GET /static/style.css HTTP/1.1\" 304 0 \"-\" \"Mozilla/5.0 (X11; Linux x86_64) Gecko\"
    at java.lang.Thread.run(Thread.java:748) 4f3c2b1a-9d8e-4c7b-a6f5-e4d3c2b1a098 total used free shared available
";

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
    /// Where each list begins in `grams`.
    starts: Vec<usize>,
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
        let mut ordinary: Vec<u32> = ORDINARY.as_bytes().windows(GRAM).filter_map(gram).collect();
        ordinary.sort_unstable();
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
        grams.sort_by_key(|gram| list(gram.value));
        let starts =
            (0..=LISTS).map(|index| grams.partition_point(|gram| list(gram.value) < index)).collect();
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
        let range = self.starts.get(index).zip(self.starts.get(index + 1));
        range.and_then(|(start, end)| self.grams.get(*start..*end)).unwrap_or_default()
    }
}

/// The four grams that stand at a chunk's places.
#[inline]
#[expect(clippy::many_single_char_names, reason = "indices would be checked one by one, at half the speed")]
fn grams_of(chunk: &[u8; CHUNK]) -> [u32; 4] {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, ..] = *chunk;
    [[a, b, c, d], [d, e, f, g], [g, h, i, j], [j, k, l, m]].map(u32::from_le_bytes)
}

/// Where a value's bit stands.
#[inline]
fn place(value: u32) -> (usize, u32) {
    let hash = value.wrapping_mul(0x9e37_79b1) >> 14;
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
fn rarest(needle: &[u8], lie: usize, ordinary: &[u32]) -> Option<i16> {
    let count = |value: u32| {
        ordinary.partition_point(|other| *other <= value) - ordinary.partition_point(|other| *other < value)
    };
    let inside = (lie..).step_by(STRIDE).map_while(|at| Some((at, gram(needle.get(at..)?)?)));
    let best = inside.min_by_key(|(_, value)| count(*value)).and_then(|(at, _)| i16::try_from(at).ok());
    let outside = if lie + 1 == STRIDE { -1 } else { i16::try_from(lie).ok()? };
    best.or(Some(outside))
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
