//! The stack that systemd-coredump prints below its word of a dumped core: whether the process called `abort`.
//!
//! No other signal can be told from a stack.

use crate::{
    event::ProcessExit,
    line::{Line, Mark},
    parse::Found,
};

/// The most lines of a stack that are looked at.
const MOST_LINES: usize = 400;

/// A dumped core whose stack may follow.
pub(super) struct Stack {
    mark: Mark,
    event: ProcessExit,
    threads: usize,
    lines: usize,
}

impl Stack {
    /// The core of a process.
    pub(super) fn begun(line: &Line<'_>, event: ProcessExit) -> Self {
        Self { mark: line.mark(), event, threads: 0, lines: 0 }
    }

    /// Looks at the next line; `false` if it is none of the record. The first thread is the one that died.
    pub(super) fn line(&mut self, text: &str) -> bool {
        self.lines += 1;
        let text = text.trim();
        if text.starts_with("Stack trace of thread ") {
            self.threads += 1;
        } else if text.starts_with('#') {
            if self.threads <= 1 && aborts(text) {
                self.event.signal = Some("SIGABRT".to_owned());
            }
        } else if !text.is_empty() && !text.starts_with("Module ") && !text.starts_with("ELF object ") {
            return false;
        }
        self.lines < MOST_LINES
    }

    /// Gives the event.
    pub(super) fn close(self) -> Found {
        Found::at(&self.mark, self.event)
    }
}

/// `#2  0x00007f8a5d0e1000 abort (libc.so.6 + 0x439c2)`.
fn aborts(frame: &str) -> bool {
    frame.split_whitespace().nth(2) == Some("abort")
}
