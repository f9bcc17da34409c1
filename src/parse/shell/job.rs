//! What CI platforms say when they end a job, or when the machine that ran it is gone: every process on it ended, with no
//! code.

use crate::{event::JobEnded, parse::{linux::some_text, phrase}};

/// Words, whose they are, and why the job ended.
const ENDS: &[(&str, &str, &str)] = &[
    ("lost communication with the server", "github-actions", "node-fail"),
    ("runner has received a shutdown signal", "github-actions", "cancelled"),
    ("has exceeded the maximum execution time of ", "github-actions", "time"),
    ("Job failed (system failure)", "gitlab", "node-fail"),
    ("Job failed: execution took longer than ", "gitlab", "time"),
    ("ran longer than the maximum time of ", "azure-pipelines", "time"),
    ("We stopped hearing from agent ", "azure-pipelines", "node-fail"),
    ("Cancelling nested steps due to timeout", "jenkins", "time"),
    ("Too long with no output (exceeded ", "circleci", "time"),
];

/// The words of the table, to search for.
pub(super) const NEEDLES: [&str; ENDS.len()] = {
    let mut needles = [""; ENDS.len()];
    let mut index = 0;
    while index < ENDS.len() {
        needles[index] = ENDS[index].0;
        index += 1;
    }
    needles
};

/// The end of a job that a line tells.
pub(super) fn ended(text: &str) -> Option<JobEnded> {
    let (_, scheduler, reason) = ENDS.iter().find(|(words, ..)| phrase::holds(text, words))?;
    Some(JobEnded {
        scheduler: Some((*scheduler).to_owned()),
        reason: Some((*reason).to_owned()),
        message: some_text(text.trim_start_matches("##[error]").trim_start_matches("ERROR: ")),
        ..JobEnded::default()
    })
}
