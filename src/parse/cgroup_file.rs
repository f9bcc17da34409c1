//! A cgroup's own files, pasted or collected beside the logs: limits, use, and how often a limit was met.
//!
//! All that stands together makes one event. Bare numbers count only behind the name of their file. It reads both
//! versions of cgroups (Linux 4.x to 6.x); a limit that is none stays absent.

use super::{Claim, Found, Parser, Spec, cgroup::Cgroup, linux::some_text};
use crate::{
    event::CgroupState,
    line::{Line, Mark},
};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "cgroup files",
    needles: &[
        "oom_kill ",
        "oom_kill_disable ",
        "memory.events",
        "memory.max",
        "memory.current",
        "memory.peak",
        "memory.high",
        "memory.limit_in_bytes",
        "memory.usage_in_bytes",
        "memory.max_usage_in_bytes",
        "memory.failcnt",
        "memory.oom_control",
        "pids.max",
        "pids.events",
        "pids.current",
        "cpu.stat",
        "nr_throttled ",
    ],
    make: || Box::new(Files::default()),
};

/// A record is given up after so many lines that say nothing of it.
const PATIENCE: u8 = 6;
/// From here on a limit means none: Linux writes 2^63 rounded down to pages.
const NO_LIMIT: i64 = 1 << 60;

/// The files being read.
#[derive(Default)]
pub(super) struct Files {
    state: CgroupState,
    pub(super) mark: Option<Mark>,
    /// The file whose number comes on the next line.
    file: Option<String>,
    idle: u8,
}

impl Parser for Files {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if self.read(line.text) {
            self.idle = 0;
            self.mark.get_or_insert_with(|| line.mark());
            return Claim::Mine;
        }
        self.idle += 1;
        if self.idle > PATIENCE {
            self.finish(found);
        }
        Claim::NotMine
    }

    fn hungry(&self) -> bool {
        self.mark.is_some()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        let state = std::mem::take(&mut self.state);
        self.idle = 0;
        self.file = None;
        if let Some(mark) = self.mark.take()
            && state != (CgroupState { cgroup: state.cgroup.clone(), container_id: state.container_id.clone(), ..CgroupState::default() })
        {
            found.push(Found::at(&mark, state));
        }
    }
}

impl Files {
    /// Takes what a line says; `false` if it is no line of these files.
    pub(super) fn read(&mut self, text: &str) -> bool {
        let text = text.trim();
        if let Some((path, value)) = named(text) {
            self.place(path);
            let name = path.rsplit('/').next().unwrap_or(path);
            self.file = Some(name.to_owned());
            // `grep . memory.*` prints the value, or a line of the file, behind the name.
            return value.is_empty() || self.number(value) || self.counter(value);
        }
        self.number(text) || self.counter(text)
    }

    /// Which cgroup the files are of.
    fn place(&mut self, path: &str) {
        const MOUNTS: [&str; 5] =
            ["/sys/fs/cgroup/memory/", "/sys/fs/cgroup/pids/", "/sys/fs/cgroup/cpu,cpuacct/", "/sys/fs/cgroup/cpu/", "/sys/fs/cgroup/"];
        let below = MOUNTS.iter().find_map(|mount| path.strip_prefix(mount));
        if let Some((cgroup, _)) = below.and_then(|below| below.rsplit_once('/')) {
            let cgroup = format!("/{cgroup}");
            self.state.container_id = Cgroup::of(&cgroup).container_id;
            self.state.cgroup = some_text(&cgroup);
        }
    }

    /// A number alone, of the file named last.
    fn number(&mut self, text: &str) -> bool {
        let Some(file) = self.file.as_deref() else { return false };
        let number = text.parse::<i64>().ok();
        if number.is_none() && text != "max" {
            return false;
        }
        let limit = number.filter(|bytes| *bytes < NO_LIMIT);
        let state = &mut self.state;
        match file {
            "memory.max" | "memory.limit_in_bytes" => state.limit_bytes = limit,
            "memory.high" => state.high_bytes = limit,
            "memory.current" | "memory.usage_in_bytes" => state.usage_bytes = number,
            "memory.peak" | "memory.max_usage_in_bytes" => state.peak_bytes = number,
            "memory.failcnt" => state.limit_hit_count = number,
            "pids.max" => state.pids_limit = number,
            "pids.current" => state.pids_count = number,
            _ => return false,
        }
        self.file = None;
        true
    }

    /// A counter with its name.
    fn counter(&mut self, text: &str) -> bool {
        let Some((name, value)) = text.split_once(' ') else { return false };
        let Ok(value) = value.trim().parse::<i64>() else { return false };
        let state = &mut self.state;
        let yes = |value: i64| Some(if value == 0 { "no" } else { "yes" }.to_owned());
        match name {
            "max" if self.file.as_deref().is_some_and(|file| file.starts_with("pids.")) => state.pids_refused_count = Some(value),
            "max" => state.limit_hit_count = Some(value),
            "high" => state.high_count = Some(value),
            "oom_kill" => state.oom_kill_count = Some(value),
            "oom_group_kill" => state.oom_group_kill_count = Some(value),
            "oom_kill_disable" => state.oom_kill_disabled = yes(value),
            "under_oom" => state.under_oom = yes(value),
            "nr_periods" => state.period_count = Some(value),
            "nr_throttled" => state.throttled_count = Some(value),
            "throttled_usec" => state.throttled_seconds = Some(value / 1_000_000),
            "throttled_time" => state.throttled_seconds = Some(value / 1_000_000_000),
            "low" | "oom" | "usage_usec" | "user_usec" | "system_usec" | "nr_bursts" | "burst_usec" => {}
            _ => return false,
        }
        true
    }
}

/// A file named on a line, and what stands behind it: `$ cat /sys/fs/cgroup/memory.max`, `==> memory.max <==`,
/// `/sys/fs/cgroup/memory.max:419430400`, `memory.max = 419430400`.
fn named(text: &str) -> Option<(&str, &str)> {
    const FILES: [&str; 15] = [
        "memory.events.local",
        "memory.events",
        "memory.max_usage_in_bytes",
        "memory.max",
        "memory.current",
        "memory.peak",
        "memory.high",
        "memory.limit_in_bytes",
        "memory.usage_in_bytes",
        "memory.failcnt",
        "memory.oom_control",
        "pids.max",
        "pids.events",
        "pids.current",
        "cpu.stat",
    ];
    let (start, file) = FILES.iter().find_map(|file| text.find(file).map(|at| (at, *file)))?;
    let end = start + file.len();
    let before = text.get(..start)?;
    let path_start = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let path = text.get(path_start..end)?;
    let clean = path.len() == file.len() || path.ends_with(&format!("/{file}"));
    let rest = text.get(end..)?;
    // Prose names these files too.
    let command = before.get(..path_start)?.trim();
    let shown = command.is_empty() || command.ends_with("cat") || command.ends_with("==>") || command.ends_with("head");
    let rest = rest.trim_start_matches([':', '=', ' ']).trim_end_matches("<==").trim();
    (clean && shown && rest.len() < 40).then_some((path, rest))
}
