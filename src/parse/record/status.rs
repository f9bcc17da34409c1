//! How a process ended, by a record: a code or a signal, never both.

use super::{Members, integer, text};
use crate::parse::shell::signal;

/// An exit status as the catalogue has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Status {
    /// The exit code, 128 + signal for a signal.
    pub(super) exit_code: Option<i64>,
    /// The signal's name.
    pub(super) signal: Option<String>,
}

impl Status {
    /// The status that a record gives. Python's own negative codes are understood too.
    pub(super) fn of(record: &Members) -> Self {
        let code = integer(record, "exit_code");
        let negative = code.filter(|code| (-64..0).contains(code)).map(|code| -code);
        let number = integer(record, "signal_number").or(negative);
        let signal = text(record, "signal").or_else(|| signal::name(number?).map(str::to_owned));
        let exit_code = match (&signal, number) {
            (Some(_), Some(number)) => Some(128 + number),
            _ => code,
        };
        Self { exit_code, signal }
    }

    /// Whether the process left by itself and said that all was well.
    pub(super) fn is_success(&self) -> bool {
        self.signal.is_none() && self.exit_code == Some(0)
    }
}
