//! What the first half of the pipeline hands to the second, where they run apart: lines of JSON, one an event, one a log,
//! one a path that was not read.
//!
//! Lines may come in any order, from any number of processes, and twice. Nothing is guessed and nothing joined here.

mod event;
mod read;
mod source;

pub use event::{EventLine, OriginLine, StampLine};
pub use read::{Gathering, Part};
pub use source::{NoteLine, SkippedLine, SourceLine, SpanLine};

use crate::{extract::Extract, redact::Redactor};
use schemars::JsonSchema;
use serde::Serialize;
use source::Described;
use std::{collections::BTreeMap, io};

/// What an event's line calls itself.
const EVENT_SCHEMA: &str = "kerneldoc.event/1";
/// What a log's line calls itself.
const SOURCE_SCHEMA: &str = "kerneldoc.source/1";
/// What the line of a path that was not read calls itself.
const SKIPPED_SCHEMA: &str = "kerneldoc.skipped/1";

/// A line of `kerneldoc events`, told by its `schema`: an event, a log, or a path that was not read.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ExchangeLine {
    /// An event that a log tells of.
    Event(Box<EventLine>),
    /// A log that was read.
    Source(Box<SourceLine>),
    /// A path that was not read.
    Skipped(SkippedLine),
}

/// Gives the lines of logs, the events before the log that they stand in, and of skipped paths. `keys` are the keys of files, where somebody gave them.
///
/// # Errors
/// Only those of `give`.
pub fn lines(
    extracts: &[Extract],
    skipped: &[(String, String)],
    keys: &BTreeMap<String, String>,
    redactor: Redactor,
    give: &mut dyn FnMut(&ExchangeLine) -> io::Result<()>,
) -> io::Result<()> {
    let mut copies: BTreeMap<&str, usize> = BTreeMap::new();
    for extract in extracts {
        let copy = copies.entry(&extract.path).or_default();
        let log = Described::new(extract, *copy, given(&extract.path, keys));
        *copy += 1;
        for (index, record) in extract.records.iter().enumerate() {
            let line = EventLine::new(record, index as u64, &log, redactor);
            give(&ExchangeLine::Event(Box::new(line)))?;
        }
        for (key, events) in log.keys() {
            give(&ExchangeLine::Source(Box::new(SourceLine::new(&log, &key, events, redactor))))?;
        }
    }
    for (path, reason) in skipped {
        give(&ExchangeLine::Skipped(SkippedLine::new(path, reason, given(path, keys), redactor)))?;
    }
    Ok(())
}

/// The key given for a file, or for the archive that a path lies in.
fn given<'a>(path: &str, keys: &'a BTreeMap<String, String>) -> Option<&'a str> {
    if keys.is_empty() {
        return None;
    }
    let archives = path.match_indices('!').filter_map(|(at, _)| path.get(..at));
    std::iter::once(path).chain(archives).find_map(|path| keys.get(path)).map(String::as_str)
}
