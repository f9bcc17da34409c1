//! Tables whose header begins with `#`: `nvidia-smi dmon`, `nvidia-smi pmon`, `dcgmi dmon`.
//!
//! Columns are found by their names; `mem` is how busy the memory's bus is, not how full the memory. The Xid that
//! DCGM shows is the last one it ever saw: only its change is news.

use super::{Reading, sample::Sample};
use crate::{
    event::{GpuProcessMemory, GpuXid},
    parse::prim::rounded,
};
use std::collections::BTreeMap;

/// One MiB: dmon, pmon and DCGM call it MB.
const MIB: f64 = 1_048_576.0;
/// How many lines in a row may be no rows before the table is given up.
const MOST_MISSES: u8 = 3;
/// The most columns.
const MOST_COLUMNS: usize = 64;
/// The most GPUs remembered.
const MOST_GPUS: usize = 1_024;

/// The table being read.
#[derive(Default)]
pub(super) struct Table {
    columns: Vec<String>,
    misses: u8,
    xids: BTreeMap<String, i64>,
}

impl Table {
    /// Whether rows may follow.
    pub(super) fn hungry(&self) -> bool {
        !self.columns.is_empty()
    }

    /// Reads a line.
    pub(super) fn line(&mut self, text: &str) -> Option<Vec<Reading>> {
        let row = text.trim();
        if let Some(names) = row.strip_prefix('#') {
            return self.header(names);
        }
        if self.columns.is_empty() {
            return None;
        }
        let readings = self.row(row);
        self.misses = if readings.is_some() { 0 } else { self.misses + 1 };
        if self.misses >= MOST_MISSES {
            self.columns.clear();
        }
        readings
    }

    /// A header, or the line of units under it.
    fn header(&mut self, names: &str) -> Option<Vec<Reading>> {
        let names: Vec<String> =
            names.split_whitespace().take(MOST_COLUMNS).map(str::to_ascii_lowercase).collect();
        let first = names.iter().find(|name| !["date", "time"].contains(&name.as_str()))?;
        if first == "gpu" || first == "entity" {
            let measured = ["fb", "fbusd", "xider"];
            self.columns.clear();
            if names.iter().any(|name| measured.contains(&name.as_str())) {
                self.columns = names;
            }
            self.misses = 0;
            return Some(Vec::new());
        }
        (first == "idx" && self.hungry()).then(Vec::new)
    }

    /// A row. DCGM writes `GPU 0` where the header has one word.
    fn row(&mut self, row: &str) -> Option<Vec<Reading>> {
        let mut words: Vec<&str> = row.split_whitespace().collect();
        if words.first() == Some(&"ID") {
            return Some(Vec::new());
        }
        if words.first() == Some(&"GPU") {
            words.remove(0);
        }
        if words.len() < self.columns.len() {
            return None;
        }
        let cells: Vec<(&String, &str)> = self.columns.iter().zip(words).collect();
        let cell = |name: &str| cells.iter().find(|(column, _)| *column == name).map(|(_, cell)| *cell);
        let gpu = cell("gpu").or_else(|| cell("entity")).filter(|gpu| gpu.parse::<u32>().is_ok())?.to_owned();
        let mebibytes = |name: &str| cell(name)?.parse::<f64>().ok().map(|mebibytes| rounded(mebibytes * MIB));
        let used = mebibytes("fb").or_else(|| mebibytes("fbusd"));
        let mut readings = Vec::new();
        if let Some(pid) = cell("pid") {
            readings.extend(pid.parse().ok().map(|pid| {
                Reading::Process(GpuProcessMemory {
                    gpu: Some(gpu.clone()),
                    pid: Some(pid),
                    process: cell("command").map(str::to_owned),
                    used_bytes: used,
                    ..GpuProcessMemory::default()
                })
            }));
            return Some(readings);
        }
        readings.extend(used.map(|used| {
            let total_bytes = mebibytes("fbttl");
            let gpu = Some(gpu.clone());
            Reading::Sample(Sample { gpu, total_bytes, ..Sample::bytes("gpu-device", used, MIB) })
        }));
        let xid = cell("xider").and_then(|cell| cell.parse().ok());
        readings.extend(xid.and_then(|code| changed(&mut self.xids, gpu, code)));
        Some(readings)
    }
}

/// An Xid that stands where another (or none) stood before.
pub(super) fn changed(xids: &mut BTreeMap<String, i64>, gpu: String, code: i64) -> Option<Reading> {
    if xids.len() >= MOST_GPUS && !xids.contains_key(&gpu) {
        return None;
    }
    let message = format!("DCGM: last Xid of GPU {gpu}");
    let before = xids.insert(gpu, code);
    let news = before.is_some_and(|before| before != code) && code > 0;
    let (code, message) = (Some(code), Some(message));
    news.then(|| {
        Reading::Event(GpuXid { code, message, family: Some("xid".to_owned()), ..GpuXid::default() }.into())
    })
}
