//! The lines before and around the verdict that name processes and cgroups: who asked, on which Linux, whose limit
//! was hit, who was chosen.
//!
//! It reads single lines; putting them together is the report's.

use crate::parse::{
    linux::{after, comm_at_end, integer_after, some_text},
    phrase,
};

/// Who asked for memory: `python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Invoked {
    pub(super) process: Option<String>,
    pub(super) gfp_mask: Option<String>,
    pub(super) order: Option<i64>,
    pub(super) pid: Option<i64>,
    pub(super) kernel_version: Option<String>,
}

/// Reads the header.
pub(super) fn invoked(text: &str) -> Option<Invoked> {
    let (before, rest) = phrase::around(text, " invoked oom-killer")?;
    let gfp_mask = after(rest, "gfp_mask=").map(|mask| mask.split(", ").next().unwrap_or(mask));
    Some(Invoked {
        process: some_text(comm_at_end(before)),
        gfp_mask: gfp_mask.and_then(some_text),
        order: integer_after(rest, "order="),
        ..Invoked::default()
    })
}

/// The line of the CPU that asked: its process and the running Linux.
///
/// `CPU: 1 UID: 0 PID: 26069 Comm: python3 Not tainted 6.18.44 #1`, on RHEL 6 `Pid: 23212, comm: php-fpm Not tainted …`.
pub(super) fn cpu(text: &str) -> Option<Invoked> {
    let (before, rest) = phrase::around(text, " Comm: ").or_else(|| phrase::around(text, ", comm: "))?;
    let end = [" Not tainted", " Tainted:", " Kdump:"].iter().filter_map(|mark| rest.find(mark)).min();
    Some(Invoked {
        process: end.and_then(|end| rest.get(..end)).or(Some(rest)).and_then(some_text),
        pid: integer_after(before, "PID: ").or_else(|| integer_after(before, "Pid: ")),
        kernel_version: phrase::around(rest, " #").and_then(|(before, _)| before.split_whitespace().next_back()).map(str::to_owned),
        ..Invoked::default()
    })
}

/// The two cgroups of `Task in /a killed as a result of limit of /b` (before 5.0): the victim's, and the one whose
/// limit was reached. Linux prints it piece by piece, so it may be torn in two.
pub(super) fn limit_of(text: &str) -> Option<(Option<String>, Option<String>)> {
    let (before, limit) = phrase::around(text, "killed as a result of limit of")?;
    Some((after(before, "Task in ").and_then(some_text), some_text(limit)))
}

/// Who was chosen and why: the `oom-kill:` line, made for machines, since 5.0.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Choice {
    pub(super) constraint: Option<String>,
    pub(super) oom_memcg: Option<String>,
    pub(super) task_memcg: Option<String>,
    pub(super) task: Option<String>,
    pub(super) pid: Option<i64>,
    pub(super) uid: Option<i64>,
}

/// Reads the `oom-kill:` line; any part may be missing.
pub(super) fn choice(text: &str) -> Option<Choice> {
    let rest = after(text, "oom-kill:constraint=")?;
    // The name is whatever a user made it: the figures are looked for from the right.
    let (before, last) = rest.rsplit_once(",pid=").map_or((rest, ""), |(before, last)| (before, last));
    Some(Choice {
        constraint: some_text(rest.split(',').next().unwrap_or(rest)),
        oom_memcg: path(before, ",oom_memcg="),
        task_memcg: path(before, ",task_memcg="),
        task: before.rsplit_once(",task=").and_then(|(_, task)| some_text(task)),
        pid: crate::parse::linux::leading_integer(last),
        uid: integer_after(last, ",uid="),
    })
}

/// A cgroup's path behind its key, to the next key.
fn path(text: &str, key: &str) -> Option<String> {
    let value = after(text, key)?;
    let end = [",task_memcg=", ",task="].iter().filter_map(|next| value.find(next)).min().unwrap_or(value.len());
    value.get(..end).and_then(some_text)
}
