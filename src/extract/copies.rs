//! One log given twice: a folder beside the archive that it was packed into, a backup of a backup.
//!
//! It compares what logs say, never their names.

use super::Extract;
use crate::event::Record;
use std::collections::BTreeMap;

/// Takes out what repeats another log, and says of which log each is a copy. Of copies the one with the shortest path
/// stays: a file rather than the same file in an archive.
///
/// Only a log with times of its own can be told for a copy: two machines may well both say `Killed` and nothing else, but
/// never the same at the same moment.
pub fn without_copies(mut extracts: Vec<Extract>) -> (Vec<Extract>, Vec<(String, String)>) {
    extracts.sort_by(|one, other| (one.path.len(), &one.path).cmp(&(other.path.len(), &other.path)));
    let mut kept: Vec<Extract> = Vec::with_capacity(extracts.len());
    let mut by_size: BTreeMap<(u64, u64), Vec<usize>> = BTreeMap::new();
    let mut copies = Vec::new();
    for extract in extracts {
        let alike = by_size.entry((extract.bytes, extract.lines)).or_default();
        let original =
            alike.iter().filter_map(|index| kept.get(*index)).find(|known| is_copy(known, &extract));
        if let Some(known) = original {
            copies.push((extract.path, format!("a copy of {}", known.path)));
        } else {
            alike.push(kept.len());
            kept.push(extract);
        }
    }
    (kept, copies)
}

/// Whether two logs say the same, line for line.
fn is_copy(one: &Extract, other: &Extract) -> bool {
    one.spans == other.spans
        && one.records.len() == other.records.len()
        && one.records.iter().any(|record| record.exact && !record.stamps.is_empty())
        && one.records.iter().zip(&other.records).all(|(one, other)| same(one, other))
}

/// Whether two records are the same but for the log they stand in.
fn same(one: &Record, other: &Record) -> bool {
    one.at.line == other.at.line
        && one.stamps == other.stamps
        && one.count == other.count
        && one.event == other.event
        && one.text == other.text
        && one.origin == other.origin
}
