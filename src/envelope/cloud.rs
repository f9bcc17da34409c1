//! Records of the clouds' log services: Google Cloud Logging (`gcloud logging read`), Amazon `CloudWatch`
//! (`aws logs get-log-events`), and Colab's `app.log`.
//!
//! A record a line; `extract` makes lines of whole documents. Where the line comes from is told by the log's name: a
//! node's serial console and its journal carry Linux's own lines, the others a process's.

use super::{Begins, Envelope, Layer, json, prim};
use crate::{
    event::{Channel, Origin},
    stamp::{ClockKind, Stamp},
};
use serde_json::{Map, Value};
use smallvec::smallvec;
use std::borrow::Cow;

/// The envelope.
pub(super) const ENVELOPE: Envelope = Envelope {
    name: "cloud log",
    sample: r#"{"textPayload":"Killed","timestamp":"2026-11-30T15:22:30.411Z","logName":"projects/p/logs/stderr"}"#,
    begins: Begins::OBJECT,
    peel,
};

/// Members of which a record has at least one, and nobody else's line does.
const MARKS: &[&str] =
    &["\"textPayload\"", "\"jsonPayload\"", "\"ingestionTime\"", "\"logStreamName\"", "\"type\":\"jupyter\""];

/// Takes the record off.
fn peel(text: &str) -> Option<Layer<'_>> {
    let text = text.trim_end_matches([',', ' ']);
    if !text.starts_with('{') || !MARKS.iter().any(|mark| text.contains(mark)) {
        return None;
    }
    let record = json::object(text)?;
    if record.contains_key("textPayload") || record.contains_key("jsonPayload") {
        return google(&record);
    }
    if json::member(&record, "type") == Some("jupyter") {
        let (_, stamp) = prim::iso(json::member(&record, "time")?).ok()?;
        let origin = Origin { channel: Channel::Process, ..Origin::default() };
        return Some(Layer {
            rest: Cow::Owned(json::text(&record, "msg")?),
            stamps: smallvec![stamp],
            origin,
            ..Layer::default()
        });
    }
    let millis = json::number(&record, "timestamp")?;
    let stamp = Stamp::new(ClockKind::Zoned, millis.checked_mul(1000)?);
    Some(Layer {
        rest: Cow::Owned(json::text(&record, "message")?),
        stamps: smallvec![stamp],
        ..Layer::default()
    })
}

/// A `LogEntry` of Google's.
fn google(record: &Map<String, Value>) -> Option<Layer<'static>> {
    let payload = record.get("jsonPayload").and_then(Value::as_object);
    let inner = |name: &str| payload.and_then(|payload| json::text(payload, name));
    let rest = json::text(record, "textPayload").or_else(|| inner("MESSAGE")).or_else(|| inner("message"))?;
    let printed = ["timestamp", "receiveTimestamp"].iter().find_map(|name| json::member(record, name));
    let stamp = printed.and_then(|printed| prim::iso(printed).ok()).map(|(_, stamp)| stamp);
    Some(Layer {
        rest: Cow::Owned(rest),
        stamps: stamp.into_iter().collect(),
        origin: origin(record, payload),
        ..Layer::default()
    })
}

/// What the record says of the origin.
fn origin(record: &Map<String, Value>, payload: Option<&Map<String, Value>>) -> Origin {
    let of = |path: &str| json::member(record, path).map(str::to_owned);
    let field = |name: &str| payload.and_then(|payload| json::member(payload, name)).map(str::to_owned);
    let program = field("SYSLOG_IDENTIFIER").or_else(|| field("_COMM"));
    let log = json::member(record, "logName").unwrap_or_default();
    let console = log.contains("serial_port") || log.contains("serialconsole");
    let linux = program.as_deref() == Some("kernel") || field("_TRANSPORT").as_deref() == Some("kernel");
    let container_name = of("resource.labels.container_name");
    let channel = match (linux, container_name.is_some() || program.is_some()) {
        (true, _) => Channel::RingBuffer,
        (false, true) if !console => Channel::Process,
        _ => Channel::Unknown,
    };
    Origin {
        host: field("_HOSTNAME")
            .or_else(|| of("resource.labels.node_name"))
            .or_else(|| of("resource.labels.instance_id")),
        pod: of("resource.labels.pod_name"),
        unit: field("_SYSTEMD_UNIT"),
        boot: field("_BOOT_ID"),
        program: program.filter(|program| program != "kernel"),
        container_name,
        channel,
        ..Origin::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn googles_and_amazons() {
        for (line, channel) in [
            (
                r#"{"textPayload":"hi","timestamp":"2026-11-30T15:22:30.5Z","logName":"projects/p/logs/serialconsole.googleapis.com%2Fserial_port_1_output"}"#,
                Channel::Unknown,
            ),
            (
                r#"{"jsonPayload":{"MESSAGE":"hi","_TRANSPORT":"kernel"},"timestamp":"2026-11-30T15:22:30.5Z"}"#,
                Channel::RingBuffer,
            ),
            (
                r#"{"textPayload":"hi\n","timestamp":"2026-11-30T15:22:30.5Z","resource":{"labels":{"container_name":"notebook"}}}"#,
                Channel::Process,
            ),
            (
                r#"{"timestamp":1796052150500,"message":"hi","ingestionTime":1796052150900},"#,
                Channel::Unknown,
            ),
            (
                r#"{"pid":7,"type":"jupyter","level":30,"msg":"hi","time":"2026-11-30T15:22:30.500Z","v":0}"#,
                Channel::Process,
            ),
        ] {
            let layer = peel(line).unwrap();
            assert_eq!((layer.rest.as_ref(), layer.origin.channel), ("hi", channel), "{line}");
            assert_eq!(layer.stamps[0].to_string(), "zoned:1796052150500000");
        }
        assert!(peel(r#"{"message":"hi","timestamp":1796052150500}"#).is_none());
    }
}
