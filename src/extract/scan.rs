//! Cuts a byte stream into lines and passes on only those that can matter.
//!
//! Literal needles of all parsers are searched over large blocks first, so that a line that cannot matter is never
//! cut out, decoded or peeled. Memory does not grow with the input.

use super::{feed::Feed, needles};
use memchr::{memchr, memchr_iter, memrchr};
use std::io::{self, Read};

/// The size of a block, and the longest line that is read whole.
const BLOCK: usize = 1 << 20;
/// How many lines before a line without a stamp are looked at for one.
const LOOK_BACK: usize = 40;

/// Reads everything and feeds the lines that can matter.
pub(super) fn scan(mut reader: impl Read, feed: &mut Feed) -> io::Result<()> {
    let mut buffer = vec![0; BLOCK];
    let mut filled = 0;
    let mut skipping = false;
    loop {
        let mut ended = false;
        while filled < BLOCK && !ended {
            let read = read_some(&mut reader, &mut buffer[filled..])?;
            feed.count_bytes(read);
            filled += read;
            ended = read == 0;
        }
        let complete = match memrchr(b'\n', &buffer[..filled]) {
            Some(end) if !ended => end + 1,
            _ => filled,
        };
        let mut block = &buffer[..complete];
        if skipping {
            let end = memchr(b'\n', block);
            block = end.map_or(&[][..], |end| &block[end + 1..]);
            skipping = end.is_none();
        }
        let cut = !ended && complete == BLOCK && buffer[BLOCK - 1] != b'\n';
        scan_block(block, feed);
        if cut {
            if !skipping {
                feed.note(Some(feed.number()), "a line longer than 1 MiB was cut");
            }
            skipping = true;
        }
        buffer.copy_within(complete..filled, 0);
        filled -= complete;
        if ended {
            return Ok(());
        }
    }
}

/// Reads once, passing over interruptions.
fn read_some(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// Feeds the lines of a block that hold a needle, or that an open record asks for.
fn scan_block(block: &[u8], feed: &mut Feed) {
    edge(block, feed, true);
    let mut at = 0;
    while at < block.len() {
        if !feed.hungry() {
            let Some(hit) = needles::next(block, at) else { break };
            let start = memrchr(b'\n', &block[at..hit]).map_or(at, |before| at + before + 1);
            feed.skip_lines(count_lines(&block[at..start]));
            at = start;
        }
        let end = memchr(b'\n', &block[at..]).map_or(block.len(), |length| at + length);
        feed.line(&block[at..end], || look_back(&block[..at]));
        at = end + 1;
    }
    if at < block.len() {
        feed.skip_lines(count_lines(&block[at..]) + u64::from(!block.ends_with(b"\n")));
    }
    edge(block, feed, false);
}

/// How many lines end in these bytes.
fn count_lines(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64
}

/// The lines before a place, nearest first.
fn look_back(before: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut rest = before.strip_suffix(b"\n").unwrap_or(before);
    while lines.len() < LOOK_BACK && !rest.is_empty() {
        let start = memrchr(b'\n', rest).map_or(0, |end| end + 1);
        lines.push(&rest[start..]);
        rest = rest[..start].strip_suffix(b"\n").unwrap_or_default();
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
        for line in look_back(block) {
            if feed.cover(line) {
                return;
            }
        }
    }
}
