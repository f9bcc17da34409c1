//! A server that stood still: several browsers' pings time out in the same moment.
//!
//! One ping that times out is `browser`'s. Each connection has its own clock, so a sleeping laptop's time out one by one;
//! together they do only when the server itself could not look at any of them.

use crate::{
    event::ServerError,
    line::{Line, Mark},
    parse::{Claim, Found, Parser},
    stamp::{SECOND, Stamp},
};

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "WebSocket ping timeout after ",
];

/// How close the time-outs of one standstill lie.
const TOGETHER: i64 = SECOND / 10;
/// Two may be chance.
const ENOUGH: u64 = 3;

/// The time-outs of the last moment: the first one's line, the last one's time, how many.
#[derive(Default)]
pub(super) struct Stall(Option<(Mark, i64, u64)>);

impl Parser for Stall {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        let now = Stamp::best(line.stamps).filter(|_| line.exact).map(|stamp| stamp.micros);
        if let Some(now) = now.filter(|_| line.text.contains("WebSocket ping timeout after ")) {
            match &mut self.0 {
                Some((_, last, count)) if now.abs_diff(*last) <= TOGETHER.unsigned_abs() => {
                    (*last, *count) = (now, *count + 1);
                }
                _ => {
                    self.finish(found);
                    self.0 = Some((line.mark(), now, 1));
                }
            }
        }
        // The line itself is told by others.
        Claim::NotMine
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        if let Some((mark, _, count)) = self.0.take()
            && count >= ENOUGH
        {
            let message = Some(format!("{count} websocket pings timed out in one moment"));
            found.push(Found::at(
                &mark,
                ServerError { what: Some("event-loop".to_owned()), port: None, message },
            ));
        }
    }
}
