//! Cuts a stream into blocks of whole lines, and finds the lines of a block that hold a needle.
//!
//! Blocks do not depend on how much each read gives. They feed nobody.

use super::needles;
use memchr::{memchr, memchr_iter, memrchr};
use std::io::{self, Read};

/// A line that holds a needle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    /// Where it begins in the block.
    pub(super) start: usize,
    /// How many lines of the block stand before it.
    pub(super) before: u64,
}

/// Some lines of a log.
#[derive(Default)]
pub(super) struct Block {
    buffer: Vec<u8>,
    begin: usize,
    end: usize,
    /// How many bytes of the log were read for it.
    pub(super) read: usize,
    /// Whether its line is longer than a block, and the rest of it is left out.
    pub(super) cut: bool,
    /// Whether it is the log's last.
    pub(super) last: bool,
    /// The lines that hold a needle, once it was searched.
    pub(super) hits: Vec<Hit>,
    /// How many lines it has, once it was searched.
    pub(super) lines: u64,
}

impl Block {
    /// The lines.
    pub(super) fn bytes(&self) -> &[u8] {
        self.buffer.get(self.begin..self.end).unwrap_or_default()
    }

    /// Finds the lines that hold a needle.
    pub(super) fn search(&mut self) {
        let mut hits = std::mem::take(&mut self.hits);
        hits.clear();
        let bytes = self.bytes();
        let (mut at, mut before) = (0, 0);
        while let Some(needle) = needles::next(bytes, at) {
            let start = memrchr(b'\n', &bytes[at..needle]).map_or(at, |end| at + end + 1);
            before += count_lines(&bytes[at..start]);
            hits.push(Hit { start, before });
            let Some(length) = memchr(b'\n', &bytes[needle..]) else {
                at = start;
                break;
            };
            at = needle + length + 1;
            before += 1;
        }
        let unended = !bytes.is_empty() && !bytes.ends_with(b"\n");
        self.lines = before + count_lines(&bytes[at..]) + u64::from(unended);
        self.hits = hits;
    }
}

/// How many lines end in these bytes.
fn count_lines(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64
}

/// A stream, block by block.
pub(super) struct Blocks<R> {
    reader: R,
    /// The size of a block, and the longest line that is read whole.
    size: usize,
    /// What was read behind the last whole line.
    rest: Vec<u8>,
    /// Whether the rest of a line that was cut is still to come.
    skipping: bool,
}

impl<R: Read> Blocks<R> {
    /// Begins to read.
    pub(super) fn new(reader: R, size: usize) -> Self {
        Self { reader, size, rest: Vec::new(), skipping: false }
    }

    /// Reads the next lines into a block, whose buffer is used again.
    ///
    /// # Errors
    /// Only those of the reader.
    pub(super) fn fill(&mut self, block: &mut Block) -> io::Result<()> {
        if block.buffer.is_empty() {
            // Of a short log's buffer most is never touched, and takes no memory.
            block.buffer = vec![0; self.size];
        }
        let buffer = block.buffer.as_mut_slice();
        let mut filled = self.rest.len();
        buffer[..filled].copy_from_slice(&self.rest);
        (block.read, block.last) = (0, false);
        while filled < self.size && !block.last {
            let read = read_some(&mut self.reader, &mut buffer[filled..])?;
            filled += read;
            block.read += read;
            block.last = read == 0;
        }
        let last_end = memrchr(b'\n', &buffer[..filled]);
        block.end = last_end.filter(|_| !block.last).map_or(filled, |end| end + 1);
        self.rest.clear();
        self.rest.extend_from_slice(&buffer[block.end..filled]);
        block.begin = 0;
        if self.skipping {
            let end = memchr(b'\n', &buffer[..block.end]);
            block.begin = end.map_or(block.end, |end| end + 1);
            self.skipping = end.is_none();
        }
        let endless = !block.last && last_end.is_none();
        block.cut = endless && !self.skipping;
        self.skipping |= endless;
        Ok(())
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
