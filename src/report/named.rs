//! Names without which a verdict cannot be told, read from a report that may be anybody's.
//!
//! Tickets and code quality reports are refused without them, so one that is missing or empty becomes a word.

use serde::{Deserialize, Deserializer};

/// What stands where a name should.
pub(super) fn unknown() -> String {
    "unknown".to_owned()
}

/// A name, or the word for none.
pub(super) fn named<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    Ok(if name.trim().is_empty() { unknown() } else { name })
}
