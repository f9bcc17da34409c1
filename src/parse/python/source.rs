//! The line of the user's cell that was being run.
//!
//! It does not keep lines of libraries.

use super::frame::Frame;

/// The longest source line kept, in characters.
const LONGEST: usize = 300;

/// The last executed line of the cell, collected while a traceback is read.
#[derive(Debug, Default)]
pub(super) struct Source {
    /// The line, without its number and indentation.
    pub text: Option<String>,
    wanted: bool,
}

impl Source {
    /// A frame begins; only a cell's source is wanted.
    pub(super) fn frame(&mut self, frame: &Frame) {
        self.wanted = frame.is_cell();
    }

    /// Looks at a line below a frame: `IPython` marks the executed one with an arrow, `CPython` shows only that one.
    pub(super) fn line(&mut self, text: &str, indented: bool) {
        if !self.wanted {
            return;
        }
        let trimmed = text.trim();
        let numbered = trimmed.starts_with(|c: char| c.is_ascii_digit());
        let source = match arrow(trimmed) {
            Some(source) => source,
            None if indented && !numbered && !trimmed.is_empty() => trimmed,
            None => return,
        };
        self.wanted = false;
        self.text = Some(source.chars().take(LONGEST).collect());
    }
}

/// What stands behind `----> 3 `. Long line numbers shorten the arrow down to `->`.
fn arrow(text: &str) -> Option<&str> {
    let dashes = text.trim_start_matches('-');
    if dashes.len() == text.len() {
        return None;
    }
    let number = dashes.strip_prefix("> ")?;
    let source = number.trim_start_matches(|c: char| c.is_ascii_digit());
    (source.len() < number.len()).then(|| source.trim())
}
