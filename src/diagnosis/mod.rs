//! Among the rules that match, the cause is the one no other match explains.
//!
//! It knows rules and incidents; it names no cause itself and writes no report.

mod confidence;
mod echo;
mod explained;
mod finding;
mod index;
mod matching;

pub use confidence::Confidence;
use echo::Echoes;
use index::Scene;
pub use index::{Index, Witness};
use matching::Anchor;
pub use matching::Match;

use crate::{
    event::{EditorKernelDied, Event, Role},
    incident::{Incident, Incidents, Link, Strength},
    rule::{Candidates, Ends, Rule, RuleSet},
    timeline::Timeline,
};
use std::collections::BTreeSet;

/// What part another cause plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// An effect or echo of the cause.
    Symptom,
    /// Another cause that the logs do not rule out.
    Alternative,
}

/// A death or a finding, with its cause.
#[derive(Debug, Clone)]
pub struct Diagnosis<'r> {
    /// Whether a kernel ended.
    pub death: bool,
    /// What happened.
    pub incident: Incident,
    /// The cause.
    pub cause: Match<'r>,
    /// Its symptoms and the alternatives.
    pub also: Vec<(Part, Match<'r>)>,
    /// How many equal occurrences this stands for.
    pub count: u64,
}

impl Diagnosis<'_> {
    /// When it happened: the time of the kill or end that is its main evidence, else of its first sign.
    pub fn time(&self, timeline: &Timeline) -> Option<i64> {
        let main = self.cause.witnesses.first().and_then(|main| timeline.moments.get(main.moment));
        let ends = main.filter(|main| {
            main.record.exact
                && matches!(main.record.event.role(), Role::Ending | Role::Death)
                && !main.record.event.is_late_report()
        });
        ends.and_then(|main| main.when).map(|when| when.earliest).or(self.incident.time())
    }
}

/// All that a set of logs tells.
#[derive(Debug, Default)]
pub struct Diagnoses<'r> {
    /// The deaths, oldest first.
    pub deaths: Vec<Diagnosis<'r>>,
    /// The findings, oldest first.
    pub findings: Vec<Diagnosis<'r>>,
}

/// Judges every incident of a timeline.
pub fn diagnose<'r>(timeline: &Timeline, incidents: &Incidents, rules: &'r RuleSet) -> Diagnoses<'r> {
    let index = Index::new(timeline, incidents);
    let rules = &rules.candidates(|kind, clauses| index.stands_anywhere(kind, clauses));
    let mut all = Diagnoses::default();
    let mut taken = BTreeSet::new();
    let mut echoes = Echoes::new(&index);
    for (number, incident) in incidents.all.iter().enumerate() {
        if let Some(diagnosis) = judge(&index, Some(number), incident, rules) {
            taken.extend(evidence(&diagnosis));
            taken.extend(echoes.of(&index, &diagnosis.incident));
            all.deaths.push(diagnosis);
        }
    }
    taken.extend(echo::repeats(&index, &taken));
    for incident in incidents.endings(timeline, &taken) {
        if let Some(diagnosis) = judge(&index, None, &incident, rules) {
            // What already ended one kernel does not end another.
            if diagnosis.cause.witnesses.first().is_some_and(|main| taken.contains(&main.moment)) {
                continue;
            }
            // Nor does what has no time, and would fit any of them.
            let main = diagnosis.cause.witnesses.first().map(|main| main.moment);
            taken.extend(
                main.filter(|main| timeline.moments.get(*main).is_some_and(|main| main.when.is_none())),
            );
            let list = if diagnosis.death { &mut all.deaths } else { &mut all.findings };
            list.push(diagnosis);
        }
    }
    drop_retellings(timeline, &mut all.deaths);
    all.deaths.sort_by_key(|death| order(timeline, death));
    let found = finding::findings(&index, rules, &all);
    all.findings.extend(found);
    all.findings.sort_by_key(|finding| order(timeline, finding));
    all
}

/// Drops what only a dialog's words without a time tell, if another log tells of a death: it is the same.
fn drop_retellings(timeline: &Timeline, deaths: &mut Vec<Diagnosis<'_>>) {
    let told: Vec<bool> = deaths.iter().map(|death| is_retelling(timeline, death)).collect();
    let sources = |wanted: bool| {
        let chosen = deaths.iter().zip(&told).filter(move |(_, told)| **told == wanted);
        chosen.map(|(death, _)| death.incident.source).collect::<BTreeSet<_>>()
    };
    if !sources(false).is_subset(&sources(true)) {
        let mut told = told.iter();
        deaths.retain(|_| told.next() != Some(&true));
    }
}

/// Whether a death rests on nothing but the words that an editor shows in a notebook, without time, code or reason.
fn is_retelling(timeline: &Timeline, death: &Diagnosis<'_>) -> bool {
    death.cause.rule.fallback
        && death.incident.signs.iter().filter_map(|sign| timeline.moments.get(*sign)).all(|moment| {
            let bare = |died: &EditorKernelDied| {
                died.exit_code.is_none() && died.reason.is_none() && died.pid.is_none()
            };
            moment.when.is_none()
                && matches!(&moment.record.event, Event::EditorKernelDied(died) if bare(died))
        })
}

/// Oldest first, and the same order for the same logs in any order.
fn order(timeline: &Timeline, diagnosis: &Diagnosis<'_>) -> (i64, String, u64) {
    let time = diagnosis.time(timeline).unwrap_or(i64::MAX);
    (time, diagnosis.cause.rule.id.clone(), diagnosis.incident.positions.0)
}

/// Finds the cause of an incident; an ending that no rule explains is nothing.
fn judge<'r>(
    index: &Index<'_>,
    number: Option<usize>,
    incident: &Incident,
    rules: &Candidates<'r>,
) -> Option<Diagnosis<'r>> {
    let scene = Scene::new(number, incident);
    let fit = |rule: &'r Rule, anchor| matching::matches(index, &scene, rule, anchor);
    let mut matches: Vec<Match<'r>> = rules.iter().filter_map(|rule| fit(rule, Anchor::Own)).collect();
    if incident.strength == Strength::Ending {
        let heard: Vec<_> = rules.iter().filter(|rule| fit(rule, Anchor::Whatever).is_some()).collect();
        let behind_echo = |rule: &&Rule| {
            rule.ends != Ends::No
                && !matches.iter().any(|known| known.rule.id == rule.id)
                && heard.iter().any(|echo| rules.explains_transitively(&rule.id, &echo.id))
        };
        let more: Vec<_> =
            rules.iter().filter(behind_echo).filter_map(|rule| fit(rule, Anchor::Echo)).collect();
        matches.extend(more);
    }
    // Whoever is killed says nothing: beside the kernel's own last words a kill that only the time ties is another's.
    let spoken = matches.iter().any(|one| is_own_last_word(index.timeline, one));
    let killed = |one: &Match<'_>| {
        let mut own = one.witnesses.iter().filter(|witness| index.is_kill_of(witness.moment, &scene));
        own.any(|witness| !spoken || witness.link > Link::TimeOnly)
    };
    let (cause, also) = choose(&matches, rules, killed)?;
    Some(Diagnosis {
        death: incident.strength != Strength::Survived,
        incident: incident.clone(),
        cause,
        also,
        count: 1,
    })
}

/// Whether a match rests on what the kernel itself said as it ended.
fn is_own_last_word(timeline: &Timeline, one: &Match<'_>) -> bool {
    let main = one.witnesses.first().and_then(|main| timeline.moments.get(main.moment));
    one.confidence == Confidence::Confirmed && main.is_some_and(|main| main.record.event.is_last_words())
}

/// Chooses the cause: nothing else explains it, it rests on the kill that is this death's, and it is the surest, the
/// best tied, the nearest, the deepest.
///
/// An error in the same log is better tied than a kill in Linux's, and yet no reason: who sends the signal decides.
fn choose<'r>(
    matches: &[Match<'r>],
    rules: &Candidates<'_>,
    killed: impl Fn(&Match<'r>) -> bool,
) -> Option<(Match<'r>, Vec<(Part, Match<'r>)>)> {
    let explained = |one: &Match<'_>| {
        matches.iter().any(|other| {
            other.rule.id != one.rule.id
                && (one.rule.fallback && !other.rule.fallback
                    || rules.explains_transitively(&other.rule.id, &one.rule.id))
        })
    };
    let (symptoms, mut open): (Vec<_>, Vec<_>) = matches.iter().cloned().partition(|one| explained(one));
    open.sort_by_key(|one| {
        let link = one.witnesses.first().map(|witness| witness.link);
        (
            !killed(one),
            std::cmp::Reverse(one.confidence),
            std::cmp::Reverse(link),
            one.rule.ends == Ends::Either,
            one.distance,
            std::cmp::Reverse(one.rule.layer),
            one.rule.id.clone(),
        )
    });
    let mut open = open.into_iter();
    let cause = open.next()?;
    let mut also: Vec<_> = open.map(|one| (Part::Alternative, one)).collect();
    also.extend(symptoms.into_iter().filter(|one| !one.rule.fallback).map(|one| (Part::Symptom, one)));
    Some((cause, also))
}

/// Every moment that a death accounts for as its evidence.
fn evidence<'d>(diagnosis: &'d Diagnosis<'_>) -> impl Iterator<Item = usize> + 'd {
    let matches = std::iter::once(&diagnosis.cause).chain(diagnosis.also.iter().map(|(_, other)| other));
    matches.flat_map(|one| one.witnesses.iter().map(|witness| witness.moment))
}
