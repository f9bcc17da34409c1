//! The hub itself: starting, stopping, out of reach.
//!
//! Whether users' servers survive its stop is decided by how it was started, which its log does not say.

use crate::{
    event::{Event, HubState, HubUnreachable},
    line::Line,
    parse::{Claim, Found, prim},
};

/// Looks at one line.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let event = unreachable(line.text).or_else(|| started(line.text)).or_else(|| state(line.text));
    let Some(event) = event else { return Claim::NotMine };
    found.push(Found::on(line, event));
    Claim::Mine
}

/// `Failed to connect to my Hub at http://127.0.0.1:8081/hub/api (attempt 1/5). Is it running?`
fn unreachable(text: &str) -> Option<Event> {
    if text.contains("Error notifying Hub of activity") {
        return Some(HubUnreachable::default().into());
    }
    let (_, rest) = text.split_once("Failed to connect to my Hub")?;
    let url = rest.strip_prefix(" at ").and_then(|rest| prim::word(rest).ok()).map(|(_, url)| url.to_owned());
    let attempt = rest.split_once("(attempt ").and_then(|(_, rest)| prim::integer(rest).ok());
    Some(HubUnreachable { url, attempt: attempt.map(|(_, number)| number) }.into())
}

/// `Running JupyterHub version 6.1.1`.
fn started(text: &str) -> Option<Event> {
    let (_, rest) = text.split_once("Running JupyterHub version ")?;
    let (_, version) = prim::word(rest).ok()?;
    Some(HubState { what: Some("starting".to_owned()), version: Some(version.to_owned()) }.into())
}

/// Ways to stop. `Leaving single-user servers running` is a promise that a service manager may break.
fn state(text: &str) -> Option<Event> {
    let signalled = text.contains("Received signal ") && text.contains("initiating shutdown");
    let gave_up = text.contains("consecutive spawn failures") && text.contains("Aborting");
    let what = if signalled || gave_up || text.contains("Cleaning up single-user servers") {
        "stopping"
    } else if text.contains("Leaving single-user servers running") {
        "leaving-servers"
    } else {
        return None;
    };
    Some(HubState { what: Some(what.to_owned()), version: None }.into())
}
