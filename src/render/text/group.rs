//! Equal verdicts told once: forty deaths with one fingerprint are one block with a count and its times.
//!
//! It does not judge what is equal; the fingerprint says so.

use crate::{
    language::{Messages, fill},
    report::{Report, Verdict},
};
use std::collections::BTreeMap;

/// Verdicts with the same fingerprint.
pub(in crate::render) struct Group<'a> {
    /// `death` or `finding`.
    pub(in crate::render) what: &'static str,
    /// Its number among the deaths or findings shown, from 1.
    pub(in crate::render) number: usize,
    /// The verdicts, the earliest first. There is at least one.
    pub(in crate::render) verdicts: Vec<&'a Verdict>,
    /// The one that is told.
    pub(in crate::render) first: &'a Verdict,
}

impl Group<'_> {
    /// How many deaths or findings it stands for.
    pub(in crate::render) fn count(&self) -> u64 {
        self.verdicts.iter().map(|verdict| verdict.count.unwrap_or(1)).sum()
    }

    /// ` ×40`, or nothing for one.
    pub(in crate::render) fn times_sign(&self, messages: &Messages) -> String {
        match self.count() {
            0 | 1 => String::new(),
            count => fill(messages.times_sign, &[("n", &count.to_string())]),
        }
    }

    /// The moments, as the report gives them.
    pub(in crate::render) fn times(&self) -> Vec<&str> {
        self.verdicts.iter().filter_map(|verdict| verdict.time.as_deref()).collect()
    }
}

/// The deaths, then the findings, equal ones together, in the order of the report.
pub(in crate::render) fn groups(report: &Report) -> Vec<Group<'_>> {
    let mut groups = group("death", &report.deaths);
    groups.extend(group("finding", &report.findings));
    groups
}

/// Groups verdicts of one sort.
fn group<'a>(what: &'static str, verdicts: &'a [Verdict]) -> Vec<Group<'a>> {
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut groups: Vec<Group<'a>> = Vec::new();
    for verdict in verdicts {
        let key = (verdict.fingerprint.as_str(), verdict.cause.as_str());
        if let Some(group) = places.get(&key).and_then(|place| groups.get_mut(*place)) {
            group.verdicts.push(verdict);
        } else {
            if !verdict.fingerprint.is_empty() {
                places.insert(key, groups.len());
            }
            groups.push(Group { what, number: groups.len() + 1, verdicts: vec![verdict], first: verdict });
        }
    }
    groups
}
