//! `docker inspect` and `podman inspect`: a container's state and limits.
//!
//! A pod's status is `kubernetes`'s. The engine's `OOMKilled` is about any process of the container, and has no time.

use super::{Claim, Document, Found};
use crate::{
    envelope::prim::iso,
    event::{ContainerDie, ContainerState},
    line::{Mark, shorten},
    stamp::{ClockKind, SECOND, Stamp},
};
use serde_json::Value;

/// The format.
pub const DOCUMENT: Document = Document { name: "docker inspect", recognise, read };

/// Whether a file is the output of `inspect`, of a container or of its `.State` alone.
fn recognise(head: &str) -> bool {
    start(head).is_some() && head.contains("\"OOMKilled\"") && head.contains("\"StartedAt\"")
}

/// Where the JSON begins: the command itself may have been pasted above it.
fn start(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n').take(5) {
        if line.starts_with(['[', '{']) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

/// Reads the document.
fn read(text: &str, found: &mut Vec<Found>) -> Claim {
    let Some(json) = start(text).and_then(|at| text.get(at..)) else { return Claim::NotMine };
    let mut places = places(text).into_iter();
    let mut claim = Claim::Mine;
    for value in serde_json::Deserializer::from_str(json).into_iter::<Value>() {
        let Ok(value) = value else {
            claim = Claim::Damaged("valid JSON".to_owned());
            break;
        };
        for container in value.as_array().map_or(std::slice::from_ref(&value), Vec::as_slice) {
            if let Some(state) = container.get("State").or_else(|| container.get("OOMKilled").map(|_| container)) {
                let (number, line) = places.next().unwrap_or((1, ""));
                let event = event(container, state);
                found.extend(ended_by_signal(&event).map(|die| die_at(number, line, state, die)));
                found.push(found_at(number, line, state, event));
            }
        }
    }
    if claim != Claim::Mine && found.is_empty() {
        salvage(text, found);
    }
    claim
}

/// The lines that hold the engine's flag, one a container.
fn places(text: &str) -> Vec<(u64, &str)> {
    let lines = (1..).zip(text.lines());
    lines.flat_map(|(number, line)| line.match_indices("\"OOMKilled\"").map(move |(at, _)| (number, line.get(at..).unwrap_or(line)))).collect()
}

/// A container that ended by a signal: its end is told here as well as its state.
fn ended_by_signal(state: &ContainerState) -> Option<ContainerDie> {
    let ended = state.status.as_deref().is_some_and(|status| status == "exited" || status == "dead");
    let by_signal = state.exit_code.is_some_and(|code| (129..=192).contains(&code));
    (ended && by_signal && state.finished_epoch_seconds.is_some()).then(|| ContainerDie {
        container_id: state.container_id.clone(),
        container_name: state.container_name.clone(),
        image: state.image.clone(),
        exit_code: state.exit_code,
        run_seconds: None,
    })
}

/// That end, at the time it happened.
fn die_at(number: u64, line: &str, state: &Value, event: ContainerDie) -> Found {
    let finished = time(state, "FinishedAt");
    let exact = finished.is_some();
    let stamps = finished.into_iter().collect();
    Found::at(&Mark { number, stamps, exact, text: shorten(line.trim()), ..Mark::default() }, event)
}

/// An event at its place, at the time the container ended, if it has.
fn found_at(number: u64, line: &str, state: &Value, event: ContainerState) -> Found {
    let ended = event.status.as_deref() != Some("running");
    let finished = time(state, "FinishedAt").filter(|_| ended);
    let mark = Mark {
        number,
        stamps: finished.into_iter().collect(),
        exact: finished.is_some(),
        text: shorten(line.trim()),
        ..Mark::default()
    };
    Found::at(&mark, event)
}

/// What one container says.
fn event(container: &Value, state: &Value) -> ContainerState {
    let host = container.get("HostConfig").unwrap_or(&Value::Null);
    let config = container.get("Config").unwrap_or(&Value::Null);
    let name = text(container, "Name").map(|name| name.trim_start_matches('/').to_owned());
    ContainerState {
        container_id: text(container, "Id"),
        container_name: name,
        image: text(config, "Image").or_else(|| text(container, "ImageName")),
        status: text(state, "Status"),
        oom_killed: flag(state, "OOMKilled"),
        exit_code: integer(state, "ExitCode"),
        pid: integer(state, "Pid").filter(|pid| *pid > 0),
        // Without a limit the engine writes 0.
        memory_limit_bytes: integer(host, "Memory").filter(|bytes| *bytes > 0),
        memory_swap_limit_bytes: integer(host, "MemorySwap"),
        shm_bytes: integer(host, "ShmSize"),
        pids_limit: integer(host, "PidsLimit"),
        oom_kill_disabled: flag(host, "OomKillDisable"),
        error: text(state, "Error"),
        started_epoch_seconds: time(state, "StartedAt").map(|stamp| stamp.micros / SECOND),
        finished_epoch_seconds: time(state, "FinishedAt").map(|stamp| stamp.micros / SECOND),
        restart_count: integer(container, "RestartCount"),
    }
}

/// A text member that says something.
fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

fn integer(value: &Value, key: &str) -> Option<i64> {
    value.get(key).and_then(Value::as_i64)
}

fn flag(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_bool).map(|flag| if flag { "yes" } else { "no" }.to_owned())
}

/// A time with its zone; year 1 means never.
fn time(state: &Value, key: &str) -> Option<Stamp> {
    let (_, stamp) = iso(state.get(key)?.as_str()?).ok()?;
    (stamp.clock == ClockKind::Zoned && stamp.micros > 0).then_some(stamp)
}

/// What a document that breaks off still says.
fn salvage(text: &str, found: &mut Vec<Found>) {
    let value = |key: &str| {
        let (_, rest) = text.split_once(key)?;
        let rest = rest.trim_start_matches([':', ' ', '"', '/']);
        rest.split([',', '"', '\n', '}']).next().map(str::trim)
    };
    let state = ContainerState {
        container_id: value("\"Id\"").map(str::to_owned),
        status: value("\"Status\"").map(str::to_owned),
        oom_killed: value("\"OOMKilled\"").map(|flag| if flag == "true" { "yes" } else { "no" }.to_owned()),
        exit_code: value("\"ExitCode\"").and_then(|code| code.parse().ok()),
        ..ContainerState::default()
    };
    for (number, line) in places(text).into_iter().take(1) {
        found.push(found_at(number, line, &Value::Null, state.clone()));
    }
}
