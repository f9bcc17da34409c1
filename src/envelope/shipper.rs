//! What log shippers wrap lines in: Loki (`logcli -o jsonl`), Fluent Bit, Vector, Logstash and Beats, an Elasticsearch or
//! `OpenSearch` export; and Kaggle's array of records.
//!
//! A record must have a line *and* say whose it is or who shipped it, for an object with a message and a time may be
//! anybody's event.

use super::{Begins, Envelope, Layer, json, prim};
use crate::{
    event::{Channel, Origin},
    stamp::{ClockKind, Stamp},
};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Loki, Fluent Bit, Vector, Elasticsearch.
pub(super) const SHIPPER: Envelope = Envelope {
    name: "log shipper",
    sample: r#"{"labels":{"pod":"jupyter-ada","container":"notebook"},"line":"Killed","timestamp":"2026-11-30T15:22:30.411Z"}"#,
    begins: Begins::OBJECT,
    peel: shipper,
};
/// Kaggle's `[{"stream_name":"stderr","time":10.168431974,"data":"…\n"}`.
pub(super) const KAGGLE: Envelope = Envelope {
    name: "kaggle",
    sample: r#"{"stream_name":"stderr","time":10.168431974,"data":"Killed\n"}"#,
    begins: Begins::OBJECT.and(b"[, \t\r\n"),
    peel: kaggle,
};

/// The members that may hold the line, and the time.
const LINES: &[&str] = &["line", "log", "message"];
const TIMES: &[&str] = &["timestamp", "@timestamp", "time", "date"];

/// Members of which a record has at least one: whose it is, or who shipped it.
const WHOSE: &[&str] = &[
    "\"kubernetes\"",
    "\"labels\"",
    "\"container_id\"",
    "\"_source\"",
    "\"source_type\"",
    "\"@version\"",
    "\"agent\"",
    "\"log\"",
];

/// Takes a shipper's record off.
fn shipper(text: &str) -> Option<Layer<'_>> {
    if !text.starts_with('{') || !WHOSE.iter().any(|name| text.contains(name)) {
        return None;
    }
    let mut record = json::object(text)?;
    let found = record.remove("_source");
    let exported = found.is_some();
    if let Some(Value::Object(source)) = found {
        record = source;
    }
    let kubernetes = record.get("kubernetes").and_then(Value::as_object);
    let labels = record.get("labels").and_then(Value::as_object);
    let owned = kubernetes.is_some() || labels.is_some() || record.contains_key("container_id");
    if !owned && !exported && !shipped(&record) {
        return None;
    }
    let name = LINES.iter().find(|name| record.get(**name).is_some_and(Value::is_string))?;
    let iso =
        TIMES.iter().find_map(|name| prim::iso(json::member(&record, name)?).ok()).map(|(_, stamp)| stamp);
    let stamp = iso.or_else(|| epoch(&record));
    let partial =
        ["_p", "logtag"].iter().any(|tag| json::member(&record, tag).is_some_and(|tag| tag.starts_with('P')));
    Some(Layer {
        rest: Cow::Owned(json::text(&record, name)?),
        stamps: stamp.into_iter().collect(),
        origin: origin(&record, kubernetes.or(labels).unwrap_or(&record)),
        partial,
        ..Layer::default()
    })
}

/// Whether a record is of a shipper's make: Vector names its source, Logstash its version, Beats their agent, and Fluent
/// Bit counts seconds since the epoch beside `log`.
fn shipped(record: &Map<String, Value>) -> bool {
    let timed = record.contains_key("@timestamp");
    record.get("source_type").is_some_and(Value::is_string)
        || timed && (record.contains_key("@version") || record.get("agent").is_some_and(Value::is_object))
        || record.get("log").is_some_and(Value::is_string) && record.get("date").is_some_and(Value::is_f64)
}

/// Fluent Bit's `date`, in seconds since the epoch.
#[expect(clippy::cast_possible_truncation, reason = "a figure outside the range was no time")]
fn epoch(record: &Map<String, Value>) -> Option<Stamp> {
    let seconds = record.get("date")?.as_f64().filter(|seconds| (1e8..1e11).contains(seconds))?;
    Some(Stamp::new(ClockKind::Zoned, (seconds * 1e6).round() as i64))
}

/// Pod, container and host, by the names that the shippers give them: beside the line, below `kubernetes` or `labels`,
/// and as the Elastic Common Schema has them.
fn origin(record: &Map<String, Value>, owner: &Map<String, Value>) -> Origin {
    let first = |names: &[&str]| {
        let of_owner = names.iter().find_map(|name| json::member(owner, name));
        of_owner.or_else(|| names.iter().find_map(|name| json::member(record, name))).map(str::to_owned)
    };
    let container_name = first(&["container_name", "container", "container.name"]);
    let container_id = first(&["docker_id", "container_id", "container.id"]);
    let pod = first(&["pod_name", "pod", "pod.name"]);
    // A node's journal, as promtail labels it and as Vector and Fluent Bit pass it on.
    let linux = first(&["transport", "_TRANSPORT"]).as_deref() == Some("kernel")
        || first(&["syslog_identifier", "identifier", "SYSLOG_IDENTIFIER"]).as_deref() == Some("kernel");
    let node = linux || (container_name.is_none() && pod.is_none() && container_id.is_none());
    let channel = match (linux, node) {
        (true, _) => Channel::RingBuffer,
        (false, true) => Channel::Unknown,
        (false, false) => Channel::Process,
    };
    Origin {
        host: first(&[
            "host",
            "hostname",
            "nodename",
            "pod_node_name",
            "node_name",
            "node.name",
            "host.name",
            "_HOSTNAME",
        ]),
        boot: first(&["_BOOT_ID"]),
        unit: first(&["_SYSTEMD_UNIT"]),
        container_id: container_id.map(|id| id.rsplit('/').next().unwrap_or_default().to_owned()),
        stream: json::member(record, "stream").map(str::to_owned),
        container_name,
        pod,
        channel,
        ..Origin::default()
    }
}

/// Takes a record of Kaggle's off. Its time counts from a start that is nowhere written, so there is no stamp.
fn kaggle(text: &str) -> Option<Layer<'_>> {
    let object = text.trim_start_matches(['[', ',', ' ']);
    // Blanks of JSON's may stand before an object.
    if !object.trim_start().starts_with('{') || !object.contains("\"stream_name\"") {
        return None;
    }
    let record = json::object(object.trim_end_matches([']', ',', ' ']))?;
    let data = json::member(&record, "data")?;
    let stream = json::member(&record, "stream_name")?.to_owned();
    Some(Layer {
        rest: Cow::Owned(json::text(&record, "data")?),
        origin: Origin { stream: Some(stream), channel: Channel::Process, ..Origin::default() },
        partial: !data.ends_with('\n'),
        ..Layer::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shippers() {
        let loki = r#"{"labels":{"pod":"jupyter-ada","container":"notebook"},"line":"hi","timestamp":"2026-11-30T15:22:30.5Z"}"#;
        let fluent = r#"{"date":"2026-11-30T15:22:30.5Z","log":"hi\n","stream":"stderr","_p":"F","kubernetes":{"pod_name":"jupyter-ada","docker_id":"ab"}}"#;
        let elastic = r#"{"_index":"i","_source":{"@timestamp":"2026-11-30T15:22:30.5Z","message":"hi","kubernetes":{"pod_name":"jupyter-ada"}}}"#;
        for line in [loki, fluent, elastic] {
            let layer = shipper(line).unwrap();
            assert_eq!(
                (layer.rest.as_ref(), layer.origin.pod.as_deref()),
                ("hi", Some("jupyter-ada")),
                "{line}"
            );
            assert_eq!(layer.stamps[0].to_string(), "zoned:1796052150500000");
        }
        assert!(shipper(r#"{"message":"node removed","lastTimestamp":"2026-11-30T15:22:30Z"}"#).is_none());
    }

    #[test]
    fn a_nodes_journal() {
        let line = r#"{"labels":{"hostname":"n1","transport":"kernel"},"line":"hi","timestamp":"2026-11-30T15:22:30.5Z"}"#;
        let origin = shipper(line).unwrap().origin;
        assert_eq!((origin.channel, origin.host.as_deref()), (Channel::RingBuffer, Some("n1")));
    }

    #[test]
    fn kaggles_array() {
        let layer = kaggle(r#",{"stream_name":"stderr","time":10.1,"data":"hi\n"}"#).unwrap();
        assert_eq!((layer.rest.as_ref(), layer.partial), ("hi", false));
        assert!(kaggle(r#"[{"stream_name":"stdout","time":10.1,"data":"half"}"#).unwrap().partial);
    }
}
