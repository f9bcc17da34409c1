//! Sums up samples into series, one for each thing measured, in bounded memory.
//!
//! First, last, lowest, highest and count are exact; the points between are thinned out by keeping the lowest of
//! neighbours, for the trend looks at the floor. It does not judge the trend.

use super::trend::{self, Trend};
use crate::{
    event::{MemorySample, MemorySeries},
    line::{Line, Mark},
    parse::Found,
};
use std::collections::BTreeMap;

/// The most points kept of a series.
const MOST_POINTS: usize = 4_096;
/// The most series of one log.
const MOST_SERIES: usize = 512;
/// The most runs of one log that are given before its end.
const MOST_RUNS: u32 = 1_000;

/// One measurement.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sample {
    /// As `memory.sample` names it.
    pub(super) what: &'static str,
    /// The process measured.
    pub(super) pid: Option<i64>,
    /// The GPU.
    pub(super) gpu: Option<String>,
    /// The container.
    pub(super) container_id: Option<String>,
    /// Its name.
    pub(super) container_name: Option<String>,
    /// The text beside the figure.
    pub(super) label: Option<String>,
    /// The step the text names.
    pub(super) step: Option<i64>,
    /// In use.
    pub(super) used_bytes: Option<i64>,
    /// Of how much.
    pub(super) total_bytes: Option<i64>,
    /// In use, in percent.
    pub(super) percent: Option<f64>,
    /// The smallest difference that the print shows, in the figure's own unit.
    pub(super) resolution: f64,
    /// Whether the line itself already is an event of another kind, so that no sample need be given.
    pub(super) row: bool,
}

impl Sample {
    /// A sample of something.
    pub(super) fn of(what: &'static str) -> Self {
        Self { what, ..Self::default() }
    }

    /// The figure: bytes where there are any, else percent.
    #[expect(clippy::cast_precision_loss, reason = "memory sizes lie below 2^53")]
    fn figure(&self) -> Option<f64> {
        self.used_bytes.map(|bytes| bytes as f64).or(self.percent)
    }

    /// The label with `#` for numbers: what all labels of one place in the program have in common.
    fn label_kind(&self) -> Option<String> {
        let mut kind = String::new();
        for character in self.label.as_deref()?.chars().take(80) {
            match character {
                '0'..='9' if kind.ends_with('#') => {}
                '0'..='9' => kind.push('#'),
                other => kind.push(other),
            }
        }
        Some(kind)
    }
}

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

/// One series so far.
struct Series {
    last: Sample,
    mark: Mark,
    count: i64,
    first: f64,
    lowest: f64,
    highest: f64,
    total: Option<i64>,
    highest_percent: Option<f64>,
    points: Points,
}

/// The points kept, each the lowest of `stride` figures.
struct Points {
    kept: Vec<f64>,
    stride: u32,
    bucket: f64,
    filled: u32,
}

impl Points {
    /// Adds a figure; when there are too many, every two become one.
    fn push(&mut self, figure: f64) {
        self.bucket = self.bucket.min(figure);
        self.filled += 1;
        if self.filled < self.stride {
            return;
        }
        self.kept.push(self.bucket);
        self.bucket = f64::INFINITY;
        self.filled = 0;
        if self.kept.len() >= MOST_POINTS {
            self.kept =
                self.kept.chunks(2).map(|pair| pair.iter().copied().fold(f64::INFINITY, f64::min)).collect();
            self.stride = self.stride.saturating_mul(2);
        }
    }
}

impl Series {
    /// A series that begins with this sample.
    fn new(sample: Sample, figure: f64, line: &Line<'_>) -> Self {
        let mut points = Points { kept: Vec::new(), stride: 1, bucket: f64::INFINITY, filled: 0 };
        points.push(figure);
        Self {
            mark: line.mark(),
            count: 1,
            first: figure,
            lowest: figure,
            highest: figure,
            total: sample.total_bytes,
            highest_percent: sample.percent,
            points,
            last: sample,
        }
    }

    /// Adds a sample.
    fn add(&mut self, sample: Sample, figure: f64, line: &Line<'_>) {
        self.count += 1;
        self.lowest = self.lowest.min(figure);
        self.highest = self.highest.max(figure);
        self.total = self.total.max(sample.total_bytes);
        if let Some(percent) = sample.percent {
            self.highest_percent = Some(self.highest_percent.map_or(percent, |highest| highest.max(percent)));
        }
        self.points.push(figure);
        self.mark = line.mark();
        self.last = sample;
    }

    /// Whether a sample begins another run of the program: its steps count anew and its memory is low again.
    fn ends_before(&self, sample: &Sample, figure: f64) -> bool {
        let last = self.last.figure().unwrap_or_default();
        let back = sample.step.zip(self.last.step).is_some_and(|(new, old)| new < old);
        back && last > self.first * 1.2 && figure < f64::midpoint(self.first, last)
    }

    /// Gives the last sample and the series.
    fn give(self, key: Key, found: &mut Vec<Found>) {
        let sample = self.last.clone();
        if !sample.row {
            let event = MemorySample {
                what: Some(sample.what.to_owned()),
                pid: sample.pid,
                gpu: sample.gpu,
                label: sample.label,
                used_bytes: sample.used_bytes,
                total_bytes: sample.total_bytes.or(self.total),
                percent: sample.percent,
                container_id: sample.container_id,
                container_name: sample.container_name,
            };
            found.push(Found::at(&self.mark, event));
        }
        if self.count > 1 {
            let mark = self.mark.clone();
            found.push(Found::at(&mark, self.summary(key)));
        }
    }

    /// The series as an event.
    fn summary(self, key: Key) -> MemorySeries {
        let bytes = |figure: f64| key.in_bytes.then(|| crate::parse::prim::rounded(figure));
        let last = self.last.figure().unwrap_or_default();
        let judged = trend::judge(&self.points.kept, self.points.stride, self.last.resolution);
        let full = if key.in_bytes { self.total.map(as_number) } else { Some(100.0) };
        let share = |figure: f64| full.filter(|full| *full > 0.0).map(|full| figure / full * 100.0);
        let slope = judged.per_sample.filter(|_| judged.trend != Trend::TooShort);
        let leaks = judged.trend == Trend::Leak;
        let left = full.zip(slope).filter(|(_, slope)| leaks && *slope > 0.0);
        MemorySeries {
            what: Some(key.what.to_owned()),
            pid: key.pid,
            gpu: key.gpu,
            sample_count: Some(self.count),
            first_bytes: bytes(self.first),
            last_bytes: bytes(last),
            min_bytes: bytes(self.lowest),
            max_bytes: bytes(self.highest),
            total_bytes: self.total,
            last_percent: self.last.percent.or_else(|| share(last)).map(hundredths),
            max_percent: self.highest_percent.or_else(|| share(self.highest)).map(hundredths),
            trend: Some(judged.trend.word().to_owned()),
            bytes_per_sample: slope.filter(|_| key.in_bytes).map(hundredths),
            samples_until_full: left.map(|(full, slope)| ((full - last).max(0.0) / slope).round()),
            label: key.label_kind,
            container_id: self.last.container_id,
            container_name: self.last.container_name,
        }
    }
}

/// A size as a number.
#[expect(clippy::cast_precision_loss, reason = "memory sizes lie below 2^53")]
fn as_number(bytes: i64) -> f64 {
    bytes as f64
}

/// Rounds to two decimals, which is more than any of these figures carries.
fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// All series of one log.
#[derive(Default)]
pub(super) struct Collection {
    series: BTreeMap<Key, Series>,
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
        let new_run =
            self.runs < MOST_RUNS && self.series.get(&key).is_some_and(|s| s.ends_before(&sample, figure));
        if new_run && let Some(old) = self.series.remove(&key) {
            self.runs += 1;
            old.give(key.clone(), found);
        }
        if let Some(series) = self.series.get_mut(&key) {
            series.add(sample, figure, line);
        } else if self.series.len() < MOST_SERIES {
            self.series.insert(key, Series::new(sample, figure, line));
        }
    }

    /// Gives every series.
    pub(super) fn finish(&mut self, found: &mut Vec<Found>) {
        for (key, series) in std::mem::take(&mut self.series) {
            series.give(key, found);
        }
    }
}
