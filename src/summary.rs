//! `Summary`: how often kernels died, counted over any number of reports.
//!
//! It takes one verdict at a time and keeps only counts, so that memory grows with what differs and not with the reports.

use crate::report::Verdict;
use chrono::{DateTime, Datelike};
use std::collections::{BTreeMap, BTreeSet};

/// Facts that name a GPU, the most telling first.
const GPU_FACTS: &[&str] = &["gpu_uuid", "bus", "gpu"];
/// Facts that name what a verdict's own fields do not.
const NODE_FACTS: &[&str] = &["node"];
const IMAGE_FACTS: &[&str] = &["image"];
const NOTEBOOK_FACTS: &[&str] = &["notebook"];
const USER_FACTS: &[&str] = &["spawn_user"];

/// What deaths are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dimension {
    /// The rule's id.
    Cause,
    /// Which of the five layers.
    Layer,
    /// Whose server it was.
    User,
    /// The notebook.
    Notebook,
    /// The container's image.
    Image,
    /// The machine: the verdict's host, else that of its partition.
    Node,
    /// The machine and the GPU on it.
    Gpu,
    /// The ISO week, `2026-W49`.
    Week,
}

impl Dimension {
    /// All of them, in the order in which they are told.
    pub const ALL: [Self; 8] = [
        Self::Cause,
        Self::Layer,
        Self::User,
        Self::Notebook,
        Self::Image,
        Self::Node,
        Self::Gpu,
        Self::Week,
    ];

    /// The word used in output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cause => "cause",
            Self::Layer => "layer",
            Self::User => "user",
            Self::Notebook => "notebook",
            Self::Image => "image",
            Self::Node => "node",
            Self::Gpu => "gpu",
            Self::Week => "week",
        }
    }

    /// What a verdict has of it.
    fn of(self, verdict: &Verdict, partition: Option<&str>) -> Option<String> {
        let field = |field: &Option<crate::redact::Redacted>, facts| {
            field.as_ref().map(ToString::to_string).or_else(|| fact(verdict, facts))
        };
        let value = match self {
            Self::Cause => Some(verdict.cause.clone()),
            Self::Layer => Some(verdict.layer.clone()),
            Self::User => field(&verdict.user, USER_FACTS),
            Self::Notebook => field(&verdict.notebook, NOTEBOOK_FACTS),
            Self::Image => {
                field(&verdict.container.as_ref().and_then(|container| container.image.clone()), IMAGE_FACTS)
            }
            Self::Node => node(verdict, partition),
            Self::Gpu => fact(verdict, GPU_FACTS)
                .map(|gpu| node(verdict, partition).map_or(gpu.clone(), |node| format!("{node} {gpu}"))),
            Self::Week => verdict.time.as_deref().and_then(week),
        };
        value.filter(|value| !value.is_empty())
    }
}

/// How many of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// Kernels that died.
    pub deaths: u64,
    /// Findings: trouble that ended no kernel.
    pub findings: u64,
}

impl Count {
    /// Adds occurrences of a death or a finding.
    fn add(&mut self, death: bool, occurrences: u64) {
        if death {
            self.deaths += occurrences;
        } else {
            self.findings += occurrences;
        }
    }
}

/// Counts over reports.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// Whole reports read. Lines of single verdicts are of no report that could be counted.
    pub reports: u64,
    /// All verdicts.
    pub total: Count,
    /// Verdicts that another report had told of already.
    pub repeated: u64,
    /// The time of the first death, RFC 3339 in UTC.
    pub first: Option<String>,
    /// The time of the last death.
    pub last: Option<String>,
    /// Counts by what is counted by, and value; without a value where the reports do not say.
    counts: BTreeMap<(Dimension, Option<String>), Count>,
    layers: BTreeMap<String, String>,
    seen: BTreeSet<(String, Option<String>)>,
}

impl Summary {
    /// Counts a verdict of a report on the logs with this key.
    pub fn take(&mut self, verdict: &Verdict, death: bool, partition: Option<&str>) {
        let name = (verdict.id.clone(), partition.map(str::to_owned));
        if !verdict.id.is_empty() && !self.seen.insert(name) {
            self.repeated += 1;
            return;
        }
        let occurrences = verdict.count.unwrap_or(1);
        self.total.add(death, occurrences);
        if death {
            self.widen(verdict.time.as_ref());
        }
        self.layers.insert(verdict.cause.clone(), verdict.layer.clone());
        for dimension in Dimension::ALL {
            let key = (dimension, dimension.of(verdict, partition));
            self.counts.entry(key).or_default().add(death, occurrences);
        }
    }

    /// Widens the stretch of time that deaths lie in.
    fn widen(&mut self, time: Option<&String>) {
        let Some(time) = time else { return };
        if self.first.as_ref().is_none_or(|first| time < first) {
            self.first = Some(time.clone());
        }
        if self.last.as_ref().is_none_or(|last| time > last) {
            self.last = Some(time.clone());
        }
    }

    /// The counts by a dimension, the most deaths first; weeks in their order.
    pub fn by(&self, dimension: Dimension) -> Vec<(&str, Count)> {
        let mut counts: Vec<_> = self
            .counts
            .iter()
            .filter(|((of, _), _)| *of == dimension)
            .filter_map(|((_, value), count)| Some((value.as_deref()?, *count)))
            .collect();
        if dimension != Dimension::Week {
            counts.sort_by_key(|(value, count)| (std::cmp::Reverse((count.deaths, count.findings)), *value));
        }
        counts
    }

    /// How many verdicts do not say it.
    pub fn unknown(&self, dimension: Dimension) -> Count {
        self.counts.get(&(dimension, None)).copied().unwrap_or_default()
    }

    /// The layer of a cause.
    pub fn layer(&self, cause: &str) -> &str {
        self.layers.get(cause).map_or("", String::as_str)
    }
}

/// The first of some facts that a verdict has.
fn fact(verdict: &Verdict, names: &[&str]) -> Option<String> {
    let value = names.iter().find_map(|name| verdict.facts.get(*name))?;
    Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

/// The machine: as the logs say, else as the partition's key does.
fn node(verdict: &Verdict, partition: Option<&str>) -> Option<String> {
    let said = verdict.host.as_ref().map(ToString::to_string).or_else(|| fact(verdict, NODE_FACTS));
    said.or_else(|| {
        let host = partition?.strip_prefix("host:")?;
        Some(host.split('/').next().unwrap_or(host).to_owned())
    })
}

/// The ISO week of a time.
fn week(time: &str) -> Option<String> {
    let week = DateTime::parse_from_rfc3339(time).ok()?.to_utc().iso_week();
    Some(format!("{}-W{:02}", week.year(), week.week()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Redacted;

    fn death(id: &str, time: &str) -> Verdict {
        Verdict {
            id: id.to_owned(),
            cause: "cause".to_owned(),
            layer: "host".to_owned(),
            time: Some(time.to_owned()),
            ..Verdict::default()
        }
    }

    #[test]
    fn repeats_count_once_and_another_partition_is_another_death() {
        let mut summary = Summary::default();
        let one = death("1", "2026-12-01T00:00:00Z");
        for partition in [None, None, Some("host:web1/b7"), Some("host:web2")] {
            summary.take(&one, true, partition);
        }
        assert_eq!((summary.total.deaths, summary.repeated), (3, 1));
        assert_eq!(summary.unknown(Dimension::Node).deaths, 1);
        let nodes: Vec<_> = summary.by(Dimension::Node).into_iter().map(|(node, _)| node).collect();
        assert_eq!(nodes, ["web1", "web2"]);
    }

    #[test]
    fn weeks_are_iso_weeks_and_folded_verdicts_count_as_often_as_they_stand_for() {
        let mut summary = Summary::default();
        for (id, time) in
            [("1", "2027-01-03T23:59:59Z"), ("2", "2027-01-04T01:00:00+02:00"), ("3", "2027-01-04T00:00:00Z")]
        {
            summary.take(&death(id, time), true, None);
        }
        summary.take(
            &Verdict { count: Some(5), host: Some(Redacted::plain("n1")), ..death("4", "?") },
            false,
            None,
        );
        let weeks: Vec<_> =
            summary.by(Dimension::Week).into_iter().map(|(week, count)| (week, count.deaths)).collect();
        assert_eq!(weeks, [("2026-W53", 2), ("2027-W01", 1)]);
        assert_eq!(summary.total, Count { deaths: 3, findings: 5 });
    }
}
