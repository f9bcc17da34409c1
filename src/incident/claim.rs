//! Gives each kill and each fault to the one death it belongs to.
//!
//! A process dies once: the kill that ended one kernel cannot have ended the next.

use super::{Identity, Incident, Incidents, claimant::Claimants};
use crate::{
    event::Event,
    stamp::SECOND,
    timeline::{Moment, Timeline, VAGUE},
};
use std::ops::Range;

/// A kill precedes the restarter's line by up to one poll (3 s), and dmesg's `-T` clock is off by up to 2 s; a hub
/// looks for its servers only every 30 s.
pub(super) const BEFORE: i64 = 8 * SECOND;
/// See [`BEFORE`].
pub(super) const BEFORE_HUB: i64 = 45 * SECOND;
/// A kill may seem to come after its effect by as much as the clocks differ.
pub(super) const AFTER: i64 = 3 * SECOND;
/// So few deaths are asked one by one.
pub(super) const FEW: usize = 64;

/// Distributes kills and faults over the deaths, of which so few are asked one by one.
pub(super) fn claim(timeline: &Timeline, incidents: &mut Incidents, few: usize) {
    let mut claimants: Option<Claimants> = None;
    for (index, moment) in timeline.moments.iter().enumerate() {
        if !is_end_of_a_process(&moment.record.event) {
            continue;
        }
        let Some(identity) = incidents.identities.get(index).cloned() else { continue };
        let around = around(&incidents.all, moment);
        let best = if around.len() <= few {
            best(timeline, incidents, moment, &identity, around)
        } else {
            let fits = |at: usize| {
                let incident = incidents.all.get(at).filter(|_| around.contains(&at))?;
                let (taken, _) = rank(timeline, incident, moment)?;
                may_be_of(incident, &identity).then_some(taken)
            };
            let claimants = claimants.get_or_insert_with(|| Claimants::new(timeline, incidents));
            let nearest = claimants.of(incidents, moment, &identity, fits);
            best(timeline, incidents, moment, &identity, nearest.into_iter())
        };
        if let Some(at) = best
            && let Some(incident) = incidents.all.get_mut(at)
        {
            incident.claimed.push(index);
            incident.absorbed.absorb(&identity);
            incidents.owner.insert(index, at);
            if let Some(claimants) = &mut claimants {
                claimants.claimed(at, incident.first, &moment.record.event);
            }
        }
    }
}

/// Of some deaths, the one that a kill fits best.
fn best(
    timeline: &Timeline,
    incidents: &Incidents,
    kill: &Moment,
    identity: &Identity,
    deaths: impl Iterator<Item = usize>,
) -> Option<usize> {
    let mut best = None;
    for at in deaths {
        let Some(incident) = incidents.all.get(at) else { continue };
        let Some(rank) = rank(timeline, incident, kill) else { continue };
        // Comparing names costs most; whoever is no better need not be asked.
        if best.is_none_or(|best| (rank, at) < best) && may_be_of(incident, identity) {
            best = Some((rank, at));
        }
    }
    best.map(|(_, at)| at)
}

/// Whether nothing that a death is known by speaks against somebody.
fn may_be_of(incident: &Incident, identity: &Identity) -> bool {
    !incident.own.contradicts(identity) && !incident.absorbed.contradicts(identity)
}

/// The places of the deaths that lie around a moment, in the list, which is sorted by time.
fn around(all: &[Incident], moment: &Moment) -> Range<usize> {
    let at = moment.when.map_or(i64::MAX, |when| when.earliest);
    let time = |incident: &Incident| incident.time().unwrap_or(i64::MAX);
    // A sign without a stamp may be that much younger than the stamped line before it.
    let begin = all.partition_point(|incident| time(incident) < at.saturating_sub(AFTER + VAGUE));
    begin..all.partition_point(|incident| time(incident) <= at.saturating_add(BEFORE_HUB))
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
    let lead = death.latest.saturating_sub(kill.earliest);
    let before = if is_hub(timeline, incident) { BEFORE_HUB } else { BEFORE };
    // Of a sign without a stamp it is known only between which two times it stood.
    let fits = !is_culled(timeline, incident)
        && lead >= -AFTER
        && death.earliest.saturating_sub(kill.latest) <= before;
    let kind = moment.record.event.kind().name;
    let taken = incident.claimed.iter().any(|claimed| {
        timeline.moments.get(*claimed).is_some_and(|other| {
            other.record.event.kind().name == kind
                && other.record.event.integer("pid") != moment.record.event.integer("pid")
        })
    });
    fits.then_some((taken, lead.abs()))
}

/// Whether it was a hub that found its server gone.
pub(super) fn is_hub(timeline: &Timeline, incident: &Incident) -> bool {
    incident.sign_events(timeline).any(|event| matches!(event, Event::HubServerGone(_)))
}

/// Whether the kernel was ended for its idleness.
pub(super) fn is_culled(timeline: &Timeline, incident: &Incident) -> bool {
    incident.sign_events(timeline).any(|event| matches!(event, Event::ServerKernelCulled(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{extract::extract, incident::noise, source::SourceId};

    #[test]
    fn who_is_asked_first_does_not_matter() {
        for seed in 0..6 {
            let logs = noise::logs(seed, 150);
            let extracts = logs
                .iter()
                .enumerate()
                .map(|(index, (path, text))| extract(path, SourceId(index), text.as_bytes()).unwrap());
            let timeline = Timeline::new(extracts.collect(), &crate::timeline::Overrides::default());
            let claimed = |few| {
                let mut incidents = Incidents::new(&timeline);
                incidents.all.iter_mut().for_each(|incident| {
                    incident.claimed.clear();
                    incident.absorbed = Identity::default();
                });
                claim(&timeline, &mut incidents, few);
                incidents.all.into_iter().map(|incident| incident.claimed).collect::<Vec<_>>()
            };
            let one_by_one = claimed(usize::MAX);
            assert!(one_by_one.iter().filter(|claimed| !claimed.is_empty()).count() > 40);
            assert_eq!(claimed(0), one_by_one, "seed {seed}");
        }
    }
}
