//! pytest's summary lines about notebooks: `FAILED a.ipynb::a.ipynb - …`, which is where nbmake gives its verdict.
//!
//! The traceback above them is not read.

use crate::event::{Event, RunnerCellError, RunnerCellTimeout, RunnerKernelDied};
use std::path::Path;

/// A verdict on a notebook. `NBMAKE INTERNAL ERROR` is what nbmake says of any trouble that is not a cell's own; it
/// means a dead kernel only where the log told of one.
pub(super) fn failed(text: &str, death_seen: bool) -> Option<Event> {
    let (_, rest) = text.split_once("FAILED ")?;
    let (node, reason) = rest.split_once(" - ").unwrap_or((rest, ""));
    let notebook = node.split_once("::").map_or(node, |(file, _)| file).trim();
    if Path::new(notebook).extension().is_none_or(|extension| extension != "ipynb") {
        return None;
    }
    if reason.is_empty() && (death_seen || !node.contains("::")) {
        return None;
    }
    let (runner, notebook) = (Some("nbmake".to_owned()), Some(notebook.to_owned()));
    if reason.starts_with("NBMAKE INTERNAL ERROR") {
        let phase = Some("while running".to_owned());
        return death_seen.then(|| RunnerKernelDied { runner, notebook, cell: None, phase }.into());
    }
    if reason.contains("A cell timed out while") {
        return Some(RunnerCellTimeout { runner, notebook, seconds: None }.into());
    }
    if reason.is_empty() {
        return Some(RunnerCellError { runner, notebook, ..RunnerCellError::default() }.into());
    }
    let (exception, message) = reason.split_once(": ").unwrap_or((reason, ""));
    let exception = exception.trim();
    let named =
        !exception.is_empty() && exception.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    named.then(|| {
        let message = Some(message.trim().to_owned()).filter(|message| !message.is_empty());
        RunnerCellError { runner, notebook, cell: None, exception: Some(exception.to_owned()), message }
            .into()
    })
}
