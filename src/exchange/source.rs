//! `SourceLine` and `SkippedLine`: what the first half says of a log beside its events.

use super::event::StampLine;
use crate::{
    event::Record,
    extract::{Extract, Span},
    note::Note,
    partition,
    redact::{Redacted, Redactor},
    stamp::ClockKind,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fmt::Write as _};

/// A log that was read. A log of which the records have several keys has a line for each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceLine {
    /// `kerneldoc.source/1`.
    pub schema: String,
    /// The log.
    pub path: Redacted,
    /// What it is: `jupyter`, `dmesg` …
    pub source: String,
    /// Names the log: its events have the same.
    pub log: String,
    /// The key of the events it is given with.
    pub key: Redacted,
    /// How many lines of events with this key there are.
    pub events: u64,
    /// Bytes read, after decompression.
    pub bytes: u64,
    /// Lines read.
    pub lines: u64,
    /// What each clock of the log covers, by its word.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub clocks: BTreeMap<String, SpanLine>,
    /// Two clocks read from one line: what an envelope says, and what it wraps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<(StampLine, StampLine)>,
    /// The zone in which its stamps were printed, in seconds east of UTC, if they name another than UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub east_seconds: Option<i32>,
    /// Whether the newest line stands first.
    #[serde(default)]
    pub newest_first: bool,
    /// Whether it holds lines of Linux's ring buffer.
    #[serde(default)]
    pub host_log: bool,
    /// Whether it holds lines of some program's output, and does not say which program's.
    #[serde(default)]
    pub output: bool,
    /// What was odd.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteLine>,
}

/// What a log covers on one clock, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpanLine {
    /// The first stamp in the log.
    pub first: i64,
    /// The last stamp in the log.
    pub last: i64,
    /// The smallest stamp.
    pub earliest: i64,
    /// The largest stamp.
    pub latest: i64,
}

/// A remark about a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteLine {
    /// The line, counted from 1, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// One sentence without a full stop.
    pub text: Redacted,
}

/// A path that was not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkippedLine {
    /// `kerneldoc.skipped/1`.
    pub schema: String,
    /// The path.
    pub path: Redacted,
    /// Why.
    pub reason: Redacted,
    /// The path's key.
    pub key: Redacted,
}

/// A log, its name among all logs, and the key of all its records where somebody gave one.
pub(super) struct Described<'a> {
    pub(super) extract: &'a Extract,
    pub(super) id: String,
    pub(super) given: Option<&'a str>,
}

impl<'a> Described<'a> {
    /// The `copy`th log at this path, counted from 0.
    pub(super) fn new(extract: &'a Extract, copy: usize, given: Option<&'a str>) -> Self {
        Self { extract, id: id(extract, copy), given }
    }

    /// The key of a record.
    pub(super) fn key(&self, record: &Record) -> String {
        self.given.map_or_else(|| partition::of_record(record, &self.extract.path), str::to_owned)
    }

    /// How many records have which key. A log without records has the key of its path.
    pub(super) fn keys(&self) -> BTreeMap<String, u64> {
        let mut keys = BTreeMap::new();
        for record in &self.extract.records {
            *keys.entry(self.key(record)).or_default() += 1;
        }
        if keys.is_empty() {
            let key = self.given.map_or_else(|| partition::of_path(&self.extract.path), str::to_owned);
            keys.insert(key, 0);
        }
        keys
    }
}

/// Names a log by what was read of it: the same log read twice has the same.
fn id(extract: &Extract, copy: usize) -> String {
    let mut digest = Sha256::new();
    digest.update(format!("{copy} {} {} {}", extract.bytes, extract.lines, extract.records.len()));
    digest.update(extract.path.as_bytes());
    digest.finalize().iter().take(8).fold(String::new(), |mut hex, byte| {
        // Writing into a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

impl SourceLine {
    /// The line of a log for the records with this key.
    pub(super) fn new(log: &Described<'_>, key: &str, events: u64, redactor: Redactor) -> Self {
        let extract = log.extract;
        let note = |note: &Note| NoteLine { line: note.line, text: redactor.redact(&note.text) };
        Self {
            schema: super::SOURCE_SCHEMA.to_owned(),
            path: redactor.redact(&extract.path),
            source: extract.kind.clone(),
            log: log.id.clone(),
            key: redactor.redact(key),
            events,
            bytes: extract.bytes,
            lines: extract.lines,
            clocks: extract
                .spans
                .iter()
                .map(|(clock, span)| (clock.word().to_owned(), SpanLine::from(*span)))
                .collect(),
            pairs: extract.pairs.iter().map(|(outer, inner)| ((*outer).into(), (*inner).into())).collect(),
            east_seconds: extract.east,
            newest_first: extract.newest_first,
            host_log: extract.host_log,
            output: extract.output,
            notes: extract.notes.iter().map(note).collect(),
        }
    }

    /// The log again, still without its records; what is wrong with the line if it is none.
    pub(super) fn extract(&self) -> Result<Extract, String> {
        let path = self.path.as_str().to_owned();
        let note = |note: &NoteLine| Note {
            path: path.clone(),
            line: note.line,
            text: note.text.as_str().to_owned(),
        };
        let span = |(word, span): (&String, &SpanLine)| {
            let clock = ClockKind::from_word(word).ok_or_else(|| format!("`{word}` is no clock"))?;
            Ok((clock, Span::from(*span)))
        };
        let pair = |(outer, inner): &(StampLine, StampLine)| Ok((outer.stamp()?, inner.stamp()?));
        Ok(Extract {
            kind: self.source.clone(),
            records: Vec::new(),
            notes: self.notes.iter().map(note).collect(),
            bytes: self.bytes,
            lines: self.lines,
            spans: self.clocks.iter().map(span).collect::<Result<_, String>>()?,
            pairs: self.pairs.iter().map(pair).collect::<Result<_, String>>()?,
            east: self.east_seconds,
            newest_first: self.newest_first,
            host_log: self.host_log,
            output: self.output,
            path,
        })
    }
}

impl SkippedLine {
    /// The line of a path that was not read.
    pub(super) fn new(path: &str, reason: &str, given: Option<&str>, redactor: Redactor) -> Self {
        Self {
            schema: super::SKIPPED_SCHEMA.to_owned(),
            path: redactor.redact(path),
            reason: redactor.redact(reason),
            key: redactor.redact(&given.map_or_else(|| partition::of_path(path), str::to_owned)),
        }
    }
}

impl From<Span> for SpanLine {
    fn from(Span { first, last, earliest, latest }: Span) -> Self {
        Self { first, last, earliest, latest }
    }
}

impl From<SpanLine> for Span {
    fn from(SpanLine { first, last, earliest, latest }: SpanLine) -> Self {
        Self { first, last, earliest, latest }
    }
}
