//! `EventLine`: one record of `kerneldoc events`, with its clock as read and the key by which records are joined.
//!
//! It guesses no time: a stamp that names no zone keeps its own clock.

use super::source::Described;
use crate::{
    event::{Channel, Event, FieldType, Origin, Record, Value},
    redact::{Redacted, Redactor},
    source::{Location, SourceId},
    stamp::{ClockKind, Stamp},
};
use chrono::{DateTime, SecondsFormat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};

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
    /// Which log it stands in: that of the `kerneldoc.source/1` line with the same.
    #[serde(default)]
    pub log: String,
    /// Its place among the log's events, counted from 0: lines may come in any order, and twice.
    #[serde(default)]
    pub index: u64,
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
    /// The line of a record, the `index`th of its log.
    pub(super) fn new(record: &Record, index: u64, log: &Described<'_>, redactor: Redactor) -> Self {
        let fields = record.event.fields().map(|(name, value)| (name.to_owned(), json(value, redactor)));
        Self {
            schema: super::EVENT_SCHEMA.to_owned(),
            time: record.stamp().and_then(utc),
            stamps: record.stamps.iter().copied().map(StampLine::from).collect(),
            exact: record.exact,
            last: record.last.map(StampLine::from),
            count: record.count,
            kind: record.event.kind().name.to_owned(),
            fields: fields.collect(),
            path: redactor.redact(&log.extract.path),
            source: log.extract.kind.clone(),
            line: record.at.line,
            text: redactor.redact(&record.text),
            origin: OriginLine::new(&record.origin, redactor),
            key: redactor.redact(&log.key(record)),
            log: log.id.clone(),
            index,
        }
    }

    /// The record again; what is wrong with the line if it is none.
    pub(super) fn record(&self) -> Result<Record, String> {
        let mut event = Event::empty(&self.kind)
            .ok_or_else(|| format!("this kerneldoc knows no event `{}`", self.kind))?;
        for (name, value) in &self.fields {
            let spec = event.kind().fields.iter().find(|spec| spec.name == name);
            let value = spec.and_then(|spec| value_of(value, spec.kind));
            if !value.is_some_and(|value| event.set(name, value)) {
                return Err(format!("`{}` has no such field `{name}`, or it is of another type", self.kind));
            }
        }
        Ok(Record {
            event,
            at: Location { source: SourceId(0), line: self.line },
            stamps: self.stamps.iter().map(StampLine::stamp).collect::<Result<_, _>>()?,
            exact: self.exact,
            last: self.last.as_ref().map(StampLine::stamp).transpose()?,
            count: self.count.max(1),
            text: self.text.as_str().to_owned(),
            origin: Arc::new(self.origin.origin()?),
        })
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

    /// The origin again.
    fn origin(&self) -> Result<Origin, String> {
        let text = |text: &Option<Redacted>| text.as_ref().map(|text| text.as_str().to_owned());
        Ok(Origin {
            host: text(&self.host),
            boot: text(&self.boot),
            container_id: text(&self.container_id),
            container_name: text(&self.container_name),
            pod: text(&self.pod),
            program: text(&self.program),
            pid: self.pid,
            unit: text(&self.unit),
            stream: text(&self.stream),
            channel: match self.channel.as_deref() {
                None => Channel::Unknown,
                Some("ring buffer") => Channel::RingBuffer,
                Some("process") => Channel::Process,
                Some(other) => return Err(format!("`{other}` is no channel")),
            },
        })
    }

    /// Whether the envelopes said nothing.
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl StampLine {
    /// The stamp again.
    pub(super) fn stamp(&self) -> Result<Stamp, String> {
        let clock =
            ClockKind::from_word(&self.clock).ok_or_else(|| format!("`{}` is no clock", self.clock))?;
        Ok(Stamp::new(clock, self.micros))
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

/// A field's value again, if it is of the type.
fn value_of(value: &serde_json::Value, kind: FieldType) -> Option<Value> {
    match kind {
        FieldType::Integer => value.as_i64().map(Value::Integer),
        FieldType::Number => value.as_f64().map(Value::Number),
        FieldType::Text => value.as_str().map(|text| Value::Text(text.to_owned())),
    }
}
