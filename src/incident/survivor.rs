//! Who lived on after something ended: servers whose logs go on, kernels that tell of a lost worker.

use super::ending::KILLS_TOGETHER;
use crate::{
    event::Event,
    source::SourceId,
    stamp::SECOND,
    timeline::{Moment, Shelf, Timeline, When},
};
use std::collections::BTreeMap;

/// A container that ended starts again within this time, even if the restarts back off.
const RESTARTED: i64 = 600 * SECOND;
/// A pool tells of a lost worker within this time: it waits for the results of the others first.
const WORKER_TOLD: i64 = 60 * SECOND;
/// A server that still writes this long after a kill has not lost a kernel: its restarter would have said so.
pub(super) const OUTLIVES: i64 = 8 * SECOND;

/// A runner waits for its kernel and says within this time that it died.
const RUNNER_TOLD: i64 = 60 * SECOND;

/// What a server's log covers, and its moments.
type Server = (Option<(i64, i64)>, Vec<usize>);

/// The servers and workers of a timeline.
#[derive(Debug, Default)]
pub(crate) struct Survivors {
    /// What the servers' logs cover, and their moments.
    servers: Vec<Server>,
    /// What the runners' logs cover; without a time if that is not known.
    runners: Vec<Option<(i64, i64)>>,
    /// When the first of all these begins, if that is known of all.
    first: Option<i64>,
    /// Moments that tell of a worker that did not end as it was told to.
    workers: Shelf,
}

impl Survivors {
    /// Reads who there is.
    pub(super) fn new(timeline: &Timeline) -> Self {
        let mut moments: BTreeMap<SourceId, Vec<usize>> = BTreeMap::new();
        for (index, moment) in timeline.moments.iter().enumerate() {
            moments.entry(moment.record.at.source).or_default().push(index);
        }
        let servers = timeline.sources.iter().enumerate().filter(|(_, source)| source.server_log);
        let servers = servers
            .map(|(index, source)| (source.covers, moments.remove(&SourceId(index)).unwrap_or_default()));
        let lost = timeline.moments.iter().enumerate().filter(|(_, moment)| {
            matches!(&moment.record.event, Event::WorkerDied(worker) if worker.signal.as_deref() != Some("SIGTERM"))
        });
        let servers: Vec<Server> = servers.collect();
        let runners = timeline.sources.iter().filter(|source| source.runner_log && !source.server_log);
        let runners: Vec<_> = runners.map(|source| source.covers).collect();
        let all = servers.iter().map(|(covers, _)| covers).chain(&runners);
        let firsts: Option<Vec<i64>> = all.map(|covers| covers.map(|(first, _)| first)).collect();
        Self {
            servers,
            runners,
            first: firsts.and_then(|firsts| firsts.into_iter().min()),
            workers: Shelf::new(&timeline.moments, lost.map(|(index, _)| index)),
        }
    }

    /// Whether a kill lies long before the first line of every server's and runner's log: whoever it was, it was no kernel
    /// of theirs. A container that was killed whole is up again, with a new log, much sooner.
    pub(crate) fn come_after(&self, moment: &Moment) -> bool {
        match (&moment.record.event, moment.when) {
            (Event::OomKill(kill), Some(when)) if kill.victim.as_deref() != Some("server") => {
                self.first.is_some_and(|first| when.latest + RESTARTED < first)
            }
            (Event::FaultSegfault(_) | Event::FaultTrap(_), Some(when)) => self.ran_at_other_times(when),
            _ => false,
        }
    }

    /// Whether there are runners only, and each began later or had said its last before: a runner outlives a kernel that
    /// crashes, and says so.
    fn ran_at_other_times(&self, when: When) -> bool {
        let elsewhere = |(first, last): (i64, i64)| {
            when.latest + RUNNER_TOLD < first || last + RUNNER_TOLD < when.earliest
        };
        self.servers.is_empty()
            && !self.runners.is_empty()
            && self.runners.iter().all(|covers| covers.is_some_and(elsewhere))
    }

    /// Whether the log of a server covers the moment and goes on as if nothing had happened.
    pub(super) fn live_on(&self, timeline: &Timeline, at: usize, moment: &Moment) -> bool {
        let Some(when) = moment.when else {
            // Last words in a cell's output or a terminal: a server's log beside them would know of a death.
            return moment.record.event.is_last_words() && !self.servers.is_empty();
        };
        // Words without a stamp may be as old as the stamped line before them.
        let said = if moment.record.exact { when.latest } else { when.earliest };
        self.servers.iter().any(|(covers, moments)| {
            covers.is_some_and(|(first, last)| first <= when.earliest && said + OUTLIVES <= last)
                && !starts_anew(timeline, moments, at, when)
        })
    }

    /// Whether a kernel told that a worker of its was killed: then the kernel lived, and the kill was the worker's.
    pub(super) fn tell_of_a_worker(&self, timeline: &Timeline, kill: &Moment) -> bool {
        let Some(when) = kill.when else { return self.workers.all().next().is_some() };
        let (begin, end) = (when.earliest - KILLS_TOGETHER, when.latest + WORKER_TOLD);
        !self.workers.untimed().is_empty()
            || self.workers.iter_within(&timeline.moments, begin, end).next().is_some()
    }
}

/// Whether what a server's log says next after a moment is that its server starts: the one before it did not live on.
fn starts_anew(timeline: &Timeline, own: &[usize], at: usize, when: When) -> bool {
    let moment = |index: &usize| timeline.moments.get(*index);
    let later =
        |index: &usize| moment(index).and_then(|one| one.when).is_none_or(|one| one.latest > when.latest);
    // They go up by the latest that they can have been.
    let start = own.partition_point(|index| *index < at || !later(index));
    let mut next = own.get(start..).unwrap_or_default().iter().filter_map(moment);
    let next = next.find(|moment| moment.when.is_some_and(|other| other.earliest > when.latest));
    next.is_some_and(|moment| matches!(moment.record.event, Event::ServerStarted(_)))
}
