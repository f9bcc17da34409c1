//! What the messages of a notebook's exceptions say of GPUs, workers and the host: they are read as if printed.
//!
//! It reads nothing else of an output.

use crate::{
    event::Event,
    line::{Line, Mark},
    parse::{Found, Spec, gpu_error, gpu_memory, machine, worker},
};
use std::sync::Arc;

/// The parsers of messages that exceptions carry. The exception itself is an event already.
const READERS: [Spec; 4] = [gpu_memory::PARSER, gpu_error::PARSER, worker::PARSER, machine::PARSER];

/// Adds what the exceptions found so far say, each behind its exception: a notebook may be one long line.
pub(super) fn read(found: &mut Vec<Found>) {
    for one in std::mem::take(found) {
        let said = said(&one);
        found.push(one);
        found.extend(said);
    }
}

/// What an exception's message says, as if it were printed.
fn said(one: &Found) -> Vec<Found> {
    let Event::PythonException(exception) = &one.event else { return Vec::new() };
    let name = exception.exception.as_deref().unwrap_or_default();
    let printed = format!("{name}: {}", exception.message.as_deref().unwrap_or_default());
    READERS.iter().flat_map(|reader| heard(reader, &printed, &one.mark)).collect()
}

/// What one parser finds in a text, at the text's place in the notebook.
fn heard(reader: &Spec, text: &str, mark: &Mark) -> Vec<Found> {
    let mut parser = (reader.make)();
    let mut found = Vec::new();
    let origin = Arc::default();
    for line in text.lines() {
        if parser.hungry() || reader.needles.iter().any(|needle| line.contains(needle)) {
            let line = Line {
                number: mark.number,
                text: line,
                shown: line,
                stamps: &mark.stamps,
                exact: mark.exact,
                origin: &origin,
                logger: None,
                parts: u32::MAX,
            };
            parser.line(&line, &mut found);
        }
    }
    parser.finish(&mut found);
    found
}
