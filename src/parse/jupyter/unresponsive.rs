//! Kernels that do not answer, or do not end, in time.
//!
//! Not a death: the process may be alive and stuck, in Linux or under Python's global lock.

use super::id::kernel_id;
use crate::{
    event::ServerKernelUnresponsive,
    line::Line,
    parse::{Claim, Found, phrase, prim},
};

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "Nudge: attempt ",
    "Timeout waiting for kernel_info",
    "Restarting kernel failed",
    "Timeout waiting for restart",
    "final termination of kernel timed out",
];

/// The messages and what did not happen in time.
const MESSAGES: &[(&str, &str)] = &[
    ("Timeout waiting for kernel_info reply from ", "kernel_info"),
    ("Timeout waiting for kernel_info_reply", "kernel_info"),
    ("Restarting kernel failed", "restart"),
    ("Timeout waiting for restart", "restart"),
    ("final termination of kernel timed out", "termination"),
];

/// The first attempt that the server itself warns of. At DEBUG it prints each, and the first ones are usual.
const PATIENCE: i64 = 10;

/// Looks at one line.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let event = nudge(line.text).or_else(|| timed_out(line.text));
    let Some(event) = event else { return Claim::NotMine };
    found.push(Found::on(line, event));
    Claim::Mine
}

/// `Nudge: attempt 10 on kernel <id>`: one every half second, so the tenth means five seconds of silence.
fn nudge(text: &str) -> Option<ServerKernelUnresponsive> {
    let (_, rest) = phrase::around(text, "Nudge: attempt ")?;
    let (rest, attempt) = prim::integer(rest).ok().filter(|(_, attempt)| *attempt >= PATIENCE)?;
    Some(ServerKernelUnresponsive {
        kernel_id: first_id(rest.strip_prefix(" on kernel ").unwrap_or_default()),
        what: Some("nudge".to_owned()),
        attempt: Some(attempt),
        seconds: None,
    })
}

/// One of the time-outs.
fn timed_out(text: &str) -> Option<ServerKernelUnresponsive> {
    let (what, rest) = MESSAGES
        .iter()
        .find_map(|(literal, what)| phrase::around(text, literal).map(|(_, rest)| (*what, rest)))?;
    Some(ServerKernelUnresponsive {
        kernel_id: first_id(rest.trim_start_matches([':', ' '])),
        what: Some(what.to_owned()),
        attempt: None,
        seconds: None,
    })
}

/// The kernel id at the beginning, if it is whole.
fn first_id(text: &str) -> Option<String> {
    kernel_id(text).map(|(id, _)| id.to_owned())
}
