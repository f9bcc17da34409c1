//! Holds a rule against an incident: what must, may and must not be there.

use super::{
    confidence::{self, Confidence},
    index::{Index, Scene, Witness},
};
use crate::{
    event::{Event, Role},
    incident::{Incident, Link, Strength},
    rule::{Basis, Condition, Ends, Rule},
    stamp::SECOND,
    timeline::{Moment, Timeline},
};
use std::collections::BTreeSet;

/// A rule that fits an incident.
#[derive(Debug, Clone)]
pub struct Match<'r> {
    /// The rule.
    pub rule: &'r Rule,
    /// How sure.
    pub confidence: Confidence,
    /// The records, the main one first.
    pub witnesses: Vec<Witness>,
    /// How far the main record lies from the incident, in microseconds.
    pub distance: i64,
}

/// What makes an ending the business of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    /// One of the ending's own records is what the rule asks for.
    Own,
    /// As `Own`, whatever speaks against the rule: would it be about this ending at all?
    Whatever,
    /// The ending is anchored by an echo that the rule explains: the server was told to stop, and the rule says by whom.
    Echo,
}

/// Holds a rule against an incident.
pub(super) fn matches<'r>(
    index: &Index<'_>,
    scene: &Scene<'_>,
    rule: &'r Rule,
    anchor: Anchor,
) -> Option<Match<'r>> {
    let incident = scene.incident;
    if !may_explain(rule, incident) {
        return None;
    }
    if anchor != Anchor::Whatever
        && rule.refute.iter().any(|condition| !index.find(scene, condition).is_empty())
    {
        return None;
    }
    let mut witnesses = Vec::new();
    for condition in &rule.require {
        let found = index.find(scene, condition);
        if count(index, &found) < condition.count {
            return None;
        }
        witnesses.extend(found.into_iter().take(3));
    }
    if !rule.any.is_empty() {
        let found = rule.any.iter().map(|condition| index.find(scene, condition));
        let mut found: Vec<_> =
            found.zip(&rule.any).filter(|(found, any)| count(index, found) >= any.count).collect();
        found.retain(|(found, _)| !found.is_empty());
        if found.is_empty() {
            return None;
        }
        let with = found.iter().flat_map(|(_, any)| &any.with);
        let others: Vec<_> = with.flat_map(|other| index.find(scene, other).into_iter().take(2)).collect();
        witnesses.extend(found.into_iter().flat_map(|(found, _)| found.into_iter().take(2)));
        witnesses.extend(others);
    }
    let echoed = |witnesses: &[Witness]| anchor == Anchor::Echo || anchored(index, incident, rule, witnesses);
    if incident.strength != Strength::Death && !echoed(&witnesses) {
        return None;
    }
    let (mut supporting, mut looked_up) = (Vec::new(), Vec::new());
    for condition in &rule.support {
        let found = index.find(scene, condition);
        if found.is_empty() && condition.link >= Link::SameContainer {
            looked_up.extend(index.beside(condition, &witnesses));
        }
        supporting.extend(found.into_iter().take(2));
    }
    witnesses.extend(supporting);
    let mut found = weigh(index, incident, rule, witnesses);
    // What somebody looked up shows figures and proves nothing, so that it comes last.
    found.witnesses.extend(looked_up);
    Some(found)
}

/// A rule for findings never explains a death; a fallback explains only what is a death without it.
fn may_explain(rule: &Rule, incident: &Incident) -> bool {
    match incident.strength {
        Strength::Death => rule.ends != Ends::No,
        Strength::Ending => rule.ends != Ends::No && !rule.fallback,
        Strength::Survived => rule.ends == Ends::No,
    }
}

/// An ending is only explained by a rule that is about one of its own records: by its first requirement, or, where
/// that is no ending, by any of its alternatives.
fn anchored(index: &Index<'_>, incident: &Incident, rule: &Rule, witnesses: &[Witness]) -> bool {
    let first = rule.require.get(..1).unwrap_or_default();
    let speaks_for = |mains: &[Condition]| {
        witnesses.iter().filter(|witness| incident.signs.contains(&witness.moment)).any(|witness| {
            index
                .timeline
                .moments
                .get(witness.moment)
                .is_some_and(|moment| mains.iter().any(|main| moment.record.event.kind() == main.event))
        })
    };
    let first_ends = first.iter().any(|main| main.event.role == Role::Ending);
    speaks_for(first) || (!first_ends && speaks_for(&rule.any))
}

/// How many events some records stand for.
fn count(index: &Index<'_>, found: &[Witness]) -> u64 {
    found
        .iter()
        .filter_map(|witness| index.timeline.moments.get(witness.moment))
        .map(|moment| moment.record.count)
        .sum()
}

/// Whether the end of one process stands alone although there are logs of servers or runners: all of them lie at other
/// times. Whose process it was nobody says.
fn unwitnessed(index: &Index<'_>, incident: &Incident, main: &Moment) -> bool {
    const NEAR: i64 = 10 * SECOND;
    const TOLD: i64 = 60 * SECOND;
    let one_process =
        matches!(main.record.event, Event::OomKill(_) | Event::FaultSegfault(_) | Event::FaultTrap(_));
    let Some(when) = main.when.filter(|_| one_process && incident.strength == Strength::Ending) else {
        return false;
    };
    let witnesses = index.timeline.sources.iter().filter(|source| source.server_log || source.runner_log);
    let mut witnesses = witnesses.peekable();
    // Who outlives a kernel that crashes says so; the OOM killer may take both.
    let crash = !matches!(main.record.event, Event::OomKill(_));
    let elsewhere =
        |(first, last): (i64, i64)| when.latest + NEAR < first || (crash && last + TOLD < when.earliest);
    witnesses.peek().is_some() && witnesses.all(|witness| witness.covers.is_some_and(elsewhere))
}

/// Whether a death has no stamp of its own and may have been at any time within more than a quarter of an hour: then time
/// ties little to it.
fn is_vague(incident: &Incident) -> bool {
    const CLOSE: i64 = 900 * SECOND;
    let width = incident.first.map_or(0, |first| first.latest.saturating_sub(first.earliest));
    incident.strength == Strength::Death && width > CLOSE
}

/// How sure a match is when this witness is its main record.
fn vouch(index: &Index<'_>, incident: &Incident, rule: &Rule, witness: &Witness) -> Confidence {
    let Some(moment) = index.timeline.moments.get(witness.moment) else { return Confidence::Possible };
    if witness.link == Link::TimeOnly && (unwitnessed(index, incident, moment) || is_vague(incident)) {
        return Confidence::Possible;
    }
    let tied = |condition: &Condition| index.tie(incident, condition, witness.moment).is_some();
    confidence::of(worth(rule, moment, tied), witness.link, moment, incident)
        .min(most(index.timeline, moment))
}

/// The conditions that a rule's main record may satisfy: the first requirement, or the alternatives where nothing is
/// required.
fn mains(rule: &Rule) -> &[Condition] {
    if rule.require.is_empty() { &rule.any } else { rule.require.get(..1).unwrap_or_default() }
}

/// What a record is worth to a rule: the most that a condition which it satisfies, and by which it is tied, gives it.
pub(super) fn worth(rule: &Rule, moment: &Moment, tied: impl Fn(&Condition) -> bool) -> Basis {
    let event = &moment.record.event;
    let satisfied = mains(rule).iter().filter(|condition| {
        condition.event == event.kind()
            && condition.clauses.iter().all(|clause| clause.holds(event))
            && tied(condition)
    });
    let mut worth = satisfied.map(|condition| condition.basis.unwrap_or(rule.basis)).peekable();
    let unsaid = worth.peek().is_none().then_some(rule.basis);
    if worth.chain(unsaid).any(|basis| basis == Basis::Record) { Basis::Record } else { Basis::Effect }
}

/// The most that a record can make a verdict sure of.
pub(super) fn most(timeline: &Timeline, moment: &Moment) -> Confidence {
    if timeline.is_hearsay(moment) { Confidence::Probable } else { Confidence::Confirmed }
}

/// How sure a match is, by its best tied main record: one of the first requirement, or of the alternatives where
/// nothing is required. That record goes first.
fn weigh<'r>(
    index: &Index<'_>,
    incident: &Incident,
    rule: &'r Rule,
    mut witnesses: Vec<Witness>,
) -> Match<'r> {
    let mut seen = BTreeSet::new();
    witnesses.retain(|witness| seen.insert(witness.moment));
    let is_main = |witness: &Witness| {
        let moment = index.timeline.moments.get(witness.moment);
        moment.is_some_and(|moment| mains(rule).iter().any(|main| main.event == moment.record.event.kind()))
    };
    // The firmest witness speaks: an untimed record with the same link must not silence one the clock placed.
    let best = (0..witnesses.len())
        .filter_map(|at| {
            let witness = witnesses.get(at).filter(|witness| is_main(witness))?;
            Some((vouch(index, incident, rule, witness), witness.link, std::cmp::Reverse(at)))
        })
        .max();
    if let Some((_, _, std::cmp::Reverse(best))) = best {
        witnesses.get_mut(..=best).unwrap_or_default().rotate_right(1);
    }
    let main = witnesses.first();
    let confidence = main.map_or(Confidence::Possible, |main| vouch(index, incident, rule, main));
    let main = main.and_then(|main| index.timeline.moments.get(main.moment));
    let distance = main.map_or(0, |moment| incident.distance(moment));
    Match { rule, confidence, witnesses, distance }
}
