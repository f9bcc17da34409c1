//! The files of a cgroup as people print them: its limits and use, how often a limit was felt, how hard it waits for
//! memory.
//!
//! What stands together makes one event. Counters have no time: they say that something happened since the cgroup
//! began, never when. A report of Linux about a kill is `oom`'s. Both versions of cgroups are read (Linux 4.x to 6.x).

use super::{Claim, Found, Parser, Spec, cgroup::Cgroup, linux::some_text, prim};
use crate::{
    event::CgroupCounters,
    line::{Line, Mark, shorten},
};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "cgroup",
    needles: &[
        "low 0",
        "oom_kill ",
        "oom_group_kill ",
        "under_oom ",
        "oom_kill_disable ",
        "full avg10=",
        "nr_periods ",
        "nr_throttled ",
        "memory.events",
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
    ],
    parts: &[],
    make: || Box::new(Counters::default()),
};

/// A block is given up after so many lines in a row that are none of these files'.
const PATIENCE: u8 = 3;
/// From here on a limit means none: Linux writes 2^63 rounded down to pages.
const NO_LIMIT: i64 = 1 << 60;
/// The files whose names tell what a bare number is. Of two that begin alike the longer comes first.
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

/// The block being read.
#[derive(Default)]
struct Counters {
    open: Option<(Mark, CgroupCounters)>,
    /// The file that was named last, whose number or lines may follow.
    file: Option<String>,
    idle: u8,
}

impl Parser for Counters {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        let text = line.text.trim();
        if let Some(claim) = pressure(text, line, found) {
            return claim;
        }
        let known = match named(text) {
            Some((path, value)) => self.named(path, value, line, found),
            None => self.take(text, line, found),
        };
        if known {
            self.idle = 0;
            return Claim::Mine;
        }
        self.idle += 1;
        if self.idle >= PATIENCE {
            self.finish(found);
        }
        Claim::NotMine
    }

    fn hungry(&self) -> bool {
        self.open.is_some() || self.file.is_some()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        self.file = None;
        self.idle = 0;
        if let Some((mark, event)) = self.open.take()
            && is_news(&event)
        {
            found.push(Found::at(&mark, event));
        }
    }
}

impl Counters {
    /// A line that names a file, with its value behind it or not.
    fn named(&mut self, path: &str, value: &str, line: &Line<'_>, found: &mut Vec<Found>) -> bool {
        let cgroup = place(path);
        if self.open.as_ref().is_some_and(|(_, event)| event.cgroup.is_some() && event.cgroup != cgroup) {
            self.finish(found);
        }
        self.file = Some(path.rsplit('/').next().unwrap_or(path).to_owned());
        let known = value.is_empty() || self.take(value, line, found);
        if let Some((_, event)) = &mut self.open
            && event.cgroup.is_none()
        {
            event.container_id = cgroup.as_deref().and_then(|cgroup| Cgroup::of(cgroup).container_id);
            event.cgroup = cgroup;
        }
        known
    }

    /// A bare number of the file named last, or a counter with its name.
    fn take(&mut self, text: &str, line: &Line<'_>, found: &mut Vec<Found>) -> bool {
        let file = self.file.clone().unwrap_or_default();
        let (key, value) = match key_and_count(text) {
            Some((key, count)) => (key.to_owned(), Some(count)),
            None if text == "max" || text.parse::<i64>().is_ok() => (file.clone(), text.parse().ok()),
            None => return false,
        };
        // `max` of pids is a refusal, of memory a reclaim.
        let key = if key == "max" && file.starts_with("pids.") { "pids.events".to_owned() } else { key };
        if self.open.as_ref().is_some_and(|(_, event)| begins_anew(event, &key)) {
            let file = self.file.take();
            self.finish(found);
            self.file = file;
        }
        let fresh = || {
            (
                line.mark(),
                CgroupCounters { message: Some(shorten(line.text.trim())), ..CgroupCounters::default() },
            )
        };
        let (mark, mut event) = self.open.take().unwrap_or_else(fresh);
        let known = put(&mut event, &key, value);
        if known || event != fresh().1 {
            self.open = Some((mark, event));
        }
        known
    }
}

/// `full avg10=58.90 avg60=…` of `memory.pressure`; the same words stand in `io.pressure`, which tells its name only
/// through `grep`.
fn pressure(text: &str, line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    let (file, rest) = match text.split_once(':') {
        Some((file, rest)) if !file.contains(' ') => (file, rest.trim_start()),
        _ => ("memory", text),
    };
    let figure = rest.strip_prefix("full avg10=")?;
    let percent = prim::number(figure).ok().map(|(_, percent)| percent).filter(|_| file.contains("memory"));
    let Some(percent) = percent else { return Some(Claim::NotMine) };
    let message = Some(shorten(line.text.trim()));
    found.push(Found::on(
        line,
        CgroupCounters { full_pressure_percent: Some(percent), message, ..CgroupCounters::default() },
    ));
    Some(Claim::Mine)
}

/// A file named on a line, and what stands behind it: `$ cat /sys/fs/cgroup/memory.max`, `==> memory.max <==`,
/// `/sys/fs/cgroup/memory.max:419430400`, `memory.max = 419430400`. Prose names these files too.
fn named(text: &str) -> Option<(&str, &str)> {
    let (start, file) = FILES.iter().find_map(|file| text.find(file).map(|at| (at, *file)))?;
    let (before, rest) = (text.get(..start)?, text.get(start + file.len()..)?);
    let path_start = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let path = text.get(path_start..start + file.len())?;
    let clean = path.len() == file.len() || path.ends_with(&format!("/{file}"));
    let command = before.get(..path_start)?.trim();
    let shown = command.is_empty() || ["cat", "==>", "head"].iter().any(|word| command.ends_with(word));
    let rest = rest.trim_start_matches([':', '=', ' ']).trim_end_matches("<==").trim();
    (clean && shown && rest.len() < 40).then_some((path, rest))
}

/// The cgroup of a file, as it is mounted on a host; a container's own lies at the root and has no name.
fn place(path: &str) -> Option<String> {
    const MOUNTS: [&str; 5] = [
        "/sys/fs/cgroup/memory/",
        "/sys/fs/cgroup/pids/",
        "/sys/fs/cgroup/cpu,cpuacct/",
        "/sys/fs/cgroup/cpu/",
        "/sys/fs/cgroup/",
    ];
    let below = MOUNTS.iter().find_map(|mount| path.strip_prefix(mount))?;
    some_text(below.rsplit_once('/')?.0).map(|cgroup| format!("/{cgroup}"))
}

/// `oom_kill 1` and nothing else.
fn key_and_count(text: &str) -> Option<(&str, i64)> {
    let (key, count) = text.split_once(' ')?;
    let count = count.split('#').next()?.trim();
    Some((key, count.parse().ok()?))
}

/// Where a key's count belongs, in `memory.events`, in the first version's files, in `cpu.stat`.
fn slot<'a>(event: &'a mut CgroupCounters, key: &str) -> Option<&'a mut Option<i64>> {
    Some(match key {
        "high" => &mut event.high_count,
        "max" | "memory.failcnt" => &mut event.max_count,
        "oom" => &mut event.oom_count,
        "oom_kill" => &mut event.oom_kill_count,
        "oom_group_kill" => &mut event.oom_group_kill_count,
        "under_oom" => &mut event.under_oom_count,
        "nr_periods" => &mut event.period_count,
        "nr_throttled" => &mut event.throttled_count,
        "throttled_usec" | "throttled_time" => &mut event.throttled_seconds,
        "memory.max" | "memory.limit_in_bytes" => &mut event.limit_bytes,
        "memory.high" => &mut event.high_bytes,
        "memory.current" | "memory.usage_in_bytes" => &mut event.usage_bytes,
        "memory.peak" | "memory.max_usage_in_bytes" => &mut event.peak_bytes,
        "pids.max" => &mut event.pids_limit,
        "pids.current" => &mut event.pids_count,
        "pids.events" => &mut event.pids_refused_count,
        _ => return None,
    })
}

/// Keeps a count; `false` if the key is none of these files'. A limit that is none stays absent.
fn put(event: &mut CgroupCounters, key: &str, count: Option<i64>) -> bool {
    const PASSED_OVER: [&str; 7] =
        ["low", "sock_throttled", "nr_bursts", "burst_usec", "usage_usec", "user_usec", "system_usec"];
    if key == "oom_kill_disable" {
        event.oom_kill_disabled = count.map(|count| if count == 0 { "no" } else { "yes" }.to_owned());
        return true;
    }
    let unit = match key {
        "throttled_usec" => 1_000_000,
        "throttled_time" => 1_000_000_000,
        _ => 1,
    };
    match slot(event, key) {
        Some(slot) => *slot = count.filter(|count| *count < NO_LIMIT).map(|count| count / unit),
        None => return PASSED_OVER.contains(&key),
    }
    true
}

/// Whether a key was there already, or is of the other version of cgroups: then a second block begins.
fn begins_anew(event: &CgroupCounters, key: &str) -> bool {
    let second = event.oom_count.is_some() || event.high_count.is_some() || event.oom_kill_count.is_some();
    let taken = slot(&mut event.clone(), key).is_some_and(|slot| slot.is_some());
    taken || (key == "low" && second) || (key == "oom_kill_disable" && second)
}

/// Whether a block says anything: a cgroup in which nothing happened is no news.
fn is_news(event: &CgroupCounters) -> bool {
    let counts = [
        event.oom_count,
        event.oom_kill_count,
        event.high_count,
        event.under_oom_count,
        event.throttled_count,
        event.pids_refused_count,
    ];
    let figures = [event.limit_bytes, event.usage_bytes, event.peak_bytes, event.pids_limit];
    counts.iter().any(|count| count.is_some_and(|count| count > 0)) || figures.iter().any(Option::is_some)
}
