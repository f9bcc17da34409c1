//! A small process in the recorder's process group that hears what the whole group hears.
//!
//! A signal for the group reaches the command by itself, one for the recorder alone must be passed on, and the receiver
//! cannot tell which it got. What the canary heard too was for all. It sleeps, and ends with the recorder.

use super::signals;
use crate::error::Error;
use nix::{
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::signalfd::SignalFd,
};
use std::{
    env,
    io::{self, Read, Write},
    os::fd::AsFd,
    process::{ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

/// How long the canary may take to speak up on a busy machine.
const PATIENCE: Duration = Duration::from_millis(80);

/// The canary's side: every signal it gets is one byte on its output.
pub(in super::super) fn run() -> Result<u8, Error> {
    let failed = |error: nix::Error| Error::Command { command: "canary".to_owned(), source: error.into() };
    let set = signals::passed_on();
    set.thread_block().map_err(failed)?;
    let signals = SignalFd::new(&set).map_err(failed)?;
    let (stdin, mut stdout) = (io::stdin(), io::stdout());
    loop {
        let mut fds =
            [PollFd::new(signals.as_fd(), PollFlags::POLLIN), PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
        poll(&mut fds, PollTimeout::NONE).map_err(failed)?;
        if fds[1].any() == Some(true) {
            return Ok(0);
        }
        if let Some(signal) = signals.read_signal().map_err(failed)? {
            let byte = u8::try_from(signal.ssi_signo).unwrap_or_default();
            if stdout.write_all(&[byte]).and_then(|()| stdout.flush()).is_err() {
                return Ok(0);
            }
        }
    }
}

/// The recorder's side.
pub(super) struct Canary {
    /// The canary's process.
    pub(super) pid: i32,
    heard: Vec<(i32, Instant)>,
    output: ChildStdout,
    _input: ChildStdin,
}

impl Canary {
    /// Starts it; none if that cannot be done.
    pub(super) fn start() -> Option<Self> {
        let mut child = Command::new(env::current_exe().ok()?)
            .arg("run-canary")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        Some(Self {
            pid: i32::try_from(child.id()).ok()?,
            heard: Vec::new(),
            output: child.stdout.take()?,
            _input: child.stdin.take()?,
        })
    }

    /// What to wait for.
    pub(super) fn fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.output.as_fd()
    }

    /// Takes what it has heard.
    pub(super) fn listen(&mut self) {
        let mut bytes = [0; 64];
        let size = self.output.read(&mut bytes).unwrap_or(0);
        let now = Instant::now();
        self.heard.extend(bytes.iter().take(size).map(|byte| (i32::from(*byte), now)));
    }

    /// Whether it heard a signal that has just come.
    pub(super) fn heard(&mut self, signal: i32) -> bool {
        let end = Instant::now() + PATIENCE;
        loop {
            self.heard.retain(|(_, at)| at.elapsed() < 2 * PATIENCE);
            if let Some(at) = self.heard.iter().position(|(heard, _)| *heard == signal) {
                self.heard.remove(at);
                return true;
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || !self.speaks(left) {
                return false;
            }
            self.listen();
        }
    }

    fn speaks(&self, within: Duration) -> bool {
        let mut fds = [PollFd::new(self.output.as_fd(), PollFlags::POLLIN)];
        let timeout = PollTimeout::try_from(within).unwrap_or(PollTimeout::ZERO);
        poll(&mut fds, timeout).is_ok_and(|ready| ready > 0)
    }
}
