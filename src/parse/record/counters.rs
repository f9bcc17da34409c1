//! Counters before a process's end held against those after it: what rose tells who killed.
//!
//! Linux counts a kill in the cgroup of the victim (`oom_kill`) and the reaching of a limit in the cgroup whose limit it
//! is (`oom`), each also in those above (Linux 4.19 and later; cgroup v1 has `failcnt` instead of `oom`).

use super::{Members, integer, status::Status, text};
use crate::{
    event::CgroupCountersRose,
    line::{Line, Mark},
    parse::{Found, cgroup},
};
use std::collections::BTreeMap;

/// Whose counters a record holds: the kernel and the cgroup.
type Owner = (Option<String>, Option<String>);

/// What was counted before, and the counters after an end that are being read.
#[derive(Default)]
pub(super) struct Comparison {
    before: BTreeMap<Owner, Members>,
    /// The last end: the counters behind it are about it.
    end: Option<Members>,
    open: Option<(Mark, Vec<Members>)>,
}

impl Comparison {
    /// Remembers an end.
    pub(super) fn ended(&mut self, record: &Members) {
        self.end = Some(record.clone());
    }

    /// Takes one record of counters. One record stands for each cgroup from the process's own upward.
    pub(super) fn counters(&mut self, record: &Members, line: &Line<'_>, found: &mut Vec<Found>) {
        if text(record, "at").as_deref() == Some("before") {
            self.finish(found);
            self.before.insert(owner(record), record.clone());
            return;
        }
        let own = integer(record, "depth").unwrap_or(0) == 0;
        if own {
            self.finish(found);
        }
        self.open.get_or_insert_with(|| (line.mark(), Vec::new())).1.push(record.clone());
    }

    /// The counters of an end are complete.
    pub(super) fn finish(&mut self, found: &mut Vec<Found>) {
        let Some((mark, levels)) = self.open.take() else { return };
        let risen: Vec<Level> = levels.iter().filter_map(|after| self.level(after)).collect();
        if let Some(own) = risen.first() {
            let end = self.end.as_ref().filter(|end| is_same(end, &own.after));
            found.push(Found::at(&mark, compare(own, &risen, end)));
        }
        for after in levels {
            self.before.insert(owner(&after), after);
        }
    }

    /// A cgroup before and after; nothing if it was not read before.
    fn level(&self, after: &Members) -> Option<Level> {
        let (kernel, cgroup) = owner(after);
        let anybody = || self.before.get(&(None, cgroup.clone()));
        let before = self.before.get(&(kernel, cgroup.clone())).or_else(anybody)?;
        Some(Level { before: before.clone(), after: after.clone() })
    }
}

/// Whose counters these are.
fn owner(record: &Members) -> Owner {
    (text(record, "kernel_id"), text(record, "cgroup"))
}

/// Whether an end and counters are about one process, as far as both say.
fn is_same(end: &Members, counters: &Members) -> bool {
    ["kernel_id", "pid"].iter().all(|key| match (end.get(*key), counters.get(*key)) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    })
}

/// One cgroup before and after.
struct Level {
    before: Members,
    after: Members,
}

impl Level {
    /// By how much a counter rose.
    fn rose(&self, name: &str) -> Option<i64> {
        Some(integer(&self.after, name)?.saturating_sub(integer(&self.before, name)?).max(0))
    }

    /// Whether the limit was reached; cgroup v1 counts only that pages had to be reclaimed for it, and not even that where
    /// memory and swap together have the same limit. The highest use tells then.
    fn reached(&self) -> Option<bool> {
        if let Some(times) = self.rose("memory_events_oom") {
            return Some(times > 0);
        }
        let full = integer(&self.after, "memory_peak_bytes")
            .zip(integer(&self.after, "memory_max_bytes"))
            .is_some_and(|(peak, limit)| peak >= limit);
        self.rose("memory_events_max").map(|times| times > 0 || full)
    }
}

/// What rose around an end.
fn compare(own: &Level, levels: &[Level], end: Option<&Members>) -> CgroupCountersRose {
    let reached = levels.iter().find(|level| level.reached() == Some(true));
    let about = reached.unwrap_or(own);
    let path = text(&about.after, "cgroup");
    let names = path.as_deref().map(cgroup::Cgroup::of).unwrap_or_default();
    let status = end.map(Status::of).unwrap_or_default();
    let said = |name: &str| text(&own.after, name).or_else(|| text(end?, name));
    CgroupCountersRose {
        kernel_id: said("kernel_id"),
        pid: integer(&own.after, "pid").or_else(|| integer(end?, "pid")),
        signal: status.signal,
        exit_code: status.exit_code,
        limit_owner: path.as_deref().map(|path| cgroup::limit_owner(path).to_owned()),
        cgroup: path,
        container_id: names.container_id,
        unit: names.unit,
        job: names.job,
        oom_kill_added_count: own.rose("memory_events_oom_kill"),
        host_oom_kill_added_count: levels.iter().find_map(|level| level.rose("vmstat_oom_kill")),
        limit_reached: limit_reached(levels, reached.is_some()).map(str::to_owned),
        pids_refused_added_count: levels.iter().filter_map(|level| level.rose("pids_events_max")).max(),
        limit_bytes: integer(&about.after, "memory_max_bytes"),
        usage_bytes: integer(&about.after, "memory_current_bytes"),
        peak_bytes: integer(&about.after, "memory_peak_bytes"),
        ram_bytes: levels.iter().find_map(|level| integer(&level.after, "host_total_bytes")),
        notebook: said("notebook"),
    }
}

/// `yes`, `no`, or nothing where not every limit above can be seen: in a container the topmost cgroup is its own.
fn limit_reached(levels: &[Level], reached: bool) -> Option<&'static str> {
    let topmost = levels.last()?;
    let is_own_root = text(&topmost.after, "cgroup").as_deref() == Some("/");
    let hidden = is_own_root && topmost.reached().is_some();
    let known = levels.iter().any(|level| level.reached().is_some());
    match reached {
        true => Some("yes"),
        false if known && !hidden => Some("no"),
        false => None,
    }
}
