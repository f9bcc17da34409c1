//! Where a piece of text came from: a log's path and a line in it.

/// The position of a log in the list of analysed logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub usize);

/// A line of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The log.
    pub source: SourceId,
    /// The line, counted from 1 in the decoded text.
    pub line: u64,
}
