//! A whole traceback in one line, as loggers that write JSON and journald's exports carry it.
//!
//! It does not decode JSON; only line ends and quotes are put back.

use super::{
    head::Head,
    traceback::{Step, Traceback},
};
use crate::{line::Line, parse::Found};

/// The most lines of one.
const MOST: usize = 1000;

/// Reads the rest of a head's line as the traceback itself; `false` if it is none.
pub(super) fn read(head: &Head, line: &Line<'_>, found: &mut Vec<Found>) -> bool {
    let escaped = !head.rest.contains('\n');
    if escaped && !head.rest.contains("\\n") {
        return false;
    }
    let value = if escaped { value(&head.rest) } else { &head.rest };
    let opening = Head { rest: String::new(), prefix: String::new(), ..head.clone() };
    let mut traceback = Traceback::new(opening, line);
    for piece in value.split(if escaped { "\\n" } else { "\n" }).take(MOST) {
        let text = if escaped { piece.replace("\\\"", "\"").replace("\\\\", "\\") } else { piece.to_owned() };
        let part = Line { text: &text, logger: None, parts: u32::MAX, ..line.clone() };
        if !text.is_empty() && traceback.line(&part, false) == Step::Ended {
            break;
        }
    }
    traceback.close(found);
    true
}

/// The text up to the quote that ends a JSON string.
fn value(rest: &str) -> &str {
    let mut escaped = false;
    for (at, character) in rest.char_indices() {
        match character {
            '"' if !escaped => return rest.get(..at).unwrap_or(rest),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    rest
}
