//! Writes a report: text for people, json and ndjson for programs.
//!
//! Every format is a pure function of the report. It reads no log, no clock and no environment, and judges nothing.

mod json;
mod safe;
mod text;

pub use json::write_json_line;
pub use safe::safe;
pub use text::{Sheet, Styles};

use crate::report::Report;
use std::io::{self, Write};

/// A form that a report can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Format {
    /// For people: one screen a death.
    #[default]
    Text,
    /// The whole report, indented.
    Json,
    /// One death or finding a line.
    Ndjson,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Text, Self::Json, Self::Ndjson];

    /// The word used on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
        }
    }

    /// The format of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.word() == word)
    }
}

/// How much the text format tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Detail {
    /// One line a death.
    Brief,
    /// One screen a death.
    #[default]
    Normal,
    /// Everything: why, every figure, every source, whole lines.
    Full,
}

/// What the text format is written for. The other formats do not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Columns.
    pub width: usize,
    /// Whether to colour. Colour never carries meaning alone.
    pub colour: bool,
    /// Whether addresses become links that a terminal can open.
    pub hyperlinks: bool,
    /// How much to tell.
    pub detail: Detail,
}

impl Default for Options {
    fn default() -> Self {
        Self { width: 100, colour: false, hyperlinks: false, detail: Detail::Normal }
    }
}

/// Writes a report.
///
/// # Errors
/// Only those of the writer.
pub fn render(report: &Report, format: Format, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => text::write(report, options, out),
        Format::Json => json::write(report, out),
        Format::Ndjson => json::write_lines(report, out),
    }
}
