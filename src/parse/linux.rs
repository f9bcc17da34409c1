//! What parsers of Linux's own lines share: whether a line may be Linux's, what a command name stands for, and
//! small searches in a line.
//!
//! It knows no kind of line; those are the parsers'.

use super::phrase;
use crate::{
    event::Channel,
    line::Line,
    stamp::{ClockKind, SECOND, Stamp},
};

/// Whether a line may be Linux's own. A line in a process's output may be forged or quoted, whatever it says.
pub(super) fn may_be_linux(line: &Line<'_>) -> bool {
    line.origin.channel != Channel::Process
}

/// What a command name stands for: `kernel`, `server` or `stranger`.
///
/// Linux cuts names at 15 bytes (`jupyterhub-sing`), and a fault names the thread, not the process (`pt_autograd_0`).
pub(super) fn victim(comm: &str) -> &'static str {
    const KERNEL_NAMES: [&str; 7] = ["R", "ir", "rsession", "julia", "xpython", "sage-ipython", "irkernel"];
    const KERNEL_STARTS: [&str; 9] =
        ["python", "ipython", "ipykernel", "pt_", "ZMQbg", "IRkernel", "xeus", "xcpp", "IOPub"];
    let name = comm.trim();
    if name.starts_with("jupyter") {
        "server"
    } else if KERNEL_NAMES.contains(&name) || KERNEL_STARTS.iter().any(|start| name.starts_with(start)) {
        "kernel"
    } else {
        "stranger"
    }
}

/// A command name at the end of a text. It has at most 15 bytes and may hold blanks, colons and slashes
/// (`in:imjournal`, `Plex Media`); what an unknown envelope left before it ends in `: ` or `] `.
pub(super) fn comm_at_end(text: &str) -> &str {
    let start = [": ", "] "].iter().filter_map(|mark| text.rfind(mark).map(|at| at + 2)).max().unwrap_or(0);
    let name = text.get(start..).unwrap_or(text);
    // An ISO stamp that stayed in the message.
    match name.split_once(' ') {
        Some((first, rest)) if first.starts_with(|c: char| c.is_ascii_digit()) && first.contains(':') => rest,
        _ => name,
    }
}

/// Linux's message without what an unknown envelope left before it: `… host kernel: `, then a bracketed clock, in
/// whatever language (`[Di Aug 12 10:00:01 2025]`). A task table's `[ pid ]` stays.
pub(super) fn message(text: &str) -> &str {
    let text = match phrase::around(text, "kernel: ") {
        Some((before, rest)) if before.len() <= 120 => rest,
        _ => text,
    };
    let clock = text.strip_prefix('[').and_then(|inside| phrase::around(inside, "] "));
    match clock {
        Some((clock, rest)) if clock.len() <= 40 && clock.contains(['.', ':']) => rest,
        _ => text,
    }
}

/// What follows a literal, anywhere in a text.
pub(super) fn after<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    phrase::behind(text, mark)
}

/// What stands between two literals; to the end of the text where the second is missing.
pub(super) fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let rest = after(text, start)?;
    Some(phrase::ahead(rest, end).unwrap_or(rest))
}

/// The number at the start of a text, behind blanks.
pub(super) fn leading_integer(text: &str) -> Option<i64> {
    let text = text.trim_start();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let length = digits.bytes().take_while(u8::is_ascii_digit).count() + (text.len() - digits.len());
    text.get(..length)?.parse().ok()
}

/// The number behind a literal, anywhere in a text.
pub(super) fn integer_after(text: &str, mark: &str) -> Option<i64> {
    after(text, mark).and_then(leading_integer)
}

/// The size in bytes of a figure that Linux prints in its `kB` of 1024 bytes, behind a literal.
pub(super) fn kilobytes_after(text: &str, mark: &str) -> Option<i64> {
    integer_after(text, mark)?.checked_mul(1024)
}

/// The time that an audit record bears itself, `msg=audit(1796052150.411:912)`; auditd's file has no other.
pub(super) fn audit_stamp(text: &str) -> Option<Stamp> {
    let inside = between(text, "audit(", ")")?;
    let (seconds, rest) = inside.split_once('.')?;
    let millis: i64 = rest.split(':').next().filter(|millis| millis.len() == 3)?.parse().ok()?;
    let seconds: i64 = seconds.parse().ok()?;
    Some(Stamp::new(ClockKind::Zoned, seconds.checked_mul(SECOND)?.checked_add(millis * 1000)?))
}

/// A text that is not empty, owned.
pub(super) fn some_text(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_classified() {
        for (name, expected) in [
            ("python3.11", "kernel"),
            ("pt_main_thread", "kernel"),
            ("ZMQbg/IO/0", "kernel"),
            ("R", "kernel"),
            ("jupyterhub-sing", "server"),
            ("node", "stranger"),
            ("irqbalance", "stranger"),
            ("Rscript", "stranger"),
        ] {
            assert_eq!(victim(name), expected, "{name}");
        }
    }

    #[test]
    fn numbers_are_found() {
        assert_eq!(integer_after("order=-1, x", "order="), Some(-1));
        assert_eq!(kilobytes_after("anon-rss:48640kB", "anon-rss:"), Some(48640 * 1024));
        assert_eq!(leading_integer("x"), None);
    }
}
