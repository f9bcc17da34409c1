//! `Line`: one line of a log as parsers see it, after everything wrapped around it has been taken off.
//!
//! It does not know which parser will claim it.

mod clean;

pub use clean::{clean, segments};

use crate::{
    event::Origin,
    stamp::{Stamp, Stamps},
};
use smallvec::smallvec;
use std::{borrow::Cow, sync::Arc};

/// The longest text of a line that is kept as evidence, in characters.
pub const EVIDENCE_CHARACTERS: usize = 400;

/// The head of a logger's line: `[W 2026-11-30 15:22:30.902 ServerApp]`, `WARNING:root:`, `[NbConvertApp] ERROR |`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Logger<'a> {
    /// The level's letter in capitals: `D I W E C`, or `F` where a program has it.
    pub level: Option<char>,
    /// The logger's name: `ServerApp`, `JupyterHub`, `NotebookApp`, `root`, `IPKernelApp`.
    pub name: Cow<'a, str>,
    /// The module and line it logged from, `notebookapp:1960`.
    pub module: Option<Cow<'a, str>>,
}

impl Logger<'_> {
    /// The same, remembered.
    pub fn into_owned(self) -> Logger<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Logger { level: self.level, name: owned(self.name), module: self.module.map(owned) }
    }
}

/// One line as a parser sees it.
#[derive(Debug, Clone)]
pub struct Line<'a> {
    /// The line's number in the log, counted from 1.
    pub number: u64,
    /// The message: without envelopes, colours and the logger's head.
    pub text: &'a str,
    /// The line without its envelopes but with the logger's head, to be quoted.
    pub shown: &'a str,
    /// The stamps on the line, outermost first; of an unstamped line, those of the stamped line before it.
    pub stamps: &'a [Stamp],
    /// Whether the stamps stand on this very line.
    pub exact: bool,
    /// What the envelopes said; most lines of a log share it.
    pub origin: &'a Arc<Origin>,
    /// The logger's head, if the line has one.
    pub logger: Option<&'a Logger<'a>>,
    /// The parts of the parser that may have to do with it, a bit each: those of whose words it holds one. All of them
    /// where nobody has looked.
    pub parts: u32,
}

/// A line remembered, to be named as the place of an event that is complete only later.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mark {
    /// The line's number.
    pub number: u64,
    /// Its stamps.
    pub stamps: Stamps,
    /// Whether they stand on this very line.
    pub exact: bool,
    /// Its text, cut to [`EVIDENCE_CHARACTERS`].
    pub text: String,
    /// Its origin.
    pub origin: Arc<Origin>,
}

impl Mark {
    /// Dates it by a stamp that the record bears itself, in place of the log's.
    pub fn date(&mut self, stamp: Stamp) {
        self.stamps = smallvec![stamp];
        self.exact = true;
    }

    /// The line as it was remembered, its logger's head in its text.
    pub fn line(&self) -> Line<'_> {
        Line {
            number: self.number,
            text: &self.text,
            shown: &self.text,
            stamps: &self.stamps,
            exact: self.exact,
            origin: &self.origin,
            logger: None,
            parts: u32::MAX,
        }
    }
}

impl Line<'_> {
    /// Remembers this line.
    pub fn mark(&self) -> Mark {
        Mark {
            number: self.number,
            stamps: self.stamps.into(),
            exact: self.exact,
            text: shorten(self.shown),
            origin: Arc::clone(self.origin),
        }
    }

    /// Remembers this line in place of another, whose buffers it takes over: a series' last line changes millions of times.
    pub fn mark_over(&self, mark: &mut Mark) {
        mark.number = self.number;
        mark.stamps.clear();
        mark.stamps.extend_from_slice(self.stamps);
        mark.exact = self.exact;
        mark.text.clear();
        shorten_into(self.shown, &mut mark.text);
        mark.origin.clone_from(self.origin);
    }

    /// Whether each of the parser's first parts may have to do with it.
    pub fn parts<const COUNT: usize>(&self) -> [bool; COUNT] {
        std::array::from_fn(|part| self.parts >> part & 1 == 1)
    }

    /// The logger's name, or nothing.
    pub fn logger_name(&self) -> &str {
        self.logger.map_or("", |logger| logger.name.as_ref())
    }
}

/// Cuts a text to what is kept as evidence, at a character boundary, with a mark where it was cut.
pub fn shorten(text: &str) -> String {
    let mut short = String::with_capacity(text.len().min(EVIDENCE_CHARACTERS + 3));
    shorten_into(text, &mut short);
    short
}

/// The same at the end of another text. Bytes are counted first: few texts are so long.
fn shorten_into(text: &str, short: &mut String) {
    let end =
        (text.len() > EVIDENCE_CHARACTERS).then(|| text.char_indices().nth(EVIDENCE_CHARACTERS)).flatten();
    match end {
        None => short.push_str(text.trim_end()),
        Some((end, _)) => {
            short.push_str(text.get(..end).unwrap_or_default());
            short.push('…');
        }
    }
}
