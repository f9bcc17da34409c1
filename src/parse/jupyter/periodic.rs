//! Websockets that end again and again after the same time: a proxy or load balancer cuts them.
//!
//! One lost websocket is `browser`'s; this counts how long each lasted, and says nothing while they differ.

use super::id::kernel_id;
use crate::{
    event::FrontendWebsocketPeriodic,
    line::{Line, Mark},
    parse::{Claim, Found, Parser, phrase},
    stamp::{SECOND, Stamp},
};
use std::collections::BTreeMap;

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "Connecting to kernel ",
    "Restoring connection for ",
    "Starting buffering for ",
    "Replacing stale connection: ",
];

/// What a browser's coming looks like. A client that knocks for a moment every minute lasts no time.
const OPENED: &[&str] = &["Connecting to kernel ", "Restoring connection for "];
/// What its going looks like.
const LOST: &[&str] = &["Starting buffering for ", "Replacing stale connection: "];
/// So many connections of one length are no chance.
const ENOUGH: i64 = 3;
/// How much the lengths may differ: the server and the proxy look at their clocks once a second.
const SLACK: i64 = 3 * SECOND / 2;
/// Shorter ones are somebody's reloading.
const SHORTEST: i64 = 10 * SECOND;
/// How many kernels are watched at most.
const MOST_KERNELS: usize = 256;

/// One kernel's connections.
#[derive(Default)]
struct Watch {
    opened: Option<i64>,
    first: i64,
    total: i64,
    count: i64,
    mark: Mark,
}

/// All kernels' connections.
#[derive(Default)]
pub(super) struct Periodic(BTreeMap<String, Watch>);

impl Parser for Periodic {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        let Some(now) = Stamp::best(line.stamps).filter(|_| line.exact).map(|stamp| stamp.micros) else {
            return Claim::NotMine;
        };
        if let Some(id) = kernel_behind(line.text, OPENED) {
            if self.0.len() < MOST_KERNELS || self.0.contains_key(id) {
                self.0.entry(id.to_owned()).or_default().opened.get_or_insert(now);
            }
        } else if let Some(id) = kernel_behind(line.text, LOST)
            && let Some(watch) = self.0.get_mut(id)
            && let Some(opened) = watch.opened.take()
        {
            watch.lasted(id, now.saturating_sub(opened), line, found);
        }
        // The lines themselves are told by others.
        Claim::NotMine
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        for (id, mut watch) in std::mem::take(&mut self.0) {
            watch.give(&id, found);
        }
    }
}

impl Watch {
    /// A connection ended after some time.
    fn lasted(&mut self, id: &str, time: i64, line: &Line<'_>, found: &mut Vec<Found>) {
        if self.count > 0 && time.abs_diff(self.first) > SLACK.unsigned_abs() {
            self.give(id, found);
        }
        if time < SHORTEST {
            return;
        }
        if self.count == 0 {
            self.first = time;
            self.mark = line.mark();
        }
        self.count += 1;
        self.total = self.total.saturating_add(time);
    }

    /// Gives what was counted, if it is enough, and begins anew.
    fn give(&mut self, id: &str, found: &mut Vec<Found>) {
        if self.count >= ENOUGH {
            #[expect(clippy::cast_precision_loss, reason = "seconds to a tenth")]
            let seconds = (self.total / self.count / (SECOND / 10)) as f64 / 10.0;
            let event = FrontendWebsocketPeriodic {
                kernel_id: Some(id.to_owned()),
                seconds: Some(seconds),
                lost_count: Some(self.count),
            };
            found.push(Found::at(&self.mark, event));
        }
        (self.count, self.total) = (0, 0);
    }
}

/// The kernel id behind one of some literals.
fn kernel_behind<'a>(text: &'a str, literals: &[&str]) -> Option<&'a str> {
    let rest = literals.iter().find_map(|literal| phrase::around(text, literal).map(|(_, rest)| rest))?;
    kernel_id(rest).map(|(id, _)| id)
}
