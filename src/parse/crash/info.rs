//! `coredumpctl info`: one label a line, right-aligned, for each core that systemd keeps.
//!
//! The stack below is not read, for the signal stands above it.

use super::{crash, list_stamp};
use crate::{
    event::ProcessExit,
    line::{Line, Mark},
    parse::{
        Found,
        jupyter::kernel_in,
        linux::{between, leading_integer, some_text},
    },
};

/// The most lines of a record before its message, which ends what is read of it.
const MOST_LINES: usize = 60;

/// A record that is being read.
pub(super) struct Info {
    mark: Mark,
    event: ProcessExit,
    lines: usize,
    done: bool,
}

impl Info {
    /// The record that begins with `PID: 9123 (python)`.
    pub(super) fn begun(line: &Line<'_>) -> Option<Self> {
        let rest = line.text.trim_start().strip_prefix("PID: ")?;
        let program = between(rest, "(", ")").and_then(some_text)?;
        let event = ProcessExit {
            program: Some(program),
            pid: Some(leading_integer(rest)?),
            ..crash("", "systemd-coredump")
        };
        Some(Self { mark: line.mark(), event, lines: 0, done: false })
    }

    /// Takes the next line; `false` if the record is complete.
    pub(super) fn line(&mut self, text: &str) -> bool {
        self.lines += 1;
        let (label, value) = text.trim().split_once(": ").unwrap_or_default();
        match label {
            "PID" => return false,
            "Signal" => self.event.signal = crash(value, "").signal,
            "Timestamp" => self.stamp(value),
            "Command Line" => self.event.kernel_id = kernel_in(value, "kernel-"),
            "Executable" => self.event.program = some_text(value),
            "Message" => self.done = true,
            _ => return !self.done && self.lines < MOST_LINES,
        }
        true
    }

    /// `Mon 2024-11-11 13:02:30 CET (5min ago)`.
    fn stamp(&mut self, value: &str) {
        if let Ok((_, stamp)) = list_stamp(value) {
            self.mark.date(stamp);
        }
    }

    /// Gives the event.
    pub(super) fn close(self) -> Found {
        Found::at(&self.mark, self.event)
    }
}
