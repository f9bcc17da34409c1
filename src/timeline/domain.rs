//! Clock domains: stretches of a log whose stamps differ from the common clock by one constant.

use super::civil;
use crate::{
    event::{Event, Record},
    extract::Extract,
    source::SourceId,
    stamp::{ClockKind, DAY, SECOND},
};

/// How sure a clock's offset is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// Not known: nothing of this clock is joined to other logs by time.
    Unknown,
    /// Nothing contradicts it, nothing supports it.
    Assumed,
    /// Inferred from one pair of events without a common id.
    OnePair,
    /// Inferred from several pairs, or from one with a common id.
    Pairs,
    /// The log says it, or the user did.
    Given,
}

/// A stretch of a log on one clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    /// The log.
    pub source: SourceId,
    /// The clock.
    pub clock: ClockKind,
    /// The boot, counted from 0, for boot clocks.
    pub segment: usize,
    /// What to add to this clock's microseconds to get the common clock's.
    pub offset: Option<i64>,
    /// How sure that is.
    pub certainty: Certainty,
    /// What it rests on.
    pub basis: String,
    /// The smallest reading, unrolled.
    pub earliest: Option<i64>,
    /// The largest reading, unrolled.
    pub latest: Option<i64>,
}

/// A record's place: its domain and its unrolled reading.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Index into the list of domains.
    pub domain: Option<usize>,
    /// The reading, with days counted on and years resolved within the log.
    pub micros: i64,
    /// Position in the log, from the oldest line.
    pub position: u64,
}

/// Every record's place, by log, and all domains.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// The domains.
    pub domains: Vec<Domain>,
    /// Places, by log and record.
    pub places: Vec<Vec<Place>>,
}

/// Finds the domains of all logs and unrolls their readings.
pub(super) fn place(extracts: &[Extract]) -> Places {
    let dated = dated_spans(extracts);
    let mut all = Places::default();
    for (index, extract) in extracts.iter().enumerate() {
        let source = SourceId(index);
        // A date in the log's own name says more of it than its neighbours do.
        let named = civil::date_in_name(&extract.path).map(|date| [(date, date + DAY)]);
        let mut walker = Walker {
            source,
            extract,
            dated: named.as_ref().map_or(&dated, |named| &named[..]),
            domains: &mut all.domains,
            unrolled: Unrolled::default(),
        };
        let places = walker.walk();
        walker.cover();
        all.places.push(places);
    }
    all
}

/// What the logs with a date cover: the only ground for years and days.
fn dated_spans(extracts: &[Extract]) -> Vec<(i64, i64)> {
    let spans = extracts.iter().flat_map(|extract| &extract.spans);
    spans
        .filter(|(clock, _)| matches!(clock, ClockKind::Zoned | ClockKind::Local))
        .map(|(_, span)| (span.earliest, span.latest))
        .collect()
}

/// Walks through a log from its oldest line on.
struct Walker<'a> {
    source: SourceId,
    extract: &'a Extract,
    dated: &'a [(i64, i64)],
    domains: &'a mut Vec<Domain>,
    unrolled: Unrolled,
}

/// How far each clock of the log has been unrolled.
#[derive(Default)]
struct Unrolled {
    boots: usize,
    last_boot: Option<i64>,
    last_time_of_day: Option<i64>,
    days: i64,
    last_year_less: Option<i64>,
    years: i32,
}

impl Walker<'_> {
    /// The places of all records, in the order of the records.
    fn walk(&mut self) -> Vec<Place> {
        let mut order: Vec<usize> = (0..self.extract.records.len()).collect();
        if self.extract.newest_first {
            order.reverse();
        }
        let mut places = vec![Place { domain: None, micros: 0, position: 0 }; order.len()];
        for (position, index) in order.into_iter().enumerate() {
            if let (Some(record), Some(place)) = (self.extract.records.get(index), places.get_mut(index)) {
                *place = self.record(record, position as u64);
            }
        }
        places
    }

    /// A log in which nothing was recognised has a clock all the same: what it covers in silence rules something out.
    fn cover(&mut self) {
        if self.domains.iter().any(|domain| domain.source == self.source) {
            return;
        }
        let Some((clock, span)) = self.extract.spans.iter().next() else { return };
        let unrolled = |walker: &mut Self, micros| match clock {
            ClockKind::YearLess => walker.year_less(micros),
            _ => micros,
        };
        let (earliest, latest) = (unrolled(self, span.earliest), unrolled(self, span.latest));
        let domain = self.domain(*clock, 0);
        if let Some(domain) = self.domains.get_mut(domain) {
            domain.earliest = Some(earliest);
            domain.latest = Some(latest);
        }
    }

    /// One record's place.
    fn record(&mut self, record: &Record, position: u64) -> Place {
        let Some(stamp) = record.stamp() else { return Place { domain: None, micros: 0, position } };
        let micros = match stamp.clock {
            ClockKind::Zoned | ClockKind::Local => stamp.micros,
            ClockKind::Boot => self.boot(record, stamp.micros),
            ClockKind::TimeOfDay => self.time_of_day(stamp.micros),
            ClockKind::YearLess => self.year_less(stamp.micros),
        };
        let segment = if stamp.clock == ClockKind::Boot { self.unrolled.boots } else { 0 };
        let domain = self.domain(stamp.clock, segment);
        if let Some(domain) = self.domains.get_mut(domain) {
            domain.earliest = Some(domain.earliest.map_or(micros, |earliest| earliest.min(micros)));
            domain.latest = Some(domain.latest.map_or(micros, |latest| latest.max(micros)));
        }
        Place { domain: Some(domain), micros, position }
    }

    /// The domain of a clock and boot, made when first met.
    fn domain(&mut self, clock: ClockKind, segment: usize) -> usize {
        let known = self.domains.iter().position(|domain| {
            domain.source == self.source && domain.clock == clock && domain.segment == segment
        });
        known.unwrap_or_else(|| {
            self.domains.push(Domain {
                source: self.source,
                clock,
                segment,
                offset: None,
                certainty: Certainty::Unknown,
                basis: String::new(),
                earliest: None,
                latest: None,
            });
            self.domains.len() - 1
        })
    }

    /// A boot clock that falls back, or a boot banner, begins another boot.
    fn boot(&mut self, record: &Record, micros: i64) -> i64 {
        let fell_back = self.unrolled.last_boot.is_some_and(|last| micros < last - SECOND);
        let banner = matches!(record.event, Event::HostBoot(_))
            && self.unrolled.last_boot.is_some_and(|last| last > SECOND);
        if fell_back || banner {
            self.unrolled.boots += 1;
        }
        self.unrolled.last_boot = Some(micros);
        micros
    }

    /// Counts days on when the time of day falls back by more than half a day.
    fn time_of_day(&mut self, micros: i64) -> i64 {
        if self.unrolled.last_time_of_day.is_some_and(|last| micros < last - DAY / 2) {
            self.unrolled.days += 1;
        }
        self.unrolled.last_time_of_day = Some(micros);
        self.unrolled.days * DAY + micros
    }

    /// Finds the year that lies nearest to what is dated, and counts on over New Year.
    fn year_less(&mut self, micros: i64) -> i64 {
        if self.unrolled.last_year_less.is_some_and(|last| micros < last - 60 * DAY) {
            self.unrolled.years += 1;
        }
        self.unrolled.last_year_less = Some(micros);
        let base = nearest_year(micros, self.dated).unwrap_or(2000);
        civil::in_year(
            micros,
            base.saturating_add(if self.dated.is_empty() { self.unrolled.years } else { 0 }),
        )
        .unwrap_or(micros)
    }
}

/// The year in which a year-less reading lies nearest to a dated span.
fn nearest_year(micros: i64, dated: &[(i64, i64)]) -> Option<i32> {
    let years =
        dated.iter().flat_map(|(first, last)| [civil::year_of(*first), civil::year_of(*last)]).flatten();
    let candidates = years.flat_map(|year| [year - 1, year, year + 1]);
    candidates.min_by_key(|year| {
        let at = civil::in_year(micros, *year).unwrap_or(i64::MAX);
        dated.iter().map(|(first, last)| distance(at, *first, *last)).min().unwrap_or(i64::MAX)
    })
}

/// How far a time lies outside a span.
fn distance(at: i64, first: i64, last: i64) -> i64 {
    if at < first { first.saturating_sub(at) } else { at.saturating_sub(last).max(0) }
}
