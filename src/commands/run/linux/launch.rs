//! Starts the command: through one more step of this program that ties its life to the recorder's and then becomes it.

use super::{
    super::{command::Subject, folder::Folder, output::Pump},
    signals::{self, Signals},
};
use crate::{cli::RunStageArgs, error::Error};
use nix::{
    sys::{prctl, signal::Signal},
    unistd::getppid,
};
use std::{
    env,
    fs::File,
    io::{self, IsTerminal, PipeReader},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::{fs::MetadataExt, process::CommandExt},
    },
    process::{Command, Stdio},
    sync::Arc,
};

/// Where the server tells its kernels who their parent is; they end when that one is gone.
const PARENT: &str = "JPY_PARENT_PID";

/// The command at work.
pub(super) struct Launched {
    /// Its process.
    pub(super) pid: i32,
    /// Its streams.
    pub(super) pumps: Vec<Pump>,
}

/// Starts the command. A stream that is a terminal stays the command's own, so that it looks and behaves as always.
pub(super) fn launch(subject: &Subject, folder: &Arc<Folder>, signals: &Signals) -> Result<Launched, Error> {
    let failed = |source| Error::Command { command: subject.program.clone(), source };
    let myself = std::process::id();
    let mut command = Command::new(env::current_exe().map_err(failed)?);
    command.args(["run-stage", "--parent", &myself.to_string()]);
    let blocked = signals.blocked_before();
    if !blocked.is_empty() {
        command.args(["--blocked", &blocked]);
    }
    command.arg("--").args(&subject.command);
    if env::var(PARENT).is_ok_and(|parent| parent == getppid().to_string()) {
        command.env(PARENT, myself.to_string());
    }
    let pipes = streams(&mut command, folder).map_err(failed)?;
    let child = command.spawn().map_err(failed)?;
    // The command's own ends of the pipes must not stay open here.
    drop(command);
    let pumps =
        pipes.into_iter().map(|(name, pipe, target)| Pump::start(folder, name, pipe, target)).collect();
    Ok(Launched { pid: i32::try_from(child.id()).unwrap_or_default(), pumps })
}

/// A stream's name, the pipe from the command, and where it goes.
type Stream = (&'static str, PipeReader, File);

/// Puts pipes between. Two streams that lead to the same place share one, so that their order is kept.
fn streams(command: &mut Command, folder: &Folder) -> io::Result<Vec<Stream>> {
    let (stdout, stderr) = (io::stdout(), io::stderr());
    let mut streams = Vec::new();
    let shared = same_place(stdout.as_fd(), stderr.as_fd());
    if stdout.is_terminal() {
        folder.note("standard output is a terminal: it is not recorded");
    } else {
        let (from, to) = io::pipe()?;
        if shared {
            command.stderr(Stdio::from(to.try_clone()?));
        }
        command.stdout(Stdio::from(to));
        streams.push(("stdout", from, duplicate(stdout.as_fd())?));
    }
    if stderr.is_terminal() {
        folder.note("standard error is a terminal: it is not recorded");
    } else if !shared {
        let (from, to) = io::pipe()?;
        command.stderr(Stdio::from(to));
        streams.push(("stderr", from, duplicate(stderr.as_fd())?));
    }
    Ok(streams)
}

/// A second handle of a stream.
fn duplicate(stream: BorrowedFd<'_>) -> io::Result<File> {
    stream.try_clone_to_owned().map(File::from)
}

/// Whether two streams are one file or pipe.
fn same_place(one: BorrowedFd<'_>, other: BorrowedFd<'_>) -> bool {
    let place = |stream| {
        let meta = duplicate(stream).ok()?.metadata().ok()?;
        Some((meta.dev(), meta.ino()))
    };
    let first = place(one);
    first.is_some() && first == place(other)
}

/// The step between: if the recorder dies, by SIGKILL too, the command dies with it, as a kernel does that is killed
/// itself. Then it becomes the command.
pub(in super::super) fn stage(arguments: &RunStageArgs) -> Result<u8, Error> {
    let name = arguments.command.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
    let failed = |source| Error::Command { command: name.clone(), source };
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(|error| failed(error.into()))?;
    if getppid().as_raw() != arguments.parent {
        return Ok(137);
    }
    signals::restore(&arguments.blocked).map_err(|error| failed(error.into()))?;
    let (first, rest) =
        arguments.command.split_first().ok_or_else(|| Error::Usage("no command".to_owned()))?;
    Err(failed(Command::new(first).args(rest).exec()))
}
