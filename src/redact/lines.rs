//! Redacts a log a line at a time, private keys over several lines included.
//!
//! It keeps the number of lines, so that places in the redacted log are those of the original.

use super::{MARK, Mode, Redacted, Redactor};

/// The most lines that a private key may take; a block that never ends must not swallow a log.
const MOST_KEY_LINES: usize = 200;

/// Redacts the lines of one log, in order.
#[derive(Debug, Clone, Default)]
pub struct LineRedactor {
    redactor: Redactor,
    mode: Mode,
    key_lines: usize,
}

impl LineRedactor {
    /// A redactor of this mode, at the beginning of a log.
    pub fn new(mode: Mode) -> Self {
        Self { redactor: Redactor::new(mode), mode, key_lines: 0 }
    }

    /// The next line, without its end.
    pub fn line(&mut self, line: &str) -> Redacted {
        if self.mode == Mode::Off {
            return self.redactor.redact(line);
        }
        let ends = line.contains("-----END ");
        if self.key_lines > 0 {
            self.key_lines = if ends { 0 } else { self.key_lines - 1 };
            return if ends { self.redactor.redact(line) } else { Redacted::plain(MARK) };
        }
        if line.contains("-----BEGIN ") && line.contains("PRIVATE KEY-----") && !ends {
            self.key_lines = MOST_KEY_LINES;
        }
        self.redactor.redact(line)
    }
}
