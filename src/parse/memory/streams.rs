//! Tells the GPUs apart in rows that do not say which GPU they are of: nvidia-smi prints one row a GPU, in turn.
//!
//! How many take turns is inferred from the first rows, and the label of each sample says so. It does not read rows.

use super::Sample;

/// How many rows are looked at before it is decided.
const ROWS_TO_DECIDE: usize = 32;
/// The most GPUs of one machine.
const MOST_GPUS: usize = 16;
/// What the label of an inferred GPU says.
const INFERRED: &str = "GPU inferred from the order of rows";

/// The rows that wait, and how many GPUs take turns once that is known.
#[derive(Default)]
pub(super) struct Streams {
    waiting: Vec<Sample>,
    gpus: Option<usize>,
    turn: usize,
}

impl Streams {
    /// Takes a row; gives those whose GPU is known by now.
    pub(super) fn take(&mut self, sample: Sample) -> Vec<Sample> {
        self.waiting.push(sample);
        if self.gpus.is_none() && self.waiting.len() < ROWS_TO_DECIDE {
            return Vec::new();
        }
        self.finish()
    }

    /// Whether it is known that all rows are of one GPU, so that none need be taken.
    pub(super) fn is_one(&self) -> bool {
        self.gpus == Some(1)
    }

    /// Whether rows wait.
    pub(super) fn waits(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Gives all that wait.
    pub(super) fn finish(&mut self) -> Vec<Sample> {
        let mut samples = std::mem::take(&mut self.waiting);
        let gpus = *self.gpus.get_or_insert_with(|| taking_turns(&samples));
        for sample in samples.iter_mut().filter(|_| gpus > 1) {
            sample.gpu = Some(self.turn.to_string());
            sample.label = Some(INFERRED.to_owned());
            self.turn = (self.turn + 1) % gpus;
        }
        samples
    }
}

/// How many GPUs take turns in these rows.
fn taking_turns(rows: &[Sample]) -> usize {
    by_bursts(rows).or_else(|| by_totals(rows)).unwrap_or_else(|| by_levels(rows))
}

/// By their stamps: the rows of one query follow each other within milliseconds.
fn by_bursts(rows: &[Sample]) -> Option<usize> {
    let times: Vec<i64> = rows.iter().map(|row| row.stamp.map(|stamp| stamp.micros)).collect::<Option<_>>()?;
    let gaps: Vec<i64> = times.iter().zip(times.iter().skip(1)).map(|(a, b)| b - a).collect();
    let longest = gaps.iter().copied().max().filter(|longest| *longest > 0)?;
    let ends: Vec<usize> = gaps.iter().enumerate().filter(|(_, gap)| **gap * 2 > longest).map(|(at, _)| at + 1).collect();
    let first = *ends.first()?;
    let even = ends.iter().zip(ends.iter().skip(1)).all(|(a, b)| b - a == first);
    (even && (ends.len() > 1 || first > 1) && first <= MOST_GPUS).then_some(first)
}

/// By their totals: GPUs of different size come back in the same order.
fn by_totals(rows: &[Sample]) -> Option<usize> {
    let totals: Vec<Option<i64>> = rows.iter().map(|row| row.total_bytes).collect();
    let different = totals.iter().any(|total| Some(total) != totals.first());
    let comes_back = |period: &usize| totals.iter().zip(totals.iter().skip(*period)).all(|(a, b)| a == b);
    (2..=MOST_GPUS.min(rows.len() / 2)).find(comes_back).filter(|_| different)
}

/// By what is used: a GPU's next row is far nearer to its last than to its neighbours'. One memory that merely swings
/// must not be taken for two, so the difference must be great.
fn by_levels(rows: &[Sample]) -> usize {
    let used: Vec<i64> = rows.iter().filter_map(|row| row.used_bytes).collect();
    let unrest = |period: usize| -> i64 {
        let pairs = used.iter().zip(used.iter().skip(period));
        let changes: i64 = pairs.clone().fold(0, |sum, (a, b)| sum.saturating_add((b - a).saturating_abs()));
        changes / i64::try_from(pairs.count().max(1)).unwrap_or(1)
    };
    let alone = unrest(1);
    let apart = [2, 4, 8].into_iter().filter(|period| period * 4 <= used.len());
    let best = apart.min_by_key(|period| (unrest(*period), *period));
    best.filter(|period| unrest(*period).saturating_mul(8) < alone).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(figures: &[(i64, i64)]) -> Vec<Sample> {
        figures.iter().map(|(used, total)| Sample { total_bytes: Some(*total), ..Sample::bytes("gpu-device", *used, 1.0) }).collect()
    }

    #[test]
    fn different_cards_come_back_in_order() {
        let one = [(8_000, 24_564), (300, 11_019), (12, 11_019)];
        assert_eq!(taking_turns(&rows(&one.repeat(6))), 3);
    }

    #[test]
    fn equal_cards_are_told_by_their_levels() {
        let figures: Vec<(i64, i64)> = (0..16).flat_map(|at| [(8_000 + at * 100, 24_564), (3, 24_564)]).collect();
        assert_eq!(taking_turns(&rows(&figures)), 2);
    }

    #[test]
    fn one_card_stays_one() {
        let leak: Vec<(i64, i64)> = (0..32).map(|at| (8_000 + at * 100, 24_564)).collect();
        assert_eq!(taking_turns(&rows(&leak)), 1);
        let idle: Vec<(i64, i64)> = (0..32).map(|_| (3, 24_564)).collect();
        assert_eq!(taking_turns(&rows(&idle)), 1);
    }

    #[test]
    fn a_swing_of_one_card_is_no_second() {
        let swing: Vec<(i64, i64)> = (0..32).map(|at| (8_000 + (at % 3) * 2_000, 24_564)).collect();
        assert_eq!(taking_turns(&rows(&swing)), 1);
    }
}
