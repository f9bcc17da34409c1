//! Load balancers that log one JSON object a request: Google Cloud, Envoy, Traefik, Caddy, nginx with a JSON format.
//!
//! It reads the status, the address and the duration, by the names they have there, and nothing else.

use super::access::outcome;
use crate::{
    line::Line,
    parse::{Claim, Found, jupyter::kernel_in},
};
use serde_json::Value;

/// Names of the duration and how many seconds one unit of it is. A text carries its own unit (`120.001s`).
const DURATIONS: &[(&str, f64)] = &[
    ("latency", 1.0),
    ("request_time", 1.0),
    ("requestTime", 1.0),
    ("Duration", 1e-9),
    ("DownstreamDuration", 1e-9),
    ("duration_ms", 1e-3),
    ("duration", 1.0),
];

/// Names of the status.
const STATUSES: &[&str] = &["status", "response_code", "DownstreamStatus", "OriginStatus", "elb_status_code"];

/// Looks at one line.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let text = line.text.trim();
    if !text.starts_with('{') || !text.contains("/api/kernels/") || !text.contains("/channels") {
        return Claim::NotMine;
    }
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        let cut = !text.ends_with('}');
        return if cut { Claim::Damaged("a complete JSON object".to_owned()) } else { Claim::NotMine };
    };
    let event = find(&value, STATUSES, 0).and_then(integer).and_then(|status| {
        let words =
            find(&value, &["statusDetails", "response_flags"], 0).and_then(Value::as_str).unwrap_or_default();
        outcome(status, kernel_in(text, "/api/kernels/"), seconds(&value), words)
    });
    let Some(event) = event else { return Claim::NotMine };
    found.push(Found::on(line, event));
    Claim::Mine
}

/// The first member of one of these names, in the order of the names, at most a few objects deep.
fn find<'a>(value: &'a Value, names: &[&str], depth: usize) -> Option<&'a Value> {
    let object = value.as_object()?;
    let here = names.iter().find_map(|name| object.get(*name)).filter(|value| !value.is_object());
    here.or_else(|| {
        let inner = object.values().filter(|_| depth < 4);
        inner.into_iter().find_map(|value| find(value, names, depth + 1))
    })
}

/// The duration in seconds.
fn seconds(value: &Value) -> Option<f64> {
    DURATIONS.iter().find_map(|(name, unit)| match find(value, &[name], 0)? {
        Value::String(text) => text.trim_end_matches('s').parse().ok(),
        Value::Number(number) => {
            // Envoy's `duration` is in milliseconds and whole, Caddy's in seconds with a fraction.
            let unit = if *name == "duration" && number.is_u64() { 1e-3 } else { *unit };
            number.as_f64().map(|number| number * unit)
        }
        _ => None,
    })
}

/// A number, also one written as text.
fn integer(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.parse().ok())
}
