//! Which signals are passed on, and when.

use nix::{
    errno::Errno,
    sys::{
        signal::{SigSet, Signal},
        signalfd::{SfdFlags, SignalFd},
    },
};

/// What the recorder hands to the command instead of obeying it. Stopping and continuing reach both by themselves.
const PASSED_ON: [Signal; 7] = [
    Signal::SIGHUP,
    Signal::SIGINT,
    Signal::SIGQUIT,
    Signal::SIGTERM,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
    Signal::SIGALRM,
];

/// The set of these.
pub(super) fn passed_on() -> SigSet {
    PASSED_ON.into_iter().collect()
}

/// Signals waiting to be read.
pub(super) struct Signals {
    /// What to wait for.
    pub(super) fd: SignalFd,
    /// What was blocked before.
    pub(super) before: SigSet,
}

impl Signals {
    /// Blocks the signals that are read instead.
    pub(super) fn block() -> Result<Self, Errno> {
        let before = SigSet::thread_get_mask()?;
        let mut set = passed_on();
        set.add(Signal::SIGCHLD);
        set.thread_block()?;
        Ok(Self { fd: SignalFd::with_flags(&set, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)?, before })
    }

    /// The numbers of those that had been blocked before, for the command to inherit.
    pub(super) fn blocked_before(&self) -> String {
        let numbers =
            PASSED_ON.into_iter().chain([Signal::SIGCHLD]).filter(|signal| self.before.contains(*signal));
        numbers.map(|signal| (signal as i32).to_string()).collect::<Vec<_>>().join(",")
    }
}

/// Undoes [`Signals::block`] in the process that becomes the command.
pub(super) fn restore(blocked: &[i32]) -> Result<(), Errno> {
    let all = PASSED_ON.into_iter().chain([Signal::SIGCHLD]);
    all.filter(|signal| !blocked.contains(&(*signal as i32))).collect::<SigSet>().thread_unblock()
}
