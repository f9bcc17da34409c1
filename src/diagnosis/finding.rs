//! Trouble that ended no kernel: found by the rules that say so, once per place, without the echoes of what is
//! already reported.

use super::{
    Diagnoses, Diagnosis, Match,
    confidence::Confidence,
    explained::{Near, explained},
    index::{Index, Scene, Witness},
    matching,
};
use crate::{
    event::Event,
    incident::{Incident, Link, Strength},
    rule::{Basis, Candidates, Ends, Rule},
    source::SourceId,
    stamp::SECOND,
    timeline::Moment,
};
use std::collections::{BTreeMap, BTreeSet};

/// A proxy logs a request when it ends, a server when it comes; clocks of two machines differ.
const MINUTE: i64 = 60 * SECOND;

/// Whether an event is the end of one process.
pub(super) fn is_process(event: &Event) -> bool {
    matches!(
        event,
        Event::OomKill(_) | Event::FaultSegfault(_) | Event::FaultTrap(_) | Event::OomDaemonKill(_)
    )
}

/// All findings.
pub(super) fn findings<'r>(
    index: &Index<'_>,
    rules: &Candidates<'r>,
    known: &Diagnoses<'r>,
) -> Vec<Diagnosis<'r>> {
    let told = told(known);
    let mut found: Vec<Diagnosis<'r>> = Vec::new();
    for rule in rules.iter().filter(|rule| rule.ends != Ends::Yes && !rule.fallback) {
        found.extend(of_rule(index, rule, &told));
    }
    drop_copies(index, &mut found);
    drop_retold(index, &mut found);
    join_witnesses_of_one(index, &mut found);
    let mut explained = explained(rules, &found, known).into_iter();
    found.retain(|_| !explained.next().unwrap_or(false));
    let mut warnings = found.iter_mut().filter(|one| is_warning(index, one)).peekable();
    if warnings.peek().is_some() {
        let deaths = Near::new(known.deaths.iter());
        for one in warnings.filter(|one| deaths.any(one)) {
            one.cause.confidence = Confidence::Possible;
        }
    }
    found
}

/// Whether a finding rests on a Python warning. The program went on after it: beside a death that something else
/// explains it is a red herring more often than trouble.
fn is_warning(index: &Index<'_>, one: &Diagnosis<'_>) -> bool {
    let main = one.cause.witnesses.first().and_then(|main| index.timeline.moments.get(main.moment));
    main.is_some_and(|main| main.record.text.contains("Warning: "))
}

/// The same finding of two copies of a log is one.
fn drop_copies(index: &Index<'_>, found: &mut Vec<Diagnosis<'_>>) {
    let mut seen = BTreeSet::new();
    found.retain(|one| {
        let main = one.cause.witnesses.first().and_then(|main| index.timeline.moments.get(main.moment));
        let key = main.map(|main| (&main.record.stamps, main.record.at.line, &main.record.text));
        key.is_none_or(|(stamps, line, text)| {
            seen.insert((one.cause.rule.id.clone(), stamps.clone(), line, text.clone()))
        })
    });
}

/// Two logs that tell of the same trouble of one kernel at one time, a proxy's and that of the server behind it, are two
/// witnesses of one finding.
fn join_witnesses_of_one(index: &Index<'_>, found: &mut Vec<Diagnosis<'_>>) {
    let mut joined: Vec<Diagnosis<'_>> = Vec::with_capacity(found.len());
    let mut known: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for one in found.drain(..) {
        let kernel = one.incident.own.kernels.first().cloned();
        let key = kernel.map(|kernel| (one.cause.rule.id.clone(), kernel));
        let (Some(key), Some(span)) = (key, span(index, &one)) else {
            joined.push(one);
            continue;
        };
        let same = known.entry(key).or_default();
        let twin = same.iter().rev().take(8).copied().find(|at| {
            joined.get(*at).is_some_and(|other| {
                other.incident.source != one.incident.source && near(self::span(index, other), span)
            })
        });
        if let Some(other) = twin.and_then(|at| joined.get_mut(at)) {
            let known = &other.cause.witnesses;
            let fresh = one.cause.witnesses.iter().filter(|witness| !known.contains(witness));
            let fresh: Vec<_> = fresh.take(2).copied().collect();
            other.cause.witnesses.extend(fresh);
        } else {
            same.push(joined.len());
            joined.push(one);
        }
    }
    *found = joined;
}

/// The stretch of time in which the witnesses of a finding lie.
fn span(index: &Index<'_>, one: &Diagnosis<'_>) -> Option<(i64, i64)> {
    let moments = one.cause.witnesses.iter().filter_map(|witness| index.timeline.moments.get(witness.moment));
    let times = moments.filter_map(|moment| moment.when);
    let (mut first, mut last) = (one.incident.time()?, one.incident.time()?);
    for when in times {
        (first, last) = (first.min(when.earliest), last.max(when.latest));
    }
    Some((first, last))
}

/// Whether two stretches lie at most a minute apart.
fn near(one: Option<(i64, i64)>, other: (i64, i64)) -> bool {
    one.is_some_and(|one| one.0 <= other.1.saturating_add(MINUTE) && other.0 <= one.1.saturating_add(MINUTE))
}

/// A runner's log and the notebook that it executed tell of the same exception: the fuller of the two is kept.
fn drop_retold(index: &Index<'_>, found: &mut Vec<Diagnosis<'_>>) {
    let mut kept: BTreeMap<_, (usize, SourceId)> = BTreeMap::new();
    let mut dropped = BTreeSet::new();
    for (number, one) in found.iter().enumerate() {
        let Some(raised) = raised_in(index, one) else { continue };
        let key = (one.cause.rule.id.clone(), raised);
        match kept.get(&key).copied() {
            Some((known, source)) if source != one.incident.source => {
                let fuller = found
                    .get(known)
                    .is_some_and(|known| one.cause.witnesses.len() > known.cause.witnesses.len());
                dropped.insert(if fuller { known } else { number });
                if fuller {
                    kept.insert(key, (number, one.incident.source));
                }
            }
            Some(_) => {}
            None => drop(kept.insert(key, (number, one.incident.source))),
        }
    }
    let mut number = 0..;
    found.retain(|_| number.next().is_none_or(|number| !dropped.contains(&number)));
}

/// The cell, exception, message and source line that a finding without a time is about.
fn raised_in(index: &Index<'_>, one: &Diagnosis<'_>) -> Option<(i64, String, String, String)> {
    let mut moments =
        one.cause.witnesses.iter().filter_map(|witness| index.timeline.moments.get(witness.moment));
    moments.find_map(|moment| {
        let Event::PythonException(raised) = &moment.record.event else { return None };
        let text = |text: &Option<String>| text.as_deref().unwrap_or_default().trim().to_owned();
        let source = text(&raised.source);
        (moment.when.is_none() && !source.is_empty()).then_some((
            raised.cell?,
            text(&raised.exception),
            text(&raised.message),
            source,
        ))
    })
}

/// The findings of one rule, one per place.
fn of_rule<'r>(index: &Index<'_>, rule: &'r Rule, told: &BTreeSet<(&str, usize)>) -> Vec<Diagnosis<'r>> {
    let mains = if rule.require.is_empty() { &rule.any } else { rule.require.get(..1).unwrap_or_default() };
    let mut places: BTreeMap<_, Vec<Match<'r>>> = BTreeMap::new();
    let mut incidents: BTreeMap<_, Incident> = BTreeMap::new();
    for main in mains {
        for at in index.fitting(main) {
            let Some(moment) = index.timeline.moments.get(at) else { continue };
            if told.contains(&(rule.id.as_str(), at)) || is_of_another(index, at, moment) {
                continue;
            }
            let incident = around(index, at, moment);
            let scene = Scene::new(None, &incident);
            if main.with.iter().any(|other| index.find(&scene, other).is_empty()) {
                continue;
            }
            let Some(found) = matched(index, rule, &scene, at, moment) else { continue };
            let key = (moment.record.at.source, incident.own.kernels.iter().next().cloned());
            incidents.entry(key.clone()).or_insert(incident);
            places.entry(key).or_default().push(found);
        }
    }
    let together = places.into_iter().filter_map(|(key, matches)| {
        let count = matches.iter().map(|one| occurrences(index, one)).sum();
        if count < mains.first().map_or(1, |main| main.count) {
            return None;
        }
        let cause = join(matches)?;
        Some(Diagnosis { death: false, incident: incidents.remove(&key)?, cause, also: Vec::new(), count })
    });
    together.collect()
}

/// How many equal events the main record stands for.
fn occurrences(index: &Index<'_>, one: &Match<'_>) -> u64 {
    let main = one.witnesses.first().and_then(|main| index.timeline.moments.get(main.moment));
    main.map_or(1, |moment| moment.record.count)
}

/// Whether the end of a process is a death's, or was no process of these servers, or an engine tells of a container that is
/// no notebook's: then nothing is left to find.
fn is_of_another(index: &Index<'_>, at: usize, moment: &Moment) -> bool {
    is_process(&moment.record.event) && index.incidents.owner.contains_key(&at)
        || index.incidents.is_theirs(at)
        || index.incidents.survivors.come_after(moment)
}

/// Which records verdicts already tell of, and under which causes.
fn told<'r>(known: &Diagnoses<'r>) -> BTreeSet<(&'r str, usize)> {
    let mut told = BTreeSet::new();
    for verdict in known.deaths.iter().chain(&known.findings) {
        let matches = std::iter::once(&verdict.cause).chain(verdict.also.iter().map(|(_, other)| other));
        for one in matches {
            told.extend(one.witnesses.iter().map(|witness| (one.rule.id.as_str(), witness.moment)));
        }
        told.extend(verdict.incident.signs.iter().map(|sign| (verdict.cause.rule.id.as_str(), *sign)));
    }
    told
}

/// The incident that a single record makes.
fn around(index: &Index<'_>, at: usize, moment: &Moment) -> Incident {
    let own = index.incidents.identities.get(at).cloned().unwrap_or_default();
    Incident::of_one(at, moment, Strength::Survived, own)
}

/// Holds a rule for findings against one record.
fn matched<'r>(
    index: &Index<'_>,
    rule: &'r Rule,
    scene: &Scene<'_>,
    at: usize,
    moment: &Moment,
) -> Option<Match<'r>> {
    // A kill that is a death's own still says what else happened here.
    if rule.refute.iter().any(|condition| index.stands(scene, condition)) {
        return None;
    }
    let link =
        if moment.record.event.text("kernel_id").is_some() { Link::SameKernel } else { Link::SameFile };
    let mut witnesses = vec![Witness { moment: at, link }];
    for condition in rule.require.iter().skip(1) {
        let found = index.find(scene, condition);
        if (found.len() as u64) < condition.count.min(1) {
            return None;
        }
        witnesses.extend(found.into_iter().take(2));
    }
    if !rule.any.is_empty() && !rule.require.is_empty() {
        let any: Vec<_> =
            rule.any.iter().flat_map(|any| index.find(scene, any).into_iter().take(2)).collect();
        if any.is_empty() {
            return None;
        }
        witnesses.extend(any);
    }
    for condition in &rule.support {
        witnesses.extend(index.find(scene, condition).into_iter().take(1));
    }
    let mut seen = BTreeSet::new();
    witnesses.retain(|witness| seen.insert(witness.moment));
    let main = witnesses.first().and_then(|main| index.timeline.moments.get(main.moment));
    let most = main.map_or(Confidence::Confirmed, |main| matching::most(index.timeline, main));
    let basis = main.map_or(rule.basis, |main| matching::worth(rule, main, |_| true));
    let confidence = if basis == Basis::Effect { Confidence::Possible } else { most };
    Some(Match { rule, confidence, witnesses, distance: 0 })
}

/// Equal findings of one place are one.
fn join(matches: Vec<Match<'_>>) -> Option<Match<'_>> {
    let mut matches = matches.into_iter();
    let mut first = matches.next()?;
    for other in matches.take(8) {
        let fresh = other.witnesses.into_iter().filter(|witness| !first.witnesses.contains(witness));
        let fresh: Vec<_> = fresh.collect();
        first.witnesses.extend(fresh);
    }
    Some(first)
}
