//! systemd's own lines about its units: how they ended, and which processes it killed while it stopped them.
//!
//! What systemd-oomd did is `daemons`'; a unit's own output is everybody's.

use super::{
    Claim, Found, Parser, Spec,
    cgroup::Cgroup,
    linux::{after, between, leading_integer, some_text},
};
use crate::{
    event::{UnitOom, UnitProcessKilled, UnitStopped},
    line::{Line, Mark, shorten},
};
use std::collections::BTreeMap;

/// The parser.
pub const PARSER: Spec = Spec {
    name: "systemd",
    needles: &[
        "Failed with result",
        "Main process exited",
        "Killing process ",
        "Sent signal ",
        "Deactivated successfully",
        ": Succeeded.",
        "OOM killer",
        "Stopping ",
        "Stopped ",
        "Processing signal ",
    ],
    parts: &[],
    make: || Box::new(Systemd::default()),
};

/// How many units are waited for at most.
const MOST_UNITS: usize = 256;

/// How main processes ended whose units' results are still to come.
#[derive(Default)]
struct Systemd {
    exits: BTreeMap<String, (Mark, UnitStopped)>,
}

impl Parser for Systemd {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        match unit_and_message(line.text) {
            Some((unit, message)) => self.unit(unit, message, line, found),
            None if dockerd_stops(line, found) => Claim::Mine,
            None => job(line, found),
        }
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        for (mark, event) in std::mem::take(&mut self.exits).into_values() {
            found.push(Found::at(&mark, event));
        }
    }
}

impl Systemd {
    /// `jupyter.service: …`.
    fn unit(&mut self, unit: &str, message: &str, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if let Some(how) = message.strip_prefix("Main process exited, ") {
            if self.exits.len() >= MOST_UNITS {
                self.finish(found);
            }
            self.exits.insert(unit.to_owned(), (line.mark(), exited(unit, how, message)));
            return Claim::Mine;
        }
        if let Some(rest) = message.strip_prefix("Failed with result") {
            let Some(result) = between(rest, "'", "'").and_then(some_text) else {
                return Claim::Damaged("a result".to_owned());
            };
            self.stopped(unit, &result, message, line, found);
        } else if message.starts_with("Deactivated successfully") || message.starts_with("Succeeded.") {
            self.stopped(unit, "success", message, line, found);
        } else if message.contains("OOM killer") {
            let container_id = Cgroup::of(unit).container_id;
            found.push(Found::on(line, UnitOom { unit: Some(unit.to_owned()), container_id, message: some_text(message) }));
        } else if let Some(event) = process_killed(unit, message) {
            found.push(Found::on(line, event));
        } else {
            return Claim::NotMine;
        }
        Claim::Mine
    }

    /// The unit's result, with what its main process left.
    fn stopped(&mut self, unit: &str, result: &str, message: &str, line: &Line<'_>, found: &mut Vec<Found>) {
        let exit = self.exits.remove(unit).map(|(_, event)| event).unwrap_or_default();
        let (unit, result) = (Some(unit.to_owned()), Some(result.to_owned()));
        found.push(Found::on(line, UnitStopped { unit, result, message: some_text(message), ..exit }));
    }
}

/// The unit a line is about, and what it says. Journal texts that were not unwrapped have `systemd[1]: ` before it.
fn unit_and_message(text: &str) -> Option<(&str, &str)> {
    const SUFFIXES: [&str; 5] = [".service", ".scope", ".slice", ".socket", ".mount"];
    text.match_indices(": ").take(8).find_map(|(at, _)| {
        let unit = text.get(..at)?.split_whitespace().next_back()?;
        SUFFIXES.iter().any(|suffix| unit.ends_with(suffix)).then(|| Some((unit, text.get(at + 2..)?)))?
    })
}

/// `code=killed, status=9/KILL`, `code=exited, status=1/FAILURE`, `code=dumped, status=11/SEGV`.
fn exited(unit: &str, how: &str, message: &str) -> UnitStopped {
    let status = after(how, "status=").unwrap_or_default();
    let code = between(how, "code=", ",").unwrap_or_default();
    let signalled = matches!(code, "killed" | "dumped");
    let name = status.split_once('/').map(|(_, name)| format!("SIG{}", name.trim()));
    let result = match code {
        "killed" => "signal",
        "dumped" => "core-dump",
        _ => "exit-code",
    };
    UnitStopped {
        unit: Some(unit.to_owned()),
        result: Some(result.to_owned()),
        exit_code: leading_integer(status).filter(|_| !signalled),
        signal: name.filter(|_| signalled),
        message: some_text(message),
    }
}

/// `Killing process 4242 (python3) with signal SIGKILL.`, `Sent signal SIGKILL to main process 6396 (sleep) on client request.`
fn process_killed(unit: &str, message: &str) -> Option<UnitProcessKilled> {
    let (process, signal) = if let Some(rest) = message.strip_prefix("Killing process ") {
        (rest, after(rest, "with signal "))
    } else {
        let rest = message.strip_prefix("Sent signal ")?;
        (after(rest, "process ")?, rest.split_whitespace().next())
    };
    Some(UnitProcessKilled {
        unit: Some(unit.to_owned()),
        pid: leading_integer(process),
        process: between(process, "(", ")").and_then(some_text),
        signal: signal.map(|signal| signal.trim_end_matches('.').to_owned()),
    })
}

/// dockerd's own word for what systemd (or somebody) tells it: `level=info msg="Processing signal 'terminated'"`.
fn dockerd_stops(line: &Line<'_>, found: &mut Vec<Found>) -> bool {
    let says = line.text.contains("Processing signal 'terminated'") && line.text.contains("level=info");
    if says {
        let message = some_text(&shorten(line.text.trim()));
        let (unit, result) = (Some("docker.service".to_owned()), Some("stopping".to_owned()));
        let mut event = Found::on(line, UnitStopped { unit, result, message, ..UnitStopped::default() });
        // Without a journal around it the line has only logfmt's own time.
        let time = between(line.text, "time=\"", "\"").and_then(|time| crate::envelope::prim::iso(time).ok());
        if let Some((_, stamp)) = time.filter(|_| !line.exact) {
            event.mark.date(stamp);
        }
        found.push(event);
    }
    says
}

/// `Stopping JupyterHub...`, since 250 `Stopping jupyter.service - Jupyter...`: only from systemd itself, the words
/// are everybody's.
fn job(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let text = line.text;
    let own = line.origin.program.as_deref() == Some("systemd");
    let start = if own { Some(text) } else { text.split_once("systemd[").and_then(|(_, rest)| after(rest, "]: ")) };
    let Some(text) = start else { return Claim::NotMine };
    let (rest, result) = match (text.strip_prefix("Stopping "), text.strip_prefix("Stopped ")) {
        (Some(rest), _) => (rest, "stopping"),
        (None, Some(rest)) => (rest, "stopped"),
        (None, None) => return Claim::NotMine,
    };
    let unit = rest.split_once(" - ").map_or(rest, |(unit, _)| unit).trim_end_matches('.');
    let named = !unit.contains(' ') && unit.contains('.');
    let event = UnitStopped {
        unit: named.then(|| unit.to_owned()),
        result: Some(result.to_owned()),
        message: some_text(text),
        ..UnitStopped::default()
    };
    found.push(Found::on(line, event));
    Claim::Mine
}
