//! `--set`: a site's own fields, put into the payload.
//!
//! Names that a target understands itself are not put in a second time.

use serde_json::Value;
use std::collections::BTreeMap;

/// Names with a meaning here; the targets look them up.
const UNDERSTOOD: [&str; 6] = ["project", "issue_type", "team", "severity", "findings", "routing_key"];

/// Puts every other value in as a field: `name=text`, or `name:=JSON`.
pub(super) fn set(payload: &mut Value, pointer: &str, values: &BTreeMap<String, String>) {
    let Some(fields) = payload.pointer_mut(pointer).and_then(Value::as_object_mut) else { return };
    for (name, text) in values {
        if UNDERSTOOD.contains(&name.as_str()) {
            continue;
        }
        match name.strip_suffix(':') {
            Some(name) => {
                let value = serde_json::from_str(text).unwrap_or_else(|_| text.as_str().into());
                fields.insert(name.to_owned(), value);
            }
            None => drop(fields.insert(name.clone(), text.as_str().into())),
        }
    }
}
