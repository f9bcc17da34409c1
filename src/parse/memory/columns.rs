//! Comma-separated memory logs: `nvidia-smi --query-gpu … --format=csv` and any table whose header names memory.
//!
//! Columns are found by their names. Rows without any header are `bare`'s.

use super::{
    Reading, Sample, bare,
    figure::{Meaning, bytes, meaning, resolution, unit_of_name},
};
use crate::{event::GpuProcessMemory, parse::prim};

/// How many lines in a row may be no rows before the table is given up.
const MOST_MISSES: u8 = 3;
/// The most columns of a table.
const MOST_COLUMNS: usize = 64;

/// A column.
#[derive(Debug, Clone, PartialEq)]
struct Column {
    meaning: Meaning,
    unit: String,
    name: String,
}

/// The table being read.
#[derive(Default)]
pub(super) struct Table {
    columns: Vec<Column>,
    delimiter: u8,
    misses: u8,
}

impl Table {
    /// Whether rows may follow.
    pub(super) fn hungry(&self) -> bool {
        !self.columns.is_empty()
    }

    /// Reads a line.
    pub(super) fn line(&mut self, text: &str) -> Option<Vec<Reading>> {
        if let Some((columns, delimiter)) = header(text) {
            *self = Self { columns, delimiter, misses: 0 };
            return Some(Vec::new());
        }
        if self.columns.is_empty() {
            if !text.contains("MiB") {
                return None;
            }
            let sample = || bare::row(text).map(Reading::Sample);
            return bare::process(text).map(Reading::Process).or_else(sample).map(|reading| vec![reading]);
        }
        let readings = self.row(text);
        if readings.is_some() {
            self.misses = 0;
        } else {
            self.misses += 1;
            if self.misses >= MOST_MISSES {
                self.columns.clear();
            }
        }
        readings
    }

    /// A row under the header. A stamp in the first column may already have been taken off as an envelope.
    fn row(&self, text: &str) -> Option<Vec<Reading>> {
        let texts = cut(text, self.delimiter, self.columns.len() + 1);
        let missing = self.columns.len().checked_sub(texts.len()).filter(|missing| *missing <= 1)?;
        let columns = self.columns.iter().skip(missing);
        let cells: Vec<Cell<'_>> = columns.zip(texts).map(|(column, text)| Cell { column, text: text.trim() }).collect();
        if let Some(process) = process(&cells) {
            return Some(vec![Reading::Process(process)]);
        }
        let whole = |wanted: Meaning| {
            cells.iter().find(|cell| cell.column.meaning == wanted).map(|cell| cell.text)
        };
        let pid = whole(Meaning::Pid).and_then(|cell| cell.parse().ok());
        let names_gpu = |cell: &&str| cell.parse::<u32>().is_ok() || cell.contains(':') || cell.starts_with("GPU-");
        let gpu = whole(Meaning::Gpu).filter(names_gpu).map(str::to_owned);
        let step = whole(Meaning::Step).and_then(|cell| cell.parse().ok());
        let mut readings = Vec::with_capacity(1);
        for cell in &cells {
            let Some(mut sample) = cell.sample() else { continue };
            sample.total_bytes = cells.iter().find_map(|cell| match cell.column.meaning {
                Meaning::Total(what) if what == sample.what => cell.size(),
                _ => None,
            });
            sample.pid = pid.filter(|_| sample.what != "host");
            sample.gpu.clone_from(&gpu);
            sample.of_monitor = cell.column.name == "memory.used";
            sample.step = step;
            readings.push(Reading::Sample(sample));
        }
        // `[Unknown Error]` in all cells is a row too: the GPU was lost.
        let is_row = || cells.iter().any(|cell| cell.number().is_some()) || text.contains('[');
        (!readings.is_empty() || is_row()).then_some(readings)
    }
}

/// The columns of a header, and what divides them.
fn header(text: &str) -> Option<(Vec<Column>, u8)> {
    let text = text.trim().trim_start_matches('#').trim_start();
    // A row's first cell; no name begins so.
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let delimiter = [b',', b';', b'\t'].into_iter().find(|byte| memchr::memchr(*byte, text.as_bytes()).is_some());
    if delimiter.is_none() && !text.starts_with("memory.used [") {
        return None;
    }
    let delimiter = delimiter.unwrap_or(b',');
    let names: Vec<&str> =
        text.split(char::from(delimiter)).map(|name| name.trim().trim_matches('"')).take(MOST_COLUMNS).collect();
    let fits = |name: &&str| {
        name.len() <= 40
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_alphanumeric() || "_. []()%/-".contains(c))
    };
    if !names.iter().all(fits) {
        return None;
    }
    let columns: Vec<Column> = names.into_iter().map(column).collect();
    let measures = |column: &Column| matches!(column.meaning, Meaning::Used(_) | Meaning::Percent(_));
    columns.iter().any(measures).then_some((columns, delimiter))
}

/// The cells of a row, so many at most. `str::split` prepares itself for longer texts.
fn cut(row: &str, delimiter: u8, most: usize) -> Vec<&str> {
    let mut cells = Vec::with_capacity(most);
    let mut start = 0;
    for end in memchr::memchr_iter(delimiter, row.as_bytes()).chain([row.len()]).take(most) {
        cells.extend(row.get(start..end));
        start = end + 1;
    }
    cells
}

/// A column by its name: `memory.used [MiB]`, `rss_mb`, `RAM (%)`.
fn column(name: &str) -> Column {
    let (stem, unit) = match name.split_once(['[', '(']) {
        Some((stem, unit)) => (stem.trim(), unit.trim_end_matches([']', ')'])),
        None => (name, unit_of_name(name)),
    };
    let meaning = match stem {
        "memory.used" => Meaning::Used("gpu-device"),
        "memory.total" => Meaning::Total("gpu-device"),
        "used_gpu_memory" | "used_memory" => Meaning::Used("gpu-process"),
        "pci.bus_id" | "gpu_bus_id" | "uuid" | "gpu_uuid" => Meaning::Gpu,
        _ if stem.starts_with("memory.") || stem.starts_with("utilization.") => Meaning::Other,
        _ => meaning(stem, unit, false),
    };
    Column { meaning, unit: unit.to_owned(), name: stem.to_owned() }
}

/// A row's cell and its column.
struct Cell<'a> {
    column: &'a Column,
    text: &'a str,
}

impl<'a> Cell<'a> {
    /// The number, and what stands behind it.
    fn number(&self) -> Option<(&'a str, f64)> {
        prim::number(self.text).ok()
    }

    /// The size, with its own unit or the column's.
    fn size(&self) -> Option<i64> {
        let (unit, value) = self.number()?;
        self.size_of(unit, value)
    }

    /// The size of a number, with the unit behind it or the column's.
    fn size_of(&self, unit: &str, value: f64) -> Option<i64> {
        let unit = if unit.trim().is_empty() { self.column.unit.as_str() } else { unit.trim() };
        bytes(value, unit)
    }

    /// The sample.
    fn sample(&self) -> Option<Sample> {
        if !matches!(self.column.meaning, Meaning::Used(_) | Meaning::Percent(_)) {
            return None;
        }
        let (rest, value) = self.number()?;
        let digits = self.text.get(..self.text.len() - rest.len())?;
        let resolution = || resolution(digits) * prim::unit_bytes(&self.column.unit, true).unwrap_or(1.0);
        match self.column.meaning {
            Meaning::Used(what) if what != "gpu-process" => {
                let used_bytes = Some(self.size_of(rest, value)?);
                Some(Sample { used_bytes, resolution: resolution(), ..Sample::of(what) })
            }
            Meaning::Percent(what) if (0.0..=100.0).contains(&value) => {
                Some(Sample { percent: Some(value), resolution: resolution(), ..Sample::of(what) })
            }
            _ => None,
        }
    }
}

/// A row of `--query-compute-apps=pid,process_name,used_memory`.
fn process(cells: &[Cell<'_>]) -> Option<GpuProcessMemory> {
    let cell = cells.iter().find(|cell| cell.column.meaning == Meaning::Used("gpu-process"))?;
    let named = |name: &str| cells.iter().find(|cell| cell.column.name == name).map(|cell| cell.text);
    Some(GpuProcessMemory {
        gpu: None,
        pid: Some(named("pid")?.parse().ok()?),
        process: named("process_name").or_else(|| named("name")).map(str::to_owned),
        used_bytes: cell.size(),
        // The query does not say on which GPU.
        ..GpuProcessMemory::default()
    })
}
