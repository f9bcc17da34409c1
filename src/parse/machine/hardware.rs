//! Stuck CPUs and tasks, and hardware that Linux reports as broken.
//!
//! Corrected errors and heat are noise and left out: they end nothing.

use crate::{
    event::{HostHardwareError, HostLockup},
    line::Line,
    parse::{
        Claim, Found,
        linux::{after, between, integer_after, leading_integer, some_text},
    },
};

/// Looks at one line; `None` if it says nothing of this.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    if let Some(event) = lockup(line.text) {
        found.push(Found::on(line, event));
        return Some(Claim::Mine);
    }
    let event = killed_for_memory(line.text).or_else(|| reported(line.text))?;
    found.push(Found::on(line, HostHardwareError { message: some_text(line.text), ..event }));
    Some(Claim::Mine)
}

/// `watchdog: BUG: soft lockup - CPU#18 stuck for 27s! [python3:2254956]`, `INFO: task python3:2254956 blocked for
/// more than 120 seconds.`, hard lockups, RCU stalls.
fn lockup(text: &str) -> Option<HostLockup> {
    if let Some(rest) = after(text, "soft lockup - ") {
        let task = after(rest, "[").and_then(|task| task.split(']').next());
        return Some(stuck("soft lockup", task, integer_after(rest, "stuck for ")));
    }
    if let Some((before, rest)) = text.split_once(" blocked for more than ") {
        return Some(stuck("hung task", Some(after(before, "INFO: task ")?), leading_integer(rest)));
    }
    if text.contains("hard LOCKUP on cpu") {
        return Some(stuck("hard lockup", None, None));
    }
    // `Oops: 0002 [#1] PREEMPT SMP`, `general protection fault, probably for non-canonical address …: 0000 [#1]`; then the
    // process that Linux was working for is killed: `note: python3[123] exited with irqs disabled`.
    if text.contains("[#") && (text.contains("Oops: ") || text.contains("general protection fault")) {
        return Some(stuck("oops", None, None));
    }
    let exited = after(text, "note: ").and_then(|rest| rest.split_once("] exited with "));
    if let Some((task, how)) = exited
        && (how.starts_with("irqs disabled") || how.starts_with("preempt_count"))
    {
        let (process, pid) = task.rsplit_once('[')?;
        return Some(HostLockup { process: some_text(process), pid: leading_integer(pid), ..stuck("oops", None, None) });
    }
    let stall = text.contains("self-detected stall on CPU") || text.contains("detected stalls on CPUs");
    stall.then(|| stuck("rcu stall", None, None))
}

/// A lockup; a task is `name:pid`, and the name may hold colons.
fn stuck(what: &str, task: Option<&str>, seconds: Option<i64>) -> HostLockup {
    let (process, pid) = task.and_then(|task| task.rsplit_once(':')).unzip();
    HostLockup {
        what: Some(what.to_owned()),
        process: process.and_then(some_text),
        pid: pid.and_then(leading_integer),
        seconds,
    }
}

/// `Memory failure: 0x12345: Killing python3:4242 due to hardware memory corruption`, also `Sending SIGBUS to …` and
/// `MCE: Killing …`.
fn killed_for_memory(text: &str) -> Option<HostHardwareError> {
    let (before, _) = text.split_once(" due to hardware memory corruption")?;
    let task = ["Killing ", "SIGBUS to "].iter().find_map(|verb| after(before, verb))?;
    let (process, pid) = task.rsplit_once(':')?;
    Some(HostHardwareError { process: some_text(process), pid: leading_integer(pid), ..broken("memory") })
}

/// What a controller reports of itself.
fn reported(text: &str) -> Option<HostHardwareError> {
    if let Some(rest) = after(text, "EDAC MC") {
        // `CE` errors were corrected, `UE` ones were not.
        return rest.contains(" UE ").then(|| broken("memory"));
    }
    if text.contains("PCIe Bus Error: severity=Uncorrect") {
        return Some(broken("pcie"));
    }
    let rest = after(text, "[Hardware Error]: ")?;
    let fatal = between(rest, "event severity: ", " ").is_some_and(|severity| matches!(severity.trim(), "fatal" | "recoverable"));
    let machine_check = rest.contains("Machine Check") && !rest.contains("events logged");
    (fatal || machine_check).then(|| broken("mce"))
}

/// An error of some hardware.
fn broken(what: &str) -> HostHardwareError {
    HostHardwareError { what: Some(what.to_owned()), ..HostHardwareError::default() }
}
