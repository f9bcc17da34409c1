//! `Kin`: moments of one sort by what ties them to an incident, so that of ten thousand that lie around it only those
//! are looked at that can be the nearest of their tie.
//!
//! Whoever contradicts an incident is passed over by the names of which a thing has only one; the order within a tie is
//! that of [`Incident::distance`]. It decides nothing: [`Incidents::link`] still judges each that it finds.

mod rest;
mod seeker;
mod view;

pub use rest::Rest;
pub(super) use rest::first_left;
pub use seeker::Seeker;

use super::{Incidents, Link, is_told_without_time, kept::Kept, single::Number};
use crate::{
    source::SourceId,
    timeline::{Moment, Timeline},
};
use std::{
    collections::BTreeMap,
    ops::{ControlFlow, Range},
};
use view::View;

/// What may tie a moment to an incident.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tie {
    /// The time.
    Time,
    /// That it was told without a time, where there is only one death.
    Untimed,
    /// The log.
    Log(SourceId),
    /// A name.
    Name(Number),
}

/// How a moment's time is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Clock {
    /// By its own stamp.
    Exact,
    /// By its neighbours' stamps.
    Vague,
    Untimed,
}

impl Clock {
    const ALL: [Self; 3] = [Self::Exact, Self::Vague, Self::Untimed];

    fn of(moment: &Moment) -> Self {
        match moment.when {
            None => Self::Untimed,
            Some(_) if moment.record.exact => Self::Exact,
            Some(_) => Self::Vague,
        }
    }
}

/// What a slice holds: moments of one tie, that know the same single things, by the same clock.
type Key = (Tie, Kept, Clock);

/// Some moments in the order of the timeline.
#[derive(Debug, Clone)]
struct Slice {
    clock: Clock,
    range: Range<usize>,
    /// The log of all of them, if it is one.
    log: Option<SourceId>,
}

/// A moment's place in a slice, and what holds for those behind or before it.
#[derive(Debug, Clone, Copy)]
struct Member {
    moment: usize,
    /// The earliest that this one or any later one can have been.
    earliest: i64,
    /// The farthest place in their logs of this one and those before it.
    farthest: u64,
    /// Where the next one of another log stands, and the end of those up to the last one of another log before it.
    other_log: usize,
    before_log: usize,
}

/// Moments by what may tie them to an incident.
#[derive(Debug, Default)]
pub struct Kin {
    members: Vec<Member>,
    slices: BTreeMap<Key, Slice>,
}

impl Incidents {
    /// Sorts some moments, whose indices go up, by what may tie them to incidents.
    pub fn kin(&self, timeline: &Timeline, indices: impl Iterator<Item = usize>) -> Kin {
        let mut keyed: Vec<(Key, usize)> = Vec::new();
        for index in indices {
            let (Some(moment), Some(identity)) = (timeline.moments.get(index), self.identities.get(index))
            else {
                continue;
            };
            let clock = Clock::of(moment);
            let kept = Kept::of(&self.numbers().singles(identity));
            let told = is_told_without_time(&moment.record.event).then_some(Tie::Untimed);
            let names = self.numbers().borne(identity).into_iter().map(Tie::Name);
            let ties = [Tie::Time, Tie::Log(moment.record.at.source)].into_iter().chain(told).chain(names);
            for tie in ties {
                keyed.extend(kept.iter().map(|kept| ((tie, *kept, clock), index)));
            }
        }
        keyed.sort_unstable();
        Kin::new(timeline, &keyed)
    }
}

impl Kin {
    /// Cuts what is sorted by keys into slices.
    fn new(timeline: &Timeline, keyed: &[(Key, usize)]) -> Self {
        let mut kin = Self { members: Vec::with_capacity(keyed.len()), slices: BTreeMap::new() };
        for chunk in keyed.chunk_by(|(one, _), (other, _)| one == other) {
            let Some((key, _)) = chunk.first() else { continue };
            let start = kin.members.len();
            kin.members.extend(members(timeline, chunk));
            let mut logs = chunk.iter().map(|(_, index)| log_of(timeline, *index));
            let log = logs.next().flatten().filter(|log| logs.all(|other| other == Some(*log)));
            kin.slices.insert(*key, Slice { clock: key.2, range: start..kin.members.len(), log });
        }
        kin
    }

    /// The moments that `link` ties to an incident, `enough` of the best tied and nearest among them; `window` is around
    /// the incident, in microseconds. Whoever is tied more weakly than `least` need not be among them.
    ///
    /// For each tie it gives the nearest that are worth it: whoever comes after them is worse than `enough` others. The
    /// incident's own signs and claims, which are tied by what they are, are left to the caller.
    pub fn nearest(
        &self,
        timeline: &Timeline,
        seeker: &Seeker<'_>,
        window: (i64, i64),
        (least, enough): (Link, u64),
        link: impl Fn(usize) -> Option<Link>,
    ) -> BTreeMap<usize, Link> {
        let view = View { moments: &timeline.moments, incident: seeker.incident, window };
        let mut found = BTreeMap::new();
        for (worth, tie) in seeker.ties(least) {
            for slice in self.slices_of(tie, seeker) {
                let mut left = enough;
                let _ = self.visit(slice, tie, &view, &mut |at| {
                    let Some(tied) = link(at) else { return ControlFlow::Continue(()) };
                    found.insert(at, tied);
                    left = left.saturating_sub(u64::from(tied >= worth));
                    if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
            }
        }
        found
    }

    /// The slices of a tie with those who do not contradict the seeker and may be tied to it.
    fn slices_of<'k>(&'k self, tie: Tie, seeker: &'k Seeker<'_>) -> impl Iterator<Item = &'k Slice> + 'k {
        let kept =
            self.known_of(tie).flat_map(|known| Kept::by_those(known, &[&seeker.own, &seeker.absorbed]));
        let slices = kept.flat_map(move |kept| {
            Clock::ALL.into_iter().filter_map(move |clock| self.slices.get(&(tie, kept, clock)))
        });
        slices.filter(move |slice| seeker.may_take(tie, slice))
    }

    /// The sets of single things that moments of a tie know.
    fn known_of(&self, tie: Tie) -> impl Iterator<Item = u8> + '_ {
        let from = move |known: u8| {
            let mut rest = self.slices.range((tie, Kept::all(known), Clock::Exact)..);
            rest.next().map(|(key, _)| *key).filter(|key| key.0 == tie).map(|key| key.1.known())
        };
        std::iter::successors(from(0), move |known| from(known.checked_add(1)?))
    }

    /// Shows the moments of a slice to somebody, the nearest first, and of those equally near the first in the timeline
    /// first, until told to stop. Some that lie outside the window are among them.
    fn visit(
        &self,
        slice: &Slice,
        tie: Tie,
        view: &View<'_>,
        show: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let members = self.members.get(slice.range.clone()).unwrap_or_default();
        let range = view.range(slice, members);
        // A tie without a name leaves the incident's own log to the tie by log.
        let skips = matches!(tie, Tie::Time | Tie::Untimed);
        let is_skipped = |at: usize| skips && members.get(at).is_some_and(|member| view.is_own(member));
        let mut group = |range: Range<usize>| -> ControlFlow<()> {
            let mut at = range.start;
            while let Some(member) = members.get(at).filter(|_| at < range.end) {
                if is_skipped(at) {
                    at = member.other_log;
                    continue;
                }
                show(member.moment)?;
                at += 1;
            }
            ControlFlow::Continue(())
        };
        let Some(first) = view.incident.first.filter(|_| slice.clock != Clock::Untimed) else {
            return group(range);
        };
        // Those before the incident go down, those after it up; each step takes all of one time.
        let middle = members.partition_point(|member| view.latest(member) < first.earliest);
        let mut before = range.start..middle.clamp(range.start, range.end);
        let mut after = before.end..range.end;
        loop {
            let last = before.end.checked_sub(1).filter(|_| !before.is_empty());
            let next = Some(after.start).filter(|_| !after.is_empty());
            if let Some(last) = last.filter(|last| is_skipped(*last)) {
                before.end =
                    members.get(last).map_or(before.start, |member| member.before_log.max(before.start));
                continue;
            }
            if let Some(next) = next.filter(|next| is_skipped(*next)) {
                after.start = members.get(next).map_or(after.end, |member| member.other_log.min(after.end));
                continue;
            }
            let latest = |at: Option<usize>| members.get(at?).map(|member| view.latest(member));
            let (down, up) = (latest(last), latest(next));
            let down_first = match (down, up) {
                (None, None) => return ControlFlow::Continue(()),
                (Some(down), Some(up)) => {
                    first.earliest.saturating_sub(down) <= up.saturating_sub(first.earliest)
                }
                (down, _) => down.is_some(),
            };
            if down_first {
                let start = members.partition_point(|member| Some(view.latest(member)) < down);
                let start = start.max(before.start);
                group(view.within_log(slice, members, start..before.end))?;
                before.end = start;
            } else {
                let end = members.partition_point(|member| Some(view.latest(member)) <= up);
                let end = end.min(after.end);
                group(view.within_log(slice, members, after.start..end))?;
                after.start = end;
            }
        }
    }
}

/// The log of a moment.
fn log_of(timeline: &Timeline, index: usize) -> Option<SourceId> {
    timeline.moments.get(index).map(|moment| moment.record.at.source)
}

/// The members of a slice.
fn members(timeline: &Timeline, chunk: &[(Key, usize)]) -> Vec<Member> {
    let mut members: Vec<Member> = Vec::with_capacity(chunk.len());
    let (mut farthest, mut before_log, mut log) = (0, 0, None);
    for (at, (_, moment)) in chunk.iter().enumerate() {
        let Some(known) = timeline.moments.get(*moment) else { continue };
        if log != Some(known.record.at.source) {
            (before_log, log) = (at, Some(known.record.at.source));
        }
        farthest = known.position.max(farthest);
        members.push(Member { moment: *moment, earliest: 0, farthest, other_log: chunk.len(), before_log });
    }
    let (mut earliest, mut other_log, mut start) = (i64::MAX, members.len(), members.len());
    for (at, member) in members.iter_mut().enumerate().rev() {
        if member.before_log != start {
            // The last of a log's run.
            (other_log, start) = (at + 1, member.before_log);
        }
        let when = timeline.moments.get(member.moment).and_then(|moment| moment.when);
        earliest = when.map_or(i64::MAX, |when| when.earliest).min(earliest);
        (member.earliest, member.other_log) = (earliest, other_log);
    }
    members
}
