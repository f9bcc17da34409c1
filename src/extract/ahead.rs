//! Searches the blocks of a long log on a second thread, a few blocks ahead of who takes their lines.
//!
//! Blocks come out in the log's order. A log of one block has no second thread.

use super::blocks::{Block, Blocks};
use std::{
    io::{self, Read},
    sync::mpsc::{self, Receiver, Sender},
    thread,
};

/// How many blocks are searched or wait. One is being searched, one waits for it, one waits for who takes it.
const AHEAD: usize = 3;

/// Passes on every block of a stream, searched, together with the one before it.
///
/// # Errors
/// Only those of the reader.
pub(super) fn each<R: Read>(blocks: Blocks<R>, take: &mut dyn FnMut(&Block, &Block)) -> io::Result<()> {
    let mut passing = Passing { blocks, before: Block::default(), free: Vec::new(), take };
    let mut first = passing.read()?;
    if first.last {
        first.search();
        passing.take(first);
        return Ok(());
    }
    let (to_search, waiting) = mpsc::channel();
    let (done, searched) = mpsc::channel();
    thread::scope(|scope| {
        let search = move || search_all(&waiting, &done);
        if thread::Builder::new().spawn_scoped(scope, search).is_ok() {
            passing.side_by_side(first, to_search, &searched)
        } else {
            passing.one_by_one(first)
        }
    })
}

/// Searches what comes.
fn search_all(waiting: &Receiver<Block>, done: &Sender<Block>) {
    for mut block in waiting {
        block.search();
        if done.send(block).is_err() {
            return;
        }
    }
}

/// Blocks on their way from the stream to who takes them.
struct Passing<'t, R> {
    blocks: Blocks<R>,
    /// The last one taken.
    before: Block,
    /// Buffers to be used again.
    free: Vec<Block>,
    take: &'t mut dyn FnMut(&Block, &Block),
}

impl<R: Read> Passing<'_, R> {
    /// The next block.
    fn read(&mut self) -> io::Result<Block> {
        let mut block = self.free.pop().unwrap_or_default();
        self.blocks.fill(&mut block)?;
        Ok(block)
    }

    /// Passes on a block.
    fn take(&mut self, block: Block) {
        (self.take)(&block, &self.before);
        self.free.push(std::mem::replace(&mut self.before, block));
    }

    /// Reads and takes, while another thread searches.
    fn side_by_side(
        &mut self,
        first: Block,
        to_search: Sender<Block>,
        searched: &Receiver<Block>,
    ) -> io::Result<()> {
        let mut block = first;
        let mut under_way = 0;
        loop {
            let last = block.last;
            // The other end is gone only if its thread is, and then nothing comes back either.
            let _ = to_search.send(block);
            under_way += 1;
            if last {
                break;
            }
            if under_way == AHEAD
                && let Ok(oldest) = searched.recv()
            {
                self.take(oldest);
                under_way -= 1;
            }
            block = self.read()?;
        }
        drop(to_search);
        for block in searched {
            self.take(block);
        }
        Ok(())
    }

    /// Without a second thread.
    fn one_by_one(&mut self, first: Block) -> io::Result<()> {
        let mut block = first;
        loop {
            let last = block.last;
            block.search();
            self.take(block);
            if last {
                return Ok(());
            }
            block = self.read()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::{blocks::Hit, needles};
    use proptest::prelude::*;

    /// Gives at most so many bytes a read.
    struct Slowly<'t>(&'t [u8], usize);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = buffer.len().min(self.1);
            self.0.read(&mut buffer[..length])
        }
    }

    /// What is passed on: each block's lines, hits, number of lines, and whether it was cut.
    type Passed = Vec<(Vec<u8>, Vec<Hit>, u64, bool)>;

    fn passed(log: &[u8], size: usize, step: usize, alone: bool) -> Passed {
        let mut passed = Passed::new();
        let mut take = |block: &Block, before: &Block| {
            assert_eq!(passed.last().map_or(&[][..], |last| &last.0), before.bytes());
            passed.push((block.bytes().to_vec(), block.hits.clone(), block.lines, block.cut));
        };
        let blocks = Blocks::new(Slowly(log, step), size);
        if alone {
            let mut passing = Passing { blocks, before: Block::default(), free: Vec::new(), take: &mut take };
            let first = passing.read().unwrap();
            passing.one_by_one(first).unwrap();
        } else {
            each(blocks, &mut take).unwrap();
        }
        passed
    }

    /// All lines that were passed on.
    fn all(blocks: &Passed) -> Vec<u8> {
        blocks.iter().flat_map(|block| block.0.clone()).collect()
    }

    /// The lines of a log that hold a needle, and the number of all.
    fn plainly(log: &[u8]) -> (Vec<&[u8]>, u64) {
        let lines: Vec<_> = log.split_inclusive(|byte| *byte == b'\n').collect();
        let hits = lines.iter().copied().filter(|line| needles::next(line, 0).is_some());
        (hits.collect(), lines.len() as u64)
    }

    proptest! {
        /// Two threads and slow streams pass on the same blocks, and these hold every line of the log.
        #[test]
        fn blocks_are_the_same_and_hold_all(
            lines in proptest::collection::vec("[a-z ]{0,30}(Killed process|restarted| )?[a-z]{0,9}", 0..40),
            end in "\n?",
            size in 64usize..300,
            step in 1usize..200,
        ) {
            let log = (lines.join("\n") + &end).into_bytes();
            let one = passed(&log, size, usize::MAX, true);
            prop_assert_eq!(&one, &passed(&log, size, usize::MAX, false));
            prop_assert_eq!(&one, &passed(&log, size, step, false));
            prop_assert_eq!(all(&one), log.clone());
            let (hits, count) = plainly(&log);
            prop_assert_eq!(one.iter().map(|(_, _, lines, _)| lines).sum::<u64>(), count);
            let found: Vec<&[u8]> = one.iter().flat_map(|(bytes, hits, ..)| {
                let numbered = (0..).zip(bytes.split_inclusive(|byte| *byte == b'\n'));
                numbered.filter(|(number, _)| hits.iter().any(|hit| hit.before == *number)).map(|(_, line)| line)
            }).collect();
            let starts = one.iter().flat_map(|(bytes, hits, ..)| hits.iter().map(move |hit| &bytes[hit.start..]));
            prop_assert!(starts.zip(&hits).all(|(rest, line)| rest.starts_with(line)));
            prop_assert_eq!(found, hits);
        }

        /// Of a line that is longer than a block the beginning is passed on, once, and what follows it is whole.
        #[test]
        fn a_long_line_is_cut(length in 65usize..400, step in 1usize..200) {
            let log = [b"before\n".as_slice(), &vec![b'x'; length], b"\nbehind\n"].concat();
            let blocks = passed(&log, 64, step, false);
            prop_assert_eq!(&blocks, &passed(&log, 64, usize::MAX, true));
            prop_assert_eq!(blocks.iter().filter(|block| block.3).count(), 1);
            prop_assert!(all(&blocks).ends_with(b"behind\n"));
            prop_assert!(all(&blocks).starts_with(b"before\nxxx"));
        }
    }
}
