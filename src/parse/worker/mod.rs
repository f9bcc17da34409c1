//! Worker processes that died under a kernel which lives on: `DataLoader`, joblib, `concurrent.futures`, ray, dask, Spark.
//!
//! It does not say what killed them; a host's log does. The exceptions with which they are reported are events of the
//! Python parser as well.

mod dask;
mod dataloader;
mod pool;
mod ray;
mod signal;
mod spark;

use super::{Claim, Found, Parser, Spec};
use crate::{
    event::WorkerDied,
    line::{Line, Mark},
};
use std::collections::BTreeSet;

/// The parser.
pub const PARSER: Spec = Spec {
    name: "worker",
    needles: &[
        "DataLoader worker (pid",
        "encountered in worker",
        "TerminatedWorkerError: ",
        "exit codes of the workers are",
        "BrokenProcessPool: ",
        "ProcessExitedException: process ",
        "failed (exitcode: ",
        "was sent SIGKILL",
        "WorkerCrashedError: ",
        "ActorDiedError: ",
        "RayActorError: ",
        "Task was killed due to the node running low on memory",
        "died or was killed while executing a task",
        "killed due to memory pressure",
        "memory budget. Restarting",
        "KilledWorker: ",
        "Worker process ",
        "ExecutorLostFailure (executor ",
    ],
    parts: &[],
    make: || Box::new(Worker::default()),
};

/// How many lines joblib's two sentences may stand apart.
const MOST_APART: usize = 12;
/// The most workers remembered as already reported.
const MOST_REPORTED: usize = 512;
/// The longest message kept, in characters.
const LONGEST: usize = 400;

/// What a line says of workers.
pub(crate) enum Said {
    /// Nothing.
    Nothing,
    /// These died.
    Died(Vec<WorkerDied>),
    /// One died, and the next lines may give its exit code: joblib.
    Begins(WorkerDied),
    /// Recognised but cut off: what was expected.
    Cut(&'static str),
}

/// A death whose exit code is still to come.
struct Pending {
    mark: Mark,
    event: WorkerDied,
    left: usize,
}

/// The parser's state.
#[derive(Default)]
struct Worker {
    pending: Option<Pending>,
    /// The workers of a `DataLoader` already reported: it tells of one death twice, first how and then that.
    reported: BTreeSet<i64>,
    /// The workers that dask's nanny said it ends over their budget.
    restarted: BTreeSet<i64>,
    /// How many workers dask's nanny said it kills, without naming them.
    killed: u32,
}

impl Parser for Worker {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if self.exit_codes(line, found) {
            return Claim::Mine;
        }
        if dask::kills(line.text) {
            self.killed += 1;
            return Claim::Mine;
        }
        match said(line.text) {
            Said::Nothing => self.wait(found),
            Said::Cut(expected) => Claim::Damaged(expected.to_owned()),
            Said::Begins(event) => {
                self.finish(found);
                self.pending = Some(Pending { mark: line.mark(), event, left: MOST_APART });
                Claim::Mine
            }
            Said::Died(events) => {
                for event in events {
                    self.report(line, event, found);
                }
                Claim::Mine
            }
        }
    }

    fn hungry(&self) -> bool {
        self.pending.is_some()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        if let Some(pending) = self.pending.take() {
            found.push(Found::at(&pending.mark, pending.event));
        }
    }
}

impl Worker {
    /// Reads joblib's second sentence into the death it belongs to.
    fn exit_codes(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> bool {
        let Some((signal, exit_code, codes)) = pool::exit_codes(line.text) else { return false };
        let (mark, mut event) = match self.pending.take() {
            Some(pending) => (pending.mark, pending.event),
            None => (line.mark(), pool::joblib()),
        };
        (event.signal, event.exit_code) = (signal, exit_code);
        event.message = Some(match event.message {
            Some(message) => format!("{message} {codes}"),
            None => codes,
        });
        found.push(Found::at(&mark, event));
        true
    }

    /// Gives a death, unless a `DataLoader` only repeats it.
    fn report(&mut self, line: &Line<'_>, event: WorkerDied, found: &mut Vec<Found>) {
        if event.pool.as_deref() == Some("dask") && self.by_nanny(&event) {
            return;
        }
        if event.pool.as_deref() == Some("dataloader")
            && let Some(pid) = event.pid
        {
            if self.reported.len() >= MOST_REPORTED {
                self.reported.clear();
            }
            let again = !self.reported.insert(pid);
            if again && event.signal.is_none() && event.exit_code.is_none() {
                return;
            }
        }
        found.push(Found::on(line, event));
    }

    /// Whether dask's nanny ended this worker itself and has said so before.
    fn by_nanny(&mut self, event: &WorkerDied) -> bool {
        let Some(pid) = event.pid else { return false };
        if event.ended_by.is_some() {
            if self.restarted.len() < MOST_REPORTED {
                self.restarted.insert(pid);
            }
            return false;
        }
        if event.signal.as_deref() != Some("SIGKILL") {
            return false;
        }
        if self.restarted.remove(&pid) {
            return true;
        }
        let announced = self.killed > 0;
        self.killed = self.killed.saturating_sub(1);
        announced
    }

    /// Counts a line that was not the one waited for.
    fn wait(&mut self, found: &mut Vec<Found>) -> Claim {
        if let Some(pending) = &mut self.pending {
            pending.left -= 1;
            if pending.left == 0 {
                self.finish(found);
            }
        }
        Claim::NotMine
    }
}

/// Asks each kind of pool.
fn said(text: &str) -> Said {
    for read in [dataloader::read, pool::read, ray::read, dask::read, spark::read] {
        match read(text) {
            Said::Nothing => {}
            said => return said,
        }
    }
    Said::Nothing
}

/// An event with its message, which begins at a literal.
pub(crate) fn died(pool: &str, message: &str) -> WorkerDied {
    WorkerDied {
        pool: Some(pool.to_owned()),
        message: Some(message.trim().chars().take(LONGEST).collect()),
        ..WorkerDied::default()
    }
}

/// The text from a literal on.
pub(crate) fn from<'a>(text: &'a str, literal: &str) -> Option<&'a str> {
    text.get(text.find(literal)?..)
}
