//! The command's descendants: what they hold, and how they end, which only their own parents are told.
//!
//! A process that has ended keeps its exit status in `/proc` until its parent asks for it. A handle of the process
//! (pidfd, Linux 5.3) wakes the recorder at that very moment; runners look for their kernels once a second or less.

use super::{
    super::{command, folder::members},
    process::{self, Memory},
    status::End,
};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use serde_json::{Map, Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    os::fd::OwnedFd,
};

/// The most descendants that are watched.
const MOST: usize = 256;

/// One descendant.
pub(super) struct Member {
    /// Wakes the recorder when it ends.
    pub(super) handle: Option<OwnedFd>,
    program: String,
    kernel_id: Option<String>,
    peak_bytes: u64,
}

/// The descendants, by process id.
#[derive(Default)]
pub(super) struct Tree {
    /// Those that are watched.
    pub(super) members: BTreeMap<i32, Member>,
    /// The highest memory that any of them, the command aside, was seen with.
    pub(super) children_peak_bytes: u64,
}

/// What all of them hold.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Total {
    /// Resident memory.
    pub(super) rss_bytes: u64,
    /// How many there are.
    pub(super) count: usize,
}

/// One that ended.
pub(super) struct Lost {
    /// Its record.
    pub(super) members: Map<String, Value>,
    /// Whether it was a kernel that a signal ended: then the counters tell more.
    pub(super) killed_kernel: bool,
}

impl Tree {
    /// Looks for new descendants, and measures all.
    pub(super) fn look(&mut self, root: i32, command: i32, aside: &BTreeSet<i32>) -> Total {
        let mut total = Total::default();
        let mut open: Vec<i32> = process::children(root);
        let mut seen = BTreeSet::new();
        while let Some(pid) = open.pop() {
            if aside.contains(&pid) || !seen.insert(pid) || seen.len() > MOST {
                continue;
            }
            let memory = process::memory(pid);
            total.rss_bytes += memory.rss_bytes;
            total.count += 1;
            self.measure(pid, memory, pid == command);
            open.extend(process::children(pid));
        }
        total
    }

    fn measure(&mut self, pid: i32, memory: Memory, is_command: bool) {
        // One that has ended and been told of stays in sight until its parent asks for its status.
        let told =
            || !self.members.contains_key(&pid) && memory.rss_bytes == 0 && process::end(pid).is_some();
        if !is_command && !told() {
            self.children_peak_bytes = self.children_peak_bytes.max(memory.peak_bytes);
            let member = self.members.entry(pid).or_insert_with(|| Member::of(pid));
            member.peak_bytes = member.peak_bytes.max(memory.peak_bytes);
            member.know(pid);
        }
    }

    /// Takes one that has ended; `end` is given where the recorder itself was told.
    pub(super) fn lose(&mut self, pid: i32, end: Option<End>) -> Option<Lost> {
        let member = self.members.remove(&pid)?;
        let end = end.or_else(|| process::end(pid));
        let kernel = member.kernel_id.is_some();
        // The quiet end of a helper is no news.
        if !kernel && end.is_none_or(End::is_success) {
            return None;
        }
        let mut record = members([
            ("pid", json!(pid)),
            ("program", json!(member.program)),
            ("kernel_id", json!(member.kernel_id)),
        ]);
        record.extend(end.map(End::members).unwrap_or_default());
        record.insert("max_rss_bytes".to_owned(), json!(member.peak_bytes));
        Some(Lost { members: record, killed_kernel: kernel && end.is_some_and(|end| end.signal().is_some()) })
    }
}

impl Member {
    fn of(pid: i32) -> Self {
        let handle = Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        Self { handle, program: String::new(), kernel_id: None, peak_bytes: 0 }
    }

    /// Reads its command line, which changes when a forked copy becomes a program of its own.
    fn know(&mut self, pid: i32) {
        if self.kernel_id.is_none() {
            let words = process::command(pid);
            self.program = command::program(&words);
            self.kernel_id = command::kernel_id(&words);
        }
    }
}
