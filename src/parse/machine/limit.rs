//! Limits on processes, files, address space and CPU time, in Linux's words and in those of who hit them.
//!
//! A refused allocation kills nobody: the process gets an error and may go on.

use crate::{
    event::{Channel, LimitReached},
    line::{Line, shorten},
    parse::{
        Claim, Found,
        cgroup::Cgroup,
        linux::{after, audit_stamp, between, integer_after, leading_integer, some_text},
    },
};

/// Looks at one line; `None` if it says nothing of this.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    let own = line.origin.channel != Channel::Process;
    let event = linux(line.text).filter(|_| own).or_else(|| refused(line.text))?;
    let mut event = Found::on(line, LimitReached { message: Some(shorten(line.text.trim())), ..event });
    if let Some(stamp) = audit_stamp(line.text).filter(|_| !line.exact) {
        event.mark.date(stamp);
    }
    found.push(event);
    Some(Claim::Mine)
}

/// A limit of some kind.
fn reached(what: &str) -> LimitReached {
    LimitReached { what: Some(what.to_owned()), ..LimitReached::default() }
}

/// What Linux says. The first of these is printed once a cgroup, whatever follows.
fn linux(text: &str) -> Option<LimitReached> {
    if let Some(path) = after(text, "fork rejected by pids controller in ") {
        let container_id = Cgroup::of(path.trim()).container_id;
        return Some(LimitReached { cgroup: some_text(path), container_id, ..reached("pids") });
    }
    // `audit: type=1326 audit(…): auid=… pid=7512 comm="python3" exe="…" sig=31 arch=c000003e syscall=435 …`
    if (text.contains("type=1326 ") || text.contains("type=SECCOMP ")) && text.contains(" sig=31") {
        let process = between(text, "comm=\"", "\"").and_then(some_text);
        return Some(LimitReached { process, pid: integer_after(text, " pid="), ..reached("system-call") });
    }
    if text.contains("VFS: file-max limit") {
        return Some(reached("files"));
    }
    // `mmap: python (25249): VmData 1004736512 exceed data ulimit 204800000. …`
    if text.contains("exceed data ulimit") {
        let (name, rest) = after(text, "mmap: ")?.split_once(" (")?;
        return Some(LimitReached { process: some_text(name), pid: leading_integer(rest), ..reached("address-space") });
    }
    // `__vm_enough_memory: pid: 25240, comm: python, bytes: 80000000004096 not enough memory for the allocation`
    if let Some(rest) = after(text, "__vm_enough_memory: ") {
        let process = between(rest, "comm: ", ",").and_then(some_text);
        return Some(LimitReached { process, pid: integer_after(rest, "pid: "), ..reached("memory-commit") });
    }
    // `CPU Watchdog Timeout (hard): python3[4242]`, `RT Watchdog Timeout (soft): …`
    let (_, task) = after(text, " Watchdog Timeout (")?.split_once("): ")?;
    let (name, pid) = task.rsplit_once('[')?;
    Some(LimitReached { process: some_text(name), pid: leading_integer(pid), ..reached("cpu-time") })
}

/// What the process says that was refused something.
fn refused(text: &str) -> Option<LimitReached> {
    const WORDS: [(&str, &str); 15] = [
        ("Too many open files", "files"),
        // Descriptors that another process passed on and that had no number left here.
        ("received 0 items of ancdata", "files"),
        ("can't start new thread", "pids"),
        ("pthread_create failed", "pids"),
        ("Thread creation failed", "pids"),
        ("Failed to fork: Resource temporarily unavailable", "pids"),
        ("fork: retry: Resource temporarily unavailable", "pids"),
        ("fork: retry: No child processes", "pids"),
        ("Cputime limit exceeded", "cpu-time"),
        ("CPU time limit exceeded", "cpu-time"),
        ("[Errno 12] Cannot allocate memory", "memory-commit"),
        ("fork: Cannot allocate memory", "memory-commit"),
        ("WinError 1455", "memory-commit"),
        ("paging file is too small", "memory-commit"),
        // Windows' Resource-Exhaustion-Detector, event 2004.
        ("diagnosed a low virtual memory condition", "memory-commit"),
    ];
    // No number of threads is forbidden: the filter of an old engine does not know clone3, by which new C libraries start
    // them.
    let forbidden = |what: &str| what == "pids" && text.contains("Operation not permitted");
    let (_, what) = WORDS.iter().find(|(words, _)| text.contains(words))?;
    Some(reached(if forbidden(what) { "system-call" } else { what }))
}
