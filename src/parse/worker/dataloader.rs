//! `PyTorch`'s `DataLoader`: its handlers in the worker and its check in the parent.
//!
//! It does not read the exceptions that a worker raises and hands over.

use super::{Said, died, from, signal};
use crate::event::WorkerDied;
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::tag,
    character::complete::{char, i64 as number},
    multi::separated_list1,
    sequence::{delimited, preceded},
};

const PARENT: &str = "DataLoader worker (pid";
/// The most workers of one message.
const MOST: usize = 256;

/// Reads a line.
pub(super) fn read(text: &str) -> Said {
    if let Some(message) = from(text, PARENT) {
        return parent(message);
    }
    match text.split_once("Unexpected ").and_then(|(_, what)| what.split_once(" encountered in worker")) {
        Some((what, _)) => handler(text, what),
        None => Said::Nothing,
    }
}

/// `DataLoader worker (pid 30882) is killed by signal: Killed. `, `DataLoader worker (pid(s) 12, 13) exited unexpectedly`.
/// The source line that raises it, which a traceback shows, has `{}` for the number.
fn parent(message: &str) -> Said {
    let after = message.get(PARENT.len()..).unwrap_or_default();
    if after.contains('{') || after.contains('%') {
        return Said::Nothing;
    }
    let Ok((fate, pids)) = pids(after) else { return Said::Cut("the workers' process ids") };
    let signal = fate.split_once("killed by signal: ").and_then(|(_, words)| signal::of_words(words));
    let code = fate.split_once("exit code ").and_then(|(_, code)| leading_number(code));
    let event = |pid| WorkerDied {
        pid: Some(pid),
        signal: signal.clone(),
        exit_code: code,
        ..died("dataloader", message)
    };
    Said::Died(pids.into_iter().take(MOST).map(event).collect())
}

/// ` 30882) …` and `(s) 12, 13) …`.
fn pids(input: &str) -> IResult<&str, Vec<i64>> {
    let list = separated_list1(tag(", "), number);
    delimited(alt((tag("(s) "), tag(" "))), list, char(')')).parse(input)
}

/// A number at a text's start, followed by anything.
fn leading_number(text: &str) -> Option<i64> {
    let result: IResult<&str, i64> = preceded(tag(""), number).parse(text);
    result.ok().map(|(_, number)| number)
}

/// `ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).`
fn handler(text: &str, what: &str) -> Said {
    match signal::of_words(what) {
        Some(name) => {
            let message = from(text, "Unexpected ").unwrap_or(text);
            Said::Died(vec![WorkerDied { signal: Some(name), ..died("dataloader", message) }])
        }
        None => Said::Nothing,
    }
}
