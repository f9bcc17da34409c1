//! earlyoom: `sending SIGTERM to process 7378 uid 1000 "python3": oom_score 156, VmRSS 4962 MiB, cmdline "…"`.
//!
//! It prints its memory report every hour and before a kill; older versions print the command line on a line of its
//! own, behind the kill.

use crate::{
    event::OomDaemonKill,
    line::{Line, Mark},
    parse::{
        Claim, Found,
        linux::{after, between, integer_after, leading_integer, some_text},
        prim,
    },
};

/// How many lines after a kill may hold its command line.
const PATIENCE: u32 = 20;

/// What was seen.
#[derive(Default)]
pub(super) struct Earlyoom {
    available_percent: Option<f64>,
    reason: Option<String>,
    /// A kill that may still get its command line.
    pending: Option<(Mark, OomDaemonKill)>,
    idle: u32,
}

impl Earlyoom {
    /// Looks at one line; `None` if it is not earlyoom's.
    pub(super) fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
        let text = line.text;
        if let Some(rest) = after(text, "mem avail: ") {
            self.available_percent = between(rest, "(", "%").and_then(|percent| percent.trim().parse().ok());
            return Some(Claim::Mine);
        }
        if let Some(at) = text.find("low memory! at or below") {
            self.reason = text.get(at..).and_then(some_text);
            return Some(Claim::Mine);
        }
        if let Some((verb, rest)) = sending(text) {
            self.finish(found);
            let event = self.kill(verb, rest);
            let complete = event.pid.is_some() && event.process.is_some();
            let whole = event.kernel_id.is_some() || event.pid.is_none();
            if whole {
                found.push(Found::on(line, event));
            } else {
                self.pending = Some((line.mark(), event));
            }
            return Some(if complete { Claim::Mine } else { Claim::Damaged("pid and name of the victim".to_owned()) });
        }
        self.follow(text, found)
    }

    /// The kill as its line tells it.
    fn kill(&mut self, verb: &str, rest: &str) -> OomDaemonKill {
        OomDaemonKill {
            daemon: Some("earlyoom".to_owned()),
            pid: leading_integer(rest),
            // v1.0 prints the name alone: `Killing process 7981 htop`.
            process: between(rest, "\"", "\"").or_else(|| rest.split_whitespace().nth(1)).and_then(some_text),
            signal: Some(verb.to_owned()),
            kernel_id: kernel_id(rest),
            reason: self.reason.take(),
            available_percent: self.available_percent,
            rss_bytes: integer_after(rest, "VmRSS ").and_then(|mebibytes| mebibytes.checked_mul(1 << 20)),
            ..OomDaemonKill::default()
        }
    }

    /// A line behind a kill: the command line of the same process.
    fn follow(&mut self, text: &str, found: &mut Vec<Found>) -> Option<Claim> {
        let (_, event) = self.pending.as_mut()?;
        self.idle += 1;
        let own = integer_after(text, "process ").is_some_and(|pid| Some(pid) == event.pid);
        if own && text.contains(" cmdline ") {
            event.kernel_id = kernel_id(text);
            self.finish(found);
            return Some(Claim::Mine);
        }
        if self.idle > PATIENCE || text.contains(" exited after ") {
            self.finish(found);
        }
        None
    }

    /// Whether a kill waits for its command line.
    pub(super) fn hungry(&self) -> bool {
        self.pending.is_some()
    }

    /// Gives the kill that waits.
    pub(super) fn finish(&mut self, found: &mut Vec<Found>) {
        self.idle = 0;
        if let Some((mark, event)) = self.pending.take() {
            found.push(Found::at(&mark, event));
        }
    }
}

/// The signal and what follows `process`.
fn sending(text: &str) -> Option<(&str, &str)> {
    if let Some((before, rest)) = after(text, "sending SIG").map(|_| text).and_then(|text| text.split_once(" to process ")) {
        let verb = before.rsplit(' ').next()?;
        // "dryrun, not actually sending any signal" does not get here: it names no process.
        return verb.starts_with("SIG").then_some((verb, rest));
    }
    let rest = after(text, "Killing process ")?;
    // systemd's line ends in "with signal SIGKILL." and is another parser's.
    let bare = rest.split_whitespace().count() == 2 && !rest.contains('(') && leading_integer(rest).is_some();
    bare.then_some(("SIGKILL", rest))
}

/// The kernel id in a command line: `-f /…/kernel-<uuid>.json`.
pub(super) fn kernel_id(text: &str) -> Option<String> {
    let rest = after(text, "kernel-")?;
    prim::uuid(rest).ok().map(|(_, id)| id.to_owned())
}
