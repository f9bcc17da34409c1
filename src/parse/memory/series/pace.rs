//! How fast the samples of a series follow each other, by their own stamps.
//!
//! It does not know what time it is: a zone or a boot is `timeline`'s business, and here only differences count.

use crate::{
    line::Line,
    stamp::{SECOND, Stamp},
};

/// A silence this many times the usual interval ends a run, if something else says so too.
const LONG_SILENCE: f64 = 20.0;
/// The fewest intervals after which the usual one is known.
const FEWEST_INTERVALS: u32 = 8;

/// The stamps of a series so far.
#[derive(Default)]
pub(super) struct Pace {
    first: Option<Stamp>,
    last: Option<Stamp>,
    intervals: u32,
}

/// The stamp of a sample: its own, else that of its line.
pub(super) fn stamp_of(own: Option<Stamp>, line: &Line<'_>) -> Option<Stamp> {
    own.or_else(|| Stamp::best(line.stamps).filter(|_| line.exact))
}

impl Pace {
    /// Adds a sample's stamp. A clock that goes back or another clock begins the count anew.
    pub(super) fn push(&mut self, stamp: Option<Stamp>) {
        let Some(stamp) = stamp else { return };
        let follows = self.last.is_some_and(|last| last.clock == stamp.clock && last.micros <= stamp.micros);
        if follows {
            self.intervals = self.intervals.saturating_add(1);
        } else {
            self.first = Some(stamp);
            self.intervals = 0;
        }
        self.last = Some(stamp);
    }

    /// Whether a sample comes after a long silence.
    pub(super) fn is_broken_by(&self, stamp: Option<Stamp>) -> bool {
        let (Some(usual), Some(last), Some(stamp)) = (self.interval(), self.last, stamp) else { return false };
        self.intervals >= FEWEST_INTERVALS
            && last.clock == stamp.clock
            && seconds(stamp.micros - last.micros) > LONG_SILENCE * usual.max(0.001)
    }

    /// The usual time between two samples, in seconds.
    pub(super) fn interval(&self) -> Option<f64> {
        (self.intervals > 0).then(|| self.span().map(|span| span / f64::from(self.intervals))).flatten()
    }

    /// From the first sample to the last, in seconds.
    pub(super) fn span(&self) -> Option<f64> {
        Some(seconds(self.last?.micros - self.first?.micros))
    }
}

/// Microseconds as seconds.
#[expect(clippy::cast_precision_loss, reason = "a series is shorter than 2^53 microseconds")]
fn seconds(micros: i64) -> f64 {
    micros as f64 / SECOND as f64
}
