//! Places in a notebook's text, and what can be saved of a notebook whose JSON breaks off.
//!
//! It understands no more of JSON than quotes.

use crate::{
    event::PythonException,
    line::{Mark, shorten},
    parse::Found,
};

/// How far from its beginning an error output's name and message are looked for, in bytes.
const NEAR: usize = 16 << 10;
/// The most exceptions that are saved.
const MOST: usize = 200;

/// The numbers of the lines in which error outputs begin, in order.
pub(super) fn error_lines(text: &str) -> Vec<u64> {
    let mut lines = Vec::new();
    let (mut number, mut counted) = (1, 0);
    for at in error_places(text) {
        number += feeds(text.get(counted..at).unwrap_or_default());
        counted = at;
        lines.push(number);
    }
    lines
}

/// The number of the line that holds a source line, as JSON writes it; 1 if it is not found.
pub(super) fn line_of(text: &str, source: &str) -> u64 {
    let quoted = serde_json::to_string(source).unwrap_or_default();
    let needle = quoted.strip_suffix('"').unwrap_or(&quoted);
    let found = text.find(needle).filter(|_| !source.is_empty());
    1 + found.map_or(0, |at| feeds(text.get(..at).unwrap_or_default()))
}

/// Gives the exceptions of a notebook that breaks off.
pub(super) fn read(text: &str, found: &mut Vec<Found>) {
    let lines = error_lines(text);
    for (at, number) in error_places(text).zip(lines).take(MOST) {
        let mut end = text.len().min(at + NEAR);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        // `ename` and `evalue` stand on either side of `output_type`, by the alphabet before it.
        let mut start = at.saturating_sub(NEAR);
        while !text.is_char_boundary(start) {
            start += 1;
        }
        let before = text.get(start..at).unwrap_or_default();
        let output = before.rfind("\"ename\"").and_then(|place| before.get(place..)).unwrap_or_default();
        let behind = text.get(at..end).unwrap_or_default();
        let member = |name: &str| member(output, name).or_else(|| member(behind, name));
        let Some(exception) = member("\"ename\"") else { continue };
        let message = member("\"evalue\"");
        let mark = Mark { number, text: shorten(&exception), ..Mark::default() };
        let place = Some("cell".to_owned());
        let event =
            PythonException { exception: Some(exception), message, place, ..PythonException::default() };
        found.push(Found::at(&mark, event));
    }
}

/// Where `"output_type": "error"` stands. Inside a text the quotes are escaped, so a printed notebook is not met.
fn error_places(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices("\"output_type\"").filter_map(|(at, name)| {
        let rest = text.get(at + name.len()..)?.trim_start().strip_prefix(':')?;
        rest.trim_start().starts_with("\"error\"").then_some(at)
    })
}

/// A text member behind its quoted name.
fn member(text: &str, name: &str) -> Option<String> {
    let (_, rest) = text.split_once(name)?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    serde_json::Deserializer::from_str(rest).into_iter::<String>().next()?.ok()
}

/// How many line feeds.
fn feeds(text: &str) -> u64 {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64
}
