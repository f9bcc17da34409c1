//! The host itself: boots, shutdowns, ends of login sessions, panics, lockups, broken hardware, full or failing disks, limits that were hit.
//!
//! Memory is `oom`'s, processes' faults are `fault`'s, GPUs are `xid`'s. A full disk is told by whoever hit it, so
//! storage and limits are also read in a process's output; the rest only where Linux can have said it.

mod boot;
mod hardware;
mod limit;
mod session;
mod space;
mod storage;

use super::{Claim, Found, Parser, Spec};
use crate::{
    event::{Channel, HostBoot},
    line::{Line, Mark},
};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "host log",
    needles: &NEEDLES,
    parts: &[],
    make: || Box::new(Machine::default()),
};

/// The needles of everything but an orderly end.
const OTHERS: &[&str] = &[
    "Linux version ",
    "-- Boot ",
    "-- Reboot --",
    "system boot",
    "system down",
    "setting system clock to ",
    "Kernel panic - not syncing",
    "PM: suspend e",
    "PM: hibernation",
    "Waking up from system sleep state",
    "soft lockup",
    "hard LOCKUP",
    "blocked for more than",
    "rcu: INFO:",
    "self-detected stall",
    "detected stalls on",
    "[Hardware Error]",
    "hardware memory corruption",
    "EDAC MC",
    "PCIe Bus Error",
    "No space left on device",
    "Disk quota exceeded",
    "disk is full",
    "Read-only file system",
    "emounting filesystem read-only",
    "forced readonly",
    "I/O error",
    "Input/output error",
    "EXT4-fs error",
    "Metadata corruption detected",
    "Shutting down filesystem",
    "not responding, ",
    "mds0 hung",
    "No locks available",
    "Stale file handle",
    "rejected by pids controller",
    "type=1326 ",
    "type=SECCOMP ",
    "file-max limit",
    "exceed data ulimit",
    "__vm_enough_memory",
    "Watchdog Timeout",
    "Cputime limit exceeded",
    "CPU time limit exceeded",
    "Too many open files",
    "received 0 items of ancdata",
    "start new thread",
    "pthread_create failed",
    "Thread creation failed",
    "Failed to fork",
    "fork: retry",
    "Cannot allocate memory",
    "WinError 1455",
    "paging file is too small",
    "session closed for user",
    "Oops: ",
    "general protection fault",
    "] exited with irqs disabled",
    "] exited with preempt_count",
    "): recovery complete",
    "): Starting recovery",
    "uncleanly shut down",
    "no space left on device",
    "with error 28",
    "errno=-28",
    "Data will be lost",
    "timeout, reset controller",
    "timeout, aborting",
    "Device not ready; aborting reset",
    "Disk failure on ",
    "mds0 caps stale",
    "has not responded in ",
    "out-of-data-space",
    "Disk quotas for ",
    "Mounted on",
    "low virtual memory condition",
    "operating system started at system time",
    "has initiated the restart of computer",
];

/// All needles.
const NEEDLES: [&str; boot::SHUTDOWN.len() + OTHERS.len()] = {
    let mut all = [""; boot::SHUTDOWN.len() + OTHERS.len()];
    let (shutdown, others) = all.split_at_mut(boot::SHUTDOWN.len());
    shutdown.copy_from_slice(&boot::SHUTDOWN);
    others.copy_from_slice(OTHERS);
    all
};

/// A boot's mark in a journal has no stamp; the first line behind it has.
#[derive(Default)]
struct Machine {
    boot: Option<Mark>,
    /// A list of file systems or quotas.
    list: space::List,
}

impl Parser for Machine {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if boot::is_mark(line.text) {
            self.finish(found);
            self.boot = Some(line.mark());
            return Claim::Mine;
        }
        if let Some(mark) = self.boot.take()
            // That line tells of the same boot, and better.
            && boot::version(line).is_none()
        {
            let mark = if line.exact { Mark { stamps: line.stamps.into(), ..mark } } else { mark };
            found.push(Found::at(&mark, HostBoot::default()));
        }
        self.list.line(line, found).unwrap_or_else(|| self::line(line, found))
    }

    fn hungry(&self) -> bool {
        self.boot.is_some() || self.list.hungry()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        if let Some(mark) = self.boot.take() {
            found.push(Found::at(&mark, HostBoot::default()));
        }
    }
}

/// Looks at one line.
fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let linux = if line.origin.channel == Channel::Process {
        boot::windows(line, found)
    } else {
        boot::line(line, found).or_else(|| boot::windows(line, found)).or_else(|| hardware::line(line, found))
    };
    let linux = linux.or_else(|| boot::shutdown(line, found)).or_else(|| boot::unclean(line, found)).or_else(|| session::line(line, found));
    linux.or_else(|| storage::line(line, found)).or_else(|| limit::line(line, found)).unwrap_or(Claim::NotMine)
}
