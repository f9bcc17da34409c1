//! What the server sees of its browsers: they go, come back, and do not answer. The kernel runs on meanwhile.
//!
//! Refused websockets are in `refusal`, output limits in `limit`.

use super::id::with_id;
use crate::{
    event::{
        Event, FrontendOutputDiscarded, FrontendOutputResumed, FrontendPingTimeout, FrontendWebsocketLost,
        FrontendWebsocketRestored,
    },
    line::Line,
    parse::{Claim, Found, phrase, prim},
};

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "Starting buffering for ",
    "Replacing stale connection: ",
    "Restoring connection for ",
    "Discarding ",
    "WebSocket ping timeout after ",
    "iopub messages resumed",
];

/// Makes an event of a kernel id and the text behind it.
type Build = fn(Option<String>, &str) -> Event;

/// Messages with `<kernel id>:<session id>` behind them. A stale connection is one whose loss nobody noticed.
const MESSAGES: &[(&str, Build)] = &[
    ("Starting buffering for ", lost),
    ("Replacing stale connection: ", lost),
    ("Restoring connection for ", |kernel_id, _| FrontendWebsocketRestored { kernel_id }.into()),
];

/// Looks at one line.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    for (literal, build) in MESSAGES {
        if let Some((_, rest)) = phrase::around(line.text, literal) {
            return with_id(line, rest, found, build);
        }
    }
    if let Some((count, rest)) = discarded(line.text) {
        return with_id(line, rest, found, |kernel_id, _| {
            FrontendOutputDiscarded { kernel_id, message_count: Some(count) }.into()
        });
    }
    let Some(event) = ping_timeout(line.text).or_else(|| resumed(line.text)) else { return Claim::NotMine };
    found.push(Found::on(line, event));
    Claim::Mine
}

/// The last tab of a kernel went away.
fn lost(kernel_id: Option<String>, _: &str) -> Event {
    FrontendWebsocketLost { kernel_id }.into()
}

/// `Discarding 11 buffered messages for <id>:<session>`: the number, and the text from the id on.
fn discarded(text: &str) -> Option<(i64, &str)> {
    let (_, rest) = phrase::around(text, "Discarding ")?;
    let (rest, count) = prim::integer(rest).ok()?;
    Some((count, rest.strip_prefix(" buffered messages for ")?))
}

/// `WebSocket ping timeout after 119997 ms.`
fn ping_timeout(text: &str) -> Option<Event> {
    let (_, rest) = phrase::around(text, "WebSocket ping timeout after ")?;
    let milliseconds = prim::integer(rest).ok().map(|(_, number)| number);
    Some(FrontendPingTimeout { kernel_id: None, milliseconds }.into())
}

/// `iopub messages resumed`.
fn resumed(text: &str) -> Option<Event> {
    phrase::find(text, "iopub messages resumed").is_some().then(|| FrontendOutputResumed::default().into())
}
