//! The browser's console: websockets that fail, tabs that crash.
//!
//! It shows the browser's side only; a lost connection may have any cause.

use crate::{
    event::{
        Event, FrontendTabCrashed, FrontendWebsocketLost, FrontendWebsocketRefused, ServerKernelUnknown,
    },
    line::{Line, shorten},
    parse::{
        Claim, Found,
        jupyter::{kernel_in, meaning},
        prim,
    },
};

/// Looks at one line.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let event = failed(line.text).or_else(|| lost(line.text)).or_else(|| too_large(line.text));
    let Some(event) = event.or_else(|| crashed(line.text)) else { return Claim::NotMine };
    found.push(Found::on(line, event));
    Claim::Mine
}

/// `WebSocket connection to 'ws://…/api/kernels/<id>/channels?…' failed: … Unexpected response code: 403`. Chrome before
/// 2020 gives the status, newer ones only `failed:`.
fn failed(text: &str) -> Option<Event> {
    let (_, rest) = text.split_once("WebSocket connection to ")?;
    let (url, reason) = rest.split_once(" failed")?;
    let kernel_id = kernel_in(url, "/api/kernels/");
    url.contains("/api/kernels/").then_some(())?;
    if reason.contains("Max frame length") {
        return Some(refused("too-large", kernel_id, None));
    }
    let status = reason.split_once("response code: ").and_then(|(_, rest)| prim::integer(rest).ok());
    let status = status.map(|(_, status)| status);
    Some(match (status, status.and_then(meaning)) {
        (Some(404), _) => ServerKernelUnknown { kernel_id }.into(),
        (_, Some(what)) => refused(what, kernel_id, status),
        _ => FrontendWebsocketLost { kernel_id }.into(),
    })
}

/// `Kernel: kernel_disconnected (<id>)`, `Connection lost, reconnecting in 3 seconds.`
fn lost(text: &str) -> Option<Event> {
    if text.contains("Connection lost, reconnecting in") {
        return Some(FrontendWebsocketLost::default().into());
    }
    let words = ["Kernel: kernel_disconnected (", "Kernel: disconnected ("];
    let literal = words.iter().find(|words| text.contains(**words))?;
    Some(FrontendWebsocketLost { kernel_id: kernel_in(text, literal) }.into())
}

/// A message larger than the websocket takes: tornado closes with code 1009 and the reason `message too big`.
fn too_large(text: &str) -> Option<Event> {
    let spoken =
        text.contains("Max frame length") || (text.contains("1009") && text.contains("message too big"));
    spoken.then(|| refused("too-large", None, None))
}

/// Chrome's `Aw, Snap!` page, with `Error code: SIGILL` on the same line if it was copied so.
fn crashed(text: &str) -> Option<Event> {
    let (_, rest) = text.split_once("Aw, Snap")?;
    let code = rest.split_once("rror code: ").map(|(_, code)| code.trim().to_owned());
    let code = code.filter(|code| !code.is_empty());
    Some(FrontendTabCrashed { code, message: Some(shorten(text.trim())) }.into())
}

/// A refusal.
fn refused(what: &str, kernel_id: Option<String>, status: Option<i64>) -> Event {
    let what = Some(what.to_owned());
    FrontendWebsocketRefused { what, kernel_id, status, ..FrontendWebsocketRefused::default() }.into()
}
