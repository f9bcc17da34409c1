//! `HTCondor`'s log of a job: records of several lines, of which the first names the job and the time.
//!
//! A hold takes the job off its machine as surely as a removal.

use super::others::ended;
use crate::{
    envelope::prim::iso,
    event::JobEnded,
    line::Line,
    parse::{
        Claim, Found,
        linux::{between, integer_after, some_text},
    },
    stamp::Stamp,
};

/// The record at work.
#[derive(Default)]
pub(super) struct Condor {
    job: Option<String>,
    stamp: Option<Stamp>,
}

impl Condor {
    /// Looks at one line; `None` if it is not `HTCondor`'s.
    ///
    /// `012 (8812.000.000) 2026-03-05 09:06:10 Job was held.`, then the reason on a line of its own.
    pub(super) fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
        let text = line.text;
        if text.contains(") ") && [" Job was held.", " Job was aborted"].iter().any(|words| text.contains(words)) {
            let (job, rest) = text.split_once('(')?.1.split_once(") ")?;
            self.job = job.split('.').next().and_then(some_text);
            self.stamp = iso(rest).ok().map(|(_, stamp)| stamp);
            return Some(Claim::Mine);
        }
        let event = reason(text)?;
        let job = self.job.take();
        let mut event = Found::on(line, JobEnded { job, message: some_text(text.trim()), ..event });
        if let Some(stamp) = self.stamp.take().filter(|_| !line.exact) {
            event.mark.date(stamp);
        }
        found.push(event);
        Some(Claim::Mine)
    }
}

/// Why a job was taken off its machine.
fn reason(text: &str) -> Option<JobEnded> {
    // `Job has gone over cgroup memory limit of 8192 megabytes. Last measured usage: 8190 megabytes.`, before 23.0 without
    // `cgroup` and with `Peak usage: …`.
    if text.contains("Job has gone over ") && text.contains("memory limit of ") {
        let megabytes = |mark: &str| integer_after(text, mark).and_then(|size| size.checked_mul(1 << 20));
        return Some(JobEnded {
            limit_bytes: megabytes("memory limit of "),
            used_bytes: megabytes("usage: "),
            node: between(text, "@", ":").and_then(some_text),
            ..ended("htcondor", Some("memory"))
        });
    }
    if text.contains("The job exceeded allowed ") && (text.contains(" duration") || text.contains(" time")) {
        return Some(ended("htcondor", Some("time")));
    }
    text.contains("via condor_rm").then(|| ended("htcondor", Some("cancelled")))
}
