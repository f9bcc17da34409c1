//! The names of signals.
//!
//! It does not know how a program encodes them in an exit code.

/// The signals that end processes: number on Linux, name, and what `strsignal` calls it.
const SIGNALS: [(i64, &str, &str); 13] = [
    (1, "SIGHUP", "Hangup"),
    (2, "SIGINT", "Interrupt"),
    (4, "SIGILL", "Illegal instruction"),
    (5, "SIGTRAP", "Trace/breakpoint trap"),
    (6, "SIGABRT", "Aborted"),
    (7, "SIGBUS", "Bus error"),
    (8, "SIGFPE", "Floating point exception"),
    (9, "SIGKILL", "Killed"),
    (11, "SIGSEGV", "Segmentation fault"),
    (13, "SIGPIPE", "Broken pipe"),
    (15, "SIGTERM", "Terminated"),
    (24, "SIGXCPU", "CPU time limit exceeded"),
    (25, "SIGXFSZ", "File size limit exceeded"),
];

/// The name of a number.
pub(super) fn of_number(number: i64) -> Option<String> {
    SIGNALS.iter().find(|(known, _, _)| *known == number).map(|(_, name, _)| (*name).to_owned())
}

/// The name of a description at a text's start. `PyTorch` writes some of its own in small letters with a dash.
pub(super) fn of_words(text: &str) -> Option<String> {
    let text = text.trim_start().to_ascii_lowercase().replace('-', " ");
    SIGNALS
        .iter()
        .find(|(_, _, words)| text.starts_with(&words.to_ascii_lowercase()))
        .map(|(_, name, _)| (*name).to_owned())
}

/// A name, if it is a signal's.
pub(super) fn known(name: &str) -> Option<String> {
    SIGNALS.iter().find(|(_, known, _)| *known == name).map(|(_, known, _)| (*known).to_owned())
}
