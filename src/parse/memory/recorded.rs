//! `memory.sample` records of kerneldoc's own recorders (`docs/recorder.md`).

use super::sample::Sample;
use serde_json::{Map, Value};

/// The measurements of a record: the process with its descendants, its cgroup, a GPU.
pub(super) fn samples(text: &str) -> Vec<Sample> {
    let Ok(Value::Object(record)) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    if record.get("kind").and_then(Value::as_str) != Some("memory.sample") {
        return Vec::new();
    }
    let figures = [
        ("process", "tree_rss_bytes", "host_total_bytes"),
        ("container", "cgroup_current_bytes", "cgroup_limit_bytes"),
        ("gpu-device", "gpu_used_bytes", "gpu_total_bytes"),
    ];
    figures.into_iter().filter_map(|(what, used, total)| sample(&record, what, used, total)).collect()
}

/// One measurement, if the record has it.
fn sample(record: &Map<String, Value>, what: &'static str, used: &str, total: &str) -> Option<Sample> {
    let integer = |name: &str| record.get(name)?.as_i64();
    Some(Sample {
        pid: integer("pid").filter(|_| what == "process"),
        gpu: record.get("gpu").map(ToString::to_string).filter(|_| what == "gpu-device"),
        total_bytes: integer(total),
        ..Sample::bytes(what, integer(used)?, 4096.0)
    })
}
