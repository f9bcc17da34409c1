//! Findings that are only the echo of another finding, or of a death, near them.

use super::{Diagnoses, Diagnosis, Part};
use crate::{
    incident::{Groups, Identity},
    rule::Candidates,
    stamp::SECOND,
};
use std::collections::BTreeMap;

/// Verdicts this far apart do not explain each other.
const REACH: i64 = 3600 * SECOND;

/// For each of some findings, whether anything near it explains it.
pub(super) fn explained(rules: &Candidates<'_>, found: &[Diagnosis<'_>], known: &Diagnoses<'_>) -> Vec<bool> {
    let mut near: BTreeMap<&str, Near<'_>> = BTreeMap::new();
    for one in found {
        let id = one.cause.rule.id.as_str();
        near.entry(id).or_insert_with(|| {
            let by = |other: &&Diagnosis<'_>| rules.explains_transitively(&other.cause.rule.id, id);
            let told = |death: &&Diagnosis<'_>| {
                let mut also = death.also.iter().filter(|(part, _)| *part == Part::Symptom);
                death.cause.rule.id == id || also.any(|(_, also)| also.rule.id == id)
            };
            let findings = found.iter().chain(&known.findings).filter(by);
            let deaths = known.deaths.iter().filter(|death| by(death) || told(death));
            Near::new(findings.chain(deaths))
        });
    }
    let is_explained =
        |one: &Diagnosis<'_>| near.get(one.cause.rule.id.as_str()).is_some_and(|near| near.any(one));
    found.iter().map(is_explained).collect()
}

/// Some verdicts, by whom they are about and by time.
pub(super) struct Near<'d> {
    verdicts: Vec<(&'d Diagnosis<'d>, Identity)>,
    groups: Groups<Stretch>,
}

/// When a verdict's trouble was. Without a time it may have been at any.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    earliest: i64,
    latest: i64,
    /// The latest of this one and of those that began before it.
    latest_so_far: i64,
    verdict: usize,
}

impl<'d> Near<'d> {
    /// Sorts some verdicts.
    pub(super) fn new(verdicts: impl Iterator<Item = &'d Diagnosis<'d>>) -> Self {
        let verdicts: Vec<_> = verdicts.map(|one| (one, one.incident.everyone())).collect();
        let stretches = verdicts.iter().enumerate().map(|(verdict, (one, everyone))| {
            let (earliest, latest) = stretch(one);
            (everyone, Stretch { earliest, latest, latest_so_far: latest, verdict })
        });
        let mut groups = Groups::new(stretches);
        for group in groups.all() {
            group.sort_by_key(|stretch| stretch.earliest);
            let mut latest = i64::MIN;
            for stretch in group {
                latest = latest.max(stretch.latest);
                stretch.latest_so_far = latest;
            }
        }
        Self { verdicts, groups }
    }

    /// Whether any of them may be about the same trouble as another verdict.
    pub(super) fn any(&self, one: &Diagnosis<'_>) -> bool {
        if self.verdicts.is_empty() {
            return false;
        }
        let everyone = one.incident.everyone();
        let (earliest, latest) = stretch(one);
        let (begin, end) = (earliest.saturating_sub(REACH), latest.saturating_add(REACH));
        let is_near = |other: &Stretch| {
            let agrees = |(_, other): &(_, Identity)| !everyone.contradicts(other);
            other.latest >= begin && self.verdicts.get(other.verdict).is_some_and(agrees)
        };
        self.groups.of(&everyone).any(|group| {
            let later = group.partition_point(|other| other.earliest <= end);
            let had_begun = group.get(..later).unwrap_or_default().iter().rev();
            had_begun.take_while(|other| other.latest_so_far >= begin).any(is_near)
        })
    }
}

/// When a verdict's trouble can have been.
fn stretch(one: &Diagnosis<'_>) -> (i64, i64) {
    one.incident.first.map_or((i64::MIN, i64::MAX), |when| (when.earliest, when.latest))
}
