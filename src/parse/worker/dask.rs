//! dask.distributed: the nanny that restarts workers, and the scheduler that gives up on a task.
//!
//! It does not read warnings below the budget (`pausing`, `spilling`).

use super::{Said, died, from, pool::one, signal};
use crate::{event::WorkerDied, parse::prim};

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

/// `Worker tcp://127.0.0.1:39033 (pid=1234) exceeded 95% memory budget. Restarting...`; before 2022 without the address.
fn over_budget(text: &str) -> Said {
    let Some(message) = text.find("Worker ").and_then(|at| text.get(at..)) else { return Said::Nothing };
    let pid = prim::value_of(message, "pid").and_then(|pid| pid.parse().ok());
    one(WorkerDied { pid, signal: Some("SIGKILL".to_owned()), ..died("dask", message) })
}

/// `Worker process 1234 was killed by signal 15`, `Worker process 1234 exited with status 1`.
fn ended(message: &str) -> Said {
    let tail = message.get("Worker process ".len()..).unwrap_or_default();
    let Ok((how, pid)) = prim::integer(tail) else { return Said::Nothing };
    let number =
        |mark: &str| how.strip_prefix(mark).and_then(|code| prim::integer(code).ok()).map(|(_, code)| code);
    let signal = number(" was killed by signal ");
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
