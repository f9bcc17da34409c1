//! macOS's crash reports: the text that Console shows (`python3.11-2026-11-30-….crash`) and the JSON of `.ips` files.
//!
//! Only who crashed, when and of which signal is read; the stacks are not.

use super::{Claim, Found, Parser, Spec, linux::leading_integer, prim};
use crate::{envelope::prim::iso, event::ProcessExit, line::Line, stamp::Stamp};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "crash report",
    needles: &["Process:  ", "Date/Time:  ", "Exception Type:  ", "captureTime", "procName", "EXC_"],
    parts: &[],
    make: || Box::new(CrashReport::default()),
};

/// The head of a report is looked through for so many lines behind its first.
const HEAD_LINES: u32 = 60;

/// What the report at hand has said so far.
#[derive(Default)]
struct CrashReport {
    process: Option<String>,
    pid: Option<i64>,
    time: Option<Stamp>,
    left: u32,
}

impl Parser for CrashReport {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        self.left = self.left.saturating_sub(1);
        let Some((name, value)) = member(line.text) else { return Claim::NotMine };
        match name {
            "Process" => {
                let Some((process, pid)) = named(value) else { return Claim::NotMine };
                *self = Self { process: Some(process), pid: Some(pid), left: HEAD_LINES, ..Self::default() };
            }
            "Date/Time" if self.left > 0 => self.time = moment(value),
            "captureTime" => *self = Self { time: moment(value), left: HEAD_LINES, ..Self::default() },
            "procName" if self.left > 0 => self.process = Some(value.to_owned()),
            "pid" if self.left > 0 => self.pid = self.pid.or_else(|| leading_integer(value)),
            "Exception Type" | "exception" if self.left > 0 => return self.crashed(value, line, found),
            _ => return Claim::NotMine,
        }
        Claim::Mine
    }

    fn hungry(&self) -> bool {
        self.left > 0
    }
}

impl CrashReport {
    /// The line that names the signal ends the part that is read.
    fn crashed(&mut self, value: &str, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        let Self { process, pid, time, .. } = std::mem::take(self);
        let Some(signal) = signal(value) else { return Claim::Damaged("a signal".to_owned()) };
        let mut mark = line.mark();
        if let Some(time) = time {
            mark.date(time);
        }
        let reporter = Some("macos".to_owned());
        let event = ProcessExit { program: process, pid, signal: Some(signal), reporter, ..ProcessExit::default() };
        found.push(Found::at(&mark, event));
        Claim::Mine
    }
}

/// A line's name and value: `Process:               Python [5521]`, `  "pid" : 5521,`.
fn member(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    if let Some(inside) = text.strip_prefix('"') {
        let (name, value) = inside.split_once("\" : ")?;
        return Some((name, value.trim_end_matches(',').trim_matches('"')));
    }
    let (name, value) = text.split_once(":  ")?;
    Some((name, value.trim()))
}

/// `Python [5521]`.
fn named(value: &str) -> Option<(String, i64)> {
    let (process, rest) = value.rsplit_once(" [")?;
    let pid = rest.strip_suffix(']')?.parse().ok()?;
    Some((process.trim().to_owned(), pid))
}

/// `2026-11-30 10:12:11.1234 +0200`. The zone is left off: it is the machine's own, in which its other logs are written
/// too, and those do not name it.
fn moment(value: &str) -> Option<Stamp> {
    iso(value).ok().map(|(_, stamp)| stamp)
}

/// The signal in `EXC_BAD_ACCESS (SIGSEGV)` and `{…,"type":"EXC_CRASH","signal":"SIGABRT"}`.
fn signal(value: &str) -> Option<String> {
    value.match_indices("SIG").find_map(|(at, _)| {
        let (_, name) = prim::word(value.get(at..)?).ok()?;
        let name: String = name.chars().take_while(char::is_ascii_alphanumeric).collect();
        (name.len() > 4).then_some(name)
    })
}
