//! One run of a program in a series: its first, last, lowest and highest figure, its points and its pace.
//!
//! Counts and extremes are exact whatever the number of samples. It does not know of other series.

use super::{
    super::{
        sample::Sample,
        trend::{self, Judgement, Trend},
    },
    Key,
    pace::{Pace, stamp_of},
    points::Points,
};
use crate::{
    event::MemorySeries,
    line::{Line, Mark},
    parse::{Found, prim::rounded},
};

/// From this share of all there is a sudden fall means that somebody has died, not that somebody tidied up.
const NEARLY_FULL: f64 = 0.85;
/// How much of all there is must come free at once for that.
const FALL: f64 = 0.3;

/// One run so far.
pub(super) struct Run {
    last: Sample,
    mark: Mark,
    count: i64,
    first: f64,
    first_step: Option<i64>,
    lowest: f64,
    highest: f64,
    total: Option<i64>,
    highest_percent: Option<f64>,
    points: Points,
    pace: Pace,
}

impl Run {
    /// A run that begins with this sample.
    pub(super) fn new(sample: Sample, figure: f64, line: &Line<'_>) -> Self {
        let mut pace = Pace::default();
        pace.push(stamp_of(sample.stamp, line));
        Self {
            mark: mark(&sample, line),
            count: 1,
            first: figure,
            first_step: sample.step,
            lowest: figure,
            highest: figure,
            total: sample.total_bytes,
            highest_percent: sample.percent,
            points: Points::new(figure),
            pace,
            last: sample,
        }
    }

    /// Adds a sample.
    pub(super) fn add(&mut self, sample: Sample, figure: f64, line: &Line<'_>) {
        self.count += 1;
        self.lowest = self.lowest.min(figure);
        self.highest = self.highest.max(figure);
        self.total = self.total.max(sample.total_bytes);
        if let Some(percent) = sample.percent {
            self.highest_percent = Some(self.highest_percent.map_or(percent, |highest| highest.max(percent)));
        }
        self.points.push(figure);
        self.pace.push(stamp_of(sample.stamp, line));
        line.mark_over(&mut self.mark);
        stamp_over(&sample, line, &mut self.mark);
        self.last = sample;
    }

    /// Whether a sample begins another run of the program: of steps counted anew, a long silence and memory that is
    /// low again, two must come together. An epoch counts its batches anew and keeps its memory; a break between two
    /// cells keeps both.
    pub(super) fn ends_before(&self, sample: &Sample, figure: f64, line: &Line<'_>) -> bool {
        let last = self.last.figure().unwrap_or_default();
        let back = sample.step.zip(self.last.step).is_some_and(|(new, old)| new < old);
        let silence = self.pace.is_broken_by(stamp_of(sample.stamp, line));
        let low = last > self.first * 1.2 && figure < f64::midpoint(self.first, last);
        [back, silence, low].into_iter().filter(|sign| *sign).count() >= 2 || self.collapses_to(figure)
    }

    /// Whether memory was nearly full and a great part of it comes free at once: a monitor outlives what it watches.
    fn collapses_to(&self, figure: f64) -> bool {
        let Some(full) = self.full().filter(|full| *full > 0.0) else { return false };
        let last = self.last.figure().unwrap_or_default();
        last >= NEARLY_FULL * full && last - figure >= FALL * full
    }

    /// The most there is, in the figures' unit.
    fn full(&self) -> Option<f64> {
        if self.last.used_bytes.is_some() { self.total.map(as_number) } else { Some(100.0) }
    }

    /// Gives the last sample and the series.
    pub(super) fn give(self, key: Key, found: &mut Vec<Found>) {
        if !self.last.row {
            let total_bytes = self.last.total_bytes.or(self.total);
            let event = Sample { total_bytes, ..self.last.clone() }.event();
            found.push(Found::at(&self.mark, event));
        }
        if self.count > 1 {
            let mark = self.mark.clone();
            found.push(Found::at(&mark, self.summary(key)));
        }
    }

    /// The series as an event.
    fn summary(self, key: Key) -> MemorySeries {
        let bytes = |figure: f64| key.in_bytes.then(|| rounded(figure));
        let last = self.last.figure().unwrap_or_default();
        let judged = trend::judge(self.points.kept(), self.points.stride(), self.last.resolution);
        let full = self.full();
        let share = |figure: f64| full.filter(|full| *full > 0.0).map(|full| figure / full * 100.0);
        let shown = written(&self.points.shown(last), key.in_bytes);
        let (points_bytes, points_percent) = if key.in_bytes { (shown, None) } else { (None, shown) };
        let rates = self.rates(judged, key.in_bytes);
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
            label: key.label_kind,
            container_id: self.last.container_id.clone(),
            container_name: self.last.container_name.clone(),
            span_seconds: self.pace.span().filter(|_| self.pace.interval().is_some()).map(hundredths),
            points_bytes,
            points_percent,
            ..rates
        }
    }

    /// What the slope of the floor means by the sample, the step, the minute, and until memory is full.
    fn rates(&self, judged: Judgement, in_bytes: bool) -> MemorySeries {
        let slope = judged.per_sample;
        let leak = slope.filter(|slope| judged.trend == Trend::Leak && *slope > 0.0);
        let interval = self.pace.interval().filter(|interval| *interval > 0.0);
        let last = self.last.figure().unwrap_or_default();
        let left = self.full().zip(leak).map(|(full, slope)| (full - last).max(0.0) / slope);
        let steps = self.last.step.zip(self.first_step).map(|(last, first)| last - first);
        let steps = steps.filter(|steps| *steps > 0).map(|steps| as_number(steps) / as_number(self.count - 1));
        let by = |factor: Option<f64>| slope.zip(factor).map(|(slope, factor)| hundredths(slope * factor));
        let in_bytes = |rate: Option<f64>| rate.filter(|_| in_bytes);
        MemorySeries {
            bytes_per_sample: in_bytes(slope.map(hundredths)),
            bytes_per_step: in_bytes(by(steps.map(f64::recip))),
            bytes_per_minute: in_bytes(by(interval.map(|seconds| 60.0 / seconds))),
            seconds_per_sample: interval.map(hundredths),
            samples_until_full: left.map(f64::round),
            seconds_until_full: left.zip(interval).map(|(samples, seconds)| (samples * seconds).round()),
            ..MemorySeries::default()
        }
    }
}

/// The place of a sample, with the time that its record prints.
fn mark(sample: &Sample, line: &Line<'_>) -> Mark {
    let mut mark = line.mark();
    stamp_over(sample, line, &mut mark);
    mark
}

/// Puts the time that a sample's record prints in place of its line's, which has none of its own.
fn stamp_over(sample: &Sample, line: &Line<'_>, mark: &mut Mark) {
    if let Some(stamp) = sample.stamp.filter(|_| !line.exact) {
        mark.date(stamp);
    }
}

/// Points as text, divided by commas; nothing for a single one.
fn written(points: &[f64], in_bytes: bool) -> Option<String> {
    let one = |point: &f64| {
        if in_bytes { rounded(*point).to_string() } else { hundredths(*point).to_string() }
    };
    (points.len() > 1).then(|| points.iter().map(one).collect::<Vec<_>>().join(","))
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
