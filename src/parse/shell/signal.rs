//! Signals: their numbers, their names, and the words that shells have for them.
//!
//! The numbers are Linux's; macOS numbers bus errors otherwise (10), and shells there print the number.

/// Number, name, and bash's words. glibc's `strsignal` (2.36) and bash 5.2; zsh writes them in lower case.
const SIGNALS: &[(i64, &str, &[&str])] = &[
    (1, "SIGHUP", &["Hangup"]),
    (2, "SIGINT", &["Interrupt"]),
    (4, "SIGILL", &["Illegal instruction", "illegal hardware instruction"]),
    (5, "SIGTRAP", &["Trace/breakpoint trap", "Trace trap"]),
    (6, "SIGABRT", &["Aborted", "Abort trap", "abort"]),
    (7, "SIGBUS", &["Bus error"]),
    (8, "SIGFPE", &["Floating point exception"]),
    (9, "SIGKILL", &["Killed"]),
    (11, "SIGSEGV", &["Segmentation fault"]),
    (13, "SIGPIPE", &["Broken pipe"]),
    (15, "SIGTERM", &["Terminated"]),
    (24, "SIGXCPU", &["CPU time limit exceeded", "Cputime limit exceeded"]),
    (25, "SIGXFSZ", &["File size limit exceeded", "Filesize limit exceeded"]),
    (31, "SIGSYS", &["Bad system call"]),
];

/// A signal's name.
pub(in crate::parse) fn name(number: i64) -> Option<&'static str> {
    SIGNALS.iter().find(|(known, ..)| *known == number).map(|(_, name, _)| *name)
}

/// The number of a name: `SIGKILL`.
pub(super) fn number(name: &str) -> Option<i64> {
    SIGNALS.iter().find(|(_, known, _)| *known == name).map(|(number, ..)| *number)
}

/// The number of a signal whose words begin a text, and the rest of it. Without regard to case for zsh, which writes
/// `killed` and `segmentation fault`.
pub(super) fn worded(text: &str) -> Option<(i64, &str)> {
    SIGNALS.iter().find_map(|(number, _, words)| {
        words.iter().find_map(|word| {
            let head = text.get(..word.len())?;
            let rest = text.get(word.len()..)?;
            let ends = !rest.starts_with(|c: char| c.is_alphanumeric());
            (ends && head.eq_ignore_ascii_case(word)).then_some((*number, rest))
        })
    })
}
