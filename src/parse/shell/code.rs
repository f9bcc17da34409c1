//! Exit codes as CI runners, supervisors and launchers report them.
//!
//! 0 is nobody's trouble and gives no event.

use super::signal;
use crate::{event::ProcessExit, parse::{phrase, prim}};

/// A literal with a code right behind it, and who speaks so.
const REPORTS: &[(&str, &str)] = &[
    ("Process completed with exit code ", "github-actions"),
    ("Job failed: exit code ", "gitlab"),
    ("Job failed: exit status ", "gitlab"),
    ("command terminated with exit code ", "kubernetes"),
    ("Process finished with exit code ", "pycharm"),
    ("The Python process exited with exit code ", "databricks"),
    ("script returned exit code ", "jenkins"),
    ("returned a non-zero code: ", "docker"),
    ("Bash exited with code ", "azure-pipelines"),
    ("command exited with status ", "buildkite"),
    ("Exited with code exit status ", "circleci"),
    ("Command exited with non-zero status ", "time"),
    ("Task exited with return code ", "airflow"),
    ("returned non-zero exit status ", "subprocess"),
    ("(exit status ", "supervisor"),
];

/// A literal with a signal's number or name right behind it.
const SIGNALLED: &[(&str, &str)] = &[
    ("Command terminated by signal ", "time"),
    ("(terminated by ", "supervisor"),
    ("died with <Signals.", "subprocess"),
];

/// An exit that a line reports.
pub(super) fn reported(text: &str) -> Option<ProcessExit> {
    coded(text).or_else(|| signalled(text)).or_else(|| made(text))
}

/// Whether a CI runner's report breaks off before the code.
pub(super) fn broken_off(text: &str) -> bool {
    REPORTS.iter().take(3).any(|(literal, _)| text.trim_end().ends_with(literal.trim_end()))
}

/// GNU make's `make: *** [Makefile:12: notebooks] Error 137`, `make[1]: *** [notebooks] Killed`. Codes below 128 are a
/// failed recipe's and tell of no process's end.
fn made(text: &str) -> Option<ProcessExit> {
    let (before, rest) = phrase::around(text, ": *** [")?;
    let (_, end) = rest.rsplit_once("] ").filter(|_| phrase::holds(before, "make"))?;
    let coded = end.strip_prefix("Error ").and_then(|code| prim::integer(code).ok()).map(|(_, code)| code);
    let number = coded.map(|code| code - 128).or_else(|| Some(signal::worded(end)?.0))?;
    Some(ProcessExit {
        exit_code: Some(128 + number),
        signal: Some(signal::name(number)?.to_owned()),
        reporter: Some("make".to_owned()),
        ..ProcessExit::default()
    })
}

/// An exit by its code.
fn coded(text: &str) -> Option<ProcessExit> {
    let (before, rest, reporter) = behind(text, REPORTS)?;
    let (_, code) = prim::integer(rest.trim_start_matches(['\'', '"'])).ok()?;
    // What Windows makes of PyCharm's Stop button; no signal is sent.
    if reporter == "pycharm" && code == -1 {
        return None;
    }
    let reporter = match reporter {
        // GitLab's Kubernetes executor passes kubectl's words on.
        "kubernetes" if phrase::holds(before, "Job failed") => "gitlab",
        "supervisor" if !phrase::holds(before, "exited: ") => return None,
        other => other,
    };
    let exit_code = normal(code);
    let signal = signal::name(exit_code - 128).map(str::to_owned);
    (code != 0).then(|| ProcessExit {
        program: program(before, reporter),
        exit_code: Some(exit_code),
        signal,
        reporter: Some(reporter.to_owned()),
        ..ProcessExit::default()
    })
}

/// An exit by its signal.
fn signalled(text: &str) -> Option<ProcessExit> {
    let (before, rest, reporter) = behind(text, SIGNALLED)?;
    let word = rest.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
    let number = word.parse().ok().or_else(|| signal::number(word))?;
    Some(ProcessExit {
        program: program(before, reporter),
        exit_code: Some(128 + number),
        signal: signal::name(number).map(str::to_owned),
        reporter: Some(reporter.to_owned()),
        ..ProcessExit::default()
    })
}

/// The text before and behind the first literal that a line holds, and who speaks.
fn behind<'a>(text: &'a str, literals: &[(&str, &'static str)]) -> Option<(&'a str, &'a str, &'static str)> {
    literals.iter().find_map(|(literal, reporter)| {
        phrase::around(text, literal).map(|(before, rest)| (before, rest, *reporter))
    })
}

/// 128 + signal for a negative code (Python's own count), an unsigned status for Windows' negative ones.
fn normal(code: i64) -> i64 {
    match code {
        -64..=-1 => 128 - code,
        i64::MIN..=-65 => code.checked_add(1 << 32).filter(|code| *code > 0).unwrap_or(code),
        _ => code,
    }
}

/// supervisord's `exited: jupyter (`; Python's `Command '['papermill', …]'`.
fn program(before: &str, reporter: &str) -> Option<String> {
    let name = match reporter {
        "supervisor" => before.rsplit_once("exited: ")?.1.trim(),
        "subprocess" => {
            let command = before.rsplit_once("Command ")?.1.trim_start_matches(['\'', '"', '[']);
            let word = command.split(['\'', '"', ' ', ',']).next()?;
            word.rsplit('/').next().unwrap_or(word)
        }
        _ => return None,
    };
    Some(name.to_owned()).filter(|name| !name.is_empty())
}
