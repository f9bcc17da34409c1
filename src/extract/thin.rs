//! Thins out the background of a log that holds more of it than can be kept.
//!
//! A hub saves notebooks and starts kernels hundreds of thousands of times between two deaths. Deaths and trouble are
//! all kept, and what stands near them; of the rest ever fewer, the further back it lies.

use crate::event::{Record, Role};
use std::collections::BTreeSet;

/// How many records before and behind one that matters stand near it.
const NEAR: usize = 32;

/// Whether a record is background.
fn is_background(record: &Record) -> bool {
    record.event.role() == Role::Context
}

/// Takes out every other record of each kind of background that stands near nothing that matters. What comes next may
/// matter, so the last records stay too.
pub(super) fn thin(records: &mut Vec<Record>) {
    let near = near(records);
    let mut near = near.iter();
    let mut kept: BTreeSet<&'static str> = BTreeSet::new();
    records.retain(|record| {
        let kind = record.event.kind().name;
        near.next() == Some(&true) || !kept.remove(kind) && kept.insert(kind)
    });
}

/// Which records matter, or stand near one that does, or at the end.
fn near(records: &[Record]) -> Vec<bool> {
    let mut near = vec![false; records.len()];
    let mut marked = 0;
    let weighty =
        (0..records.len()).filter(|at| records.get(*at).is_some_and(|record| !is_background(record)));
    for at in weighty.chain([records.len()]) {
        let (begin, end) = (at.saturating_sub(NEAR).max(marked), (at + NEAR + 1).min(records.len()));
        near.get_mut(begin..end).unwrap_or_default().fill(true);
        marked = end;
    }
    near
}
