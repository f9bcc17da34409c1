//! Joins what ended, and was no death by itself, into incidents that a rule may call a death.

use super::{Identity, Incident, Incidents, Strength, identity_of_source};
use crate::{
    event::{Event, Role},
    source::SourceId,
    stamp::SECOND,
    timeline::{Moment, Timeline},
};
use std::collections::{BTreeMap, BTreeSet};

/// Records of one ending lie at most this far apart: a grace period of 30 s lies between SIGTERM and SIGKILL.
const TOGETHER: i64 = 35 * SECOND;
/// Kills of different processes are different endings.
const KILLS_TOGETHER: i64 = 10 * SECOND;
/// A server that still writes this long after a kill has not lost a kernel: its restarter would have said so.
const OUTLIVES: i64 = 8 * SECOND;

/// All endings that no death accounts for, oldest first.
pub(super) fn endings(timeline: &Timeline, incidents: &Incidents, taken: &BTreeSet<usize>) -> Vec<Incident> {
    let about = identities_of_sources(timeline);
    let mut endings: Vec<Incident> = Vec::new();
    for (index, moment) in timeline.moments.iter().enumerate() {
        let ending = moment.record.event.kind().role == Role::Ending;
        if !ending || taken.contains(&index) || incidents.owner.contains_key(&index) {
            continue;
        }
        let mut identity = incidents.identities.get(index).cloned().unwrap_or_default();
        if let Some(about) = about.get(&moment.record.at.source) {
            identity.absorb(about);
        }
        let together =
            endings.iter_mut().rev().take(16).find(|known| belongs(timeline, known, moment, &identity));
        match together {
            Some(known) => {
                known.signs.push(index);
                known.own.absorb(&identity);
                known.last = known.last.max_by_latest(moment);
            }
            None => endings.push(begin(timeline, index, moment, identity)),
        }
    }
    endings
}

/// What each log says of whom it is about.
fn identities_of_sources(timeline: &Timeline) -> BTreeMap<SourceId, Identity> {
    let mut records: BTreeMap<SourceId, Vec<_>> = BTreeMap::new();
    for moment in &timeline.moments {
        records.entry(moment.record.at.source).or_default().push(&moment.record);
    }
    records.into_iter().map(|(source, records)| (source, identity_of_source(records.into_iter()))).collect()
}

/// An incident of one ending.
fn begin(timeline: &Timeline, index: usize, moment: &Moment, own: Identity) -> Incident {
    let survived = is_kill(&moment.record.event) && server_lives_on(timeline, moment);
    Incident {
        strength: if survived { Strength::Survived } else { Strength::Ending },
        signs: vec![index],
        claimed: Vec::new(),
        first: moment.when,
        last: moment.when,
        source: moment.record.at.source,
        floor: None,
        positions: (moment.position, moment.position),
        alone: true,
        own,
        absorbed: Identity::default(),
    }
}

/// Whether a moment belongs to an ending before it.
fn belongs(timeline: &Timeline, known: &Incident, moment: &Moment, identity: &Identity) -> bool {
    if known.own.contradicts(identity) {
        return false;
    }
    let first = known.signs.first().and_then(|sign| timeline.moments.get(*sign));
    let both_kill = is_kill(&moment.record.event) && first.is_some_and(|first| is_kill(&first.record.event));
    let same_kind = first.is_some_and(|first| first.record.event.kind() == moment.record.event.kind());
    let most = if both_kill { KILLS_TOGETHER } else { TOGETHER };
    let near = match (known.last, moment.when) {
        (Some(last), Some(when)) => when.earliest.saturating_sub(last.latest) <= most,
        _ => {
            known.source == moment.record.at.source
                && moment.position - known.positions.1.min(moment.position) < 40
        }
    };
    near && (!same_kind || known.own.shared(identity).is_some())
}

/// Whether the event is the end of one process.
fn is_kill(event: &Event) -> bool {
    matches!(event, Event::OomKill(_) | Event::FaultSegfault(_) | Event::FaultTrap(_))
}

/// Whether the log of a server covers the moment and goes on as if nothing had happened.
fn server_lives_on(timeline: &Timeline, moment: &Moment) -> bool {
    let Some(when) = moment.when else { return false };
    timeline.sources.iter().any(|source| {
        source.kind == "jupyter"
            && source
                .covers
                .is_some_and(|(first, last)| first <= when.earliest && when.latest + OUTLIVES <= last)
    })
}

/// Keeps the later of two times.
trait MaxByLatest {
    fn max_by_latest(self, moment: &Moment) -> Self;
}

impl MaxByLatest for Option<crate::timeline::When> {
    fn max_by_latest(self, moment: &Moment) -> Self {
        match (self, moment.when) {
            (Some(one), Some(other)) if one.latest >= other.latest => Some(one),
            (one, other) => other.or(one),
        }
    }
}
