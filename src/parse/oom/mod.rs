//! Linux's OOM killer: the whole report of 2.6 to 6.x as one event, from whatever parts of it are left.
//!
//! It reads only lines that can be Linux's own; userspace's killers are in `daemons`, containers' events in
//! `container`.

mod header;
mod memory;
mod report;
mod table;
mod verdict;

use super::{Claim, Found, Parser, Spec, cgroup::Cgroup, linux, phrase};
use crate::{
    event::{Channel, OomGroupKill, OomNoVictim},
    line::{Line, Mark},
    stamp::{SECOND, Stamp},
};
use header::{Choice, Invoked};
use report::Report;
use std::collections::BTreeMap;
use verdict::Verdict;

/// The parser.
pub const PARSER: Spec = Spec {
    name: "oom",
    needles: &[
        "invoked oom-killer",
        "Killed process",
        "Kill process ",
        "kill process ",
        "oom-kill:constraint=",
        "memory.oom.group set",
        "no killable processes",
        "killed as a result of limit of",
        "Manual OOM execution",
        "memory: usage ",
        "Memory cgroup stats for ",
        "Tasks state (memory values",
        " total_vm ",
        "Mem-Info:",
        " Comm: ",
        " mems_allowed=",
        "oom_kill_process",
    ],
    parts: &[],
    make: || Box::new(Oom::default()),
};

/// A report is given up after so many lines that say nothing of it: a call trace has some eighty.
const PATIENCE: u32 = 300;
/// A call trace reaches the OOM killer within so many lines.
const TRACE_LINES: u64 = 20;
/// How many hosts' reports are kept apart in one log.
const MOST_HOSTS: usize = 256;
/// Kills of one cgroup follow each other within this time.
const GROUP_TIME: i64 = 5 * SECOND;

/// The reports at work, one a host.
#[derive(Default)]
struct Oom {
    hosts: BTreeMap<Option<String>, Ring>,
    /// The host of the last line that named one.
    last: Option<String>,
}

/// What is known of one host's ring buffer.
#[derive(Default)]
struct Ring {
    /// The report being read.
    open: Option<Report>,
    /// Who runs on a CPU that printed its state, and on which line: if a trace through the OOM killer follows, who
    /// asked.
    cpu: Option<(u64, Invoked)>,
    /// Lines since the open report's last one.
    idle: u32,
    /// The report whose verdict was the last, for the further victims of its cgroup.
    closed: Option<(Report, Option<Stamp>)>,
    /// Whether all of the closed report's cgroup is to die.
    group: bool,
}

impl Parser for Oom {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if !linux::may_be_linux(line) {
            return Claim::NotMine;
        }
        if line.exact || line.origin.host.is_some() {
            self.last.clone_from(&line.origin.host);
        }
        // A line that lost its envelope belongs to the host of the line before it.
        if !self.hosts.contains_key(&self.last) && self.hosts.len() >= MOST_HOSTS {
            self.finish(found);
        }
        let ring = self.hosts.entry(self.last.clone()).or_default();
        let mut claim = Claim::NotMine;
        for part in parts(linux::message(line.text)) {
            let part = ring.line(part, line, found);
            if part != Claim::NotMine && !matches!(claim, Claim::Damaged(_)) {
                claim = part;
            }
        }
        claim
    }

    fn hungry(&self) -> bool {
        self.hosts.values().any(|ring| ring.open.is_some())
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        for ring in std::mem::take(&mut self.hosts).values_mut() {
            ring.close(found);
        }
    }
}

/// The lines of a record: rsyslog prints the newline inside it as `#012`, /dev/kmsg as `\x0a`.
fn parts(record: &str) -> impl Iterator<Item = &str> {
    record.split("#012").flat_map(|part| part.split("\\x0a"))
}

impl Ring {
    /// Reads a line, the parts that name somebody first.
    fn line(&mut self, text: &str, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        let trusted = self.open.is_some() || line.origin.channel == Channel::RingBuffer;
        if let Some(verdict) = verdict::verdict(text, trusted) {
            self.verdict(verdict, &line.mark(), found)
        } else if let Some(invoked) = header::invoked(text) {
            // SysRq is announced before the header.
            let manual = self.open.take_if(|report| report.header.is_none() && report.manual).is_some();
            self.close(found);
            self.report().manual = manual;
            let complete = invoked.gfp_mask.is_some() && invoked.order.is_some();
            self.report().header = Some((line.mark(), invoked));
            if complete { Claim::Mine } else { Claim::Damaged("gfp_mask and order".to_owned()) }
        } else if let Some(choice) = header::choice(text) {
            self.choice(choice, line.mark(), found)
        } else if phrase::holds(text, "no killable processes") {
            self.no_victim(text, line, found)
        } else if phrase::holds(text, "memory.oom.group set") {
            self.group(text, line, found)
        } else if self.begins(text) || self.continues(text) || self.asked(text, line.number) {
            self.idle = 0;
            Claim::Mine
        } else {
            self.idle += 1;
            if self.idle > PATIENCE {
                self.close(found);
            }
            Claim::NotMine
        }
    }

    /// The open report, a new one if there is none.
    fn report(&mut self) -> &mut Report {
        self.idle = 0;
        self.open.get_or_insert_default()
    }

    /// Ends the open report.
    fn close(&mut self, found: &mut Vec<Found>) {
        if let Some(mut report) = self.open.take() {
            report.close(found);
        }
        self.closed = None;
        self.group = false;
        self.idle = 0;
    }

    /// Somebody was killed, or will be.
    fn verdict(&mut self, verdict: Verdict, mark: &Mark, found: &mut Vec<Found>) -> Claim {
        let claim = verdict.damage.map_or(Claim::Mine, |damage| Claim::Damaged(damage.to_owned()));
        if !verdict.done {
            if self.open.as_ref().is_some_and(|report| report.announced.is_some()) {
                self.close(found);
            }
            self.report().announced = Some((mark.clone(), verdict));
            return claim;
        }
        let stamp = Stamp::best(&mark.stamps);
        if self.open.is_none() && self.follows_group(stamp) {
            if let Some((report, _)) = &mut self.closed
                && !report.killed.contains(&verdict.pid)
            {
                report.give_kill(mark, &verdict, found);
            }
            return claim;
        }
        if self.contradicts(&verdict) {
            self.close(found);
        }
        let mut report = self.open.take().unwrap_or_default();
        report.give_kill(mark, &verdict, found);
        self.closed = Some((report, stamp));
        self.group = false;
        claim
    }

    /// Whether a verdict belongs to the cgroup that is being killed as a whole.
    fn follows_group(&self, stamp: Option<Stamp>) -> bool {
        let Some((_, before)) = &self.closed else { return false };
        let near = before.zip(stamp).is_none_or(|(before, stamp)| {
            before.clock == stamp.clock && stamp.micros.saturating_sub(before.micros).abs() <= GROUP_TIME
        });
        self.group && near
    }

    /// Whether the open report chose somebody else: then its own verdict was lost.
    fn contradicts(&self, verdict: &Verdict) -> bool {
        let chosen = self.open.as_ref().and_then(|report| report.choice.as_ref()).and_then(|(_, choice)| choice.pid);
        chosen.zip(verdict.pid).is_some_and(|(chosen, killed)| chosen != killed)
    }

    /// The `oom-kill:` line.
    fn choice(&mut self, choice: Choice, mark: Mark, found: &mut Vec<Found>) -> Claim {
        if self.open.as_ref().is_some_and(|report| report.choice.is_some()) {
            self.close(found);
        }
        let complete = choice.pid.is_some();
        self.report().choice = Some((mark, choice));
        if complete { Claim::Mine } else { Claim::Damaged("task, pid and uid".to_owned()) }
    }

    /// Nobody may be killed.
    fn no_victim(&mut self, text: &str, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if !phrase::holds(text, "ut of memory") && !phrase::holds(text, "ut of Memory") {
            return Claim::NotMine;
        }
        self.close(found);
        found.push(Found::on(line, OomNoVictim { message: linux::some_text(text) }));
        Claim::Mine
    }

    /// `Tasks in /… are going to be killed due to memory.oom.group set`, behind the first verdict.
    fn group(&mut self, text: &str, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        let Some(cgroup) = linux::between(text, "Tasks in ", " are going to be killed").and_then(linux::some_text) else {
            return Claim::Damaged("the cgroup that is killed".to_owned());
        };
        let container_id = Cgroup::of(&cgroup).container_id;
        found.push(Found::on(line, OomGroupKill { cgroup: Some(cgroup), container_id }));
        if let Some(mut report) = self.open.take() {
            report.give_invoked(found);
            self.closed = Some((report, Stamp::best(line.stamps)));
        }
        self.group = true;
        Claim::Mine
    }

    /// A line that shows that a report is on its way even if its header was lost.
    fn begins(&mut self, text: &str) -> bool {
        if let Some((task, limit)) = header::limit_of(text) {
            let report = self.report();
            report.task_cgroup = task.or(report.task_cgroup.take());
            report.limit_cgroup = limit.or(report.limit_cgroup.take());
            return true;
        }
        if phrase::holds(text, "Manual OOM execution") {
            self.report().manual = true;
            return true;
        }
        let counters = phrase::holds(text, "memory: usage ") && phrase::holds(text, "limit ");
        let statistics = phrase::holds(text, "Memory cgroup stats for ");
        let table = phrase::holds(text, "Tasks state (memory values") || (phrase::holds(text, " total_vm ") && phrase::holds(text, " tgid "));
        if !(counters || statistics || table || text.trim_start().starts_with("Mem-Info:")) {
            return false;
        }
        let report = self.report();
        report.memcg |= counters || statistics;
        report.memory.take(text);
        report.table.take(text);
        true
    }

    /// What stands behind a header that was lost: the process and its CPU, then a trace through the OOM killer;
    /// before 5.0 `python3 cpuset=/ mems_allowed=0`.
    fn asked(&mut self, text: &str, number: u64) -> bool {
        if self.open.is_some() {
            return false;
        }
        if let Some((process, _)) = phrase::around(text, " cpuset=").filter(|(_, rest)| phrase::holds(rest, " mems_allowed=")) {
            let process = linux::some_text(linux::comm_at_end(process));
            self.report().asker = Some(Invoked { process, ..Invoked::default() });
            return true;
        }
        if let Some(cpu) = header::cpu(text) {
            self.cpu = Some((number, cpu));
            return false;
        }
        if !phrase::holds(text, "oom_kill_process") || phrase::holds(text, "suppressed") {
            return false;
        }
        let near = |seen: &(u64, Invoked)| number.saturating_sub(seen.0) <= TRACE_LINES;
        let Some((_, asker)) = self.cpu.take().filter(near) else { return false };
        self.report().asker = Some(asker);
        true
    }

    /// A line of the open report that means nothing without it.
    fn continues(&mut self, text: &str) -> bool {
        let Some(report) = &mut self.open else { return false };
        if let Some(cpu) = header::cpu(text) {
            let header = report.header.as_mut().map(|(_, invoked)| invoked);
            let Some(invoked) = header.or(report.asker.as_mut()) else { return false };
            // Another CPU's warning may stand between.
            if cpu.process != invoked.process || invoked.kernel_version.is_some() {
                return false;
            }
            invoked.pid = cpu.pid;
            invoked.kernel_version = cpu.kernel_version;
            return true;
        }
        if let Some(task) = text.trim_start().strip_prefix("Task in ") {
            report.task_cgroup = linux::some_text(task);
            return true;
        }
        report.memory.take(text) || report.table.take(text)
    }
}
