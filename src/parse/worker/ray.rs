//! ray's raylet and its exceptions about workers and actors.
//!
//! It does not read ray's own logs below `/tmp/ray`.

use super::{Said, died, from, pool::one};
use crate::{event::WorkerDied, parse::prim};

/// Sentences that say that a worker or actor is gone.
const SENTENCES: [&str; 6] = [
    "WorkerCrashedError: ",
    "ActorDiedError: ",
    "RayActorError: ",
    "Task was killed due to the node running low on memory",
    "worker died or was killed while executing a task",
    "killed due to memory pressure",
];

/// Reads a line.
pub(super) fn read(text: &str) -> Said {
    let Some(message) = SENTENCES.iter().find_map(|sentence| from(text, sentence)) else {
        return Said::Nothing;
    };
    // `2 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed due to other reasons at node`.
    let pressure = message.starts_with("killed due to memory pressure");
    let message = if pressure { text } else { message };
    let pid =
        text.split_once("Worker PID: ").and_then(|(_, pid)| prim::integer(pid).ok()).map(|(_, pid)| pid);
    let memory = pressure || message.starts_with("Task was killed");
    // ray's own memory monitor ends workers with SIGKILL, before Linux has to.
    let signal = memory.then(|| "SIGKILL".to_owned());
    let ended_by = memory.then(|| "ray's memory monitor".to_owned());
    one(WorkerDied { ended_by, pid, signal, ..died("ray", message) })
}
