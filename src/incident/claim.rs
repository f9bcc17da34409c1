//! Gives each kill and each fault to the one death it belongs to.
//!
//! A process dies once: the kill that ended one kernel cannot have ended the next.

use super::{Incident, Incidents};
use crate::{
    event::Event,
    stamp::SECOND,
    timeline::{Moment, Timeline},
};

/// A kill precedes the restarter's line by up to one poll (3 s), and dmesg's `-T` clock is off by up to 2 s; a hub
/// looks for its servers only every 30 s.
const BEFORE: i64 = 8 * SECOND;
/// See [`BEFORE`].
const BEFORE_HUB: i64 = 45 * SECOND;
/// A kill may seem to come after its effect by as much as the clocks differ.
const AFTER: i64 = 3 * SECOND;
/// How vague the time of a sign may be.
const VAGUE: i64 = 3600 * SECOND;

/// Distributes kills and faults over the deaths.
pub(super) fn claim(timeline: &Timeline, incidents: &mut Incidents) {
    for (index, moment) in timeline.moments.iter().enumerate() {
        if !is_end_of_a_process(&moment.record.event) {
            continue;
        }
        let Some(identity) = incidents.identities.get(index).cloned() else { continue };
        let mut best = None;
        for (at, incident) in around(&incidents.all, moment) {
            let Some(rank) = rank(timeline, incident, moment) else { continue };
            // Comparing names costs most; whoever is no better need not be asked.
            let better = best.is_none_or(|best| (rank, at) < best);
            if better && !incident.own.contradicts(&identity) && !incident.absorbed.contradicts(&identity) {
                best = Some((rank, at));
            }
        }
        if let Some((_, at)) = best
            && let Some(incident) = incidents.all.get_mut(at)
        {
            incident.claimed.push(index);
            incident.absorbed.absorb(&identity);
            incidents.owner.insert(index, at);
        }
    }
}

/// The deaths that lie around a moment, with their places in the list, which is sorted by time.
fn around<'a>(all: &'a [Incident], moment: &Moment) -> impl Iterator<Item = (usize, &'a Incident)> {
    let at = moment.when.map_or(i64::MAX, |when| when.earliest);
    let time = |incident: &Incident| incident.time().unwrap_or(i64::MAX);
    // A sign without a stamp may be that much younger than the stamped line before it.
    let begin = all.partition_point(|incident| time(incident) < at.saturating_sub(AFTER + VAGUE));
    let end = all.partition_point(|incident| time(incident) <= at.saturating_add(BEFORE_HUB));
    let near = all.get(begin..end).unwrap_or_default();
    near.iter().enumerate().map(move |(index, incident)| (begin + index, incident))
}

/// Whether the event ended one process that may have been a kernel or a server.
fn is_end_of_a_process(event: &Event) -> bool {
    match event {
        Event::OomKill(kill) => kill.victim.as_deref() != Some("stranger"),
        Event::FaultSegfault(fault) => fault.victim.as_deref() != Some("stranger"),
        Event::FaultTrap(fault) => fault.victim.as_deref() != Some("stranger"),
        Event::OomDaemonKill(_) => true,
        _ => false,
    }
}

/// How well a kill fits a death: the smaller, the better; `None` if it does not. A death has one kill of a kind.
fn rank(timeline: &Timeline, incident: &Incident, moment: &Moment) -> Option<(bool, i64)> {
    let (death, kill) = (incident.first?, moment.when?);
    let hub = incident.signs.iter().any(|sign| {
        timeline
            .moments
            .get(*sign)
            .is_some_and(|moment| matches!(moment.record.event, Event::HubServerGone(_)))
    });
    let culled = incident.signs.iter().any(|sign| {
        timeline
            .moments
            .get(*sign)
            .is_some_and(|moment| matches!(moment.record.event, Event::ServerKernelCulled(_)))
    });
    let lead = death.latest.saturating_sub(kill.earliest);
    let fits = !culled && lead >= -AFTER && lead <= if hub { BEFORE_HUB } else { BEFORE };
    let kind = moment.record.event.kind().name;
    let taken = incident.claimed.iter().any(|claimed| {
        timeline.moments.get(*claimed).is_some_and(|other| {
            other.record.event.kind().name == kind
                && other.record.event.integer("pid") != moment.record.event.integer("pid")
        })
    });
    fits.then_some((taken, lead.abs()))
}
