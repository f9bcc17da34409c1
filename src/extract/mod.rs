//! The first half of the pipeline, one log at a time and without state between logs: text → records.
//!
//! It knows no other log, guesses no zone and judges nothing.

mod ahead;
mod blocks;
mod by_kind;
mod copies;
mod feed;
mod grams;
mod head;
mod kept;
mod needles;
mod ordered;
mod ordinary;
mod readers;
mod scan;
mod stored;
mod test_name;
mod thin;
mod unfold;
mod wrapping;

use crate::{
    envelope::ENVELOPES,
    event::Record,
    note::Note,
    parse::{Claim, DOCUMENTS, Document, PARSERS, Spec},
    source::SourceId,
    stamp::{ClockKind, Stamp},
};
pub use copies::without_copies;
use feed::Feed;
use head::Head;
use std::{
    collections::BTreeMap,
    io::{self, Read},
};

/// The most bytes of a whole-document format (a notebook, `docker inspect`) that are read.
pub const DOCUMENT_LIMIT: usize = 12 << 20;
/// How much of a log is looked at to recognise a whole-document format.
const HEAD_BYTES: usize = 64 << 10;

/// All that one log says.
#[derive(Debug, Clone, Default)]
pub struct Extract {
    /// The log's path, as given.
    pub path: String,
    /// The source's kind: the parser that found most, else the envelope, else `text`.
    pub kind: String,
    /// The events, in the order of their lines.
    pub records: Vec<Record>,
    /// What was odd.
    pub notes: Vec<Note>,
    /// Bytes read, after decompression.
    pub bytes: u64,
    /// Lines read.
    pub lines: u64,
    /// What each clock of the log covers.
    pub spans: BTreeMap<ClockKind, Span>,
    /// Two clocks read from one line: what an envelope says against what it wraps.
    pub pairs: Vec<(Stamp, Stamp)>,
    /// The zone in which its stamps were printed, in seconds east of UTC, if they name another than UTC.
    pub east: Option<i32>,
    /// Whether the newest line stands first.
    pub newest_first: bool,
    /// Whether it holds lines of Linux's ring buffer.
    pub host_log: bool,
    /// Whether it holds lines that their envelope shows to be some program's output, and not which program's.
    pub output: bool,
}

/// What a log covers on one clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The stamp of the first line that has one.
    pub first: i64,
    /// The stamp of the last line that has one.
    pub last: i64,
    /// The smallest stamp seen.
    pub earliest: i64,
    /// The largest stamp seen.
    pub latest: i64,
}

/// Reads one decoded log.
///
/// # Errors
/// Only those of the reader; no text is an error.
pub fn extract(path: &str, source: SourceId, mut reader: impl Read) -> io::Result<Extract> {
    let mut head = Vec::with_capacity(HEAD_BYTES);
    reader.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head)?;
    let beginning = String::from_utf8_lossy(&head).into_owned();
    for document in DOCUMENTS {
        if !(document.recognise)(&beginning) {
            continue;
        }
        read_whole(&mut reader, &mut head)?;
        if let Some(extract) = read_document(document, path, source, &head) {
            return Ok(extract);
        }
    }
    let mut feed = Feed::new(path, source);
    if unfold::recognise(&beginning) {
        read_whole(&mut reader, &mut head)?;
        let lines = unfold::lines(&String::from_utf8_lossy(&head));
        if !lines.is_empty() {
            feed.count_bytes(head.len());
            ordered::document(&lines, &mut feed);
            return Ok(feed.finish());
        }
    }
    let shape = Head::of(beginning.lines());
    let (length, short) = (head.len(), head.len() < HEAD_BYTES);
    let all = io::Cursor::new(head).chain(reader);
    if shape.newest_first {
        ordered::backwards(all, shape.relay, &mut feed)?;
    } else {
        feed.set_relay(shape.relay);
        scan::scan(all, short.then_some(length), &mut feed)?;
    }
    Ok(feed.finish())
}

/// Reads on, up to the most that is read of a document.
fn read_whole(reader: &mut impl Read, head: &mut Vec<u8>) -> io::Result<()> {
    let more = DOCUMENT_LIMIT - head.len().min(DOCUMENT_LIMIT);
    reader.by_ref().take(more as u64).read_to_end(head).map(|_| ())
}

/// Reads a whole document; `None` if it is none after all.
fn read_document(document: &Document, path: &str, source: SourceId, bytes: &[u8]) -> Option<Extract> {
    let text = String::from_utf8_lossy(bytes);
    let mut found = Vec::new();
    let claim = (document.read)(&text, &mut found);
    if claim == Claim::NotMine {
        return None;
    }
    let mut feed = Feed::new(path, source);
    feed.document(document.name, found, &text);
    if let Claim::Damaged(expected) = claim {
        let cut = if bytes.len() >= DOCUMENT_LIMIT { " (only its first 12 MiB were read)" } else { "" };
        feed.note(None, format!("{} is damaged: expected {expected}{cut}", document.name));
    }
    Some(feed.finish())
}

/// Every literal of which a line must hold one to be looked at, for benchmarks against other searchers.
pub fn needle_texts() -> Vec<&'static str> {
    needles::texts()
}

/// The names of every source kind that a log can be of.
pub fn source_kinds() -> Vec<&'static str> {
    let parsers = PARSERS.iter().map(|parser: &Spec| parser.name);
    let documents = DOCUMENTS.iter().map(|document| document.name);
    let envelopes = ENVELOPES.iter().map(|envelope| envelope.name);
    let mut names: Vec<_> = parsers.chain(documents).chain(envelopes).collect();
    names.sort_unstable();
    names.dedup();
    names
}
