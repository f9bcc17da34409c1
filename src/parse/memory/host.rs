//! The host's memory as `free`, `top`, `/proc/meminfo` and home-made watchers print it.
//!
//! In use is what is not available, as psutil counts, where the figures allow it. Swap is not read.

use super::{Reading, Sample, phrase};
use crate::parse::prim::{self, rounded};

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "total",
    "MemAvailable",
    "Mem:",
    "Mem :",
    "MemTotal",
];

/// The header of `free` being read, or the total of `/proc/meminfo`.
#[derive(Default)]
pub(super) struct Free {
    columns: Vec<String>,
    total: Option<i64>,
}

impl Free {
    /// Reads a line.
    pub(super) fn line(&mut self, text: &str) -> Option<Vec<Reading>> {
        let words: Vec<&str> = text.split_whitespace().take(16).collect();
        if ["total", "used", "free"].iter().all(|name| words.contains(name)) && !text.contains(':') {
            self.columns = words.iter().map(|word| (*word).to_owned()).collect();
            return Some(Vec::new());
        }
        if let Some(readings) = self.meminfo(text) {
            return Some(readings);
        }
        let (head, rest) = text.split_once("Mem:").or_else(|| text.split_once("Mem :"))?;
        let sample = if rest.contains(',') { spoken(head, rest) } else { self.row(rest) }?;
        Some(vec![Reading::Sample(sample)])
    }

    /// `MemTotal:       24684084 kB`, some lines before `MemAvailable:   20000000 kB`.
    fn meminfo(&mut self, text: &str) -> Option<Vec<Reading>> {
        let size = |name: &str| phrase::size_behind(text.strip_prefix(name)?, ":");
        if let Some(total) = size("MemTotal") {
            self.total = Some(total);
            return Some(Vec::new());
        }
        let available = size("MemAvailable")?;
        let total = self.total.take()?;
        let total_bytes = Some(total);
        let used = Sample::bytes("host", total.checked_sub(available)?, 1024.0);
        Some(vec![Reading::Sample(Sample { total_bytes, ..used })])
    }

    /// A row of `free` under its header.
    fn row(&self, rest: &str) -> Option<Sample> {
        let values: Vec<(f64, &str)> = rest.split_whitespace().filter_map(value).collect();
        let named: Vec<(&str, f64, &str)> = self
            .columns
            .iter()
            .zip(&values)
            .map(|(name, (value, unit))| (name.as_str(), *value, *unit))
            .collect();
        sample(&named, "")
    }
}

/// `16013 total,  4188 used, 10422 free, 1402 buff/cache`; in `top` a unit stands before `Mem`.
fn spoken(head: &str, rest: &str) -> Option<Sample> {
    let unit = head.split_whitespace().next_back().filter(|word| ["KiB", "MiB", "GiB", "TiB"].contains(word));
    let named: Vec<(&str, f64, &str)> = rest
        .split(',')
        .filter_map(|part| {
            let mut words = part.split_whitespace();
            let (number, unit) = value(words.next()?)?;
            Some((words.next()?, number, unit))
        })
        .collect();
    sample(&named, unit.unwrap_or_default())
}

/// A number with an optional unit in one word: `16013`, `23Gi`, `1024k`.
fn value(word: &str) -> Option<(f64, &str)> {
    let (unit, value) = prim::number(word).ok()?;
    Some((value, unit))
}

/// The sample that named figures give.
fn sample(named: &[(&str, f64, &str)], unit: &str) -> Option<Sample> {
    let (_, total, _) = named.iter().find(|(name, _, _)| *name == "total")?;
    let guess = guessed_unit(*total);
    let bytes = |wanted: &str| {
        let (_, value, own) = named.iter().find(|(name, _, _)| name.starts_with(wanted))?;
        let unit = [*own, unit].into_iter().find_map(|unit| prim::unit_bytes(unit, true)).unwrap_or(guess);
        Some(rounded(value * unit))
    };
    let total_bytes = bytes("total")?;
    let used = || {
        // procps before 3.3.10 counts the page cache as used.
        let old = bytes("buffers").unwrap_or_default() + bytes("cached").unwrap_or_default();
        bytes("used").map(|used| used - old)
    };
    let used_bytes = bytes("avail").map(|available| total_bytes - available).or_else(used)?;
    Some(Sample {
        used_bytes: Some(used_bytes),
        total_bytes: Some(total_bytes),
        resolution: 1_048_576.0,
        ..Sample::of("host")
    })
}

/// The unit of a total without one: `free` prints KiB, `free -m` MiB, `free -g` GiB, and no host has less than
/// 400 MiB or more than 8 TiB.
fn guessed_unit(total: f64) -> f64 {
    match total {
        total if total >= 8e9 => 1.0,
        total if total >= 4e5 => 1024.0,
        total if total >= 256.0 => 1024.0 * 1024.0,
        _ => 1024.0 * 1024.0 * 1024.0,
    }
}
