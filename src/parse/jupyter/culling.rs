//! The server's own culler: which kernel it ended, and by which policy.
//!
//! The hub's culler, which stops whole servers, is the hub's.

use super::id::kernel_id;
use crate::{
    event::{ServerCullingPolicy, ServerKernelCulled},
    line::Line,
    parse::{Claim, Found, phrase, prim},
};

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "Culling ",
];

/// Looks at one line.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let Some((_, rest)) = phrase::around(line.text, "Culling ") else { return Claim::NotMine };
    if let Some(policy) = policy(rest) {
        found.push(Found::on(line, policy));
        return Claim::Mine;
    }
    let Some(event) = culled(rest) else { return Claim::NotMine };
    let complete = event.kernel_id.is_some();
    found.push(Found::on(line, event));
    if complete { Claim::Mine } else { Claim::Damaged("(kernel id)".to_owned()) }
}

/// `'idle' kernel 'python3' (<id>) with 1 connections due to 4 seconds of inactivity.`, `'dead' dead kernel …`, and
/// Notebook 5.0's `kernel 'python3' (<id>) due to …`.
fn culled(rest: &str) -> Option<ServerKernelCulled> {
    let (rest, state) = match prim::quoted(rest) {
        Ok((rest, state)) => (rest, Some(state.to_owned())),
        Err(_) => (rest, None),
    };
    let rest = rest.trim_start();
    let rest = rest.strip_prefix("dead ").unwrap_or(rest).strip_prefix("kernel ")?;
    let (rest, name) = prim::quoted(rest).ok()?;
    let id = rest.split_once('(').and_then(|(_, rest)| kernel_id(rest));
    Some(ServerKernelCulled {
        kernel_id: id.map(|(id, _)| id.to_owned()),
        kernel_name: Some(name.to_owned()),
        state,
        connections: number_behind(rest, "with "),
        idle_seconds: number_behind(rest, "due to "),
    })
}

/// The three lines that the server prints when its first kernel starts; each gives an event of its own.
fn policy(rest: &str) -> Option<ServerCullingPolicy> {
    let rest = rest.strip_prefix("kernels ")?;
    if rest.starts_with("even if busy") {
        return Some(ServerCullingPolicy { busy: Some("yes".to_owned()), ..ServerCullingPolicy::default() });
    }
    if rest.starts_with("even with connected") {
        return Some(ServerCullingPolicy {
            connected: Some("yes".to_owned()),
            ..ServerCullingPolicy::default()
        });
    }
    Some(ServerCullingPolicy {
        idle_seconds: Some(number_behind(rest, "durations > ")?),
        interval_seconds: number_behind(rest, " at "),
        ..ServerCullingPolicy::default()
    })
}

/// The whole number behind a literal.
fn number_behind(text: &str, literal: &str) -> Option<i64> {
    let (_, rest) = phrase::around(text, literal)?;
    prim::integer(rest).ok().map(|(_, number)| number)
}
