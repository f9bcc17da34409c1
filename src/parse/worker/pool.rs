//! Pools of processes: joblib's loky, `concurrent.futures`, `torch.multiprocessing`, torchrun, gunicorn.
//!
//! It does not read what a worker printed itself.

use super::{Said, died, from, signal};
use crate::{event::WorkerDied, parse::prim};

/// Reads a line.
pub(super) fn read(text: &str) -> Said {
    if let Some(message) = from(text, "TerminatedWorkerError: ") {
        return terminated(message);
    }
    if let Some(message) = from(text, "BrokenProcessPool: ") {
        let pool = if text.contains("loky") { "joblib" } else { "concurrent.futures" };
        let said = after_colon(message);
        return if said.is_empty() { Said::Cut("how the pool broke") } else { one(died(pool, said)) };
    }
    if let Some(message) = from(text, "ProcessExitedException: process ") {
        return spawned(message);
    }
    if let Some(message) = from(text, "failed (exitcode: ") {
        return elastic(message);
    }
    if let Some((before, _)) = text.split_once("was sent SIGKILL") {
        return gunicorn(text, before);
    }
    Said::Nothing
}

/// A worker of joblib of which nothing else is known.
pub(super) fn joblib() -> WorkerDied {
    WorkerDied { pool: Some("joblib".to_owned()), ..WorkerDied::default() }
}

/// `joblib.externals.loky.process_executor.TerminatedWorkerError: A worker process managed by the executor was
/// unexpectedly terminated. …`; the exit codes follow after a blank line.
fn terminated(message: &str) -> Said {
    let said = after_colon(message);
    // The advice that follows the first sentence is always the same.
    let first = said.split_once(". ").map_or(said, |(first, _)| first).trim_end_matches('.');
    if first.is_empty() {
        return Said::Begins(joblib());
    }
    Said::Begins(died("joblib", &format!("{first}.")))
}

/// `The exit codes of the workers are {SIGKILL(-9), EXIT(1)}`: signal, exit code and the sentence. The set of a pool
/// that was torn down also holds workers that were ended by it (`SIGTERM`, `EXIT(0)`); the others tell more.
pub(super) fn exit_codes(text: &str) -> Option<(Option<String>, Option<i64>, String)> {
    let sentence = from(text, "exit codes of the workers are")?;
    let inner = sentence.split_once('{')?.1.split('}').next()?;
    let codes: Vec<(&str, i64)> = inner.split(',').filter_map(code).collect();
    let tells = |(name, code): &&(&str, i64)| !matches!(*name, "SIGTERM") && *code != 0;
    let (name, code) = codes.iter().find(tells).or(codes.first()).copied()?;
    let signal = code.checked_neg().and_then(signal::of_number).or_else(|| signal::known(name));
    let exit_code = (code >= 0).then_some(code);
    Some((signal, exit_code, format!("The {}", sentence.trim().chars().take(200).collect::<String>())))
}

/// `SIGKILL(-9)`.
fn code(text: &str) -> Option<(&str, i64)> {
    let (name, code) = text.trim().split_once('(')?;
    Some((name, code.strip_suffix(')')?.parse().ok()?))
}

/// `ProcessExitedException: process 0 terminated with signal SIGKILL`, `… with exit code 1`.
fn spawned(message: &str) -> Said {
    let Some((_, how)) = message.split_once("terminated with ") else {
        return Said::Cut("how the process ended");
    };
    let signal = how.strip_prefix("signal ").and_then(|name| signal::known(name.trim()));
    let exit_code = how.strip_prefix("exit code ").and_then(|code| code.trim().parse().ok());
    one(WorkerDied { signal, exit_code, ..died("multiprocessing", after_colon(message)) })
}

/// torchrun: `failed (exitcode: -9) local_rank: 0 (pid: 276) of binary: /opt/bin/python`.
fn elastic(message: &str) -> Said {
    let number = |mark: &str| {
        let (_, tail) = message.split_once(mark)?;
        prim::integer(tail).ok().map(|(_, number)| number)
    };
    let Some(code) = number("exitcode: ") else { return Said::Cut("the exit code") };
    one(WorkerDied {
        pid: number("pid: "),
        signal: code.checked_neg().and_then(signal::of_number),
        exit_code: (code >= 0).then_some(code),
        ..died("torchrun", message)
    })
}

/// gunicorn: `Worker (pid:812) was sent SIGKILL! Perhaps out of memory?`
fn gunicorn(text: &str, before: &str) -> Said {
    let pid =
        before.split_once("Worker (pid:").and_then(|(_, pid)| prim::integer(pid).ok()).map(|(_, pid)| pid);
    if pid.is_none() {
        return Said::Nothing;
    }
    let message = from(text, "Worker (pid:").unwrap_or(text);
    one(WorkerDied { pid, signal: Some("SIGKILL".to_owned()), ..died("gunicorn", message) })
}

/// One death.
pub(super) fn one(event: WorkerDied) -> Said {
    Said::Died(vec![event])
}

/// What stands behind the exception's type.
fn after_colon(message: &str) -> &str {
    message.split_once(": ").map_or("", |(_, said)| said.trim())
}
