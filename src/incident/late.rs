//! What a batch scheduler reports when a job ends, of what happened at any time in it. Slurm counts the processes that
//! Linux killed and says so last of all: beside a server that was stopped in good order it is the end of none.

use super::Identity;
use crate::{
    event::Event,
    source::SourceId,
    stamp::SECOND,
    timeline::{Shelf, Timeline},
};
use std::collections::BTreeSet;

/// A step ends at most so long after the server in it has stopped.
const ENDS: i64 = 120 * SECOND;

/// The servers that were stopped, by log, by job and by time.
#[derive(Debug, Default)]
pub(super) struct Stopped {
    logs: BTreeSet<SourceId>,
    jobs: Identity,
    times: Shelf,
}

impl Stopped {
    /// Reads who was stopped, if any report is late.
    pub(super) fn new(timeline: &Timeline, identities: &[Identity]) -> Self {
        let mut stopped = Self::default();
        if !timeline.moments.iter().any(|moment| moment.record.event.is_late_report()) {
            return stopped;
        }
        let stops =
            || timeline.moments.iter().enumerate().filter(|(_, moment)| is_stop(&moment.record.event));
        for (index, moment) in stops() {
            stopped.logs.insert(moment.record.at.source);
            stopped
                .jobs
                .owners
                .extend(identities.get(index).into_iter().flat_map(|one| one.owners.iter().cloned()));
        }
        stopped.times = Shelf::new(&timeline.moments, stops().map(|(index, _)| index));
        stopped
    }

    /// Whether a report is late, and its job's server was stopped in good order: that server's log tells of its kernels'
    /// ends, and of no other's.
    pub(super) fn tell_more(&self, timeline: &Timeline, identities: &[Identity], at: usize) -> bool {
        let (Some(report), Some(about)) =
            (timeline.moments.get(at).filter(|one| one.record.event.is_late_report()), identities.get(at))
        else {
            return false;
        };
        let near = |(begin, end)| {
            self.times
                .iter_within(&timeline.moments, begin, end)
                .any(|stop| identities.get(stop).is_some_and(|other| !other.contradicts(about)))
        };
        self.logs.contains(&report.record.at.source)
            || self.jobs.shares_job(about)
            || report.when.is_some_and(|when| near((when.earliest - ENDS, when.latest)))
    }
}

/// Whether a server says that it stops, and what with it.
fn is_stop(event: &Event) -> bool {
    matches!(event, Event::ServerStopping(_) | Event::ServerKernelsStopping(_))
}
