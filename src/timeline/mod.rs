//! Puts the records of all logs on one clock, as far as the logs say how, and tells what that rests on.
//!
//! It knows stamps and pairs of events that belong together in time; it knows no parser, no rule and no death.

mod anchor;
mod anchored;
mod civil;
mod domain;
mod place;
mod shelf;
mod solve;

pub use civil::rfc3339;
pub use domain::{Certainty, Domain};
pub use shelf::Shelf;

use crate::{
    event::{Event, Record},
    extract::Extract,
    source::SourceId,
    stamp::{ClockKind, SECOND},
};
use std::collections::BTreeMap;

/// How vague the time of a line without a stamp may be, behind the last stamp of its log.
pub const VAGUE: i64 = 3600 * SECOND;

/// What the user said of clocks that the logs cannot tell.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// Seconds east of UTC of logs without a zone; with a pattern, only of those whose path it matches.
    pub timezones: Vec<(Option<String>, i64)>,
    /// When the host booted, microseconds since the epoch.
    pub boot_time: Option<i64>,
}

/// When something happened, as exactly as the log tells: microseconds since the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct When {
    /// Not before this.
    pub earliest: i64,
    /// Not after this. A line without a stamp lies between its stamped neighbours.
    pub latest: i64,
}

/// A record on the common clock.
#[derive(Debug, Clone)]
pub struct Moment {
    /// The record.
    pub record: Record,
    /// When, if its log could be put on the common clock.
    pub when: Option<When>,
    /// Its place in its own log, counted from the oldest line: comparable only within one log.
    pub position: u64,
}

/// A log on the common clock.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact about the log that is asked for by itself")]
pub struct Source {
    /// Its path.
    pub path: String,
    /// Its kind.
    pub kind: String,
    /// Events found in it.
    pub events: u64,
    /// The machine it is about, where folders tell machines apart.
    pub place: Option<String>,
    /// Whether a Jupyter server speaks in it.
    pub server_log: bool,
    /// Whether a runner of notebooks speaks in it.
    pub runner_log: bool,
    /// Whether it holds lines of Linux's ring buffer.
    pub host_log: bool,
    /// Whether code of users can write any line into it: a server's log holds what its kernels print, a runner's or a
    /// CI job's what the cells print.
    pub open_to_users: bool,
    /// Whether lines of it were lost: suppressed, dropped, or overwritten.
    pub lost_lines: bool,
    /// Its clocks, the best first, and how each was put on the common one.
    pub domains: Vec<Domain>,
    /// What it covers on the common clock.
    pub covers: Option<(i64, i64)>,
}

/// All records, oldest first.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    /// The logs.
    pub sources: Vec<Source>,
    /// The records: by time, then by log and line. Those without a time come last.
    pub moments: Vec<Moment>,
    /// All moments, by time.
    pub shelf: Shelf,
    /// Whether the common clock has a real date. Without one, times only order.
    pub dated: bool,
}

impl Timeline {
    /// Builds the timeline of some logs.
    pub fn new(extracts: Vec<Extract>, overrides: &Overrides) -> Self {
        let placed = domain::place(&extracts);
        let mut machines = place::places(&extracts);
        let solved = solve::solve(&extracts, placed, &machines, overrides);
        let mut sources: Vec<Source> = Vec::new();
        let mut by_log = Vec::new();
        for (index, extract) in extracts.into_iter().enumerate() {
            let domains = solved.domains_of(SourceId(index));
            sources.push(source(&extract, domains, machines.get_mut(index).and_then(Option::take)));
            by_log.push(solved.moments(SourceId(index), extract));
        }
        let end = sources.iter().filter_map(|source| source.covers).map(|(_, last)| last).max();
        for (source, moments) in sources.iter().zip(&mut by_log) {
            open_end(moments, source.covers.map(|(_, last)| last), end);
        }
        let mut moments: Vec<Moment> = by_log.into_iter().flatten().collect();
        moments.sort_by_key(|moment| {
            (moment.when.map_or(i64::MAX, |when| when.latest), moment.record.at.source, moment.position)
        });
        let shelf = Shelf::new(&moments, 0..moments.len());
        Self { sources, moments, shelf, dated: solved.dated }
    }

    /// Moments that can lie in a stretch of time: those of a time in it, and those without a time.
    pub fn near(&self, (begin, end): (i64, i64)) -> Vec<usize> {
        let mut found = self.shelf.within(&self.moments, begin, end);
        found.extend(self.shelf.untimed());
        found
    }

    /// Whether a record is the host's by its words, and stands where anybody's code could have written it. A kernel that
    /// prints `Out of memory: Killed process` makes no kill.
    pub fn is_hearsay(&self, moment: &Moment) -> bool {
        let record = &moment.record;
        let open = self.source(record.at.source).is_some_and(|source| source.open_to_users);
        record.event.kind().is_of_the_host() && (open || record.origin.is_container_output())
    }

    /// The log a record stands in.
    pub fn source(&self, id: SourceId) -> Option<&Source> {
        self.sources.get(id.0)
    }

    /// The path of the log a record stands in.
    pub fn path(&self, record: &Record) -> &str {
        self.source(record.at.source).map_or("", |source| source.path.as_str())
    }

    /// A time of the common clock for people, if the clock has a date.
    pub fn show(&self, micros: i64) -> Option<String> {
        self.dated.then(|| rfc3339(micros)).flatten()
    }

    /// The source kinds that were given, with how many logs of each.
    pub fn kinds(&self) -> BTreeMap<&str, usize> {
        let mut kinds = BTreeMap::new();
        for source in &self.sources {
            *kinds.entry(source.kind.as_str()).or_default() += 1;
        }
        kinds
    }
}

/// What stands behind the last stamp of a log may be much later than it: as late as the last that any log knows. `last`
/// is that stamp, `end` the last of all.
fn open_end(moments: &mut [Moment], last: Option<i64>, end: Option<i64>) {
    let (Some(last), Some(end)) = (last, end) else { return };
    for moment in moments.iter_mut().rev().take_while(|moment| !moment.record.exact) {
        if let Some(when) = moment.when.as_mut().filter(|when| when.earliest >= last) {
            when.latest = when.latest.max(end.min(when.earliest.saturating_add(VAGUE)));
        }
    }
}

/// A log's part of the report: what it is and what it covers.
fn source(extract: &Extract, domains: Vec<Domain>, place: Option<String>) -> Source {
    let best = domains.first();
    let covers = best.and_then(|domain| {
        let span = extract.spans.get(&domain.clock)?;
        let known = domain.clock == ClockKind::Zoned || domain.clock == ClockKind::Local;
        if known || domain.clock == ClockKind::Boot {
            Some((span.earliest + domain.offset?, span.latest + domain.offset?))
        } else {
            Some((domain.earliest? + domain.offset?, domain.latest? + domain.offset?))
        }
    });
    let speaks =
        |subject: &str| extract.records.iter().any(|record| record.event.kind().name.starts_with(subject));
    Source {
        path: extract.path.clone(),
        kind: extract.kind.clone(),
        events: extract.records.iter().map(|record| record.count).sum(),
        place,
        server_log: speaks("server."),
        runner_log: speaks("runner."),
        host_log: extract.host_log,
        open_to_users: extract.output || extract.records.iter().any(passes_output_on),
        lost_lines: extract.records.iter().any(|record| matches!(record.event, Event::LogLinesLost(_))),
        domains,
        covers,
    }
}

/// Whether a record shows that its log is open to users: a program that passes their output on speaks in it, without a
/// carrier that keeps the speakers apart (syslog and compose name each line's).
fn passes_output_on(record: &Record) -> bool {
    record.event.kind().is_of_servers() && record.origin.is_bare()
}
