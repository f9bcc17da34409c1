//! `kerneldoc run`: runs a command as if it stood alone, writes down how it ends, and diagnoses it if it fails.
//!
//! What is written is `docs/recorder.md`. On Linux the process tree, its cgroup and Linux's log are watched; elsewhere
//! only the start, the output and the exit status are told.

mod command;
mod folder;
#[cfg(target_os = "linux")]
mod linux;
mod output;
#[cfg(not(target_os = "linux"))]
mod portable;
mod verdict;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use portable as system;

use super::{clock, screen::Screen};
use crate::{
    cli::{RunArgs, RunStageArgs},
    error::Error,
};
use command::Subject;
use folder::Folder;
use std::sync::Arc;

/// How the command ended.
#[derive(Debug, Clone, Copy, Default)]
struct Ended {
    /// What a shell would show: the exit code, or 128 + signal.
    status: u8,
    /// Whether somebody had asked for it, through the recorder or by all being well.
    asked: bool,
}

/// Runs the command.
pub(super) fn run(arguments: &RunArgs, screen: &Screen) -> Result<u8, Error> {
    let subject = Subject::of(&arguments.command);
    let folder = Arc::new(Folder::create(arguments.dir.as_deref(), &subject)?);
    let begun = clock::now();
    let ended = system::supervise(&subject, &folder, arguments.interval)?;
    if !ended.asked {
        verdict::keep_notebooks(&folder, &subject, begun);
        verdict::tell(&folder, &subject, screen);
    }
    Ok(ended.status)
}

/// The step between `run` and its command.
pub(super) fn stage(arguments: &RunStageArgs) -> Result<u8, Error> {
    system::stage(arguments)
}

/// The process that hears what the whole group hears.
pub(super) fn canary() -> Result<u8, Error> {
    system::canary()
}
