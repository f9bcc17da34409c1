//! nginx's error log: `upstream timed out (110: Connection timed out) while …`.
//!
//! `connect() failed` says that the server is gone; that is no websocket's matter.

use crate::{
    event::FrontendProxyClosed,
    line::{Line, shorten},
    parse::{Claim, Found, jupyter::kernel_in},
};

/// The ways in which nginx loses a connection that it passed on.
const ENDS: &[&str] = &["upstream timed out", "upstream prematurely closed connection", "recv() failed"];

/// Looks at one line.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let text = line.text;
    let Some(start) = ENDS.iter().find_map(|end| text.find(end)) else { return Claim::NotMine };
    let Some(message) = text.get(start..) else { return Claim::NotMine };
    if !message.contains("/api/kernels/") || !message.contains("/channels") {
        return Claim::NotMine;
    }
    let words = message.split_once(", client:").map_or(message, |(words, _)| words);
    let event = FrontendProxyClosed {
        kernel_id: kernel_in(message, "/api/kernels/"),
        seconds: None,
        message: Some(shorten(words.trim())),
    };
    found.push(Found::on(line, event));
    Claim::Mine
}
