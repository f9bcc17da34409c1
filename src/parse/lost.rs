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
    parts: &[],
    make: || Box::new(OneLine(line)),
};

/// Looks at one line.
fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let Some(lost_count) = counted(line.text) else { return Claim::NotMine };
    let message = Some(shorten(line.text));
    found.push(Found::on(line, LogLinesLost { message, ..lost_count }));
    Claim::Mine
}

/// How many lines were lost, if the line says that any were.
///
/// `oom_kill_process: 12 callbacks suppressed` (Linux), `** 36 printk messages dropped **` (Linux ≥ 4.x), `Missed 39
/// kernel messages` (journald), `imjournal: 52 messages lost due to rate-limiting` (rsyslog), `/dev/kmsg buffer overrun,
/// some messages lost.` (journald).
fn counted(text: &str) -> Option<LogLinesLost> {
    let before = [" callbacks suppressed", " printk messages dropped", " messages lost due to rate-limiting"];
    let count = if let Some(words) = before.iter().find_map(|words| text.split_once(words)) {
        words.0.split([' ', ':']).next_back().and_then(|word| word.parse().ok())
    } else if let Some((_, rest)) = text.split_once("Missed ").filter(|(_, rest)| rest.contains("kernel messages")) {
        prim::integer(rest).ok().map(|(_, count)| count)
    } else if text.contains("kmsg buffer overrun") {
        None
    } else {
        return None;
    };
    Some(LogLinesLost { lost_count: count, message: None })
}
