//! `Shelf`: moments sorted so that those of a stretch of time are found without looking at the others.

use super::Moment;
use crate::source::SourceId;
use std::collections::BTreeMap;

/// Indices of moments, by time.
#[derive(Debug, Clone, Default)]
pub struct Shelf {
    /// Moments with a time, by the latest they can have been.
    timed: Vec<usize>,
    /// Of these, by log, those that are known only to lie between two times.
    vague: BTreeMap<SourceId, Vec<usize>>,
    /// Moments without a time.
    untimed: Vec<usize>,
}

impl Shelf {
    /// Puts some moments of a timeline on a shelf; `indices` go up.
    pub fn new(moments: &[Moment], indices: impl Iterator<Item = usize>) -> Self {
        let mut shelf = Self::default();
        for index in indices {
            match moments.get(index).map(|moment| (moment.when, moment.record.at.source)) {
                Some((Some(when), source)) => {
                    shelf.timed.push(index);
                    if when.earliest < when.latest {
                        shelf.vague.entry(source).or_default().push(index);
                    }
                }
                Some((None, _)) => shelf.untimed.push(index),
                None => {}
            }
        }
        shelf
    }

    /// Every moment on the shelf.
    pub fn all(&self) -> impl Iterator<Item = usize> + '_ {
        self.timed.iter().chain(&self.untimed).copied()
    }

    /// Every moment without a time.
    pub fn untimed(&self) -> &[usize] {
        &self.untimed
    }

    /// Every moment that may have been between two times, both included.
    pub fn within(&self, moments: &[Moment], begin: i64, end: i64) -> Vec<usize> {
        self.iter_within(moments, begin, end).collect()
    }

    /// Those moments, and every moment without a time, unless they are more than `most`; without a stretch of time,
    /// every moment.
    pub fn few(&self, moments: &[Moment], stretch: Option<(i64, i64)>, most: usize) -> Option<Vec<usize>> {
        if self.vague.len() > most {
            return None;
        }
        let few: Vec<usize> = match stretch {
            Some((begin, end)) => {
                let timed = self.iter_within(moments, begin, end);
                timed.chain(self.untimed.iter().copied()).take(most + 1).collect()
            }
            None => self.all().take(most + 1).collect(),
        };
        (few.len() <= most).then_some(few)
    }

    /// As [`Shelf::within`], for who may stop before the last.
    pub fn iter_within<'a>(
        &'a self,
        moments: &'a [Moment],
        begin: i64,
        end: i64,
    ) -> impl Iterator<Item = usize> + 'a {
        let latest = move |index: usize| {
            moments.get(index).and_then(|one| one.when).map_or(i64::MAX, |when| when.latest)
        };
        let earliest = move |index: usize| {
            moments.get(index).and_then(|one| one.when).map_or(i64::MAX, |when| when.earliest)
        };
        let start = self.timed.partition_point(|index| latest(*index) < begin);
        let timed = self.timed.get(start..).unwrap_or_default().iter().copied();
        // Vague moments of one log go up by both ends.
        let vague = self.vague.values().flat_map(move |vague| {
            let start = vague.partition_point(|index| latest(*index) < begin || latest(*index) <= end);
            let rest = vague.get(start..).unwrap_or_default().iter().copied();
            rest.take_while(move |index| earliest(*index) <= end)
        });
        timed.take_while(move |index| latest(*index) <= end).chain(vague)
    }
}
