//! The counters of a process's cgroup and of those above it, in both versions of cgroups, and of the host.

use super::host::meminfo;
use serde_json::{Map, Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// From here on a limit means none: cgroup v1 writes 2^63 rounded down to pages.
const NO_LIMIT: u64 = 1 << 60;
/// The most cgroups that are read upward.
const DEEPEST: usize = 8;

/// A controller's place: the folder that is mounted, and the process's path below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    mount: PathBuf,
    path: String,
    second: bool,
}

impl Place {
    /// Where a process's memory is counted.
    pub(super) fn of(pid: i32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{pid}/cgroup")).ok()?;
        let first =
            path_of(&text, "memory").map(|path| (PathBuf::from("/sys/fs/cgroup/memory"), path, false));
        let second = path_of(&text, "").map(|path| (PathBuf::from("/sys/fs/cgroup"), path, true));
        let (mount, path, second) = first.or(second)?;
        // In a container with cgroup v1 the path is the host's, and the container's own lies at the mount's root.
        let path = if mount.join(path.trim_start_matches('/')).is_dir() { path } else { "/".to_owned() };
        mount.is_dir().then_some(Self { mount, path, second })
    }

    /// The cgroup's path.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// The paths from the process's cgroup upward.
    fn upward(&self) -> Vec<String> {
        let paths = Path::new(&self.path).ancestors().map(|path| path.display().to_string());
        paths.filter(|path| !path.is_empty()).take(DEEPEST).collect()
    }

    /// The records of counters, one for each cgroup from the process's own upward that can be read.
    pub(super) fn counters(&self) -> Vec<Map<String, Value>> {
        let mut records = Vec::new();
        for (depth, path) in self.upward().into_iter().enumerate() {
            let mut counters = if self.second { self.second(&path) } else { self.first(&path) };
            if depth > 0 && counters.is_empty() {
                continue;
            }
            if depth == 0 {
                counters.extend(of_the_host());
            }
            let mut record = Map::new();
            record.insert("cgroup".to_owned(), json!(path));
            record.insert("depth".to_owned(), json!(depth));
            record.extend(counters);
            records.push(record);
        }
        records
    }

    /// Use and limit of the process's own cgroup, in bytes.
    pub(super) fn use_and_limit(&self) -> (Option<u64>, Option<u64>) {
        let folder = self.folder(&self.path);
        let (used, limit) = if self.second {
            ("memory.current", "memory.max")
        } else {
            ("memory.usage_in_bytes", "memory.limit_in_bytes")
        };
        (figure(&folder, used), figure(&folder, limit))
    }

    fn folder(&self, path: &str) -> PathBuf {
        self.mount.join(path.trim_start_matches('/'))
    }

    fn second(&self, path: &str) -> Map<String, Value> {
        let folder = self.folder(path);
        let mut counters = Map::new();
        for (file, prefix) in [
            ("memory.events", "memory_events_"),
            ("memory.events.local", "memory_events_local_"),
            ("pids.events", "pids_events_"),
        ] {
            for (key, count) in keyed(&folder.join(file)) {
                counters.insert(format!("{prefix}{key}"), json!(count));
            }
        }
        for (file, name) in [
            ("memory.current", "memory_current_bytes"),
            ("memory.max", "memory_max_bytes"),
            ("memory.high", "memory_high_bytes"),
            ("memory.peak", "memory_peak_bytes"),
            ("memory.swap.current", "memory_swap_current_bytes"),
            ("memory.swap.max", "memory_swap_max_bytes"),
            ("pids.current", "pids_current"),
            ("pids.max", "pids_max"),
        ] {
            counters.extend(figure(&folder, file).map(|count| (name.to_owned(), json!(count))));
        }
        counters
    }

    fn first(&self, path: &str) -> Map<String, Value> {
        let folder = self.folder(path);
        let mut counters = Map::new();
        let kills = keyed(&folder.join("memory.oom_control")).into_iter().find(|(key, _)| key == "oom_kill");
        counters.extend(kills.map(|(_, count)| ("memory_events_oom_kill".to_owned(), json!(count))));
        // Where memory and swap together have the same limit, that one is reached first.
        let failed =
            ["memory.failcnt", "memory.memsw.failcnt"].iter().filter_map(|file| figure(&folder, file));
        counters.extend(
            failed
                .reduce(|one, other| one + other)
                .map(|count| ("memory_events_max".to_owned(), json!(count))),
        );
        for (file, name) in [
            ("memory.usage_in_bytes", "memory_current_bytes"),
            ("memory.limit_in_bytes", "memory_max_bytes"),
            ("memory.max_usage_in_bytes", "memory_peak_bytes"),
        ] {
            counters.extend(figure(&folder, file).map(|count| (name.to_owned(), json!(count))));
        }
        counters
    }
}

/// The path of a controller in `/proc/<pid>/cgroup`; the second version has no name there.
fn path_of(text: &str, controller: &str) -> Option<String> {
    let mut lines = text.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':');
        Some((parts.nth(1)?, parts.next()?))
    });
    lines.find(|(names, _)| names.split(',').any(|name| name == controller)).map(|(_, path)| path.to_owned())
}

/// A file of one number; `max` and what means none give nothing.
fn figure(folder: &Path, file: &str) -> Option<u64> {
    let text = fs::read_to_string(folder.join(file)).ok()?;
    text.trim().parse().ok().filter(|count| *count < NO_LIMIT)
}

/// A file of names with counts.
fn keyed(file: &Path) -> Vec<(String, u64)> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let pair = |line: &str| {
        let (key, count) = line.split_once(' ')?;
        Some((key.to_owned(), count.trim().parse().ok()?))
    };
    text.lines().filter_map(pair).collect()
}

/// What the host counts.
fn of_the_host() -> Map<String, Value> {
    let mut counters = Map::new();
    let kills = keyed(Path::new("/proc/vmstat")).into_iter().find(|(key, _)| key == "oom_kill");
    counters.extend(kills.map(|(_, count)| ("vmstat_oom_kill".to_owned(), json!(count))));
    counters.extend(meminfo());
    counters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_name_their_path() {
        let mixed = "9:name=systemd:/a\n4:memory:/docker/3135\n0::/init.scope\n";
        assert_eq!(path_of(mixed, "memory").as_deref(), Some("/docker/3135"));
        assert_eq!(path_of(mixed, "").as_deref(), Some("/init.scope"));
        let second = Place { mount: PathBuf::new(), path: "/a/b".to_owned(), second: true };
        assert_eq!(second.upward(), ["/a/b", "/a", "/"]);
    }
}
