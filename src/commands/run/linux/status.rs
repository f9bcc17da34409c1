//! How a process ended, from the status that its parent gets or from `/proc/<pid>/stat` of a process that nobody has waited for yet.

use super::super::folder::members;
use nix::sys::signal::Signal;
use serde_json::{Map, Value, json};

/// The end of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// It left with an exit code.
    Exited(i32),
    /// A signal ended it, and perhaps left a core dump.
    Killed(i32, bool),
}

impl End {
    /// The end in a raw wait status, as Linux keeps it.
    pub(super) fn of_raw(raw: i32) -> Self {
        match raw & 0x7f {
            0 => Self::Exited((raw >> 8) & 0xff),
            signal => Self::Killed(signal, raw & 0x80 != 0),
        }
    }

    /// What a shell shows.
    pub(super) fn shell_code(self) -> u8 {
        let code = match self {
            Self::Exited(code) => code,
            Self::Killed(signal, _) => 128 + signal,
        };
        u8::try_from(code & 0xff).unwrap_or(u8::MAX)
    }

    /// Whether all went well.
    pub(super) fn is_success(self) -> bool {
        self == Self::Exited(0)
    }

    /// The signal.
    pub(super) fn signal(self) -> Option<i32> {
        match self {
            Self::Killed(signal, _) => Some(signal),
            Self::Exited(_) => None,
        }
    }

    /// The members of a record.
    pub(super) fn members(self) -> Map<String, Value> {
        match self {
            Self::Exited(code) => members([("exit_code", json!(code))]),
            Self::Killed(signal, core) => members([
                ("signal", json!(name(signal))),
                ("signal_number", json!(signal)),
                ("core_dumped", json!(core)),
            ]),
        }
    }
}

/// A signal's name; real-time signals have none of their own.
pub(super) fn name(signal: i32) -> String {
    Signal::try_from(signal).map_or_else(|_| format!("SIG{signal}"), |signal| signal.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_statuses() {
        assert_eq!(End::of_raw(3 << 8), End::Exited(3));
        assert_eq!(End::of_raw(9), End::Killed(9, false));
        assert_eq!(End::of_raw(0x0b | 0x80), End::Killed(11, true));
        assert_eq!(End::of_raw(0x0b | 0x80).shell_code(), 139);
        assert_eq!(name(9), "SIGKILL");
    }
}
