//! Where the system is not Linux: the command runs with its own streams, and its exit status is recorded.

use super::{
    Ended,
    command::Subject,
    folder::{Folder, members},
};
use crate::{cli::RunStageArgs, error::Error};
use serde_json::json;
use std::{process::Command, time::Instant};

/// Runs the command.
pub(super) fn supervise(subject: &Subject, folder: &Folder, _interval: f64) -> Result<Ended, Error> {
    let failed = |source| Error::Command { command: subject.program.clone(), source };
    let (first, rest) = subject.command.split_first().ok_or_else(|| Error::Usage("no command".to_owned()))?;
    let begun = Instant::now();
    let mut child = Command::new(first).args(rest).spawn().map_err(failed)?;
    let mut start = subject.members();
    start.extend(members([("pid", json!(child.id())), ("command", json!(subject.shown()))]));
    folder.write("process.start", start);
    let status = child.wait().map_err(failed)?;
    let code = status.code();
    let mut exit = subject.members();
    exit.extend(members([
        ("pid", json!(child.id())),
        ("exit_code", json!(code.filter(|code| *code >= 0).or(code.map(|code| code & 0xFF)))),
        ("uptime_seconds", json!(begun.elapsed().as_secs_f64())),
    ]));
    folder.write("process.exit", exit);
    Ok(Ended { status: u8::try_from(code.unwrap_or(1)).unwrap_or(1), asked: status.success() })
}

/// Only Linux needs it.
pub(super) fn stage(_arguments: &RunStageArgs) -> Result<u8, Error> {
    Err(Error::Usage("this step belongs to Linux".to_owned()))
}

/// Only Linux needs it.
pub(super) fn canary() -> Result<u8, Error> {
    Err(Error::Usage("this step belongs to Linux".to_owned()))
}
