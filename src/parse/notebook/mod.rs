//! Notebook files: exceptions kept in the outputs, and the cell that was running when a runner lost its kernel.
//!
//! stdout and stderr outputs are the user's and are not read as logs.

mod cell;
mod message;
mod torn;

use super::{Claim, Document, Found};
use crate::{
    event::{CodeRun, EditorKernelDied},
    line::{Mark, shorten},
};
use cell::Cell;
use serde_json::Value;

/// The document.
pub const DOCUMENT: Document = Document { name: "notebook", recognise, read };

/// Whether a file is a notebook. `nbformat` stands at the end and may lie beyond the beginning.
fn recognise(head: &str) -> bool {
    head.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with('{')
        && head.contains("\"cells\"")
        && (head.contains("\"cell_type\"") || head.contains("\"nbformat\""))
}

/// Reads a notebook.
fn read(text: &str, found: &mut Vec<Found>) -> Claim {
    let text = text.trim_start_matches('\u{feff}');
    let value = match serde_json::from_str::<Value>(text) {
        Ok(value) => value,
        // A log of JSON lines, the first of which holds a notebook, is no notebook.
        Err(error) if error.to_string().starts_with("trailing characters") => return Claim::NotMine,
        Err(_) => {
            torn::read(text, found);
            message::read(found);
            return Claim::Damaged("a complete notebook".to_owned());
        }
    };
    let Some(cells) = value.get("cells").and_then(Value::as_array) else { return Claim::NotMine };
    let notebook = input_path(&value);
    let cells: Vec<_> = cells.iter().filter_map(Cell::of).collect();
    let mut lines = torn::error_lines(text).into_iter();
    for cell in &cells {
        for mut event in cell.exceptions() {
            event.notebook.clone_from(&notebook);
            let mark = place(
                lines.next().unwrap_or(1),
                &format!(
                    "{}: {}",
                    event.exception.as_deref().unwrap_or_default(),
                    event.message.as_deref().unwrap_or_default()
                ),
            );
            found.push(Found::at(&mark, event));
        }
    }
    message::read(found);
    if let Some(cell) = cells.iter().find(|cell| cell.crashed()) {
        let words = "The Kernel crashed while executing code";
        let died = EditorKernelDied { editor: Some("vscode".to_owned()), ..EditorKernelDied::default() };
        found.push(Found::at(&place(torn::line_of(text, &cell.first_source_line()), words), died));
    }
    for cell in last(&cells) {
        let line = torn::line_of(text, &cell.first_source_line());
        let (stamps, mark) = (cell.started(), place(line, &cell.first_source_line()));
        let mark = Mark { exact: stamps.is_some(), stamps: stamps.into_iter().collect(), ..mark };
        let count = cell.count().or_else(|| next_count(&cells, cell));
        found.push(Found::at(&mark, CodeRun { notebook: notebook.clone(), cell: count, ..cell.run() }));
    }
    Claim::Mine
}

/// The number that a cell without one would have got: a kernel that crashed at once had no time to say it. Where the counts
/// begin anew behind the cell, only those before it are its kernel's.
fn next_count(cells: &[Cell<'_>], cell: &Cell<'_>) -> Option<i64> {
    let at = cells.iter().position(|other| std::ptr::eq(other, cell))?;
    let restarted = cells.get(at + 1).and_then(Cell::count) == Some(1);
    let same_kernel = if restarted { cells.get(..at)? } else { cells };
    Some(1 + same_kernel.iter().filter_map(Cell::count).max()?)
}

/// The notebook of which this one is the executed copy, as papermill was told and as its log names it.
fn input_path(notebook: &Value) -> Option<String> {
    Some(notebook.pointer("/metadata/papermill/input_path")?.as_str()?.to_owned())
}

/// The cells that may have run last: the one that a runner never saw the end of, else the one with the highest count,
/// and behind it the next without a count. `JupyterLab` writes a cell's count down when it is done, so the cell that
/// ended the kernel has none. Where the counts begin anew, a kernel ended as well.
fn last<'a>(cells: &'a [Cell<'a>]) -> Vec<&'a Cell<'a>> {
    if let Some(unfinished) = cells.iter().rev().find(|cell| cell.unfinished()) {
        return vec![unfinished];
    }
    let counted = (0..).zip(cells).filter_map(|(at, cell)| Some((cell.count()?, at, cell)));
    let Some((_, at, cell)) = counted.max_by_key(|(count, at, _)| (*count, *at)) else { return Vec::new() };
    let next = cells.get(at + 1).filter(|next| next.count().is_none() && !next.first_source_line().is_empty());
    std::iter::once(cell).chain(next).chain(before_restarts(cells)).collect()
}

/// The cells without a count behind which the counts begin anew although cells stand before them: the notebook was run on
/// in the next kernel.
fn before_restarts<'a>(cells: &'a [Cell<'a>]) -> impl Iterator<Item = &'a Cell<'a>> {
    let pairs = cells.iter().zip(cells.iter().skip(1)).skip(1);
    pairs
        .filter(|(cell, next)| cell.count().is_none() && next.count() == Some(1) && !cell.first_source_line().is_empty())
        .map(|(cell, _)| cell)
}

/// A place in the notebook's JSON.
fn place(number: u64, text: &str) -> Mark {
    Mark { number, text: shorten(text), ..Mark::default() }
}
