//! `Claimants`: the deaths that a kill may have caused, so that of ten thousand around it the nearest that has none yet is
//! found without asking the others.

use super::{
    Identity, Incidents,
    claim::{AFTER, BEFORE, BEFORE_HUB, FEW, is_culled, is_hub},
    kept::Kept,
    kin::first_left,
};
use crate::{
    event::Event,
    timeline::{Moment, Timeline, VAGUE, When},
};
use std::collections::{BTreeMap, BTreeSet};

/// Deaths that none of their names tells apart from each other, of a hub's servers or not.
type Key = (Kept, bool);
/// The kind of a kill.
type KillKind = &'static str;

/// The deaths by what contradicts them and by time.
pub(super) struct Claimants {
    groups: BTreeMap<Key, [Row; 2]>,
    /// The deaths that claimed a kill of a kind and process: a copy of it is theirs too.
    by_process: BTreeMap<(KillKind, Option<i64>), BTreeSet<usize>>,
    /// The deaths of which only two times are known between which they lie, by the later and by the number, as long as
    /// they have no kill.
    vague: BTreeSet<(i64, usize)>,
    /// Where each death stands.
    places: BTreeMap<usize, Vec<(Key, [usize; 2])>>,
}

/// Deaths in the order of their times, going up or down; of one time, the first comes first.
#[derive(Default)]
struct Row {
    deaths: Vec<(i64, usize)>,
    /// For each kind of kill and each place, the first at or behind it that has no such kill, as far as known.
    free: BTreeMap<KillKind, Vec<usize>>,
}

impl Claimants {
    /// Sorts the deaths of a timeline.
    pub(super) fn new(timeline: &Timeline, incidents: &Incidents) -> Self {
        let mut groups: BTreeMap<Key, [Row; 2]> = BTreeMap::new();
        for (at, incident) in incidents.all.iter().enumerate() {
            let Some(first) = incident.first.filter(|_| !is_culled(timeline, incident)) else { continue };
            for kept in Kept::of(&incidents.numbers().singles(&incident.own)) {
                let rows = groups.entry((kept, is_hub(timeline, incident))).or_default();
                for row in rows {
                    row.deaths.push((first.latest, at));
                }
            }
        }
        let firsts = incidents.all.iter().enumerate().filter_map(|(at, one)| Some((at, one.first?)));
        let vague = firsts.filter(|(_, first)| first.earliest < first.latest);
        let vague = vague.map(|(at, first)| (first.latest, at)).collect();
        let mut places: BTreeMap<usize, Vec<(Key, [usize; 2])>> = BTreeMap::new();
        for (key, [up, down]) in &mut groups {
            up.deaths.sort_unstable();
            down.deaths.sort_unstable_by_key(|(latest, at)| (std::cmp::Reverse(*latest), *at));
            let below: BTreeMap<usize, usize> =
                down.deaths.iter().enumerate().map(|(place, (_, at))| (*at, place)).collect();
            for (place, (_, at)) in up.deaths.iter().enumerate() {
                let both = [place, below.get(at).copied().unwrap_or_default()];
                places.entry(*at).or_default().push((*key, both));
            }
        }
        let mut claimants = Self { groups, by_process: BTreeMap::new(), vague, places };
        for (at, incident) in incidents.all.iter().enumerate() {
            let claimed = incident.claimed.iter().filter_map(|claimed| timeline.moments.get(*claimed));
            claimed.for_each(|kill| claimants.claimed(at, incident.first, &kill.record.event));
        }
        claimants
    }

    /// Notes that a death, which lies at this time, claimed a kill.
    pub(super) fn claimed(&mut self, at: usize, death: Option<When>, kill: &Event) {
        if let Some(death) = death {
            self.vague.remove(&(death.latest, at));
        }
        let kind = kill.kind().name;
        self.by_process.entry((kind, kill.integer("pid"))).or_default().insert(at);
        for (key, places) in self.places.get(&at).into_iter().flatten() {
            let Some(rows) = self.groups.get_mut(key) else { continue };
            for (row, place) in rows.iter_mut().zip(places) {
                let length = row.deaths.len();
                let free = row.free.entry(kind).or_insert_with(|| (0..=length).collect());
                if let Some(next) = free.get_mut(*place) {
                    *next = place + 1;
                }
            }
        }
    }

    /// The deaths of which one fits a kill best: those of a copy of it, the nearest without such a kill, and, where
    /// those are none, the nearest. `fits` tells whether a death fits, and whether it has another such kill.
    pub(super) fn of(
        &mut self,
        incidents: &Incidents,
        kill: &Moment,
        identity: &Identity,
        fits: impl Fn(usize) -> Option<bool>,
    ) -> Vec<usize> {
        let (Some(when), event) = (kill.when, &kill.record.event) else { return Vec::new() };
        let kind = event.kind().name;
        let copies = self.by_process.get(&(kind, event.integer("pid"))).into_iter().flatten();
        let mut found: Vec<usize> = copies.copied().filter(|at| fits(*at).is_some()).collect();
        // What is vague lies anywhere in an hour; the nearest are asked.
        let (least, most) =
            (when.earliest.saturating_sub(AFTER), when.latest.saturating_add(VAGUE + BEFORE_HUB));
        let vague = self.vague.range((least, 0)..=(most, usize::MAX)).map(|(_, at)| *at);
        found.extend(vague.filter(|at| fits(*at).is_some()).take(FEW));
        let singles = incidents.numbers().singles(identity);
        let keys: Vec<Key> = self
            .groups
            .keys()
            .map(|(kept, _)| kept.known())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .flat_map(|known| Kept::by_those(known, &[&singles]))
            .flat_map(|kept| [(kept, false), (kept, true)])
            .collect();
        for only_free in [true, false] {
            if found.iter().any(|at| fits(*at) == Some(false)) {
                break;
            }
            for key in &keys {
                let Some(rows) = self.groups.get_mut(key) else { continue };
                let [up, down] = rows;
                let before = if key.1 { BEFORE_HUB } else { BEFORE };
                let (least, most) =
                    (when.earliest.saturating_sub(AFTER), when.earliest.saturating_add(before));
                let above = up.deaths.partition_point(|(latest, _)| *latest < when.earliest);
                let below = down.deaths.partition_point(|(latest, _)| *latest >= when.earliest);
                let kind = only_free.then_some(kind);
                found.extend(up.first(above, kind, |latest| latest <= most, &fits));
                found.extend(down.first(below, kind, |latest| latest >= least, &fits));
            }
        }
        found
    }
}

impl Row {
    /// The first that fits, at or behind a place and as long as the time is right; if a kind is given, of those that have
    /// no such kill.
    fn first(
        &mut self,
        start: usize,
        kind: Option<KillKind>,
        in_time: impl Fn(i64) -> bool,
        fits: impl Fn(usize) -> Option<bool>,
    ) -> Option<usize> {
        let mut free = kind.and_then(|kind| self.free.get_mut(kind));
        let mut place = start;
        loop {
            if let Some(free) = free.as_deref_mut() {
                place = first_left(free, place);
            }
            let (latest, at) = self.deaths.get(place).copied()?;
            if !in_time(latest) {
                return None;
            }
            if fits(at).is_some() {
                return Some(at);
            }
            place += 1;
        }
    }
}
