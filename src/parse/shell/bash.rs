//! Shells' words: `Killed`, `./run.sh: line 3: 12345 Killed  papermill …`, `zsh: killed     python`.
//!
//! A shell does not say who sent a signal.

use super::signal;
use crate::{event::ProcessExit, parse::{phrase, prim}};

/// An ended process.
pub(super) fn ended(text: &str) -> Option<ProcessExit> {
    script(text).or_else(|| elsewhere(text)).or_else(|| zsh(text)).or_else(|| fish(text)).or_else(|| alone(text.trim()))
}

/// The event of a signal.
fn by_signal(number: i64, reporter: &str) -> ProcessExit {
    ProcessExit {
        exit_code: Some(128 + number),
        signal: signal::name(number).map(str::to_owned),
        reporter: Some(reporter.to_owned()),
        ..ProcessExit::default()
    }
}

/// `run.sh: line 84: 27006 Aborted                 (core dumped) ./a`: the one form that gives a process id.
fn script(text: &str) -> Option<ProcessExit> {
    let (_, rest) = phrase::around(text, ": line ")?;
    let (rest, _) = prim::integer(rest).ok()?;
    let (rest, pid) = prim::integer(rest.strip_prefix(':')?.trim_start()).ok()?;
    let (number, rest) = signal::worded(rest.trim_start())?;
    Some(ProcessExit { pid: Some(pid), program: program(rest), ..by_signal(number, "bash") })
}

/// The same in another language: `run.sh: Zeile 3: 12345 Getötet  papermill …`, `run.sh：行 3: 12345 已杀死 …`, or the
/// word alone.
fn elsewhere(text: &str) -> Option<ProcessExit> {
    let (before, number, rest) = signal::translated(text.trim())?;
    if before.is_empty() {
        let bare = rest.trim().is_empty() || rest.trim_start().starts_with('(');
        return bare.then(|| by_signal(number, "shell"));
    }
    let (place, pid) = before.trim_end().rsplit_once([':', '：'])?;
    let pid = pid.trim().parse().ok()?;
    let numbered = place.trim_end().ends_with(|c: char| c.is_ascii_digit() || c == '行');
    numbered.then(|| ProcessExit { pid: Some(pid), program: program(rest), ..by_signal(number, "bash") })
}

/// `zsh: killed     python train.py`, and of a job, `[1]    12345 killed     python`.
fn zsh(text: &str) -> Option<ProcessExit> {
    let (pid, rest) = if let Some(rest) = text.strip_prefix("zsh: ") {
        (None, rest)
    } else {
        let (_, rest) = text.strip_prefix('[')?.split_once(']')?;
        let (rest, pid) = prim::integer(rest.trim_start_matches(['+', '-', ' '])).ok()?;
        (Some(pid), rest.trim_start())
    };
    let (number, rest) = signal::worded(rest)?;
    Some(ProcessExit { pid, program: program(rest), ..by_signal(number, "zsh") })
}

/// `fish: Job 1, 'python a.py' terminated by signal SIGKILL (Forced quit)`.
fn fish(text: &str) -> Option<ProcessExit> {
    let (before, rest) = phrase::around(text, " terminated by signal SIG")?;
    let (_, command) = before.strip_prefix("fish: ")?.split_once('\'')?;
    let word = rest.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
    let number = signal::number(&format!("SIG{word}"))?;
    Some(ProcessExit { program: program(command), ..by_signal(number, "fish") })
}

/// `Killed`, `Segmentation fault (core dumped)`, macOS' `Killed: 9`: nothing else may stand on the line.
fn alone(text: &str) -> Option<ProcessExit> {
    if !text.starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    let (number, rest) = signal::worded(text)?;
    let rest = rest.trim().trim_end_matches("(core dumped)").trim();
    let bare = rest.is_empty() || rest.strip_prefix(": ").is_some_and(|n| n.parse::<i64>().is_ok());
    // `Hangup`, `Interrupt` and `Broken pipe` alone are words of many programs.
    (bare && matches!(number, 4..=9 | 11 | 15 | 24 | 25 | 31)).then(|| by_signal(number, "shell"))
}

/// The program of a command line: the last part of its first word. `jupyter lab` runs the program `jupyter-lab`.
fn program(command: &str) -> Option<String> {
    let command = command.trim_start();
    let command = command.strip_prefix("(core dumped)").unwrap_or(command).trim_start_matches([':', ' ']);
    let mut words = command.split(|c: char| c.is_whitespace() || c == '\'');
    let word = words.next()?;
    let name = word.rsplit('/').next().unwrap_or(word);
    let part = words.next().filter(|part| name == "jupyter" && part.starts_with(|c: char| c.is_ascii_lowercase()));
    let name = part.map_or_else(|| name.to_owned(), |part| format!("{name}-{part}"));
    Some(name).filter(|name| !name.is_empty())
}
