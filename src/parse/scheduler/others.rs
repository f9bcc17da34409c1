//! PBS and Torque, LSF, Grid Engine.
//!
//! The line that tells of the end does not name the job; a line before does, if any.

use crate::{
    event::JobEnded,
    line::Line,
    parse::{
        Claim, Found,
        linux::{after, between, leading_integer, some_text},
        prim,
    },
};

/// The job named last.
#[derive(Default)]
pub(super) struct Others {
    job: Option<String>,
}

impl Others {
    /// Looks at one line; `None` if it is of none of these.
    pub(super) fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
        let text = line.text;
        if let Some(job) = named(text) {
            self.job = Some(job);
            return Some(Claim::Mine);
        }
        let (event, claim) = pbs(text).or_else(|| lsf(text)).or_else(|| grid_engine(text))?;
        let job = event.job.clone().or_else(|| self.job.clone());
        found.push(Found::on(line, of(JobEnded { job, message: some_text(text), ..event })));
        Some(claim)
    }
}

/// The event with its job also under the scheduler's own field.
fn of(event: JobEnded) -> JobEnded {
    let of = |scheduler: &str| event.job.clone().filter(|_| event.scheduler.as_deref() == Some(scheduler));
    JobEnded { pbs_job: of("pbs"), lsf_job: of("lsf"), sge_job: of("sge"), ..event }
}

/// The job that a heading names: its number, without the server's name.
fn named(text: &str) -> Option<String> {
    let rest = ["begin PBS prologue ", "PBS Job Id: ", "Job Id: ", "Subject: Job ", "jobnumber "].iter().find_map(|mark| after(text, mark))?;
    leading_integer(rest).map(|job| job.to_string())
}

/// An event of a scheduler's.
pub(super) fn ended(scheduler: &str, reason: Option<&str>) -> JobEnded {
    JobEnded { scheduler: Some(scheduler.to_owned()), reason: reason.map(str::to_owned), ..JobEnded::default() }
}

/// `=>> PBS: job killed: mem job total 123456 kb exceeded limit 102400 kb`, `… walltime 3612 exceeded limit 3600`.
fn pbs(text: &str) -> Option<(JobEnded, Claim)> {
    let why = after(text, "PBS: job killed")?.trim_start_matches(':').trim();
    let reason = match why.split_whitespace().next() {
        Some("mem" | "vmem" | "pmem" | "pvmem") => Some("memory"),
        Some("walltime" | "cput" | "pcput") => Some("time"),
        Some("node") => Some("node-fail"),
        Some(_) => Some("cancelled"),
        None => None,
    };
    let mut event = ended("pbs", reason);
    if reason == Some("memory") {
        let (used, limit) = why.split_once(" exceeded limit ").unwrap_or((why, ""));
        let figure = used.find(|c: char| c.is_ascii_digit()).and_then(|at| used.get(at..));
        event.used_bytes = figure.and_then(bytes);
        event.limit_bytes = bytes(limit);
    }
    let claim = if reason.is_some() { Claim::Mine } else { Claim::Damaged("why the job was killed".to_owned()) };
    Some((event, claim))
}

/// A size of PBS's, whose `kb` has 1024 bytes.
fn bytes(text: &str) -> Option<i64> {
    prim::size(true)(text).ok().map(|(_, bytes)| bytes)
}

/// `TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.`
fn lsf(text: &str) -> Option<(JobEnded, Claim)> {
    let word = text.get(text.find("TERM_")?..)?.split(|c: char| !c.is_ascii_uppercase() && c != '_').next()?;
    let reason = match word {
        "TERM_MEMLIMIT" | "TERM_SWAP" => "memory",
        "TERM_RUNLIMIT" | "TERM_CPULIMIT" | "TERM_DEADLINE" => "time",
        "TERM_PREEMPT" => "preempted",
        "TERM_OWNER" | "TERM_ADMIN" | "TERM_FORCE_OWNER" | "TERM_FORCE_ADMIN" => "cancelled",
        _ => return None,
    };
    Some((JobEnded { state: Some(word.to_owned()), ..ended("lsf", Some(reason)) }, Claim::Mine))
}

/// `job 123.1 exceeds job hard limit "h_vmem" of queue "all.q@n1" (34.2G > limit:32.0G) - sending SIGKILL`.
fn grid_engine(text: &str) -> Option<(JobEnded, Claim)> {
    // `qacct -j`: `failed       44  : execd enforced h_rt limit`.
    if let Some(limit) = after(text, "execd enforced ") {
        let reason = if limit.starts_with("h_rt") || limit.starts_with("h_cpu") { "time" } else { "memory" };
        return Some((ended("sge", Some(reason)), Claim::Mine));
    }
    let (before, rest) = text
        .split_once(" exceeds job hard limit ")
        .or_else(|| text.split_once(" exceeds job soft limit "))
        .or_else(|| text.split_once(" exceeded hard wallclock time"))?;
    let limit = between(rest, "\"", "\"").unwrap_or("h_rt");
    let memory = ["vmem", "rss", "data", "stack"].iter().any(|word| limit.contains(word));
    let figures = after(rest, "(").filter(|_| memory);
    let event = JobEnded {
        job: between(before, "job ", ".").and_then(leading_integer).map(|job| job.to_string()),
        node: between(rest, "@", "\"").and_then(some_text),
        used_bytes: figures.and_then(bytes),
        limit_bytes: figures.and_then(|figures| after(figures, "limit:")).and_then(bytes),
        ..ended("sge", Some(if memory { "memory" } else { "time" }))
    };
    Some((event, Claim::Mine))
}
