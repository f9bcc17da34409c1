//! Records of crashed processes: the audit subsystem's, systemd-coredump's, and Linux's own word of a fatal signal.
//!
//! Only of processes that can be a kernel or a server; a browser's crash is nobody's business here. The fault itself
//! (`segfault at …`) is `fault`'s.

use super::{
    Claim, Found, OneLine, Spec,
    linux::{audit_stamp, between, integer_after, leading_integer, may_be_linux, some_text, victim},
};
use crate::{
    envelope::prim as time,
    event::ProcessExit,
    line::Line,
    stamp::Stamp,
};
use nom::{
    IResult, Parser,
    character::complete::char,
    combinator::{map_opt, opt},
};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "crash record",
    needles: &[
        "type=1701 ",
        "ANOM_ABEND",
        " dumped core",
        "without generating a coredump",
        "unexpected fatal signal",
        " SIGSEGV ",
        " SIGABRT ",
        " SIGBUS ",
        " SIGILL ",
        " SIGFPE ",
        " SIGTRAP ",
    ],
    parts: &[],
    make: || Box::new(OneLine(line)),
};

/// The event with the time that the record bears itself, where no envelope gave one.
fn stamped(mut found: Found, line: &Line<'_>) -> Found {
    let own = || audit_stamp(line.text).or_else(|| list_stamp(line.text).ok().map(|(_, stamp)| stamp));
    if !line.exact
        && let Some(stamp) = own()
    {
        found.mark.stamps = vec![stamp];
        found.mark.exact = true;
    }
    found
}

/// `Mon 2026-11-30 15:22:30 CET` of `coredumpctl list`.
fn list_stamp(input: &str) -> IResult<&str, Stamp> {
    let parts = (time::weekday, char(' '), time::date, char(' '), time::time, opt(time::zone));
    map_opt(parts, |(_, _, date, _, clock, zone)| Some(time::placed(time::local_micros(date, clock)?, zone))).parse(input)
}

/// The signals that crash a process, as Linux numbers them.
const SIGNALS: &[(i64, &str)] =
    &[(4, "SIGILL"), (5, "SIGTRAP"), (6, "SIGABRT"), (7, "SIGBUS"), (8, "SIGFPE"), (11, "SIGSEGV"), (31, "SIGSYS")];

/// Looks at one line.
fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let text = line.text;
    let record = if text.contains("type=1701 ") || text.contains("ANOM_ABEND") {
        audit(text)
    } else if let Some(event) = coredump(line).or_else(|| listed(text)) {
        Ok(Some(event))
    } else if may_be_linux(line) {
        Ok(linux(text))
    } else {
        Ok(None)
    };
    match record {
        Ok(Some(event)) => {
            let ours = event.program.as_deref().is_some_and(|program| victim(base(program)) != "stranger");
            if ours {
                found.push(stamped(Found::on(line, event), line));
            }
            Claim::Mine
        }
        Ok(None) => Claim::NotMine,
        Err(expected) => Claim::Damaged(expected.to_owned()),
    }
}

/// `audit: type=1701 audit(1564276195.971:5): auid=0 … pid=2200 comm="python3" exe="/usr/bin/python3.11" sig=11 res=1`,
/// from auditd `type=ANOM_ABEND msg=audit(…)`, interpreted `comm=python3 exe=… sig=SIGSEGV`. A name with odd characters
/// is printed as hexadecimal digits.
fn audit(text: &str) -> Result<Option<ProcessExit>, &'static str> {
    let Some(signal) = value(text, " sig=") else { return Err("sig") };
    let program = value(text, " exe=").filter(|exe| exe.starts_with('/')).or_else(|| value(text, " comm="));
    let event = ProcessExit { program: program.and_then(some_text), pid: integer_after(text, " pid="), ..crash(signal, "audit") };
    Ok(Some(event))
}

/// The value of a key, with its quotes taken off.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(key)?;
    match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split_whitespace().next(),
    }
}

/// `Process 199894 (python3) of user 1000 dumped core.`, since systemd 254 also `… terminated abnormally without
/// generating a coredump.`; the signal stands only in the journal's fields.
fn coredump(line: &Line<'_>) -> Option<ProcessExit> {
    let text = line.text;
    let (_, rest) = text.split_once("Process ").filter(|_| text.contains(" of user "))?;
    let told = ["dumped core", "without generating a coredump"].iter().any(|words| rest.contains(words));
    let program = between(rest, "(", ") of user ").and_then(some_text);
    told.then(|| ProcessExit { program, pid: leading_integer(rest), ..reported("systemd-coredump") })
}

/// A row of `coredumpctl list`: `Mon 2026-11-30 15:22:30 CST 199894 1000 1000 SIGSEGV present /usr/bin/python3.11 25.1M`.
fn listed(text: &str) -> Option<ProcessExit> {
    const FILES: [&str; 7] = ["present", "missing", "none", "truncated", "inaccessible", "journal", "error"];
    let words: Vec<&str> = text.split_whitespace().take(16).collect();
    let at = words.iter().position(|word| SIGNALS.iter().any(|(_, name)| name == word))?;
    let pid = words.get(at.checked_sub(3)?)?.parse().ok()?;
    let program = words.get(at + 2).filter(|exe| exe.starts_with('/'))?;
    FILES.contains(words.get(at + 1)?).then_some(())?;
    Some(ProcessExit { program: some_text(program), pid: Some(pid), ..crash(words.get(at)?, "systemd-coredump") })
}

/// `python3[123]: potentially unexpected fatal signal 11.` (`kernel.print-fatal-signals`).
fn linux(text: &str) -> Option<ProcessExit> {
    let (before, rest) = text.split_once(": potentially unexpected fatal signal ")?;
    let (name, pid) = before.rsplit_once('[')?;
    let pid = pid.strip_suffix(']')?.parse().ok();
    let number = rest.trim_end_matches('.');
    Some(ProcessExit { program: some_text(super::linux::comm_at_end(name)), pid, ..crash(number, "linux") })
}

/// An end by a signal, given by its number or its name.
fn crash(signal: &str, reporter: &str) -> ProcessExit {
    let number = leading_integer(signal);
    let known = SIGNALS.iter().find(|(known, name)| Some(*known) == number || *name == signal);
    let other = || signal.starts_with("SIG").then(|| signal.to_owned());
    ProcessExit { signal: known.map(|(_, name)| (*name).to_owned()).or_else(other), ..reported(reporter) }
}

/// An end that somebody reported.
fn reported(reporter: &str) -> ProcessExit {
    ProcessExit { reporter: Some(reporter.to_owned()), ..ProcessExit::default() }
}

/// The last part of a path.
fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
