//! systemd-oomd, which kills whole units, and Meta's oomd, which writes into Linux's ring buffer.
//!
//! The number of processes comes later and from another program (systemd), so a kill waits for it.

use crate::{
    event::OomDaemonKill,
    line::{Line, Mark},
    parse::{
        Claim, Found,
        cgroup::Cgroup,
        linux::{after, between, integer_after, leading_integer, some_text},
    },
};

/// How many lines a kill waits for the number of its victims.
const PATIENCE: u32 = 40;
/// How many kills wait at most.
const MOST_PENDING: usize = 16;

/// The kills that wait.
#[derive(Default)]
pub(super) struct Oomd {
    pending: Vec<(Mark, OomDaemonKill, u32)>,
}

impl Oomd {
    /// Looks at one line; `None` if it is not of these daemons.
    pub(super) fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
        self.wait(found);
        let text = line.text;
        if let Some((unit, count)) = emptied(text) {
            self.emptied(unit, count, line, found);
            return Some(Claim::Mine);
        }
        if let Some(event) = systemd_oomd(text) {
            self.pending.push((line.mark(), event, 0));
            return Some(Claim::Mine);
        }
        let rest = after(text, "oomd kill: ")?;
        // `(dry)` before the plugin's name: nothing was killed.
        if rest.contains("(dry)") {
            return Some(Claim::Mine);
        }
        let event = meta_oomd(rest);
        let complete = event.cgroup.is_some();
        found.push(Found::on(line, event));
        Some(if complete { Claim::Mine } else { Claim::Damaged("a cgroup".to_owned()) })
    }

    /// `vte-spawn-….scope: systemd-oomd killed 14 process(es) in this unit.`
    fn emptied(&mut self, unit: &str, count: Option<i64>, line: &Line<'_>, found: &mut Vec<Found>) {
        let index = self.pending.iter().position(|(_, event, _)| event.unit.as_deref() == Some(unit));
        let (mark, mut event) = match index {
            Some(index) => {
                let (mark, event, _) = self.pending.remove(index);
                (mark, event)
            }
            None => (line.mark(), kill("systemd-oomd")),
        };
        event.killed_count = count;
        event.unit = Some(unit.to_owned());
        found.push(Found::at(&mark, event));
    }

    /// Counts a line and gives the kills that have waited long enough.
    fn wait(&mut self, found: &mut Vec<Found>) {
        let full = self.pending.len() > MOST_PENDING;
        for (mark, event, waited) in std::mem::take(&mut self.pending) {
            if full || waited >= PATIENCE {
                found.push(Found::at(&mark, event));
            } else {
                self.pending.push((mark, event, waited + 1));
            }
        }
    }

    /// Whether a kill waits.
    pub(super) fn hungry(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Gives the kills that wait.
    pub(super) fn finish(&mut self, found: &mut Vec<Found>) {
        for (mark, event, _) in self.pending.drain(..) {
            found.push(Found::at(&mark, event));
        }
    }
}

/// A kill by a daemon that sends SIGKILL.
fn kill(daemon: &str) -> OomDaemonKill {
    OomDaemonKill { daemon: Some(daemon.to_owned()), signal: Some("SIGKILL".to_owned()), ..OomDaemonKill::default() }
}

/// The unit that systemd found emptied, and how many processes it had; newer versions say `some`.
fn emptied(text: &str) -> Option<(&str, Option<i64>)> {
    let (before, rest) = text.split_once(": systemd-oomd killed ")?;
    let unit = before.split_whitespace().next_back()?;
    Some((unit, leading_integer(rest)))
}

/// `Killed /user.slice/….scope due to memory pressure for /user.slice/… being 51.07% > 50.00% for > 20s …`, or
/// `… due to memory used (33182187520) / total (33534234624) and swap used (…) …`.
fn systemd_oomd(text: &str) -> Option<OomDaemonKill> {
    let at = text.find("Killed /")?;
    let (path, reason) = text.get(at + "Killed ".len()..)?.split_once(" due to memory ")?;
    let pressure = reason.starts_with("pressure").then(|| between(reason, " being ", "%")).flatten();
    let used = integer_after(reason, "used (").zip(integer_after(reason, "total ("));
    Some(OomDaemonKill {
        cgroup: some_text(path),
        unit: Cgroup::of(path).unit.or_else(|| path.rsplit('/').next().map(str::to_owned)),
        reason: some_text(&format!("memory {reason}")),
        pressure_percent: pressure.and_then(|percent| percent.trim().parse().ok()),
        available_percent: used.filter(|_| !reason.starts_with("pressure")).and_then(|(used, total)| free_percent(used, total)),
        ..kill("systemd-oomd")
    })
}

/// What is left, in percent.
#[expect(clippy::cast_precision_loss, reason = "a percentage needs no 53 bits")]
fn free_percent(used: i64, total: i64) -> Option<f64> {
    (total > 0).then(|| (total.saturating_sub(used)) as f64 / total as f64 * 100.0)
}

/// `oomd kill: 10.00 60.00 600.00 system.slice/x.service 46137344 ruleset:[…] detectorgroup:[…] killer:… v2`.
fn meta_oomd(rest: &str) -> OomDaemonKill {
    let mut words = rest.split_whitespace();
    let pressure = words.next().and_then(|percent| percent.parse().ok());
    let path = words.nth(2);
    OomDaemonKill {
        cgroup: path.map(str::to_owned),
        unit: path.and_then(|path| Cgroup::of(path).unit),
        rss_bytes: words.next().and_then(|bytes| bytes.parse().ok()),
        reason: after(rest, "ruleset:").and_then(some_text),
        pressure_percent: pressure,
        ..kill("oomd")
    }
}
