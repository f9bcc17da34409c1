//! Assertions that failed inside a GPU program, one line for each failing thread.
//!
//! Block and thread are left out so that the lines of one failure are equal. It does not read the host's
//! `device-side assert triggered`, which comes later and elsewhere.

use super::{Reading, phrase};
use crate::event::GpuAssert;

/// Reads `…/Indexing.cu:1289: indexSelectLargeIndex: block: [34,0,0], thread: [64,0,0] Assertion …`.
pub(super) fn read(text: &str) -> Option<Reading> {
    let (head, rest) = text.split_once("block: [")?;
    let behind = phrase::behind(rest, "], thread: [")?;
    let Some(claim) = phrase::behind(behind, "Assertion ") else { return Some(Reading::Cut("Assertion")) };
    let claim = claim.trim_end().trim_end_matches('.').trim_end_matches("failed").trim();
    let condition = claim.trim_matches('`').trim_end_matches('\'').to_owned();
    let (file, function) = place(head);
    Some(Reading::Event(GpuAssert { condition: Some(condition), function, file }.into()))
}

/// File and function of `…/Loss.cu:250: nll_loss_forward: `. On Windows there is no function, and in old builds the
/// function is a whole signature with colons of its own.
fn place(head: &str) -> (Option<String>, Option<String>) {
    let extensions = [".cu:", ".cuh:", ".cpp:", ".hpp:", ".hip:", ".py:", ".h:"];
    let Some((end, extension)) = extensions.iter().find_map(|name| head.find(name).map(|at| (at, *name)))
    else {
        return (None, None);
    };
    let path = head.get(..end + extension.len() - 1).unwrap_or_default();
    // What stands before the path on the same line (a progress bar) ends with a blank.
    let file = path.rsplit(char::is_whitespace).next().map(str::to_owned);
    let rest = head.get(end + extension.len()..).unwrap_or_default();
    let function = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_matches([':', ' ']);
    (file, (!function.is_empty()).then(|| function.to_owned()))
}
