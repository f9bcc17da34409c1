//! dask.distributed: the nanny that restarts workers, and the scheduler that gives up on a task.
//!
//! It does not read warnings below the budget (`pausing`, `spilling`). The nanny ends its workers by SIGTERM, whether
//! they are over their budget or are no longer needed, and by SIGKILL when one does not heed it: that it then finds
//! them ended tells of no trouble.

use super::{Said, died, from, pool::one, signal};
use crate::{event::WorkerDied, parse::prim};

/// The signal by which a nanny ends its workers: SIGTERM.
const NANNYS_OWN: i64 = 15;

/// Reads a line.
pub(super) fn read(text: &str) -> Said {
    if text.contains("memory budget. Restarting") {
        return over_budget(text);
    }
    if let Some(message) = from(text, "KilledWorker: ") {
        return one(died("dask", message));
    }
    match from(text, "Worker process ") {
        Some(message) => ended(message),
        None => Said::Nothing,
    }
}

/// Whether the nanny says that it ends a worker that did not go by itself: `Worker process still alive after
/// 3.1999995422363283 seconds, killing`.
pub(super) fn kills(text: &str) -> bool {
    from(text, "Worker process still alive after ").is_some_and(|words| words.contains(" seconds, killing"))
}

/// `Worker tcp://127.0.0.1:39033 (pid=1234) exceeded 95% memory budget. Restarting...`; before 2022 without the address.
fn over_budget(text: &str) -> Said {
    let Some(message) = text.find("Worker ").and_then(|at| text.get(at..)) else { return Said::Nothing };
    let pid = prim::value_of(message, "pid").and_then(|pid| pid.parse().ok());
    one(WorkerDied { pid, ended_by: Some("dask's nanny".to_owned()), ..died("dask", message) })
}

/// `Worker process 1234 was killed by signal 9`, `Worker process 1234 exited with status 1`.
fn ended(message: &str) -> Said {
    let tail = message.get("Worker process ".len()..).unwrap_or_default();
    let Ok((how, pid)) = prim::integer(tail) else { return Said::Nothing };
    let number =
        |mark: &str| how.strip_prefix(mark).and_then(|code| prim::integer(code).ok()).map(|(_, code)| code);
    let signal = number(" was killed by signal ").filter(|signal| *signal != NANNYS_OWN);
    let exit_code = number(" exited with status ");
    if signal.is_none() && exit_code.is_none() && !how.starts_with(" was killed by unknown signal") {
        return Said::Nothing;
    }
    one(WorkerDied {
        pid: Some(pid),
        signal: signal.and_then(signal::of_number),
        exit_code,
        ..died("dask", message)
    })
}
