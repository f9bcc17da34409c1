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
];

/// The lines of a block, and some for what other processes print in between.
const BLOCK_LINES: usize = 20;

/// An open block: its first line, what is known, and how many lines more it may take.
#[derive(Default)]
pub(super) struct OutputLimit(Option<(Mark, FrontendOutputLimit, usize)>);

impl Parser for OutputLimit {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if let Some(what) = exceeded(line.text) {
            self.finish(found);
            let event = FrontendOutputLimit { what: Some(what.to_owned()), ..FrontendOutputLimit::default() };
            self.0 = Some((line.mark(), event, BLOCK_LINES));
            self.value(line.text, found);
            return Claim::Mine;
        }
        if self.value(line.text, found) {
            return Claim::Mine;
        }
        if let Some((_, _, left)) = &mut self.0 {
            *left -= 1;
            // The next record of the same logger ends a block that was cut.
            if *left == 0 || line.text.contains("iopub messages resumed") {
                self.finish(found);
            }
        }
        Claim::NotMine
    }

    fn hungry(&self) -> bool {
        self.0.is_some()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        if let Some((mark, event, _)) = self.0.take() {
            found.push(Found::at(&mark, event));
        }
    }
}

impl OutputLimit {
    /// `ServerApp.iopub_msg_rate_limit=1000.0 (msgs/sec)`, `ServerApp.rate_limit_window=3.0 (secs)`; the latter ends
    /// the block. Both may stand in one line of a JSON log.
    fn value(&mut self, text: &str, found: &mut Vec<Found>) -> bool {
        let Some((_, event, _)) = &mut self.0 else { return false };
        let limit = number_behind(text, "_rate_limit=");
        let window = number_behind(text, "rate_limit_window=");
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
