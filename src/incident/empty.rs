//! Servers that stopped by themselves for want of work, of which the log shows that no kernel was left in them: none was
//! started, or each was shut down before. Their end is no kernel's.
//!
//! A log that does not show the server's start does not show what ran in it.

use crate::{
    event::Event,
    source::SourceId,
    timeline::{Moment, Timeline},
};
use std::collections::{BTreeMap, BTreeSet};

/// The moments at which such servers stopped.
pub(super) fn stops(timeline: &Timeline) -> BTreeSet<usize> {
    let mut stops = BTreeSet::new();
    if !timeline.moments.iter().any(is_idle_stop) {
        return stops;
    }
    let mut logs: BTreeMap<SourceId, Vec<(u64, usize)>> = BTreeMap::new();
    for (index, moment) in timeline.moments.iter().enumerate() {
        logs.entry(moment.record.at.source).or_default().push((moment.position, index));
    }
    for mut log in logs.into_values() {
        log.sort_unstable();
        let mut running = Running::default();
        for (_, index) in log {
            let Some(moment) = timeline.moments.get(index) else { continue };
            if is_idle_stop(moment) && running.none() {
                stops.insert(index);
            }
            running.take(&moment.record.event);
        }
    }
    stops
}

/// Whether a server says that it stops for want of work.
fn is_idle_stop(moment: &Moment) -> bool {
    matches!(&moment.record.event, Event::ServerStopping(stopping) if stopping.by.as_deref() == Some("idle"))
}

/// What runs in a server, as its log tells.
#[derive(Default)]
struct Running {
    /// Whether the log shows all that was started.
    known: bool,
    started: BTreeSet<String>,
    alive: BTreeSet<String>,
}

impl Running {
    /// Whether nothing runs.
    fn none(&self) -> bool {
        self.known && self.alive.is_empty()
    }

    /// Takes the log's next event.
    fn take(&mut self, event: &Event) {
        match event {
            Event::ServerStarted(_) => *self = Self { known: true, ..Self::default() },
            Event::ServerStopping(_) => self.known = false,
            Event::ServerKernelStarted(started) => {
                self.known &= started.kernel_id.is_some();
                self.started.extend(started.kernel_id.clone());
                self.alive.extend(started.kernel_id.clone());
            }
            Event::ServerKernelShutdown(shutdown) => {
                self.alive.retain(|alive| shutdown.kernel_id.as_ref() != Some(alive));
            }
            // A kernel of which the log does not show the start.
            event => self.known &= event.text("kernel_id").is_none_or(|id| self.started.contains(&id)),
        }
    }
}
