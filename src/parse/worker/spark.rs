//! Spark's executors, as a driver in the notebook tells of their ends.
//!
//! Spark replaces executors as it likes; only an end for want of memory, or by a signal that comes of one, is read.

use super::{Said, died, from, pool::one, signal};
use crate::{event::WorkerDied, parse::prim};

/// Reads a line.
///
/// `ExecutorLostFailure (executor 4 exited caused by one of the running tasks) Reason: Container killed by YARN for exceeding
/// physical memory limits. 9.3 GB of 9 GB physical memory used. …`; on Kubernetes `… Reason: The executor with id 4 exited with
/// exit code 137(SIGKILL, possible container OOM).`
pub(super) fn read(text: &str) -> Said {
    let Some(message) = from(text, "ExecutorLostFailure (executor ") else { return Said::Nothing };
    if message.contains("Container killed by YARN for exceeding") {
        let (ended_by, signal) = (Some("YARN".to_owned()), Some("SIGKILL".to_owned()));
        return one(WorkerDied { ended_by, signal, ..died("spark", message) });
    }
    let code = message.split_once("exited with exit code ").and_then(|(_, rest)| prim::integer(rest).ok());
    let Some(number) = code.map(|(_, code)| code - 128).filter(|number| *number > 0) else {
        return Said::Nothing;
    };
    let signal = signal::of_number(number);
    if signal.is_some() { one(WorkerDied { signal, ..died("spark", message) }) } else { Said::Nothing }
}
