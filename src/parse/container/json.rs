//! The JSON form, an object a line: docker's with `Type`, `Action`, `Actor`, podman's with `Type`, `Status`, `ID`.
//!
//! `status` and `id` are gone since docker 29 and are not asked for.

use super::Action;
use crate::{
    line::Line,
    parse::{Claim, Found},
    stamp::{ClockKind, SECOND, Stamp},
};
use serde_json::Value;

/// Looks at one line.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    // `application/json-seq` begins each record with RS.
    let text = line.text.trim_start_matches(['\x1e', ' ', '[', ',']).trim_end_matches([',', ']', ' ']);
    if !text.starts_with('{') {
        return Claim::NotMine;
    }
    let Ok(record) = serde_json::from_str::<Value>(text) else {
        let ours = text.contains("\"Actor\"") || text.contains("\"Type\"");
        return if ours { Claim::Damaged("the end of a JSON object".to_owned()) } else { Claim::NotMine };
    };
    if text_of(&record, "Type") != Some("container") {
        return Claim::NotMine;
    }
    let Some(event) = action(&record).and_then(Action::event) else { return Claim::NotMine };
    let mut event = Found::on(line, event);
    if let Some(stamp) = stamp(&record) {
        event.mark.date(stamp);
    }
    found.push(event);
    Claim::Mine
}

/// The action of an object.
fn action(record: &Value) -> Option<Action> {
    let verb = text_of(record, "Action").or_else(|| text_of(record, "Status"))?.to_owned();
    let actor = record.get("Actor");
    let attributes = actor.unwrap_or(record).get("Attributes");
    // docker writes numbers as text here, podman's `ContainerExitCode` is one.
    let number = |key: &str| attributes.and_then(|attributes| text_of(attributes, key)?.parse().ok());
    let named = |key: &str, podman: &str| {
        attributes.and_then(|attributes| text_of(attributes, key)).or_else(|| text_of(record, podman)).map(str::to_owned)
    };
    Some(Action {
        verb,
        id: actor.unwrap_or(record).get("ID").and_then(Value::as_str).map(str::to_owned),
        name: named("name", "Name"),
        image: named("image", "Image"),
        exit_code: number("exitCode").or_else(|| record.get("ContainerExitCode").and_then(Value::as_i64)),
        run_seconds: number("execDuration"),
        signal: number("signal"),
    })
}

/// The event's own time, exact to the nanosecond.
fn stamp(record: &Value) -> Option<Stamp> {
    let nanos = record.get("timeNano").and_then(Value::as_i64).map(|nanos| nanos / 1000);
    let seconds = || record.get("time").and_then(Value::as_i64).and_then(|seconds| seconds.checked_mul(SECOND));
    Some(Stamp::new(ClockKind::Zoned, nanos.or_else(seconds)?))
}

/// A text member.
fn text_of<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}
