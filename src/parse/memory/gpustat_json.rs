//! `gpustat --json`: GPUs and the processes on them; with `-i` one object follows the other.
//!
//! Keys are taken in the order in which they come, on one line or one a line. Its figures are MiB, its time is local.

use super::{Reading, phrase};
use crate::{
    event::{GpuProcessMemory, GpuState},
    parse::prim,
    stamp::{ClockKind, Stamp},
};
use chrono::NaiveDateTime;

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "\"query_time\"",
];

/// The most lines of one object.
const MOST_LINES: u32 = 4_000;
/// The keys that are read.
const KEYS: [&str; 9] = [
    "query_time",
    "index",
    "name",
    "memory.used",
    "memory.total",
    "command",
    "gpu_memory_usage",
    "pid",
    "driver_version",
];

/// The object being read.
#[derive(Default)]
pub(super) struct Object {
    left: u32,
    state: GpuState,
    process: GpuProcessMemory,
    driver: Option<String>,
    pub(super) stamp: Option<Stamp>,
}

impl Object {
    /// Whether the object goes on.
    pub(super) fn hungry(&self) -> bool {
        self.left > 0
    }

    /// Reads a line.
    pub(super) fn line(&mut self, text: &str) -> Option<Vec<Reading>> {
        let begins = text.contains("\"query_time\"");
        if begins {
            self.left = MOST_LINES;
        }
        self.left = self.left.checked_sub(1)?;
        if !begins && !text.starts_with([' ', '\t', '{', '}', '[', ']']) {
            self.left = 0;
            return None;
        }
        let mut found: Vec<(usize, &str, &str)> = Vec::new();
        for key in KEYS {
            let quoted = format!("\"{key}\"");
            for (at, _) in text.match_indices(&quoted) {
                let value = text.get(at + quoted.len()..).unwrap_or_default().trim_start();
                found.extend(value.strip_prefix(':').map(|value| (at, key, value.trim_start())));
            }
        }
        found.sort_by_key(|(at, _, _)| *at);
        let readings = found.into_iter().filter_map(|(_, key, value)| self.take(key, value)).collect();
        if text.trim_end() == "}" && !text.starts_with(' ') {
            self.left = 0;
        }
        Some(readings)
    }

    /// Takes one key; the last of a GPU or of a process gives it.
    fn take(&mut self, key: &str, value: &str) -> Option<Reading> {
        let text = prim::quoted(value).ok().map(|(_, text)| text.to_owned());
        let number = prim::integer(value).ok().map(|(_, number)| number);
        let mebibytes = number.and_then(|number| number.checked_mul(1 << 20));
        match key {
            "query_time" => self.stamp = text.as_deref().and_then(stamp),
            "driver_version" => self.driver = text,
            "index" => {
                let gpu = number.map(|number| number.to_string());
                self.state = GpuState { gpu, driver_version: self.driver.clone(), ..GpuState::default() };
            }
            "name" => self.state.model = text,
            "memory.used" => self.state.used_bytes = mebibytes,
            "memory.total" => {
                self.state.total_bytes = mebibytes;
                return self.state.used_bytes.map(|_| Reading::State(self.state.clone()));
            }
            "command" => self.process = GpuProcessMemory { process: text, ..GpuProcessMemory::default() },
            "gpu_memory_usage" => self.process.used_bytes = mebibytes,
            _ => {
                let process = std::mem::take(&mut self.process);
                let gpu = self.state.gpu.clone();
                let known = number.is_some() && process.used_bytes.is_some();
                return known.then_some(Reading::Process(GpuProcessMemory { gpu, pid: number, ..process }));
            }
        }
        None
    }
}

/// `2026-01-13T20:46:25.123456`.
fn stamp(text: &str) -> Option<Stamp> {
    let text = phrase::ahead(text, "+").unwrap_or(text);
    let time = NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f").ok()?;
    Some(Stamp::new(ClockKind::Local, time.and_utc().timestamp_micros()))
}
