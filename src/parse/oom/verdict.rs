//! The line that says who was killed, in the words of every age of Linux.
//!
//! It knows no other line of a report; what it leaves open the report fills in.

use crate::parse::{
    linux::{after, between, integer_after, kilobytes_after, leading_integer, some_text},
    phrase,
};

/// What a verdict line says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Verdict {
    /// `Killed process`; otherwise `Kill process`, which before 5.1 came first and may name a thread or a parent.
    pub(super) done: bool,
    /// The line speaks of a cgroup's memory.
    pub(super) memcg: bool,
    /// The line speaks of the host's memory.
    pub(super) global: bool,
    pub(super) pid: Option<i64>,
    pub(super) name: Option<String>,
    pub(super) total_vm: Option<i64>,
    pub(super) anon: Option<i64>,
    pub(super) file: Option<i64>,
    pub(super) shmem: Option<i64>,
    pub(super) uid: Option<i64>,
    pub(super) adj: Option<i64>,
    /// What was expected where the line broke off.
    pub(super) damage: Option<&'static str>,
}

/// Reads a verdict. `trusted` if the line surely is Linux's: then the words alone suffice.
pub(super) fn verdict(text: &str, trusted: bool) -> Option<Verdict> {
    let (prefix, rest, done) = split(text)?;
    if phrase::holds(rest, "sharing same memory") {
        return None;
    }
    let lower = prefix.to_ascii_lowercase();
    let memcg = phrase::holds(&lower, "memory cgroup out of memory");
    let global = !memcg && (phrase::holds(&lower, "out of memory") || phrase::holds(&lower, "no available memory"));
    let convincing = memcg || global || phrase::holds(rest, "total-vm:") || (trusted && done);
    // Prose quotes these words too; Linux always goes on with a number, unless the line was cut.
    if !convincing || !(rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit())) {
        return None;
    }
    let (name, name_cut) = name(rest);
    let figures = after(rest, "total-vm:").unwrap_or_default();
    Some(Verdict {
        done,
        memcg,
        global,
        pid: leading_integer(rest),
        name,
        total_vm: kilobytes_after(rest, "total-vm:"),
        anon: kilobytes_after(figures, "anon-rss:"),
        file: kilobytes_after(figures, "file-rss:"),
        shmem: kilobytes_after(figures, "shmem-rss:"),
        uid: integer_after(figures, "UID:").or_else(|| integer_after(rest, ", UID ")),
        adj: integer_after(figures, "oom_score_adj:"),
        damage: damage(rest, figures, name_cut),
    })
}

/// What stands before and behind the verb, and whether it was done.
fn split(text: &str) -> Option<(&str, &str, bool)> {
    [("Killed process", true), ("Kill process", false), ("kill process", false)].into_iter().find_map(|(verb, done)| {
        let (prefix, rest) = phrase::around(text, verb)?;
        Some((prefix, rest.trim(), done))
    })
}

/// The name in parentheses, which may hold parentheses itself, and whether its end is missing.
fn name(rest: &str) -> (Option<String>, bool) {
    let Some(start) = after(rest, "(") else { return (None, true) };
    let end = [") total-vm:", ") score "].iter().find_map(|end| start.rfind(end)).or_else(|| start.rfind(')'));
    match end {
        Some(end) => (start.get(..end).and_then(some_text), false),
        None => (some_text(start), true),
    }
}

/// What is missing at the end of a line.
fn damage(rest: &str, figures: &str, name_cut: bool) -> Option<&'static str> {
    if leading_integer(rest).is_none() {
        Some("a process id")
    } else if name_cut {
        Some("a name in parentheses")
    } else if !figures.is_empty() && between(figures, "file-rss:", "kB").is_none_or(|figure| figure.trim().is_empty()) {
        Some("anon-rss and file-rss")
    } else {
        None
    }
}
