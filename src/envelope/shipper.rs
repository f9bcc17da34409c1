//! What log shippers wrap lines in: Loki (`logcli -o jsonl`), Fluent Bit, Vector, an Elasticsearch export; and
//! Kaggle's array of records.
//!
//! A record must have a line *and* say whose it is, for an object with a message and a time may be anybody's event.

use super::{Envelope, Layer, json, prim};
use crate::event::{Channel, Origin};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Loki, Fluent Bit, Vector, Elasticsearch.
pub(super) const SHIPPER: Envelope = Envelope { name: "log shipper", peel: shipper };
/// Kaggle's `[{"stream_name":"stderr","time":10.168431974,"data":"…\n"}`.
pub(super) const KAGGLE: Envelope = Envelope { name: "kaggle", peel: kaggle };

/// The members that may hold the line, and the time.
const LINES: &[&str] = &["line", "log", "message"];
const TIMES: &[&str] = &["timestamp", "@timestamp", "time", "date"];

/// Takes a shipper's record off.
fn shipper(text: &str) -> Option<Layer<'_>> {
    let whose = ["\"kubernetes\"", "\"labels\"", "\"container_id\"", "\"_source\""];
    if !text.starts_with('{') || !whose.iter().any(|name| text.contains(name)) {
        return None;
    }
    let mut record = json::object(text)?;
    if let Some(Value::Object(source)) = record.remove("_source") {
        record = source;
    }
    let kubernetes = record.get("kubernetes").and_then(Value::as_object);
    let labels = record.get("labels").and_then(Value::as_object);
    if kubernetes.is_none() && labels.is_none() && !record.contains_key("container_id") {
        return None;
    }
    let name = LINES.iter().find(|name| record.get(**name).is_some_and(Value::is_string))?;
    let stamp = TIMES.iter().find_map(|name| prim::iso(json::member(&record, name)?).ok());
    let partial =
        ["_p", "logtag"].iter().any(|tag| json::member(&record, tag).is_some_and(|tag| tag.starts_with('P')));
    Some(Layer {
        rest: Cow::Owned(json::text(&record, name)?),
        stamps: stamp.map(|(_, stamp)| stamp).into_iter().collect(),
        origin: origin(&record, kubernetes.or(labels).unwrap_or(&record)),
        partial,
        ..Layer::default()
    })
}

/// Pod, container and host, by the names that the shippers give them.
fn origin(record: &Map<String, Value>, owner: &Map<String, Value>) -> Origin {
    let first = |names: &[&str]| names.iter().find_map(|name| json::member(owner, name)).map(str::to_owned);
    Origin {
        host: first(&["host", "pod_node_name", "node_name"]),
        container_id: first(&["docker_id", "container_id"])
            .map(|id| id.rsplit('/').next().unwrap_or_default().to_owned()),
        container_name: first(&["container_name", "container"]),
        pod: first(&["pod_name", "pod"]),
        stream: json::member(record, "stream").map(str::to_owned),
        channel: Channel::Process,
        ..Origin::default()
    }
}

/// Takes a record of Kaggle's off. Its time counts from a start that is nowhere written, so there is no stamp.
fn kaggle(text: &str) -> Option<Layer<'_>> {
    if !text.contains("\"stream_name\"") {
        return None;
    }
    let record = json::object(text.trim_start_matches(['[', ',', ' ']).trim_end_matches([']', ',', ' ']))?;
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
    fn kaggles_array() {
        let layer = kaggle(r#",{"stream_name":"stderr","time":10.1,"data":"hi\n"}"#).unwrap();
        assert_eq!((layer.rest.as_ref(), layer.partial), ("hi", false));
        assert!(kaggle(r#"[{"stream_name":"stdout","time":10.1,"data":"half"}"#).unwrap().partial);
    }
}
