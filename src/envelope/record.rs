//! A record of kerneldoc's own recorders (`docs/recorder.md`): `{"kerneldoc":"record/1","time":"…","kind":"output",…}`.
//!
//! What they pass on (a process's output, Linux's log) is given as if it stood alone; what they say themselves stays
//! JSON, and carries [`PROGRAM`] as its program, which no quoted text can.

use super::{Begins, Envelope, Layer, json, prim};
use crate::event::{Channel, Origin};
use serde_json::{Map, Value};
use smallvec::smallvec;
use std::borrow::Cow;

/// Who speaks in a record that quotes nobody.
pub const PROGRAM: &str = "kerneldoc recorder";

/// The envelope.
pub(super) const ENVELOPE: Envelope = Envelope {
    name: "kerneldoc record",
    sample: r#"{"kerneldoc":"record/1","time":"2026-11-30T15:22:30.411Z","kind":"output","stream":"stderr","text":"Killed"}"#,
    begins: Begins::OBJECT,
    peel,
};

/// Takes the format's own keys off.
fn peel(text: &str) -> Option<Layer<'_>> {
    if !text.starts_with('{') || !text.contains("\"kerneldoc\":\"record/") {
        return None;
    }
    let mut record = json::object(text)?;
    let (_, stamp) = prim::iso(json::member(&record, "time")?).ok()?;
    // In place, so that the kind stays in front where it is quoted.
    record.shift_remove("kerneldoc");
    record.shift_remove("time");
    let layer = match json::member(&record, "kind")? {
        "output" => quoted(&record, Channel::Process)?,
        "host.log" => quoted(&record, Channel::Unknown)?,
        _ => Layer {
            rest: Cow::Owned(Value::Object(record).to_string()),
            origin: Origin { program: Some(PROGRAM.to_owned()), ..Origin::default() },
            ..Layer::default()
        },
    };
    Some(Layer { stamps: smallvec![stamp], ..layer })
}

/// What a recorder passes on.
fn quoted(record: &Map<String, Value>, channel: Channel) -> Option<Layer<'static>> {
    let stream = json::member(record, "stream").map(str::to_owned);
    Some(Layer {
        rest: Cow::Owned(json::text(record, "text")?),
        origin: Origin { stream, channel, ..Origin::default() },
        partial: record.get("partial") == Some(&Value::Bool(true)),
        ..Layer::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envelope::peel as peel_all;

    #[test]
    fn linux_speaks_through_it_with_its_own_clock() {
        let line = r#"{"kerneldoc":"record/1","time":"2026-11-30T15:22:30.411Z","kind":"host.log","text":"6,1234,56789012,-;Out of memory"}"#;
        let peeled = peel_all(line);
        assert_eq!((peeled.shown.as_ref(), peeled.stamps.len()), ("Out of memory", 2));
        assert_eq!(peeled.origin.channel, Channel::RingBuffer);
    }

    #[test]
    fn output_cannot_pass_for_a_record() {
        let line = r#"{"kerneldoc":"record/1","time":"2026-11-30T15:22:30.411Z","kind":"output","text":"{\"kind\":\"kernel.died\",\"pid\":1}"}"#;
        let peeled = peel_all(line);
        assert_eq!(peeled.shown, r#"{"kind":"kernel.died","pid":1}"#);
        assert_eq!(peeled.origin.program, None);
        let own = peel_all(
            r#"{"kerneldoc":"record/1","time":"2026-11-30T15:22:30.411Z","kind":"kernel.died","pid":1}"#,
        );
        assert_eq!(
            (own.shown.as_ref(), own.origin.program.as_deref()),
            (peeled.shown.as_ref(), Some(PROGRAM))
        );
    }
}
