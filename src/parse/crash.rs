//! Records of crashed processes: the audit subsystem's, systemd-coredump's with the stack below, `coredumpctl`'s, and Linux's
//! own word of a fatal signal.
//!
//! Only of processes that can be a kernel or a server; a browser's crash is nobody's business here. The fault itself
//! (`segfault at …`) is `fault`'s.

mod info;
mod stack;

use super::{
    Claim, Found, Spec,
    linux::{audit_stamp, between, integer_after, leading_integer, may_be_linux, some_text, victim},
};
use crate::{
    envelope::prim as time,
    event::{Event, ProcessExit},
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
        " terminated abnormally with signal ",
        "   PID: ",
        "unexpected fatal signal",
        " SIGSEGV ",
        " SIGABRT ",
        " SIGBUS ",
        " SIGILL ",
        " SIGFPE ",
        " SIGTRAP ",
    ],
    parts: &[],
    make: || Box::new(Crash::default()),
};

/// The event with the time that the record bears itself, where no envelope gave one.
fn stamped(mut found: Found, line: &Line<'_>) -> Found {
    let own = || audit_stamp(line.text).or_else(|| list_stamp(line.text).ok().map(|(_, stamp)| stamp));
    if !line.exact
        && let Some(stamp) = own()
    {
        found.mark.date(stamp);
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

/// The parser's state.
#[derive(Default)]
struct Crash {
    /// The record of `coredumpctl info` that is being read.
    info: Option<info::Info>,
    /// A dumped core whose stack may follow.
    stack: Option<stack::Stack>,
    /// The process whose signal systemd-coredump told of before it wrote the core.
    told: Option<i64>,
}

impl super::Parser for Crash {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if let Some(info) = &mut self.info {
            if info.line(line.text) {
                return Claim::Mine;
            }
            self.finish(found);
        }
        if let Some(stack) = &mut self.stack {
            if stack.line(line.text) {
                return Claim::Mine;
            }
            self.finish(found);
        }
        if let Some(info) = info::Info::begun(line) {
            self.info = Some(info);
            return Claim::Mine;
        }
        match coredump(line) {
            Some(event) => self.dumped(line, event, found),
            None => one(line, found),
        }
    }

    fn hungry(&self) -> bool {
        self.info.is_some() || self.stack.is_some()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        let info = self.info.take().map(info::Info::close);
        let stack = self.stack.take().map(stack::Stack::close);
        found.extend(info.into_iter().chain(stack).filter(|found| matches!(&found.event, Event::ProcessExit(event) if ours(event))));
    }
}

impl Crash {
    /// Takes systemd-coredump's word. Since systemd 254 it tells of one crash twice, at first with the signal.
    fn dumped(&mut self, line: &Line<'_>, event: ProcessExit, found: &mut Vec<Found>) -> Claim {
        if event.signal.is_some() {
            self.told = event.pid;
            found.extend(ours(&event).then(|| Found::on(line, event)));
        } else if event.pid.is_none() || event.pid != self.told {
            self.stack = Some(stack::Stack::begun(line, event));
        }
        Claim::Mine
    }
}

/// Whether the process can be a kernel or a server.
fn ours(event: &ProcessExit) -> bool {
    event.program.as_deref().is_some_and(|program| victim(base(program)) != "stranger")
}

/// Looks at one line.
fn one(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let text = line.text;
    let record = if text.contains("type=1701 ") || text.contains("ANOM_ABEND") {
        audit(text)
    } else if let Some(event) = listed(text) {
        Ok(Some(event))
    } else if may_be_linux(line) {
        Ok(linux(text))
    } else {
        Ok(None)
    };
    match record {
        Ok(Some(event)) => {
            if ours(&event) {
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
/// generating a coredump.`, of which the signal stands only in the journal's fields; and before them `… terminated
/// abnormally with signal 6/ABRT, processing...`.
fn coredump(line: &Line<'_>) -> Option<ProcessExit> {
    let text = line.text;
    let (_, rest) = text.split_once("Process ").filter(|_| text.contains(" of user "))?;
    let program = between(rest, "(", ") of user ").and_then(some_text);
    let pid = leading_integer(rest);
    if let Some((_, signal)) = rest.split_once(" terminated abnormally with signal ") {
        return Some(ProcessExit { program, pid, ..crash(signal, "systemd-coredump") });
    }
    let dumped = rest.contains(" dumped core").then(|| "yes".to_owned());
    let told = dumped.is_some() || rest.contains("without generating a coredump");
    told.then(|| ProcessExit { program, pid, core_dumped: dumped, ..reported("systemd-coredump") })
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
