//! Thins out the background of a log that holds more of it than can be kept, and trouble that never ends.
//!
//! A hub saves notebooks and starts kernels hundreds of thousands of times between two deaths. Deaths are all kept, and
//! what stands near them; so is trouble, as long as it is not the rule. Of the rest ever fewer, the further back it lies.

use super::by_kind::ByKind;
use crate::event::{Record, Role};

/// How many records before and behind one that matters stand near it.
const NEAR: usize = 32;
/// From so many records on the background among them is thinned out.
pub(super) const MANY: usize = 12_000;
/// If so many are left then, they are trouble that never ends, and it is thinned out too.
const TOO_MANY: usize = 18_000;
/// How many new records are judged at once, where trouble never ends: so few that they are still at hand.
const NEW: usize = 256;

/// Thins out the records of one log.
pub(super) struct Thinner {
    /// Whether trouble counts as background: there is so much of it that it leaves no room for deaths.
    trouble: bool,
    /// How many records there may be before they are thinned out again.
    room: usize,
    /// How many records of those that come now stand for one that stays, where trouble never ends.
    every: usize,
    /// How many of each kind have come since one stayed.
    since: ByKind<usize>,
    /// The records before this one are judged.
    judged: usize,
}

impl Thinner {
    /// Nothing has been thinned out yet.
    pub(super) fn new() -> Self {
        Self { trouble: false, room: MANY, every: 1, since: ByKind::new(), judged: 0 }
    }

    /// Makes room for one more record, where there are too many. Gives how many were taken out, if records may stand
    /// elsewhere now. Where most records matter, there is more room until the next time.
    pub(super) fn make_room(&mut self, records: &mut Vec<Record>) -> Option<usize> {
        let before = records.len();
        if before >= self.room {
            self.halve(records);
        } else if self.trouble && before >= self.judged + NEW + NEAR {
            self.judge(records);
        } else {
            return None;
        }
        Some(before - records.len())
    }

    /// Takes out every other record of each kind.
    fn halve(&mut self, records: &mut Vec<Record>) {
        self.take_out(records, 0, 2);
        if records.len() >= TOO_MANY && !self.trouble {
            self.trouble = true;
            self.take_out(records, 0, 2);
        }
        self.room = MANY.max(records.len() + records.len() / 4);
        self.every *= 2;
        self.judged = records.len().saturating_sub(NEAR);
    }

    /// Takes out of the new records as many as were taken out of the old ones. What comes next may matter, so the last of
    /// them wait.
    fn judge(&mut self, records: &mut Vec<Record>) {
        self.take_out(records, self.judged, self.every);
        self.judged = records.len().saturating_sub(NEAR);
    }

    /// Of the background behind a place that stands near nothing that matters, leaves one of so many records of each kind.
    fn take_out(&mut self, records: &mut Vec<Record>, from: usize, every: usize) {
        let begin = from.saturating_sub(NEAR);
        let near = near(records.get(begin..).unwrap_or_default(), self.trouble);
        let mut near = near.iter().skip(from - begin);
        if from == 0 {
            self.since.clear();
        }
        let from = from.min(records.len());
        let goes = |record: &mut Record| near.next() != Some(&true) && !self.stays(record, every);
        records.extract_if(from.., goes).for_each(drop);
    }

    /// Whether a record is the one of so many of its kind that stays: the first.
    fn stays(&mut self, record: &Record, every: usize) -> bool {
        let kind = record.event.kind();
        let Some(since) = self.since.get_mut(kind) else {
            self.since.insert(kind, 1 % every);
            return true;
        };
        let stays = *since == 0;
        *since = (*since + 1) % every;
        stays
    }
}

/// Which records matter, or stand near one that does, or at the end.
fn near(records: &[Record], trouble: bool) -> Vec<bool> {
    let mut near = vec![false; records.len()];
    let mut marked = 0;
    let weighty = (0..records.len())
        .filter(|at| records.get(*at).is_some_and(|record| !is_background(record, trouble)));
    for at in weighty.chain([records.len()]) {
        let (begin, end) = (at.saturating_sub(NEAR).max(marked), (at + NEAR + 1).min(records.len()));
        near.get_mut(begin..end).unwrap_or_default().fill(true);
        marked = end;
    }
    near
}

/// Whether a record is background; trouble is, where it never ends.
fn is_background(record: &Record, trouble: bool) -> bool {
    match record.event.role() {
        Role::Context => true,
        Role::Trouble => trouble,
        Role::Death | Role::Ending => false,
    }
}
