//! nvidia-smi's comma-separated rows without a header: with units by themselves, without units by eight rows that agree.
//!
//! It does not know which columns were asked for: the sizes of a row are told apart by their amounts.

use super::Sample;
use crate::event::GpuProcessMemory;
use crate::stamp::Stamp;

/// How many rows without units must agree before they are believed.
const ROWS_TO_BELIEVE: usize = 8;
/// How many lines at the beginning of a log may be no rows.
const MOST_HEADINGS: u8 = 3;
/// What a GPU's memory may be, in MiB.
const PLAUSIBLE: std::ops::RangeInclusive<i64> = 1_900..=400_000;
/// The most totals of rows without units: one for each kind of GPU in a machine.
const MOST_TOTALS: usize = 4;

/// A log whose rows have neither header nor units, as far as it is known to be one.
#[derive(Default)]
pub(super) struct Rows {
    waiting: Vec<Sample>,
    headings: u8,
    /// Such a log begins with such rows; any other is none.
    refused: bool,
    believed: bool,
}

impl Rows {
    /// Whether the next line may be a row.
    pub(super) fn hungry(&self) -> bool {
        !self.refused
    }

    /// Reads a row `8311, 16303`, whose stamp, if it has one, an envelope has taken off. The first rows are given
    /// together, once there are enough of them.
    pub(super) fn line(&mut self, text: &str, stamp: Option<Stamp>) -> Option<Vec<Sample>> {
        if self.refused {
            return None;
        }
        let Some(sample) = unitless(text) else {
            self.headings += 1;
            self.refused = self.headings > MOST_HEADINGS || (!self.waiting.is_empty() && !self.believed);
            return None;
        };
        self.headings = 0;
        self.waiting.push(Sample { stamp, ..sample });
        if self.believed {
            return Some(std::mem::take(&mut self.waiting));
        }
        if self.waiting.len() < ROWS_TO_BELIEVE {
            return None;
        }
        self.believed = is_memory(&self.waiting);
        self.refused = !self.believed;
        self.believed.then(|| std::mem::take(&mut self.waiting))
    }
}

/// Whether rows can be memory: few different totals, and no counter in the first column. A counter grows by the same
/// amount with every row and began near zero; a planted leak grows evenly too, from a higher level.
fn is_memory(rows: &[Sample]) -> bool {
    let mut totals: Vec<Option<i64>> = rows.iter().map(|row| row.total_bytes).collect();
    totals.sort_unstable();
    totals.dedup();
    let used = rows.iter().filter_map(|row| row.used_bytes);
    let begin = used.clone().next().unwrap_or_default();
    let growth: Vec<i64> = used.clone().zip(used.skip(1)).map(|(a, b)| b - a).collect();
    let even = |step: &i64| *step != 0 && growth.iter().all(|growth| growth == step);
    let counts = growth.first().is_some_and(|step| even(step) && (*step == 1 << 20 || begin <= step.saturating_mul(2)));
    totals.len() <= MOST_TOTALS && !counts
}

/// `8311, 16303`; a GPU's number before them, or a stamp that was not taken off.
fn unitless(text: &str) -> Option<Sample> {
    let cells: Vec<&str> = text.split(',').map(str::trim).collect();
    let (gpu, used, total) = match cells[..] {
        [used, total] => (None, used, total),
        [first, used, total] => (Some(first), used, total),
        _ => return None,
    };
    let number = |cell: &str| cell.parse::<i64>().ok();
    let (used, total) = (number(used)?, number(total)?);
    let gpu = match gpu {
        Some(first) if first.contains(':') => None,
        Some(first) => Some(first).filter(|first| first.len() <= 2 && number(first).is_some())?.to_owned().into(),
        None => None,
    };
    let fits = PLAUSIBLE.contains(&total) && (0..=total).contains(&used);
    fits.then(|| sample(gpu, used, total))
}

/// `8311 MiB, 16303 MiB`, `2020/10/27 19:41:10.301, 0, NVIDIA A10, 97 %, 8311 MiB, 23028 MiB`: the sizes of a row and the
/// GPU's number before them. Of two sizes the larger is the total; of three, the one that is the sum of the others.
pub(super) fn row(text: &str) -> Option<Sample> {
    let cells: Vec<&str> = text.split(',').map(str::trim).collect();
    let sizes: Vec<i64> = cells.iter().filter_map(|cell| mebibytes(cell)).collect();
    let (used, total) = match sizes[..] {
        [one, other] => (one.min(other), one.max(other)),
        [total, used, free] | [used, free, total] | [used, total, free]
            if used.saturating_add(free) <= total && total > 0 =>
        {
            (used, total)
        }
        _ => return None,
    };
    let number = cells.iter().take(3).find(|cell| cell.len() <= 2 && cell.parse::<u32>().is_ok());
    Some(sample(number.map(|number| (*number).to_owned()), used, total))
}

/// A size in MiB with its unit.
fn mebibytes(cell: &str) -> Option<i64> {
    cell.strip_suffix("MiB")?.trim_end().parse().ok()
}

/// The sample of a row in MiB.
fn sample(gpu: Option<String>, used: i64, total: i64) -> Sample {
    let bytes = |mebibytes: i64| mebibytes.checked_mul(1 << 20);
    Sample {
        gpu,
        used_bytes: bytes(used),
        total_bytes: bytes(total),
        resolution: 1_048_576.0,
        of_monitor: true,
        ..Sample::of("gpu-device")
    }
}

/// `18220, /opt/conda/bin/python, 7834 MiB`: a row of `--query-compute-apps=pid,process_name,used_memory`.
pub(super) fn process(text: &str) -> Option<GpuProcessMemory> {
    let cells: Vec<&str> = text.split(',').map(str::trim).collect();
    let [pid, name, used] = cells[..] else { return None };
    let named = name.starts_with(|c: char| c.is_alphabetic() || c == '/' || c == '[');
    let used_bytes = mebibytes(used)?.checked_mul(1 << 20);
    let pid = Some(pid.parse().ok()?);
    named.then(|| GpuProcessMemory { pid, process: Some(name.to_owned()), used_bytes, ..GpuProcessMemory::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many samples rows of these figures give.
    fn believed(figures: impl Iterator<Item = (i64, i64)>) -> usize {
        let mut rows = Rows::default();
        figures.filter_map(|(used, total)| rows.line(&format!("{used}, {total}"), None)).flatten().count()
    }

    #[test]
    fn rows_that_agree_are_all_given() {
        assert_eq!(believed((0..20).map(|at| (8_000 + at * 137 % 900, 24_564))), 20);
    }

    #[test]
    fn an_even_leak_is_no_counter() {
        assert_eq!(believed((0..20).map(|at| (8_000 + at * 60, 24_564))), 20);
    }

    #[test]
    fn a_counter_and_its_end_are_no_memory() {
        assert_eq!(believed((0..20).map(|at| (at * 50, 5_000))), 0);
        assert_eq!(believed((0..20).map(|at| (3_000 + at, 5_000))), 0);
    }

    #[test]
    fn rows_of_other_figures_are_no_memory() {
        assert_eq!(believed((0..20).map(|at| (at, 2_000 + at * 7))), 0);
    }
}
