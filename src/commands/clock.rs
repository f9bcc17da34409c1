//! The clock, for what happens now: recording and gathering. No report depends on it.

use chrono::{DateTime, Utc};
use std::time::{SystemTime, UNIX_EPOCH};

/// Now.
#[expect(clippy::disallowed_methods, reason = "a recorder writes down when things happen")]
pub(super) fn now() -> SystemTime {
    SystemTime::now()
}

/// Seconds since the epoch.
pub(super) fn seconds() -> u64 {
    now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Now, in UTC.
pub(super) fn utc() -> DateTime<Utc> {
    let since = now().duration_since(UNIX_EPOCH).unwrap_or_default();
    DateTime::from_timestamp_micros(i64::try_from(since.as_micros()).unwrap_or_default()).unwrap_or_default()
}
