//! `Rest`: moments of which each is taken once, by the first incident that it is tied to.

use super::{Kin, Seeker, Tie, View};
use crate::{
    incident::{Incident, Incidents, Link},
    timeline::Timeline,
};
use std::collections::BTreeSet;

/// So few moments are asked one by one.
const FEW: usize = 32;

/// The moments that nobody has taken.
#[derive(Debug)]
pub struct Rest {
    left: BTreeSet<usize>,
    /// Made when there are more than a few.
    sorted: Option<Sorted>,
}

/// The moments by what may tie them.
#[derive(Debug)]
struct Sorted {
    kin: Kin,
    /// For each member, the first at or behind it that may still be left, as far as that is known.
    next: Vec<usize>,
}

impl Rest {
    /// All of some moments.
    pub fn new(moments: impl Iterator<Item = usize>) -> Self {
        Self { left: moments.collect(), sorted: None }
    }

    /// Takes those that `tied` ties to an incident, with a window around it in microseconds; it ties nobody more weakly than
    /// `least`.
    pub fn take(
        &mut self,
        timeline: &Timeline,
        incidents: &Incidents,
        incident: &Incident,
        (window, least): ((i64, i64), Link),
        tied: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let taken: Vec<usize> = if self.left.len() <= FEW {
            self.left.iter().copied().filter(|at| tied(*at)).collect()
        } else {
            let left = &self.left;
            let sorted = self.sorted.get_or_insert_with(|| {
                let kin = incidents.kin(timeline, left.iter().copied());
                let next = (0..=kin.members.len()).collect();
                Sorted { kin, next }
            });
            let view = View { moments: &timeline.moments, incident, window };
            sorted.tied(&incidents.seeker(incident), &view, least, left, tied)
        };
        for at in &taken {
            self.left.remove(at);
        }
        taken
    }
}

impl Sorted {
    /// Those of the rest that are tied.
    fn tied(
        &mut self,
        seeker: &Seeker<'_>,
        view: &View<'_>,
        least: Link,
        left: &BTreeSet<usize>,
        tied: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let mut taken = BTreeSet::new();
        for (_, tie) in seeker.ties(least) {
            let skips = matches!(tie, Tie::Time | Tie::Untimed);
            for slice in self.kin.slices_of(tie, seeker) {
                let members = self.kin.members.get(slice.range.clone()).unwrap_or_default();
                let range = view.range(slice, members);
                let base = slice.range.start;
                let mut at = first_left(&mut self.next, base + range.start);
                while at < base + range.end {
                    let Some(member) = self.kin.members.get(at) else { break };
                    let own = skips && view.is_own(member);
                    let gone = !left.contains(&member.moment) || taken.contains(&member.moment);
                    let fits = !own && !gone && tied(member.moment);
                    if fits {
                        taken.insert(member.moment);
                    }
                    if let Some(next) = self.next.get_mut(at).filter(|_| gone || fits) {
                        *next = at + 1;
                    }
                    at = first_left(&mut self.next, if own { base + member.other_log } else { at + 1 });
                }
            }
        }
        taken.into_iter().collect()
    }
}

/// The first member at or behind a place that may be left. What was found out on the way is kept.
pub(crate) fn first_left(next: &mut [usize], at: usize) -> usize {
    let mut last = at;
    while let Some(behind) = next.get(last).copied().filter(|behind| *behind != last) {
        last = behind;
    }
    let mut walked = at;
    while walked != last {
        let Some(behind) = next.get_mut(walked) else { break };
        walked = std::mem::replace(behind, last);
    }
    last
}
