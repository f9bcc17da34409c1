//! The curves of memory that belong to a verdict: those that are its evidence, and those of the half hour before a death.
//!
//! It draws nothing and judges nothing; the trend was told by the parser.

use super::ReportMemory;
use crate::{
    diagnosis::Diagnosis,
    event::{Event, MemorySeries},
    incident::Incidents,
    parse::prim::rounded,
    stamp::SECOND,
    timeline::{Moment, Timeline},
};
use std::collections::BTreeMap;

/// A series that ends this long before a death, or shortly after it, shows how memory went before it.
const BEFORE: (i64, i64) = (-1800 * SECOND, 30 * SECOND);
/// The most curves of one verdict.
const MOST_CURVES: usize = 4;
/// A series of fewer measurements is no curve, unless it is evidence.
const FEWEST_SAMPLES: i64 = 5;

/// The trend of which a rate and an end are told.
const LEAK: &str = "leak";
/// A predicted end this near to the real one, as a share of the time from the first measurement on, is that end.
const NEAR: f64 = 0.15;

/// All series of a timeline, gathered once for a whole report.
#[derive(Debug, Default)]
pub(super) struct Curves {
    /// The moments of series, oldest first.
    series: Vec<usize>,
    /// How much memory each GPU has, as monitors showed it; under no name, any of them.
    capacity: BTreeMap<Option<String>, i64>,
}

impl Curves {
    /// Gathers the series of a timeline.
    pub(super) fn new(timeline: &Timeline) -> Self {
        let mut curves = Self::default();
        for (at, moment) in timeline.moments.iter().enumerate() {
            let shown = match &moment.record.event {
                Event::MemorySeries(series) => {
                    curves.series.push(at);
                    let whole = series.what.as_deref() == Some("gpu-device");
                    series.total_bytes.filter(|_| whole).map(|total| (&series.gpu, total))
                }
                Event::GpuState(state) => state.total_bytes.map(|total| (&state.gpu, total)),
                _ => None,
            };
            if let Some((gpu, total)) = shown {
                curves.capacity.insert(gpu.clone(), total);
                curves.capacity.insert(None, total);
            }
        }
        curves
    }

    /// The curves of a verdict: its evidence first, then those of leaks.
    pub(super) fn of(
        &self,
        timeline: &Timeline,
        incidents: &Incidents,
        diagnosis: &Diagnosis<'_>,
        time: Option<i64>,
    ) -> Vec<ReportMemory> {
        let evidence: Vec<usize> = diagnosis.cause.witnesses.iter().map(|witness| witness.moment).collect();
        let death = time.filter(|_| diagnosis.death);
        let tied = |at: &usize| incidents.link(timeline, &diagnosis.incident, *at, BEFORE).is_some();
        let mut chosen = evidence.clone();
        chosen
            .extend(death.map_or(&[][..], |death| self.before(timeline, death)).iter().copied().filter(tied));
        let mut drawn = Vec::new();
        for (place, at) in chosen.into_iter().enumerate() {
            let Some(moment) = timeline.moments.get(at) else { continue };
            let Event::MemorySeries(series) = &moment.record.event else { continue };
            let proves = place < evidence.len();
            if !proves && (evidence.contains(&at) || series.sample_count < Some(FEWEST_SAMPLES)) {
                continue;
            }
            let limit = self.limit(timeline, &evidence, series);
            let order = (!proves, series.trend.as_deref() != Some(LEAK), at);
            drawn.extend(curve(timeline, moment, series, limit, death).map(|curve| (order, curve)));
        }
        drawn.sort_by_key(|(order, _)| *order);
        drawn.into_iter().take(MOST_CURVES).map(|(_, curve)| curve).collect()
    }

    /// The series that end in the half hour before a moment.
    fn before(&self, timeline: &Timeline, death: i64) -> &[usize] {
        let latest =
            |at: &usize| timeline.moments.get(*at).and_then(|moment| moment.when).map(|when| when.latest);
        let place =
            |bound: i64| self.series.partition_point(|at| latest(at).is_some_and(|latest| latest < bound));
        let (start, end) = (place(death.saturating_add(BEFORE.0)), place(death.saturating_add(BEFORE.1)));
        self.series.get(start..end).unwrap_or_default()
    }

    /// The most there is: by the log itself, by an out-of-memory message among the evidence, or by what a monitor
    /// showed of the GPU.
    fn limit(&self, timeline: &Timeline, evidence: &[usize], series: &MemorySeries) -> Option<i64> {
        let of_gpu = series.what.as_deref().is_some_and(|what| what.starts_with("gpu-"));
        let mut moments = evidence.iter().filter_map(|at| timeline.moments.get(*at));
        let told = moments.find_map(|moment| match &moment.record.event {
            Event::GpuOutOfMemory(full) => full.total_bytes,
            _ => None,
        });
        let shown = || self.capacity.get(&series.gpu).or_else(|| self.capacity.get(&None)).copied();
        series.total_bytes.or_else(|| told.or_else(shown).filter(|_| of_gpu))
    }
}

/// One curve.
fn curve(
    timeline: &Timeline,
    moment: &Moment,
    series: &MemorySeries,
    limit: Option<i64>,
    death: Option<i64>,
) -> Option<ReportMemory> {
    let (points, unit) = match (&series.points_bytes, &series.points_percent) {
        (Some(points), _) => (points, "bytes"),
        (None, Some(points)) => (points, "percent"),
        _ => return None,
    };
    let points = points.split(',').filter_map(|point| point.parse().ok().map(rounded)).collect();
    let last = moment.when.filter(|_| moment.record.exact).map(|when| when.latest);
    let micros = |seconds: f64| rounded(seconds * 1_000_000.0);
    let first = last.zip(series.span_seconds).map(|(last, span)| last.saturating_sub(micros(span)));
    let leaks = series.trend.as_deref() == Some(LEAK);
    let rate = |rate: Option<f64>| rate.filter(|rate| leaks && *rate > 0.0);
    let full = rate(series.bytes_per_minute)
        .zip(limit.zip(series.last_bytes))
        .map(|(rate, (limit, used))| {
            as_number(limit.saturating_sub(used).max(0).unsigned_abs()) / rate * 60.0
        })
        .or(series.seconds_until_full.filter(|_| leaks));
    let full = last.zip(full).map(|(last, seconds)| last.saturating_add(micros(seconds)));
    let show = |time: Option<i64>| time.and_then(|time| timeline.show(time));
    Some(ReportMemory {
        what: series.what.clone().unwrap_or_default(),
        unit: unit.to_owned(),
        points,
        first_time: show(first),
        last_time: show(last),
        limit_bytes: limit,
        trend: series.trend.clone().unwrap_or_default(),
        bytes_per_step: rate(series.bytes_per_step).map(rounded),
        bytes_per_minute: rate(series.bytes_per_minute).map(rounded),
        full_time: show(full),
        explains_death: first.zip(full.zip(death)).map(|(first, (full, death))| {
            as_number(full.abs_diff(death)) <= NEAR * as_number(full.abs_diff(first))
        }),
    })
}

/// A size or a span as a number.
#[expect(clippy::cast_precision_loss, reason = "sizes and spans lie below 2^53")]
fn as_number(figure: u64) -> f64 {
    figure as f64
}
