//! Sums up samples into series, one for each thing measured and each run of the program, in bounded memory.
//!
//! First, last, lowest, highest and count are exact; the points between are thinned out. It does not judge the trend.

mod pace;
mod points;
mod run;

use super::sample::Sample;
use crate::{line::Line, parse::Found};
use run::Run;
use std::collections::BTreeMap;

/// The most series of one log.
const MOST_SERIES: usize = 512;
/// The most runs of one log that are given before its end.
const MOST_RUNS: u32 = 1_000;

/// What makes samples belong together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    what: &'static str,
    pid: Option<i64>,
    gpu: Option<String>,
    container: Option<String>,
    label_kind: Option<String>,
    in_bytes: bool,
}

/// All series of one log.
#[derive(Default)]
pub(super) struct Collection {
    series: BTreeMap<Key, Run>,
    runs: u32,
}

impl Collection {
    /// Adds a sample to its series.
    pub(super) fn add(&mut self, sample: Sample, line: &Line<'_>, found: &mut Vec<Found>) {
        let Some(figure) = sample.figure() else { return };
        let key = Key {
            what: sample.what,
            pid: sample.pid,
            gpu: sample.gpu.clone(),
            container: sample.container_id.clone().or_else(|| sample.container_name.clone()),
            label_kind: sample.label_kind(),
            in_bytes: sample.used_bytes.is_some(),
        };
        if let Some(run) = self.series.get_mut(&key) {
            if self.runs >= MOST_RUNS || !run.ends_before(&sample, figure, line) {
                run.add(sample, figure, line);
                return;
            }
            self.runs += 1;
            std::mem::replace(run, Run::new(sample, figure, line)).give(key, found);
        } else if self.series.len() < MOST_SERIES {
            self.series.insert(key, Run::new(sample, figure, line));
        }
    }

    /// Gives every series.
    pub(super) fn finish(&mut self, found: &mut Vec<Found>) {
        for (key, run) in std::mem::take(&mut self.series) {
            run.give(key, found);
        }
    }
}
