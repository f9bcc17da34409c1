//! The files of a cgroup as people print them: how often its limits were felt, and how hard it waits for memory.
//!
//! Counters have no time: they say that something happened since the cgroup began, never when. A report of Linux about
//! a kill is `oom`'s.

use super::{Claim, Found, Parser, Spec, prim};
use crate::{
    event::CgroupCounters,
    line::{Line, Mark, shorten},
};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "cgroup",
    needles: &["low 0", "oom_kill ", "oom_group_kill ", "under_oom ", "oom_kill_disable ", "full avg10=", "nr_throttled "],
    make: || Box::new(Counters::default()),
};

/// A block that is being read, and the file that `grep` says it is of.
#[derive(Default)]
struct Counters {
    open: Option<(Mark, CgroupCounters)>,
    file: Option<String>,
}

impl Parser for Counters {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        let text = line.text.trim();
        let (file, text) = file_and_text(text);
        if let Some(figure) = text.strip_prefix("full avg10=") {
            let pressure = prim::number(figure).ok().map(|(_, percent)| percent);
            // `memory.pressure`; the same words stand in `io.pressure`, which tells its name only through `grep`.
            if pressure.is_none() || file.is_some_and(|file| !file.contains("memory")) {
                return Claim::NotMine;
            }
            let event = CgroupCounters { full_pressure_percent: pressure, ..message(line) };
            found.push(Found::on(line, event));
            return Claim::Mine;
        }
        let Some((key, count)) = key_and_count(text) else {
            self.finish(found);
            return Claim::NotMine;
        };
        // A second block begins with a key that the first already had.
        let other = self.file.as_deref() != file;
        if self.open.as_ref().is_some_and(|(_, event)| other || slot_is_taken(event, key)) {
            self.finish(found);
        }
        self.file = file.map(str::to_owned);
        let (_, event) = self.open.get_or_insert_with(|| (line.mark(), message(line)));
        if !put(event, key, count) {
            self.finish(found);
            return Claim::NotMine;
        }
        Claim::Mine
    }

    fn hungry(&self) -> bool {
        self.open.is_some()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        // A cgroup in which nothing happened is no news.
        if let Some((mark, event)) = self.open.take()
            && [event.oom_count, event.oom_kill_count, event.high_count, event.under_oom_count, event.throttled_count]
                .iter()
                .any(|count| count.is_some_and(|count| count > 0))
        {
            found.push(Found::at(&mark, event));
        }
    }
}

/// An event that holds only its line's words.
fn message(line: &Line<'_>) -> CgroupCounters {
    CgroupCounters { message: Some(shorten(line.text.trim())), ..CgroupCounters::default() }
}

/// What `grep` puts before a line: `/sys/fs/cgroup/memory.events:oom_kill 1`.
fn file_and_text(text: &str) -> (Option<&str>, &str) {
    match text.split_once(':') {
        Some((file, rest)) if !file.contains(' ') && file.contains(['.', '/']) => (Some(file), rest.trim_start()),
        _ => (None, text),
    }
}

/// `oom_kill 1` and nothing else.
fn key_and_count(text: &str) -> Option<(&str, i64)> {
    let (key, count) = text.split_once(' ')?;
    let count = count.split('#').next()?.trim();
    Some((key, count.parse().ok()?))
}

/// Where a key's count belongs, in `memory.events`, in the first version's `memory.oom_control`, in `cpu.stat`.
fn slot<'a>(event: &'a mut CgroupCounters, key: &str) -> Option<&'a mut Option<i64>> {
    match key {
        "high" => Some(&mut event.high_count),
        "max" => Some(&mut event.max_count),
        "oom" => Some(&mut event.oom_count),
        "oom_kill" => Some(&mut event.oom_kill_count),
        "oom_group_kill" => Some(&mut event.oom_group_kill_count),
        "under_oom" => Some(&mut event.under_oom_count),
        "nr_throttled" => Some(&mut event.throttled_count),
        _ => None,
    }
}

/// Keeps a count; `false` if the key is none of these files'.
fn put(event: &mut CgroupCounters, key: &str, count: i64) -> bool {
    const PASSED_OVER: [&str; 8] = [
        "low", "oom_kill_disable", "sock_throttled", "throttled_usec", "throttled_time", "nr_periods", "nr_bursts", "burst_usec",
    ];
    match slot(event, key) {
        Some(slot) => *slot = Some(count),
        None => return PASSED_OVER.contains(&key),
    }
    true
}

/// Whether a key was there already.
fn slot_is_taken(event: &CgroupCounters, key: &str) -> bool {
    key == "low" || slot(&mut event.clone(), key).is_some_and(|slot| slot.is_some())
}
