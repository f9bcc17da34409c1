//! Lines by which a log says that it is not complete.
//!
//! Linux's `printk` and journald limit their rate, and the ring buffer overwrites its beginning. A log that lost lines
//! around a death does not rule anything out by saying nothing.

use super::{Claim, Found, OneLine, Spec, prim};
use crate::{
    event::LogLinesLost,
    line::{Line, shorten},
};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "log",
    needles: &[
        "callbacks suppressed",
        "printk messages dropped",
        "kernel messages lost",
        "kernel messages",
        "messages lost due to rate-limiting",
        "kmsg buffer overrun",
    ],
    make: || Box::new(OneLine(line)),
};

/// Looks at one line.
fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let text = line.text;
    let Some(count) = lost(text) else { return Claim::NotMine };
    let message = Some(shorten(text));
    found.push(Found::on(line, LogLinesLost { lost_count: count, message }));
    Claim::Mine
}

/// How many lines were lost, if the line says that any were.
///
/// `oom_kill_process: 12 callbacks suppressed` (Linux), `** 36 printk messages dropped **` (Linux ≥ 4.x), `Missed 39
/// kernel messages` and `Suppressed 120 messages from nb.service` (journald), `imjournal: 52 messages lost due to
/// rate-limiting` (rsyslog), `/dev/kmsg buffer overrun, some messages lost.` (journald).
fn lost(text: &str) -> Option<Option<i64>> {
    let before = [" callbacks suppressed", " printk messages dropped", " messages lost due to rate-limiting"];
    if let Some(words) = before.iter().find_map(|words| text.split_once(words)) {
        let count = words.0.split([' ', ':']).next_back().and_then(|word| word.parse().ok());
        return Some(count);
    }
    if let Some((_, rest)) = text.split_once("Missed ").filter(|(_, rest)| rest.contains("kernel messages")) {
        return Some(prim::integer(rest).ok().map(|(_, count)| count));
    }
    text.contains("kmsg buffer overrun").then_some(None)
}
