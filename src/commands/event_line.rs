//! `EventLine`: one record of `kerneldoc events`, with its clock as read and the key by which records are joined.
//!
//! It guesses no time: a stamp that names no zone keeps its own clock.

use crate::{
    event::{Channel, Origin, Record, Value},
    redact::{Redacted, Redactor},
    stamp::{ClockKind, Stamp},
};
use chrono::{DateTime, SecondsFormat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An event that a log tells of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventLine {
    /// `kerneldoc.event/1`.
    pub schema: String,
    /// When, RFC 3339 in UTC, if the log itself names the zone. Nothing is guessed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Every stamp on the line, outermost first, as read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stamps: Vec<StampLine>,
    /// Whether the stamps stand on this very line; otherwise they are those of the stamped line before it.
    #[serde(default)]
    pub exact: bool,
    /// The stamp of the last of several equal events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<StampLine>,
    /// How many equal events, one after the other, this line stands for.
    pub count: u64,
    /// The kind of event, of those in `docs/events.md`.
    pub kind: String,
    /// Its fields, by name; sizes in bytes.
    #[serde(default)]
    pub fields: BTreeMap<String, serde_json::Value>,
    /// The log.
    pub path: Redacted,
    /// What the log is: `jupyter`, `dmesg` …
    pub source: String,
    /// The line, counted from 1.
    pub line: u64,
    /// The line, quoted.
    pub text: Redacted,
    /// Where it came from, as its envelopes say.
    #[serde(default, skip_serializing_if = "OriginLine::is_empty")]
    pub origin: OriginLine,
    /// Records that belong together have the same: host and boot, else container or pod, else folder.
    pub key: Redacted,
}

/// A time as a log printed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StampLine {
    /// `zoned`, `local`, `year-less`, `date-less` or `boot`.
    pub clock: String,
    /// Microseconds on that clock: since the epoch, midnight or boot.
    pub micros: i64,
}

/// Where a line came from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct OriginLine {
    /// The host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<Redacted>,
    /// The boot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boot: Option<Redacted>,
    /// The container's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container_id: Option<Redacted>,
    /// The container's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container_name: Option<Redacted>,
    /// The pod.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pod: Option<Redacted>,
    /// The program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<Redacted>,
    /// The program's process id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<i64>,
    /// The systemd unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<Redacted>,
    /// `stdout` or `stderr`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<Redacted>,
    /// `ring buffer` or `process`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
}

impl EventLine {
    /// The line of a record of the log at `path`.
    pub(super) fn new(record: &Record, path: &str, source: &str, redactor: Redactor) -> Self {
        let fields = record.event.fields().map(|(name, value)| (name.to_owned(), json(value, redactor)));
        Self {
            schema: "kerneldoc.event/1".to_owned(),
            time: record.stamp().and_then(utc),
            stamps: record.stamps.iter().copied().map(StampLine::from).collect(),
            exact: record.exact,
            last: record.last.map(StampLine::from),
            count: record.count,
            kind: record.event.kind().name.to_owned(),
            fields: fields.collect(),
            path: redactor.redact(path),
            source: source.to_owned(),
            line: record.at.line,
            text: redactor.redact(&record.text),
            origin: OriginLine::new(&record.origin, redactor),
            key: redactor.redact(&key(record, path)),
        }
    }
}

impl OriginLine {
    /// What the envelopes said.
    fn new(origin: &Origin, redactor: Redactor) -> Self {
        let text = |text: &Option<String>| text.as_deref().map(|text| redactor.redact(text));
        Self {
            host: text(&origin.host),
            boot: text(&origin.boot),
            container_id: text(&origin.container_id),
            container_name: text(&origin.container_name),
            pod: text(&origin.pod),
            program: text(&origin.program),
            pid: origin.pid,
            unit: text(&origin.unit),
            stream: text(&origin.stream),
            channel: match origin.channel {
                Channel::Unknown => None,
                Channel::RingBuffer => Some("ring buffer".to_owned()),
                Channel::Process => Some("process".to_owned()),
            },
        }
    }

    /// Whether the envelopes said nothing.
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl From<Stamp> for StampLine {
    fn from(stamp: Stamp) -> Self {
        Self { clock: stamp.clock.word().to_owned(), micros: stamp.micros }
    }
}

/// The time of a stamp that names its zone.
fn utc(stamp: Stamp) -> Option<String> {
    if stamp.clock != ClockKind::Zoned {
        return None;
    }
    Some(DateTime::from_timestamp_micros(stamp.micros)?.to_rfc3339_opts(SecondsFormat::AutoSi, true))
}

/// A field's value.
fn json(value: Value, redactor: Redactor) -> serde_json::Value {
    match value {
        Value::Integer(value) => value.into(),
        Value::Number(value) => value.into(),
        Value::Text(text) => redactor.redact(&text).as_str().into(),
    }
}

/// What joins records: host and boot, else container or pod, else folder.
fn key(record: &Record, path: &str) -> String {
    let origin = &record.origin;
    let folder = || path.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned();
    match (&origin.host, &origin.boot) {
        (Some(host), Some(boot)) => format!("host:{host}/{boot}"),
        (Some(host), None) => format!("host:{host}"),
        _ => {
            let pod = origin.pod.clone().or_else(|| record.event.text("pod")).map(|pod| format!("pod:{pod}"));
            let id = origin.container_id.clone().or_else(|| record.event.text("container_id"));
            let container = id.map(|id| format!("container:{}", id.get(..12).unwrap_or(&id)));
            container.or(pod).unwrap_or_else(|| format!("folder:{}", folder()))
        }
    }
}
