//! docker's json-file log driver: `{"log":"…\n","stream":"stderr","time":"2026-11-30T15:36:18.324361451Z"}`.
//!
//! dockerd splits lines at 16 KiB; all but the last piece lack the closing newline.

use super::{Begins, Envelope, Layer, json, prim};
use crate::event::{Channel, Origin};
use smallvec::smallvec;
use std::borrow::Cow;

/// The envelope.
pub(super) const ENVELOPE: Envelope = Envelope {
    name: "docker json-file",
    sample: r#"{"log":"Killed\n","stream":"stderr","time":"2026-11-30T15:22:30.411378443Z"}"#,
    begins: Begins::OBJECT,
    peel,
};

/// Takes the JSON object off; attributes that `--log-opt labels` adds are passed over.
fn peel(text: &str) -> Option<Layer<'_>> {
    if !text.starts_with('{') || !text.contains("\"log\"") || !text.contains("\"time\"") {
        return None;
    }
    let record = json::object(text)?;
    let log = json::member(&record, "log")?;
    let (_, stamp) = prim::iso(json::member(&record, "time")?).ok()?;
    if record.contains_key("kubernetes") {
        // Fluent Bit's record, which says more.
        return None;
    }
    Some(Layer {
        rest: Cow::Owned(json::text(&record, "log")?),
        stamps: smallvec![stamp],
        origin: Origin {
            stream: json::member(&record, "stream").map(str::to_owned),
            channel: Channel::Process,
            ..Origin::default()
        },
        partial: !log.ends_with('\n'),
        ..Layer::default()
    })
}
