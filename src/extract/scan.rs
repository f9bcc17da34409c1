//! Reads a log and passes on only the lines that can matter.
//!
//! Literal needles of all parsers are searched over large blocks first, so that a line that cannot matter is never
//! cut out, decoded or peeled. Memory does not grow with the input.

use super::{
    ahead,
    blocks::{Block, Blocks},
    feed::Feed,
};
use memchr::{memchr, memrchr};
use std::io::{self, Read};

/// The size of a block, and the longest line that is read whole.
const BLOCK: usize = 1 << 20;
/// How many lines before a line without a stamp are looked at for one.
const LOOK_BACK: usize = 40;

/// Reads everything and feeds the lines that can matter. Of a short log the length is known, and its block is no larger:
/// ten small files need not clear ten megabytes.
pub(super) fn scan(reader: impl Read, length: Option<usize>, feed: &mut Feed) -> io::Result<()> {
    scan_by(length.map_or(BLOCK, |length| length + 1), reader, feed)
}

/// The same, in blocks of a size.
fn scan_by(size: usize, reader: impl Read, feed: &mut Feed) -> io::Result<()> {
    ahead::each(Blocks::new(reader, size), &mut |block, before| scan_block(block, before, feed))
}

/// Feeds the lines of a block that hold a needle, or that an open record asks for.
fn scan_block(block: &Block, before: &Block, feed: &mut Feed) {
    feed.count_bytes(block.read);
    let bytes = block.bytes();
    edge(bytes, feed, true);
    let first = feed.number();
    let mut hits = block.hits.iter().peekable();
    let mut at = 0;
    while at < bytes.len() {
        if !feed.hungry() {
            while hits.next_if(|hit| hit.start < at).is_some() {}
            let Some(hit) = hits.next() else { break };
            feed.set_number(first + hit.before);
            at = hit.start;
        }
        let end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
        feed.line(&bytes[at..end], || look_back(before.bytes(), &bytes[..at]));
        at = end + 1;
    }
    feed.set_number(first + block.lines);
    edge(bytes, feed, false);
    if block.cut {
        feed.note(Some(feed.number()), "a line longer than 1 MiB was cut");
    }
}

/// The lines before a place, nearest first, those of the block before last.
fn look_back<'b>(earlier: &'b [u8], before: &'b [u8]) -> Vec<&'b [u8]> {
    let mut lines = Vec::new();
    for part in [before, earlier] {
        let mut rest = part.strip_suffix(b"\n").unwrap_or(part);
        while lines.len() < LOOK_BACK && !rest.is_empty() {
            let start = memrchr(b'\n', rest).map_or(0, |end| end + 1);
            lines.push(&rest[start..]);
            rest = rest[..start].strip_suffix(b"\n").unwrap_or_default();
        }
    }
    lines
}

/// Shows the feed the first or last few lines of a block for the clock's coverage.
fn edge(block: &[u8], feed: &mut Feed, first: bool) {
    if first {
        for line in block.split(|byte| *byte == b'\n').take(LOOK_BACK) {
            if feed.cover(line) {
                return;
            }
        }
    } else {
        for line in look_back(&[], block) {
            if feed.cover(line) {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{extract::Extract, source::SourceId};
    use proptest::prelude::*;

    /// Lines and groups of lines: what matters and what does not, with a stamp and without, records of many lines,
    /// lines that a carrier or a terminal broke.
    const PIECES: &[&str] = &[
        "[I 2026-11-30 15:22:30.902 ServerApp] 200 GET /lab (ada@10.0.0.1) 9.02ms\n",
        "loss=0.12 step 17\n\n",
        "[I 2026-11-30 15:22:31.902 ServerApp] AsyncIOLoopKernelRestarter: restarting kernel (1/5), keep random ports\n",
        "[W 2026-11-30 15:22:31.903 ServerApp] kernel 6d0f1f0e-6f0b-4d0c-9a55-0c5b7a1e2f34 restarted\n",
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    f()\nMemoryError: Unable to allocate 8.00 GiB\n",
        "Fatal Python error: Segmentation fault\n\nCurrent thread 0x00007f0a (most recent call first):\n  File \"a.py\", line 3 in g\n",
        "2026-11-30T15:22:33.411378443Z stderr P [W 2026-11-30 15:22:33.411 ServerApp] kernel 6d0f1f0e\n2026-11-30T15:22:33.411378444Z stderr F -6f0b-4d0c-9a55-0c5b7a1e2f34 restarted\n",
        "Killed\n",
        "[I 2026-11-30 15:22:34.902 ServerApp] Kernel started: 6d0f1f0e-6f0b-4d0c-\n9a55-0c5b7a1e2f34\n",
    ];

    fn read(size: usize, log: &str) -> Extract {
        let mut feed = Feed::new("a.log", SourceId(0));
        scan_by(size, log.as_bytes(), &mut feed).unwrap();
        feed.finish()
    }

    proptest! {
        /// Blocks of any size, and with them two threads or one, give the same records: what is open at the end of a
        /// block goes on in the next. What a log covers is looked up at the edges of blocks, so it is not compared.
        #[test]
        fn any_blocks_give_the_same(pieces in proptest::collection::vec(0..PIECES.len(), 0..120), size in 1000usize..9000) {
            let log: String = pieces.iter().filter_map(|piece| PIECES.get(*piece).copied()).collect();
            let (one, many) = (read(1 << 20, &log), read(size, &log));
            prop_assert_eq!(one.records, many.records);
            prop_assert_eq!(one.notes, many.notes);
            prop_assert_eq!((one.bytes, one.lines, one.kind), (many.bytes, many.lines, many.kind));
        }
    }
}
