//! One process as `/proc` shows it.

use super::status::End;
use std::fs;

/// The memory of a process.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Memory {
    /// Resident now.
    pub(super) rss_bytes: u64,
    /// The most that was ever resident.
    pub(super) peak_bytes: u64,
}

/// What a process holds; nothing of one that has ended.
pub(super) fn memory(pid: i32) -> Memory {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let kib = |key: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(key))?;
        line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib << 10)
    };
    Memory { rss_bytes: kib("VmRSS:").unwrap_or(0), peak_bytes: kib("VmHWM:").unwrap_or(0) }
}

/// The words of a process's command line.
pub(super) fn command(pid: i32) -> Vec<String> {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = bytes.split(|byte| *byte == 0).filter(|word| !word.is_empty());
    words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// The processes that a process has started and that still are its children.
pub(super) fn children(pid: i32) -> Vec<i32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists =
        threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<_>>())
        .collect()
}

/// How a process ended that its parent has not waited for yet: the last field of its `stat`.
pub(super) fn end(pid: i32) -> Option<End> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    let ended = fields.starts_with(['Z', 'X']);
    let raw = fields.split_whitespace().nth(49)?.parse().ok()?;
    ended.then(|| End::of_raw(raw))
}
