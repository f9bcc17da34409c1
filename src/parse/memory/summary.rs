//! `torch.cuda.memory_summary()`: the table's current allocated, reserved and non-releasable memory.
//!
//! Its other rows (pools, counts, peaks) are not read. As the last expression of a cell it is shown as its `repr`, all
//! rows on one line.

use super::{Reading, Sample, phrase};
use crate::parse::prim;

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "PyTorch CUDA memory summary",
    "| Allocated memory ",
    "| GPU reserved memory ",
    "| Non-releasable memory ",
];

/// The most rows of a table.
const MOST_ROWS: usize = 100;

/// The table being read.
#[derive(Default)]
pub(super) struct Summary {
    gpu: Option<String>,
}

impl Summary {
    /// Reads a line, or the many rows in one that a `repr` is.
    pub(super) fn line(&mut self, text: &str) -> Option<Vec<Reading>> {
        if !text.contains("\\n|") {
            return self.row(text);
        }
        let rows: Vec<Reading> =
            text.split("\\n").take(MOST_ROWS).filter_map(|row| self.row(row)).flatten().collect();
        (!rows.is_empty()).then_some(rows)
    }

    /// Reads a row. `PyTorch` up to 1.13 spells the units MB; both are 2^20.
    fn row(&mut self, text: &str) -> Option<Vec<Reading>> {
        if text.contains("PyTorch CUDA memory summary") {
            self.gpu = phrase::integer_behind(text, "device ID ").map(|number| number.to_string());
            return Some(Vec::new());
        }
        let rows = [
            ("| Allocated memory ", "gpu-allocated"),
            ("| GPU reserved memory ", "gpu-reserved"),
            ("| Non-releasable memory ", "gpu-non-releasable"),
        ];
        let (row, what) =
            rows.iter().find_map(|(name, what)| phrase::behind(text, name).map(|row| (row, *what)))?;
        let (rest, bytes) = prim::size(true)(row.trim_start_matches([' ', '|'])).ok()?;
        rest.contains('|').then_some(())?;
        let sample = Sample {
            gpu: self.gpu.clone(),
            used_bytes: Some(bytes),
            resolution: 1_048_576.0,
            ..Sample::of(what)
        };
        Some(vec![Reading::Sample(sample)])
    }
}
