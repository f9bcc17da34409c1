//! Slurm's daemons and `srun`, in the words of every age, and `scontrol show job`.
//!
//! `hit memory limit at least once` is no end: page cache does that too.

use crate::{
    envelope::prim::iso,
    event::JobEnded,
    line::Line,
    parse::{
        Claim, Found,
        linux::{after, between, integer_after, leading_integer, some_text},
    },
};

/// What `scontrol` said on a line before.
#[derive(Default)]
pub(super) struct Slurm {
    job: Option<String>,
}

impl Slurm {
    /// Looks at one line; `None` if it is not Slurm's.
    pub(super) fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
        let text = line.text;
        if let Some(event) = cancelled(text) {
            let mut found_event = Found::on(line, JobEnded { message: some_text(text), ..event });
            // The job's own output has no stamps; this one is the cluster's local time.
            if let Some(stamp) = after(text, " CANCELLED AT ").and_then(|at| iso(at).ok()).filter(|_| !line.exact) {
                found_event.mark.date(stamp.1);
            }
            found.push(found_event);
            let whole = after(text, " CANCELLED AT ").is_some_and(|rest| rest.contains("***"));
            return Some(if whole { Claim::Mine } else { Claim::Damaged("the reason".to_owned()) });
        }
        if let Some(event) = memory(text).or_else(|| complete(text)) {
            found.push(Found::on(line, JobEnded { message: some_text(text), ..event }));
            return Some(Claim::Mine);
        }
        if let Some(job) = between(text, "JobId=", " ").filter(|_| text.contains("JobName=")) {
            self.job = some_text(job);
        }
        self.state(line, found)
    }

    /// `JobState=OUT_OF_MEMORY Reason=OutOfMemory`.
    fn state(&self, line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
        let state = after(line.text, "JobState=")?.split_whitespace().next()?;
        let reason = reason_of(state)?;
        let own = between(line.text, "JobId=", " ").and_then(some_text);
        let event = JobEnded { reason: Some(reason.to_owned()), state: some_text(state), ..job(own.or_else(|| self.job.clone())) };
        found.push(Found::on(line, late(event)));
        Some(Claim::Mine)
    }
}

/// What an accounting state means; `None` for a state that is no violent end.
pub(super) fn reason_of(state: &str) -> Option<&'static str> {
    const STATES: [(&str, &str); 7] = [
        ("OUT_OF_ME", "memory"),
        ("TIMEOUT", "time"),
        ("DEADLINE", "time"),
        ("NODE_FAIL", "node-fail"),
        ("BOOT_FAIL", "node-fail"),
        ("PREEMPTED", "preempted"),
        ("CANCELLED", "cancelled"),
    ];
    STATES.iter().find(|(word, _)| state.starts_with(word)).map(|(_, reason)| *reason)
}

/// An event of Slurm's about a job.
pub(super) fn job(job: Option<String>) -> JobEnded {
    JobEnded { scheduler: Some("slurm".to_owned()), slurm_job: job.clone(), job, ..JobEnded::default() }
}

/// `*** JOB 6 ON kdhost CANCELLED AT 2026-12-01T00:39:24 DUE TO TIME LIMIT ***`; steps bear `STEP 6.0`.
fn cancelled(text: &str) -> Option<JobEnded> {
    let (before, rest) = text.split_once(" CANCELLED AT ")?;
    let (_, who) = before.rsplit_once("*** ")?;
    let mut words = who.split_whitespace();
    let id = words.nth(1)?.split('.').next().and_then(some_text);
    let reason = match after(rest, "DUE TO ").or_else(|| after(rest, "DUE to ")) {
        Some(why) if why.starts_with("TIME") => "time",
        Some(why) if why.starts_with("PREEMPT") => "preempted",
        Some(why) if why.starts_with("NODE") => "node-fail",
        Some(why) if why.starts_with("MEM") => "memory",
        _ => "cancelled",
    };
    Some(JobEnded { reason: Some(reason.to_owned()), node: between(who, " ON ", " ").and_then(some_text), ..job(id) })
}

/// The lines that speak of memory.
fn memory(text: &str) -> Option<JobEnded> {
    let id = |text: &str| {
        let at = ["StepId=", "JobId=", "step ", "Step ", "Job "].iter().find_map(|mark| after(text, mark))?;
        leading_integer(at).map(|id| id.to_string())
    };
    let memory = |job: Option<String>| JobEnded { reason: Some("memory".to_owned()), ..self::job(job) };
    if let Some((_, rest)) = text.split_once("oom_kill event").or_else(|| text.split_once("oom-kill event")) {
        return Some(late(memory(id(rest))));
    }
    if text.contains("Exceeded job memory limit") || text.contains("Exceeded step memory limit") {
        return Some(memory(id(text.split("Exceeded ").next()?)));
    }
    if let Some((before, rest)) = text.split_once(" memory limit (").filter(|(before, _)| before.contains(" exceeded")) {
        // Kilobytes in old versions, whose line names the job; bytes since it names the step by `StepId=`.
        let factor = if before.contains("StepId=") { 1 } else { 1024 };
        return Some(JobEnded {
            used_bytes: leading_integer(rest).and_then(|used| used.checked_mul(factor)),
            limit_bytes: integer_after(rest, ">").and_then(|limit| limit.checked_mul(factor)),
            ..memory(id(before))
        });
    }
    let (before, _) = text.split_once(": Out Of Memory")?;
    let (node, _) = after(before, "srun: error: ")?.split_once(": task")?;
    Some(late(JobEnded { node: some_text(node), ..memory(None) }))
}

/// What Slurm counts, and tells when the step ends: any process of it may have been killed, hours before.
pub(super) fn late(event: JobEnded) -> JobEnded {
    let told = (event.reason.as_deref() == Some("memory")).then(|| "late".to_owned());
    JobEnded { told, ..event }
}

/// slurmctld: `_job_complete: JobId=5 OOM failure`.
fn complete(text: &str) -> Option<JobEnded> {
    let (before, _) = text.split_once(" OOM failure")?;
    let id = integer_after(before, "JobId=")?.to_string();
    Some(late(JobEnded { reason: Some("memory".to_owned()), state: Some("OUT_OF_MEMORY".to_owned()), ..job(Some(id)) }))
}
