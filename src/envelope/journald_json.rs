//! `journalctl -o json`, a record a line, also after `data: ` (`json-sse`) and the record separator (`json-seq`).
//!
//! A message that is not printable UTF-8 (colours are enough) is an array of byte numbers; one that was too long is
//! null. `json-pretty` is not read.

use super::{Begins, Envelope, Layer, json};
use crate::{
    event::{Channel, Origin},
    line::clean,
    stamp::{ClockKind, Stamp, Stamps},
};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The envelope.
pub(super) const ENVELOPE: Envelope = Envelope {
    name: "journald",
    sample: r#"{"MESSAGE":"Killed","__REALTIME_TIMESTAMP":"1796052150411378","_TRANSPORT":"kernel","_HOSTNAME":"lab7"}"#,
    begins: Begins::OBJECT.and(b"d\x1e"),
    peel,
};

/// Takes the record off.
fn peel(text: &str) -> Option<Layer<'_>> {
    let text = text.strip_prefix("data: ").unwrap_or(text).trim_start_matches('\u{1e}');
    if !text.starts_with('{') || !text.contains("\"MESSAGE\"") || !text.contains("\"__REALTIME_TIMESTAMP\"") {
        return None;
    }
    let record = json::object(text)?;
    let rest = message(record.get("MESSAGE")?)?;
    Some(Layer {
        rest: Cow::Owned(rest),
        stamps: stamps(&record),
        partial: json::member(&record, "CONTAINER_PARTIAL_MESSAGE") == Some("true"),
        origin: origin(&record),
        ..Layer::default()
    })
}

/// The message as text; what is not UTF-8 in it is replaced.
fn message(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(clean(text).into_owned()),
        Value::Null => Some(String::new()),
        Value::Array(numbers) => {
            let bytes: Option<Vec<u8>> = numbers
                .iter()
                .map(|number| number.as_u64().and_then(|byte| u8::try_from(byte).ok()))
                .collect();
            Some(clean(&String::from_utf8_lossy(&bytes?)).into_owned())
        }
        _ => None,
    }
}

/// When journald received it, and Linux's own clock where the record has that.
fn stamps(record: &Map<String, Value>) -> Stamps {
    let received = json::number(record, "__REALTIME_TIMESTAMP").map(|at| Stamp::new(ClockKind::Zoned, at));
    let own = match json::member(record, "_TRANSPORT") {
        Some("kernel") => json::number(record, "_SOURCE_MONOTONIC_TIMESTAMP"),
        _ => None,
    };
    received.into_iter().chain(own.map(|at| Stamp::new(ClockKind::Boot, at))).collect()
}

/// Host, program, unit, boot; or, of docker's journald driver, the container. There the process named is dockerd.
fn origin(record: &Map<String, Value>) -> Origin {
    let of = |name| json::member(record, name).map(str::to_owned);
    let container_id = of("CONTAINER_ID_FULL").or_else(|| of("CONTAINER_ID"));
    let from_docker = container_id.is_some();
    let linux = match json::member(record, "_TRANSPORT") {
        Some(transport) => transport == "kernel",
        None => json::member(record, "SYSLOG_IDENTIFIER") == Some("kernel"),
    };
    Origin {
        host: of("_HOSTNAME"),
        container_name: of("CONTAINER_NAME"),
        program: if from_docker { None } else { of("SYSLOG_IDENTIFIER").or_else(|| of("_COMM")) },
        pid: json::number(record, "_PID")
            .or_else(|| json::number(record, "SYSLOG_PID"))
            .filter(|_| !from_docker),
        unit: if from_docker { None } else { of("_SYSTEMD_UNIT").or_else(|| of("_SYSTEMD_USER_UNIT")) },
        boot: of("_BOOT_ID"),
        channel: if linux { Channel::RingBuffer } else { Channel::Process },
        container_id,
        ..Origin::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_boot_clock() {
        let line = r#"{"MESSAGE":[27,91,51,50,109,104,105],"__REALTIME_TIMESTAMP":"1791484880414318","_TRANSPORT":"kernel","_SOURCE_MONOTONIC_TIMESTAMP":"77","_BOOT_ID":"ab"}"#;
        let layer = peel(line).unwrap();
        let stamps: Vec<_> = layer.stamps.iter().map(ToString::to_string).collect();
        assert_eq!(
            (layer.rest.as_ref(), stamps),
            ("hi", vec!["zoned:1791484880414318".to_owned(), "boot:77".to_owned()])
        );
        assert_eq!((layer.origin.channel, layer.origin.boot.as_deref()), (Channel::RingBuffer, Some("ab")));
    }

    #[test]
    fn dockers_driver_names_the_container_and_not_dockerd() {
        let line = r#"{"MESSAGE":"x","__REALTIME_TIMESTAMP":"1","CONTAINER_ID_FULL":"abc","CONTAINER_NAME":"nb","_PID":"9","_SYSTEMD_UNIT":"docker.service","_TRANSPORT":"journal"}"#;
        let origin = peel(line).unwrap().origin;
        assert_eq!(
            (origin.container_id.as_deref(), origin.container_name.as_deref(), origin.pid, origin.unit),
            (Some("abc"), Some("nb"), None, None)
        );
    }

    #[test]
    fn null_is_no_reason_to_stop() {
        assert_eq!(peel(r#"{"MESSAGE":null,"__REALTIME_TIMESTAMP":"1"}"#).unwrap().rest, "");
        assert!(peel(r#"{"MESSAGE":[300],"__REALTIME_TIMESTAMP":"1"}"#).is_none());
    }
}
