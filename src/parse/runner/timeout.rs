//! A cell that ran longer than the runner allows. Not a death: the runner itself then interrupts or ends the kernel.
//!
//! It does not know which cell it was.

use super::context::Context;
use crate::{
    event::RunnerCellTimeout,
    line::Line,
    parse::{Found, prim},
};

/// The lines within which the same time-out is told again, by the log, the exception and its text.
const SAME_LINES: u64 = 200;

/// The last time-out seen: its line, the time allowed and the notebook.
#[derive(Default)]
pub(super) struct Timeouts(Option<(u64, Option<i64>, Option<String>)>);

impl Timeouts {
    /// Looks at one line; `true` if it tells of a time-out.
    pub(super) fn line(&mut self, line: &Line<'_>, context: &Context, found: &mut Vec<Found>) -> bool {
        let Some(TimedOut { seconds }) = timed_out(line.text) else { return false };
        let known = self.0.as_ref().is_some_and(|(number, before, notebook)| {
            line.number <= number + SAME_LINES
                && (seconds.is_none() || *before == seconds)
                && *notebook == context.notebook
        });
        if !known {
            self.0 = Some((line.number, seconds, context.notebook.clone()));
            let (runner, notebook) = (context.runner.clone(), context.notebook.clone());
            found.push(Found::on(line, RunnerCellTimeout { runner, notebook, seconds }));
        }
        true
    }
}

/// A time-out that a line tells of, with the time allowed if the line gives it.
struct TimedOut {
    seconds: Option<i64>,
}

/// `Timeout waiting for execute reply (3s).`, `CellTimeoutError: A cell timed out while it was being executed, after
/// 3 seconds.`, `Cell execution timed out.`
fn timed_out(text: &str) -> Option<TimedOut> {
    if let Some((_, rest)) = text.split_once("Timeout waiting for execute reply (") {
        return prim::integer(rest).ok().map(|(_, seconds)| TimedOut { seconds: Some(seconds) });
    }
    if text.contains("CellTimeoutError: ") || text.contains("A cell timed out while it was being executed") {
        let after = text.split_once("after ").and_then(|(_, rest)| prim::integer(rest).ok());
        return Some(TimedOut { seconds: after.map(|(_, seconds)| seconds) });
    }
    let spoken = text.contains("Cell execution timed out") && !text.contains("(\"Cell execution");
    (spoken || text.contains("Executing notebook failed: CellTimeoutError"))
        .then_some(TimedOut { seconds: None })
}
