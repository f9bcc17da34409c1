//! Websockets that the server refuses: it first says why, then logs the request. The two make one event.
//!
//! A request for a kernel that is gone (404) is no refusal; it is in `life`.

use super::id::kernel_in;
use crate::{
    event::FrontendWebsocketRefused,
    line::{Line, Mark},
    parse::{Claim, Found, Parser, phrase, prim},
};

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "WebSocket",
    "/channels",
];

/// How many lines may stand between the reason and the request.
const NEAR_LINES: u64 = 20;

/// A reason given for which the request is still awaited.
#[derive(Default)]
pub(super) struct Refusal(Option<(Mark, FrontendWebsocketRefused)>);

impl Parser for Refusal {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if self.0.as_ref().is_some_and(|(mark, _)| line.number > mark.number + NEAR_LINES) {
            self.finish(found);
        }
        if let Some(reason) = reason(line.text) {
            self.finish(found);
            self.0 = Some((line.mark(), reason));
            return Claim::Mine;
        }
        let Some((status, kernel_id)) = refused_request(line.text) else { return Claim::NotMine };
        let (mark, mut event) =
            self.0.take().unwrap_or_else(|| (line.mark(), FrontendWebsocketRefused::default()));
        event.what.get_or_insert_with(|| meaning(status).unwrap_or("auth").to_owned());
        event.status = Some(status);
        event.kernel_id = kernel_id;
        found.push(Found { mark, event: event.into() });
        Claim::Mine
    }

    fn waits(&self) -> bool {
        self.0.is_some()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        if let Some((mark, event)) = self.0.take() {
            found.push(Found { mark, event: event.into() });
        }
    }
}

/// Why, if the line says so.
fn reason(text: &str) -> Option<FrontendWebsocketRefused> {
    let has = |words: &str| phrase::find(text, words).is_some();
    if !has("WebSocket") {
        return None;
    }
    let mut event = FrontendWebsocketRefused::default();
    if let Some((_, rest)) = phrase::around(text, "Blocking Cross Origin WebSocket") {
        event.what = Some("origin".to_owned());
        event.web_origin = value_behind(rest, "Origin: ");
        event.web_host = value_behind(rest, "Host: ");
    } else if has("authenticate WebSocket connection") {
        event.what = Some("auth".to_owned());
    } else if has("Upgrade") && has(" only to ") {
        // `Can "Upgrade" only to "WebSocket".`: a proxy in between took the Upgrade header off.
        event.what = Some("upgrade".to_owned());
    } else {
        return None;
    }
    Some(event)
}

/// The word behind a literal, without the comma that ends it.
fn value_behind(text: &str, literal: &str) -> Option<String> {
    let (_, rest) = phrase::around(text, literal)?;
    prim::word(rest).ok().map(|(_, word)| word.trim_end_matches([',', '"']).to_owned())
}

/// `403 GET /api/kernels/<id>/channels?session_id=… (127.0.0.1) 5.02ms referer=None`: the status and the kernel.
fn refused_request(text: &str) -> Option<(i64, Option<String>)> {
    // Every line is looked at, and few begin like such a status.
    let text = Some(text.trim_start()).filter(|text| text.starts_with('4'))?;
    let (rest, status) = prim::integer(text).ok()?;
    let path = rest.strip_prefix(" GET ")?;
    meaning(status)?;
    path.contains("/channels").then(|| (status, kernel_in(path, "/api/kernels/")))
}

/// What an HTTP status means on a websocket's address; `None` if it is no refusal.
pub(in crate::parse) fn meaning(status: i64) -> Option<&'static str> {
    match status {
        401 | 403 => Some("auth"),
        400 | 426 => Some("upgrade"),
        _ => None,
    }
}
