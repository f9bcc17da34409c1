//! What the JSON envelopes share: an object on a line, and its members as text.
//!
//! It knows no envelope's member names.

use crate::line::clean;
use serde_json::{Map, Value};

/// The object that a line is, if it is one.
pub(super) fn object(text: &str) -> Option<Map<String, Value>> {
    match serde_json::from_str(text).ok()? {
        Value::Object(members) => Some(members),
        _ => None,
    }
}

/// A member that is a string, an object's member named by `a.b`.
pub(super) fn member<'a>(record: &'a Map<String, Value>, path: &str) -> Option<&'a str> {
    let mut parts = path.split('.');
    let first = record.get(parts.next()?)?;
    parts.try_fold(first, |value, part| value.get(part))?.as_str()
}

/// A member's text without the newline at its end and, as the escapes hid them until now, without colours.
pub(super) fn text(record: &Map<String, Value>, name: &str) -> Option<String> {
    Some(clean(record.get(name)?.as_str()?).into_owned())
}

/// A member that is a number, or a string of one.
pub(super) fn number(record: &Map<String, Value>, name: &str) -> Option<i64> {
    let value = record.get(name)?;
    value.as_i64().or_else(|| value.as_str()?.parse().ok())
}
