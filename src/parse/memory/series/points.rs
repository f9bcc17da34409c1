//! The points kept of a series, in bounded memory: each the lowest of `stride` figures, for the trend looks at the floor.
//!
//! It does not judge them.

/// The most points kept of a series.
const MOST_KEPT: usize = 4_096;
/// The most points that a series is shown with.
const MOST_SHOWN: usize = 32;

/// The points of one series.
pub(super) struct Points {
    kept: Vec<f64>,
    stride: u32,
    bucket: f64,
    filled: u32,
}

impl Points {
    /// Those of a series that begins with this figure.
    pub(super) fn new(figure: f64) -> Self {
        let mut points = Self { kept: Vec::new(), stride: 1, bucket: f64::INFINITY, filled: 0 };
        points.push(figure);
        points
    }

    /// Adds a figure; when there are too many, every two become one.
    pub(super) fn push(&mut self, figure: f64) {
        self.bucket = self.bucket.min(figure);
        self.filled += 1;
        if self.filled < self.stride {
            return;
        }
        self.kept.push(self.bucket);
        self.bucket = f64::INFINITY;
        self.filled = 0;
        if self.kept.len() >= MOST_KEPT {
            self.kept =
                self.kept.chunks(2).map(|pair| pair.iter().copied().fold(f64::INFINITY, f64::min)).collect();
            self.stride = self.stride.saturating_mul(2);
        }
    }

    /// The points, each for [`Points::stride`] figures.
    pub(super) fn kept(&self) -> &[f64] {
        &self.kept
    }

    /// How many figures a point stands for.
    pub(super) fn stride(&self) -> u32 {
        self.stride
    }

    /// A few points for the eye, from the first figure to the last: of neighbours the highest, so that a peak is seen.
    pub(super) fn shown(&self, last: f64) -> Vec<f64> {
        let count = self.kept.len().min(MOST_SHOWN);
        let mut shown: Vec<f64> = (0..count)
            .filter_map(|index| {
                let (start, end) =
                    (index * self.kept.len() / count, (index + 1) * self.kept.len() / count);
                self.kept.get(start..end)?.iter().copied().reduce(f64::max)
            })
            .collect();
        if let (Some(first), Some(kept)) = (shown.first_mut(), self.kept.first()) {
            *first = *kept;
        }
        if let Some(end) = shown.last_mut() {
            *end = last;
        }
        shown
    }
}
