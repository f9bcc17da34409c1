//! How a process ended, in the words of shells, CI runners and supervisors.
//!
//! Jupyter never prints these of a kernel, for no shell starts it: `Killed` at the end of a server's log is the
//! server, or a runner.

mod bash;
mod code;
mod handler;
mod job;
pub(super) mod signal;

use super::{Claim, Found, OneLine, Spec};
use crate::line::Line;

/// The parser.
pub const PARSER: Spec = Spec {
    name: "shell",
    needles: &NEEDLES,
    parts: &[],
    make: || Box::new(OneLine(line)),
};

/// The needles of English lines and of codes.
const ENGLISH: &[&str] = &[
    "Killed",
    "killed",
    "Segmentation fault",
    "segmentation fault",
    "Aborted",
    "Abort trap",
    "abort ",
    "Bus error",
    "bus error",
    "Illegal instruction",
    "illegal hardware instruction",
    "Floating point exception",
    "floating point exception",
    "Terminated",
    "time limit exceeded",
    "ile size limit exceeded",
    "Bad system call",
    "terminated by signal",
    "terminated by SIG",
    "completed with exit code",
    "Job failed: exit ",
    "terminated with exit code",
    "finished with exit code",
    "script returned exit code",
    "returned a non-zero code",
    "exited with code",
    "exited with status",
    "exit status ",
    "non-zero status ",
    "Task exited with return code",
    "died with <Signals.",
    "] Error 1",
    " received at time=",
    " received by PID ",
];

/// All needles.
const NEEDLES: [&str; ENGLISH.len() + job::NEEDLES.len() + signal::TRANSLATED.len()] = {
    let mut all = [""; ENGLISH.len() + job::NEEDLES.len() + signal::TRANSLATED.len()];
    let (english, others) = all.split_at_mut(ENGLISH.len());
    english.copy_from_slice(ENGLISH);
    let (jobs, translated) = others.split_at_mut(job::NEEDLES.len());
    jobs.copy_from_slice(&job::NEEDLES);
    let mut index = 0;
    while index < translated.len() {
        translated[index] = signal::TRANSLATED[index].0;
        index += 1;
    }
    all
};

/// Looks at one line.
fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    if let Some(event) = job::ended(line.text) {
        found.push(Found::on(line, event));
        return Claim::Mine;
    }
    let event = bash::ended(line.text).or_else(|| code::reported(line.text)).or_else(|| handler::dying(line.text));
    let Some(event) = event else {
        let damaged = code::broken_off(line.text);
        return if damaged { Claim::Damaged("an exit code".to_owned()) } else { Claim::NotMine };
    };
    found.push(Found::on(line, event));
    Claim::Mine
}
