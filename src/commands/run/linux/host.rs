//! What the recorder says of itself and of the host.

use super::{
    super::folder::{Folder, members},
    cgroup::Place,
};
use serde_json::{Map, Value, json};
use std::{fs, process};

/// Writes the first record.
pub(super) fn introduce(folder: &Folder) {
    let file = |path: &str| fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
    let pid = i32::try_from(process::id()).unwrap_or_default();
    let cgroup = Place::of(pid).map(|place| place.path().to_owned());
    folder.write(
        "recorder.start",
        members([
            ("program", json!("kerneldoc run")),
            ("version", json!(env!("CARGO_PKG_VERSION"))),
            ("pid", json!(pid)),
            ("host", json!(file("/proc/sys/kernel/hostname"))),
            ("boot_id", json!(file("/proc/sys/kernel/random/boot_id"))),
            ("cgroup", json!(cgroup)),
            ("container_id", json!(container_id())),
            ("platform", json!("linux")),
            ("linux_version", json!(file("/proc/sys/kernel/osrelease"))),
        ]),
    );
}

/// The container's id, out of the paths that its engine mounted: `/var/lib/docker/containers/<id>/resolv.conf`.
fn container_id() -> Option<String> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let mut parts =
        mounts.lines().filter(|line| line.contains("/containers/")).flat_map(|line| line.split('/'));
    parts
        .find(|part| part.len() == 64 && part.bytes().all(|byte| byte.is_ascii_hexdigit()))
        .map(str::to_owned)
}

/// The host's memory.
pub(super) fn meminfo() -> Map<String, Value> {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let mut figures = Map::new();
    for (key, name) in [("MemAvailable:", "host_available_bytes"), ("MemTotal:", "host_total_bytes")] {
        let kib = text
            .lines()
            .find_map(|line| line.strip_prefix(key)?.split_whitespace().next()?.parse::<u64>().ok());
        figures.extend(kib.map(|kib| (name.to_owned(), json!(kib << 10))));
    }
    figures
}
