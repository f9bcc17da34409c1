//! Feeds lines whose order or numbers are not those of the file: unfolded documents, and logs whose newest line
//! stands first, of which each block is read backwards, record by record.
//!
//! A record that lies across two blocks is torn; the parsers know torn records.

use super::{feed::Feed, head::Head, needles, unfold::Unfolded};
use crate::{envelope, line::clean};
use std::io::{self, Read};

/// How much is read before it is turned around.
const BLOCK: u64 = 4 << 20;
/// How many lines before a line without a stamp are looked at for one.
const LOOK_BACK: usize = 40;

/// A line with its number.
type Numbered<'a> = (u64, &'a [u8]);

/// Feeds the lines of a document.
pub(super) fn document(lines: &[Unfolded], feed: &mut Feed) {
    let head = Head::of(lines.iter().map(|(_, line)| line.as_str()));
    let mut lines: Vec<Numbered<'_>> =
        lines.iter().map(|(number, line)| (*number, line.as_bytes())).collect();
    if head.newest_first {
        lines.reverse();
    }
    feed.set_order(head.relay);
    all(&lines, feed);
}

/// Reads a log backwards, block by block.
pub(super) fn backwards(mut reader: impl Read, relay: bool, feed: &mut Feed) -> io::Result<()> {
    feed.set_order(relay);
    let mut rest = Vec::new();
    let mut first = 1;
    loop {
        let read = reader.by_ref().take(BLOCK).read_to_end(&mut rest)?;
        feed.count_bytes(read);
        let ended = read == 0;
        let end =
            if ended { rest.len() } else { memchr::memrchr(b'\n', &rest).map_or(rest.len(), |end| end + 1) };
        let block = rest.get(..end).unwrap_or_default();
        let lines: Vec<Numbered<'_>> = (first..).zip(block.split_inclusive(|byte| *byte == b'\n')).collect();
        first += lines.len() as u64;
        all(&turned(lines), feed);
        rest.drain(..end);
        if ended {
            feed.set_number(first);
            return Ok(());
        }
    }
}

/// The lines with the last record first; lines without a stamp stay behind the line that they follow.
fn turned(lines: Vec<Numbered<'_>>) -> Vec<Numbered<'_>> {
    let mut records: Vec<Vec<Numbered<'_>>> = Vec::new();
    for line in lines {
        let text = String::from_utf8_lossy(line.1);
        let stamped = !envelope::peel(&clean(&text)).stamps.is_empty();
        match records.last_mut() {
            Some(record) if !stamped => record.push(line),
            _ => records.push(vec![line]),
        }
    }
    records.into_iter().rev().flatten().collect()
}

/// Feeds lines in the order given.
fn all(lines: &[Numbered<'_>], feed: &mut Feed) {
    let edges = lines.iter().take(LOOK_BACK).chain(lines.iter().rev().take(LOOK_BACK).rev());
    for (_, line) in edges {
        feed.cover(line);
    }
    for (index, (number, line)) in lines.iter().enumerate() {
        if feed.hungry() || needles::next(line, 0).is_some() {
            feed.set_number(*number);
            let from = index.saturating_sub(LOOK_BACK);
            feed.line(line, || {
                lines.get(from..index).unwrap_or_default().iter().rev().map(|(_, line)| *line).collect()
            });
        }
    }
    if let Some((number, _)) = lines.iter().max_by_key(|(number, _)| *number) {
        feed.set_number(number + 1);
    }
}
