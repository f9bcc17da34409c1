//! Batch schedulers that end a job: Slurm, PBS and Torque, LSF, Grid Engine, `HTCondor`.
//!
//! Slurm says of a killed child only at the end of the step, hours later perhaps; the time of the kill is in `oom`.

mod accounting;
mod condor;
mod others;
mod slurm;

use super::{Claim, Found, Parser, Spec};
use crate::line::Line;

/// The parser.
pub const PARSER: Spec = Spec {
    name: "scheduler",
    needles: &[
        " CANCELLED AT ",
        "oom_kill event",
        "oom-kill event",
        "exceeded memory limit",
        "exceeded virtual memory limit",
        "job memory limit",
        "step memory limit",
        ": Out Of Memory",
        " OOM failure",
        "JobId=",
        "JobState=",
        "JobID",
        "PBS: job killed",
        "PBS prologue",
        "Job Id: ",
        "PBS Job Id",
        "Subject: Job ",
        "TERM_MEMLIMIT",
        "TERM_RUNLIMIT",
        "TERM_SWAP",
        "TERM_PREEMPT",
        "TERM_OWNER",
        "TERM_ADMIN",
        "exceeds job hard limit",
        "exceeds job soft limit",
        "exceeded hard wallclock time",
        "execd enforced ",
        "jobnumber ",
        "Job was held.",
        "Job was aborted",
        "Job has gone over ",
        "The job exceeded allowed ",
        "via condor_rm",
    ],
    parts: &[],
    make: || Box::new(Scheduler::default()),
};

/// The schedulers' records at work.
#[derive(Default)]
struct Scheduler {
    slurm: slurm::Slurm,
    accounting: accounting::Accounting,
    others: others::Others,
    condor: condor::Condor,
}

impl Parser for Scheduler {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        let claim = self.slurm.line(line, found).or_else(|| self.others.line(line, found)).or_else(|| self.condor.line(line, found));
        claim.or_else(|| self.accounting.line(line, found)).unwrap_or(Claim::NotMine)
    }

    fn hungry(&self) -> bool {
        self.accounting.hungry()
    }

}
