//! Turns lines into events: one module a source, nom for the shape.
//!
//! A parser answers each line with one of three outcomes: not mine, mine, mine but damaged. It knows neither files
//! nor clocks nor rules. Adding one is a file here, a name in `parsers!`, and a fixture in `fixtures/parsers/`.

pub(crate) mod broken;
mod cgroup;
mod linux;
mod phrase;
pub mod prim;

use crate::{
    event::Event,
    line::{Line, Mark},
};

/// What a parser says of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// Another parser's, or nobody's.
    NotMine,
    /// Understood; an event may follow now or when the record is complete.
    Mine,
    /// Recognised, but cut off or garbled: what was expected where it broke off.
    Damaged(String),
}

/// An event and the line that says so.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The event.
    pub event: Event,
    /// The line.
    pub mark: Mark,
}

impl Found {
    /// An event that one line tells completely.
    pub fn on(line: &Line<'_>, event: impl Into<Event>) -> Self {
        Self { event: event.into(), mark: line.mark() }
    }

    /// An event of a line seen earlier.
    pub fn at(mark: &Mark, event: impl Into<Event>) -> Self {
        Self { event: event.into(), mark: mark.clone() }
    }
}

/// A parser at work on one log.
pub trait Parser {
    /// Looks at a line that holds one of the parser's needles, or at any line while [`Parser::hungry`].
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim;

    /// Whether an open multi-line record needs the next lines, needles or not.
    fn hungry(&self) -> bool {
        false
    }

    /// Whether something seen waits for a line that may not come, so that it must be shown before whatever another part of
    /// the same parser makes of the next line. It asks for no line.
    fn waits(&self) -> bool {
        false
    }

    /// The log has ended: an open record is given as far as it goes. A dying process's last record is often cut.
    fn finish(&mut self, found: &mut Vec<Found>) {
        let _ = found;
    }
}

/// The description of a parser.
pub struct Spec {
    /// The source's kind, as reports show it.
    pub name: &'static str,
    /// Literals of which at least one stands in every line that the parser claims while it is not hungry. They are
    /// searched in the raw bytes, under JSON escapes too: plain ASCII without quotes and backslashes, but for words of
    /// other languages, which are found where they are not escaped.
    pub needles: &'static [&'static str],
    /// The words of its parts, a list each, where it is made of parts that look at few of its lines: a part sees the lines
    /// that hold one of its words ([`Line::parts`]). One whose list is empty sees all. 32 parts at most.
    pub parts: &'static [&'static [&'static str]],
    /// Begins work on a log.
    pub make: fn() -> Box<dyn Parser>,
}

/// A parser that needs only one line at a time.
pub struct OneLine(pub fn(&Line<'_>, &mut Vec<Found>) -> Claim);

impl Parser for OneLine {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        (self.0)(line, found)
    }
}

/// A format that only makes sense as a whole file: a notebook, `docker inspect`, a pod's YAML.
pub struct Document {
    /// The source's kind.
    pub name: &'static str,
    /// Whether a file is of this format, by its first 64 KiB of text.
    pub recognise: fn(head: &str) -> bool,
    /// Reads it.
    pub read: fn(text: &str, found: &mut Vec<Found>) -> Claim,
}

/// Declares the parsers' modules and builds the lists, in the order in which they see a line.
macro_rules! parsers {
    (lines: $($line:ident),* ; documents: $($document:ident),* $(,)?) => {
        $(pub mod $line;)*
        $(pub mod $document;)*
        /// Every parser of lines.
        pub const PARSERS: &[Spec] = &[$($line::PARSER),*];
        /// Every parser of whole documents.
        pub const DOCUMENTS: &[Document] = &[$($document::DOCUMENT),*];
    };
}

parsers! {
    lines: jupyter, oom, container, fault, daemons, systemd, hub, runner, python, native, gpu_memory, gpu_error, kubernetes, editor, shell, proxy, worker, xid, memory, scheduler, machine, lost, engine, counters, crash_report, windows_error, crash, container_list, process_list, record;
    documents: inspect, pod_status, notebook, ipython_log, script
}
