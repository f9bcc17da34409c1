//! The automatic restarter: a kernel is gone and nobody asked for it.
//!
//! It does not pair the anonymous line with its companion; incidents do.

use super::id::{kernel_id, with_id};
use crate::{
    event::{
        Event, ServerKernelRemoved, ServerKernelRestartFailed, ServerKernelRestarted, ServerKernelRestarting,
    },
    line::Line,
    parse::{Claim, Found, phrase, prim},
};

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "KernelRestarter: restart",
    " died, removing from map",
    " restarted",
];

/// Looks at one line.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    if let Some((_, rest)) = phrase::around(line.text, "KernelRestarter: restart") {
        return restarter(line, rest, found);
    }
    if let Some(event) = removed(line.text).or_else(|| companion(line.text)) {
        found.push(Found::on(line, event));
        return Claim::Mine;
    }
    garbled_companion(line, found)
}

/// What stands behind `…KernelRestarter: restart`, synchronous or `AsyncIOLoop`.
fn restarter(line: &Line<'_>, rest: &str, found: &mut Vec<Found>) -> Claim {
    if rest.starts_with(" failed") {
        found.push(Found::on(line, ServerKernelRestartFailed { kernel_id: None }));
        return Claim::Mine;
    }
    let Some(rest) = rest.strip_prefix("ing kernel") else { return Claim::NotMine };
    // Anything else behind it is a sentence about the line: "look for `… restarting kernel` in the log".
    if !rest.trim().is_empty() && !rest.trim_start().starts_with('(') {
        return Claim::NotMine;
    }
    let (event, complete) = restarting(rest);
    found.push(Found::on(line, event));
    if complete { Claim::Mine } else { Claim::Damaged("(attempt/limit)".to_owned()) }
}

/// ` (1/5), keep random ports`. `jupyter_client` before 5.1 prints no ports. A line that breaks off is a death all the
/// same; `false` says that it broke off.
fn restarting(rest: &str) -> (ServerKernelRestarting, bool) {
    let mut event = ServerKernelRestarting::default();
    let counts = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let Some((counts, rest)) = counts else { return (event, false) };
    let (attempt, limit) = counts.split_once('/').unwrap_or((counts, ""));
    event.attempt = attempt.trim().parse().ok();
    event.limit = limit.trim().parse().ok();
    event.ports = ["new", "keep"]
        .into_iter()
        .find(|word| rest.trim_start_matches([',', ' ']).starts_with(word))
        .map(str::to_owned);
    let complete = event.attempt.is_some() && event.limit.is_some();
    (event, complete)
}

/// `Kernel <id> died, removing from map.`: only here a kernel that no browser ever saw gets a name.
fn removed(text: &str) -> Option<Event> {
    let (before, _) = phrase::around(text, " died, removing from map")?;
    let (_, word) = before.rsplit_once("ernel ")?;
    let kernel_id = kernel_id(word).map(|(id, _)| id.to_owned());
    Some(ServerKernelRemoved { kernel_id }.into())
}

/// `kernel <id> restarted`, and `kernel <id> restarted failed!` (the wording is theirs). Lower case: automatic.
///
/// Notebook 6 logs it through the root logger, as `WARNING:root:kernel …`, or bare.
fn companion(text: &str) -> Option<Event> {
    let mut rest = text;
    while let Some((_, behind)) = phrase::around(rest, "kernel ") {
        rest = behind;
        let Some((id, after)) = kernel_id(behind) else { continue };
        let Some(after) = after.strip_prefix(" restarted") else { continue };
        let kernel_id = Some(id.to_owned());
        return Some(if after.starts_with(" failed") {
            ServerKernelRestartFailed { kernel_id }.into()
        } else {
            ServerKernelRestarted { kernel_id }.into()
        });
    }
    None
}

/// `kernel b273fb restarted` behind a server's own head: the id is garbled, the death is not.
fn garbled_companion(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let garbled = line.text.strip_prefix("kernel ").filter(|rest| {
        let word = prim::word(rest).map_or("", |(_, word)| word);
        rest.contains(" restarted")
            && word.chars().all(|c| c.is_ascii_hexdigit() || !c.is_ascii_alphanumeric())
    });
    match garbled {
        Some(rest) => with_id(line, rest, found, |kernel_id, _| ServerKernelRestarted { kernel_id }.into()),
        None => Claim::NotMine,
    }
}
