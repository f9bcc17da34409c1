//! docker's json-file log driver: `{"log":"…\n","stream":"stderr","time":"2026-11-30T15:36:18.324361451Z"}`.
//!
//! dockerd splits lines at 16 KiB; all but the last piece lack the closing newline.

use super::{Envelope, Layer, prim};
use crate::event::{Channel, Origin};
use std::borrow::Cow;

/// The envelope.
pub(super) const ENVELOPE: Envelope = Envelope { name: "docker json-file", peel };

/// Takes the JSON object off; attributes that `--log-opt labels` adds are passed over.
fn peel(text: &str) -> Option<Layer<'_>> {
    if !text.starts_with('{') || !text.contains("\"log\":") {
        return None;
    }
    let record: serde_json::Value = serde_json::from_str(text).ok()?;
    let log = record.get("log")?.as_str()?;
    let time = record.get("time").and_then(|time| time.as_str())?;
    let (_, stamp) = prim::iso(time).ok()?;
    Some(Layer {
        rest: Cow::Owned(log.trim_end_matches(['\n', '\r']).to_owned()),
        stamps: vec![stamp],
        origin: Origin {
            stream: record.get("stream").and_then(|stream| stream.as_str()).map(str::to_owned),
            channel: Channel::Process,
            ..Origin::default()
        },
        partial: !log.ends_with('\n'),
    })
}
