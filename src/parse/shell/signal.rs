//! Signals: their numbers, their names, and the words that shells have for them.
//!
//! The numbers are Linux's; macOS numbers bus errors otherwise (10), and shells there print the number.

use crate::parse::phrase;

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

/// The same in the shell's other languages (`glibc`'s translations: German, French, Spanish, Italian, Portuguese,
/// Russian, Chinese). Linux never translates what it prints itself.
pub(super) const TRANSLATED: [(&str, i64); 19] = [
    ("Getötet", 9),
    ("Speicherzugriffsfehler", 11),
    ("Abgebrochen", 6),
    ("Processus arrêté", 9),
    ("Erreur de segmentation", 11),
    ("Terminado (killed)", 9),
    ("Violación de segmento", 11),
    ("Ucciso", 9),
    ("Errore di segmentazione", 11),
    ("Morto", 9),
    ("Falha de segmentação", 11),
    ("Убито", 9),
    ("Ошибка сегментирования", 11),
    ("已杀死", 9),
    ("已终止", 15),
    ("段错误", 11),
    ("已放弃", 6),
    ("강제종료", 9),
    ("強制終了", 9),
];

/// The number of a signal that a text names in another language, with what stands before and behind it.
pub(super) fn translated(text: &str) -> Option<(&str, i64, &str)> {
    TRANSLATED.iter().find_map(|(words, number)| {
        let (before, behind) = phrase::around(text, words)?;
        let apart = !before.ends_with(char::is_alphabetic) && !behind.starts_with(char::is_alphanumeric);
        apart.then_some((before, *number, behind))
    })
}

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
