//! `View`: what of a slice can lie in a window around an incident.

use super::{Clock, Member, Slice};
use crate::{
    incident::{Incident, UNSTAMPED_REACH},
    stamp::SECOND,
    timeline::Moment,
};
use std::ops::Range;

/// An incident's surroundings.
pub(super) struct View<'a> {
    pub(super) moments: &'a [Moment],
    pub(super) incident: &'a Incident,
    pub(super) window: (i64, i64),
}

impl View<'_> {
    /// Whether a member stands in the incident's own log.
    pub(super) fn is_own(&self, member: &Member) -> bool {
        let moment = self.moments.get(member.moment);
        moment.is_some_and(|moment| moment.record.at.source == self.incident.source)
    }

    /// The latest that a member can have been.
    pub(super) fn latest(&self, member: &Member) -> i64 {
        self.moments.get(member.moment).and_then(|moment| moment.when).map_or(i64::MAX, |when| when.latest)
    }

    fn position(&self, member: &Member) -> u64 {
        self.moments.get(member.moment).map_or(u64::MAX, |moment| moment.position)
    }

    /// The members that can lie in the window.
    pub(super) fn range(&self, slice: &Slice, members: &[Member]) -> Range<usize> {
        let own = slice.log == Some(self.incident.source);
        let reach = self.incident.reach(self.window).filter(|_| slice.clock != Clock::Untimed);
        let Some((begin, end)) = reach else {
            let by_place = own && slice.clock == Clock::Untimed;
            return if by_place { self.within_reach(members) } else { 0..members.len() };
        };
        let mut start = members.partition_point(|member| self.latest(member) < begin);
        if let Some(floor) = self.incident.floor.filter(|_| own) {
            start = start.max(members.partition_point(|member| member.farthest <= floor));
        }
        start..members.partition_point(|member| member.earliest <= end).max(start)
    }

    /// Of the incident's own log, the members without a time that stand close enough to it.
    fn within_reach(&self, members: &[Member]) -> Range<usize> {
        let (first, last) = self.incident.positions;
        let farthest = first.saturating_sub(UNSTAMPED_REACH);
        let begin = self.incident.floor.map_or(farthest, |floor| farthest.max(floor.saturating_add(1)));
        let start = members.partition_point(|member| self.position(member) < begin);
        let end = if self.window.1 >= SECOND {
            members.len()
        } else {
            members.partition_point(|member| self.position(member) <= last)
        };
        start..end.max(start)
    }

    /// Of members of one time, those that stand in the right part of the incident's own log, if that is their log.
    pub(super) fn within_log(&self, slice: &Slice, members: &[Member], range: Range<usize>) -> Range<usize> {
        let group = members.get(range.clone()).unwrap_or_default();
        let mut within = 0..group.len();
        if slice.log == Some(self.incident.source) {
            if let Some(floor) = self.incident.floor {
                within.start = group.partition_point(|member| self.position(member) <= floor);
            }
            if slice.clock == Clock::Vague && self.window.1 < SECOND {
                within.end =
                    group.partition_point(|member| self.position(member) <= self.incident.positions.1);
            }
        }
        range.start + within.start..range.start + within.end.max(within.start)
    }
}
