//! A time axis: where a moment stands, and round marks before and after the death.
//!
//! It draws nothing.

use crate::render::text::words;

/// Where the axis begins, in percent of the drawing's width: before it stand names.
const LEFT: f64 = 19.0;
/// Where it ends.
const RIGHT: f64 = 96.0;
/// Distances of marks, in milliseconds.
const STEPS: [i64; 28] = [
    1,
    2,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    1000,
    2000,
    5000,
    10_000,
    30_000,
    60_000,
    120_000,
    300_000,
    600_000,
    1_800_000,
    3_600_000,
    7_200_000,
    21_600_000,
    43_200_000,
    86_400_000,
    172_800_000,
    604_800_000,
    2_592_000_000,
    31_536_000_000,
];
/// The most marks.
const MOST_MARKS: i64 = 3;

/// A time axis.
pub(super) struct Axis {
    first: i64,
    last: i64,
    left: f64,
}

impl Axis {
    /// An axis over these moments (milliseconds), behind a column of names.
    pub(super) fn new(moments: &[i64]) -> Option<Self> {
        Self::beginning_at(LEFT, moments)
    }

    /// An axis over the whole width.
    pub(super) fn wide(moments: &[i64]) -> Option<Self> {
        Self::beginning_at(1.0, moments)
    }

    fn beginning_at(left: f64, moments: &[i64]) -> Option<Self> {
        let (first, last) = (*moments.iter().min()?, *moments.iter().max()?);
        // A single moment stands in the middle of two seconds.
        Some(if first == last {
            Self { first: first.saturating_sub(1000), last: last.saturating_add(1000), left }
        } else {
            Self { first, last, left }
        })
    }

    /// Where a moment stands, in percent.
    #[expect(clippy::cast_precision_loss, reason = "a place in a drawing")]
    pub(super) fn place(&self, moment: i64) -> f64 {
        let share =
            moment.saturating_sub(self.first) as f64 / self.last.saturating_sub(self.first).max(1) as f64;
        self.left + share * (RIGHT - self.left)
    }

    /// Round distances from a moment that lie on the axis, and their words: `−10 s`, `0`, `+10 s`.
    pub(super) fn marks(&self, zero: i64) -> Vec<(f64, String)> {
        let span = self.last.saturating_sub(self.first);
        let Some(step) = STEPS.into_iter().find(|step| span / step <= MOST_MARKS) else { return Vec::new() };
        let from = self.first.saturating_sub(zero).div_euclid(step);
        let to = self.last.saturating_sub(zero).div_euclid(step);
        let marks = (from..=to).map(|index| index * step);
        let inside = marks.filter(|mark| (self.first..=self.last).contains(&(zero + mark)));
        inside.map(|mark| (self.place(zero + mark), distance(mark))).collect()
    }
}

/// A report's time in milliseconds.
pub(super) fn milliseconds(time: &str) -> Option<i64> {
    words::parse(time).map(|time| time.timestamp_millis())
}

/// `−10 s`, `+2 min`.
fn distance(milliseconds: i64) -> String {
    let sign = match milliseconds.signum() {
        -1 => "−",
        0 => return "0".to_owned(),
        _ => "+",
    };
    let size = milliseconds.abs();
    if size > 1000 && size % 1000 != 0 {
        return format!("{sign}{}.{} s", size / 1000, size % 1000 / 100);
    }
    let units = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1000, "s")];
    let fitting = units.into_iter().find(|(length, _)| size % length == 0);
    let (length, unit) = fitting.unwrap_or((1, "ms"));
    format!("{sign}{} {unit}", size / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_few() {
        let axis = Axis::new(&[0, 7_683]).unwrap();
        let words: Vec<String> = axis.marks(5_900).into_iter().map(|(_, word)| word).collect();
        assert_eq!(words, ["−4 s", "−2 s", "0"]);
        assert!(Axis::new(&[]).is_none());
        let alone = Axis::new(&[5]).unwrap();
        assert!((alone.place(5) - f64::midpoint(LEFT, RIGHT)).abs() < 0.01);
        assert!(Axis::new(&[i64::MIN, i64::MAX]).unwrap().marks(0).len() < 12);
    }
}
