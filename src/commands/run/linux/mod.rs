//! Linux: one thread waits for signals, ends of processes, Linux's log and the clock; two more pass output through.
//!
//! The command stays in the recorder's process group and session, with its terminal: job control and `Ctrl-C` work by
//! themselves. Signals sent to the recorder alone are passed on (`signals`).

mod canary;
mod cgroup;
mod gpu;
mod host;
mod kmsg;
mod launch;
mod process;
mod signals;
mod status;
mod supervisor;
mod tree;

pub(super) use canary::run as canary;
pub(super) use launch::stage;

use super::{Ended, command::Subject, folder::Folder};
use crate::error::Error;
use std::sync::Arc;
use supervisor::Supervisor;

/// Runs the command to its end.
pub(super) fn supervise(subject: &Subject, folder: &Arc<Folder>, interval: f64) -> Result<Ended, Error> {
    host::introduce(folder);
    let mut supervisor = Supervisor::start(subject, folder, interval)?;
    let ended = supervisor.until_end();
    supervisor.finish(ended);
    Ok(Ended { status: ended.shell_code(), asked: ended.is_success() || supervisor.was_asked(ended) })
}
