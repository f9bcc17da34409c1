//! `IOPub data rate exceeded.` and its block of current values.
//!
//! The kernel lives; only its output is held back.

use crate::{
    event::FrontendOutputLimit,
    line::{Line, Mark},
    parse::{Claim, Found, Parser, phrase, prim},
};

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "IOPub ",
    "_rate_limit=",
    "_limit_window=",
    "iopub messages resumed",
];

/// The lines of a block, and some for what other processes print in between.
const BLOCK_LINES: u64 = 20;

/// An open block: its first line, and what is known. All its lines have needles: those between are not asked for.
#[derive(Default)]
pub(super) struct OutputLimit(Option<(Mark, FrontendOutputLimit)>);

impl Parser for OutputLimit {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        // Where the newest line stands first, numbers go down.
        let is_over = |(mark, _): &(Mark, _)| line.number.abs_diff(mark.number) > BLOCK_LINES;
        if self.0.as_ref().is_some_and(is_over) {
            self.finish(found);
        }
        // It is the first of the parser's parts.
        let [speaks] = line.parts();
        if !speaks {
            return Claim::NotMine;
        }
        if let Some(what) = exceeded(line.text) {
            self.finish(found);
            let event = FrontendOutputLimit { what: Some(what.to_owned()), ..FrontendOutputLimit::default() };
            self.0 = Some((line.mark(), event));
            self.value(line.text, found);
            return Claim::Mine;
        }
        if self.0.is_none() {
            return Claim::NotMine;
        }
        if self.value(line.text, found) {
            return Claim::Mine;
        }
        // The next record of the same logger ends a block that was cut.
        if phrase::find(line.text, "iopub messages resumed").is_some() {
            self.finish(found);
        }
        Claim::NotMine
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

impl OutputLimit {
    /// `ServerApp.iopub_msg_rate_limit=1000.0 (msgs/sec)`, `ServerApp.rate_limit_window=3.0 (secs)`; the latter ends
    /// the block. Both may stand in one line of a JSON log.
    fn value(&mut self, text: &str, found: &mut Vec<Found>) -> bool {
        let Some((_, event)) = &mut self.0 else { return false };
        // Nearly all lines hold no underscore.
        let limit = number_behind(text, "_rate_limit=");
        let window = number_behind(text, "_limit_window=");
        event.limit = limit.or(event.limit);
        event.window_seconds = window.or(event.window_seconds);
        if window.is_some() {
            self.finish(found);
        }
        limit.or(window).is_some()
    }
}

/// Which limit a line says was exceeded.
fn exceeded(text: &str) -> Option<&'static str> {
    let (_, rest) = phrase::around(text, "IOPub ")?;
    let (what, _) = phrase::around(rest, " rate exceeded")?;
    match what {
        "message" => Some("message-rate"),
        "data" => Some("data-rate"),
        _ => None,
    }
}

/// The number behind a literal.
fn number_behind(text: &str, literal: &str) -> Option<f64> {
    let (_, rest) = phrase::around(text, literal)?;
    prim::number(rest).ok().map(|(_, number)| number)
}
