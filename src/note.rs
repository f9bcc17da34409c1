//! `Note`: what was odd about the input and did not stop the run.

/// A remark for the reader of the report, never a reason to stop.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// The log it is about; empty for the run as a whole.
    pub path: String,
    /// The line, counted from 1, where there is one.
    pub line: Option<u64>,
    /// One sentence without a full stop.
    pub text: String,
}

impl Note {
    /// A remark about a line of a log.
    pub fn at(path: &str, line: u64, text: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: Some(line), text: text.into() }
    }

    /// A remark about a whole log, or with an empty path about the run.
    pub fn about(path: &str, text: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: None, text: text.into() }
    }
}
