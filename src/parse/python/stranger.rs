//! Lines that end an exception's message because somebody else clearly begins to speak.
//!
//! A message may have several lines and nothing marks its last one, so this is a list of what it cannot be.

/// How lines of others begin.
const BEGINNINGS: [&str; 26] = [
    "[",
    "In [",
    "Out[",
    "INFO",
    "WARNING",
    "ERROR",
    "DEBUG",
    "CRITICAL",
    "Exception ignored",
    "Fatal Python error",
    "kernel ",
    "Kernel ",
    "Process ",
    "terminate called",
    "Executing:",
    "-----",
    "=====",
    "_____",
    "##[",
    "FAILED ",
    "$ ",
    "Input Notebook:",
    "Output Notebook:",
    "KernelRestarter",
    "free(): ",
    "OMP: ",
];

/// Whether a line begins as no continuation of a message does.
pub(super) fn is_stranger(text: &str) -> bool {
    BEGINNINGS.iter().any(|beginning| text.starts_with(beginning)) || has_stamp(text) || is_bare_json(text)
}

/// The remark between two exceptions of a chain.
pub(super) fn is_chain_remark(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("During handling of the above exception")
        || text.starts_with("The above exception was the direct cause of")
}

/// `2026-11-30 …` and `15:22:30 …`.
fn has_stamp(text: &str) -> bool {
    let head: Vec<u8> = text.bytes().take(8).collect();
    let digits =
        |from: usize, to: usize| head.get(from..to).is_some_and(|part| part.iter().all(u8::is_ascii_digit));
    let date = digits(0, 4) && head.get(4) == Some(&b'-') && digits(5, 7);
    let time = digits(0, 2) && head.get(2) == Some(&b':') && digits(3, 5) && head.get(5) == Some(&b':');
    date || time
}

/// A record of a program that logs JSON.
fn is_bare_json(text: &str) -> bool {
    text.starts_with("{\"")
}
