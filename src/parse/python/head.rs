//! The line that opens a traceback, and what stands before it on every line of the record.
//!
//! It does not know what follows.

use super::exception::is_type_path;
use crate::line::Line;

/// What both `CPython` and `IPython` print; only `CPython` puts a colon behind it.
const OPENING: &str = "Traceback (most recent call last)";

/// The first line of a traceback.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Head {
    /// The exception's type, which `IPython` names first.
    pub exception: Option<String>,
    /// Whether it is `IPython`'s.
    pub ipython: bool,
    /// What stands before it and, a logger's head, before each line that follows: `(EngineCore pid=17374) ERROR …`.
    pub prefix: String,
    /// By how much the record is indented.
    pub indent: usize,
    /// What follows on the same line. `NumPy` 2 prints its first frame there on Windows.
    pub rest: String,
}

/// Reads a line as the first of a traceback.
pub(super) fn head(line: &Line<'_>) -> Option<Head> {
    let (before, rest) = line.text.split_once(OPENING)?;
    let head = match rest.strip_prefix(':') {
        Some(rest) => plain(before, rest)?,
        None if rest.trim().is_empty() => ipython(before)?,
        None => return None,
    };
    Some(head)
}

/// `CPython`'s.
fn plain(before: &str, rest: &str) -> Option<Head> {
    // A quoted one is somebody's source code.
    let quoted = before.trim_end().ends_with(['"', '\'', '`', '(', '^']);
    if quoted && !rest.contains("\\n") {
        return None;
    }
    let blank = before.trim().is_empty();
    Some(Head {
        prefix: if blank { String::new() } else { before.to_owned() },
        indent: if blank { before.len() } else { 0 },
        rest: rest.to_owned(),
        ..Head::default()
    })
}

/// `IPython`'s: `ZeroDivisionError                         Traceback (most recent call last)`.
fn ipython(before: &str) -> Option<Head> {
    let trimmed = before.trim_end();
    let start = trimmed.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let path = trimmed.get(start..)?;
    let apart = before.len() > trimmed.len();
    (apart && is_type_path(path)).then(|| Head {
        exception: path.rsplit('.').next().map(str::to_owned),
        ipython: true,
        indent: if trimmed.trim().len() == path.len() { start } else { 0 },
        ..Head::default()
    })
}

/// A line without the record's prefix. Digits of the prefix may change: the clock goes on while a record is printed.
pub(super) fn without_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let mut rest = text.chars();
    for expected in prefix.chars() {
        let found = rest.next()?;
        if found != expected && !(found.is_ascii_digit() && expected.is_ascii_digit()) {
            return None;
        }
    }
    Some(rest.as_str())
}

/// The width of the blanks at a line's start.
pub(super) fn indent(text: &str) -> usize {
    text.len() - text.trim_start().len()
}
