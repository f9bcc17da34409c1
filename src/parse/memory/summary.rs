//! `torch.cuda.memory_summary()`: the table's current allocated and reserved memory.
//!
//! Its other rows (pools, counts, peaks) are not read.

use super::{Reading, Sample, phrase};
use crate::parse::prim;

/// The table being read.
#[derive(Default)]
pub(super) struct Summary {
    gpu: Option<String>,
}

impl Summary {
    /// Reads a line. `PyTorch` up to 1.13 spells the units MB; both are 2^20.
    pub(super) fn line(&mut self, text: &str) -> Option<Vec<Reading>> {
        if text.contains("PyTorch CUDA memory summary") {
            self.gpu = phrase::integer_behind(text, "device ID ").map(|number| number.to_string());
            return Some(Vec::new());
        }
        let rows = [("| Allocated memory ", "gpu-allocated"), ("| GPU reserved memory ", "gpu-reserved")];
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
