//! `Stamp`: a time exactly as a log printed it, before anybody guesses what it means.
//!
//! It does not convert between clocks; `timeline` does, with evidence.

use smallvec::SmallVec;
use std::{cmp::Ordering, fmt};

/// Microseconds in one second, the unit every [`Stamp`] counts in.
pub const SECOND: i64 = 1_000_000;
/// Microseconds in one day.
pub const DAY: i64 = 86_400 * SECOND;

/// The stamps of one line. Hardly any has more than two, and those take no memory of their own.
pub type Stamps = SmallVec<[Stamp; 2]>;

/// Which clock a stamp was read from, from the most to the least telling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClockKind {
    /// The stamp named its zone: microseconds since the Unix epoch.
    Zoned,
    /// Date and time without a zone (Jupyter, `dmesg -T`): microseconds since the epoch as if it were UTC.
    Local,
    /// Month, day and time without a year (RFC 3164 syslog): as [`ClockKind::Local`], in the leap year 2000.
    YearLess,
    /// A time of day without a date (Notebook 6 and older): microseconds since midnight.
    TimeOfDay,
    /// Microseconds since the host booted (raw `dmesg`).
    Boot,
}

impl ClockKind {
    /// The word used in reports and in `events` records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Zoned => "zoned",
            Self::Local => "local",
            Self::YearLess => "year-less",
            Self::TimeOfDay => "date-less",
            Self::Boot => "boot",
        }
    }

    /// The clock a word of [`ClockKind::word`] stands for.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Zoned, Self::Local, Self::YearLess, Self::TimeOfDay, Self::Boot]
            .into_iter()
            .find(|kind| kind.word() == word)
    }
}

/// One time as printed: a clock and its microseconds.
#[derive(Debug, Clone, Copy)]
pub struct Stamp {
    /// The clock it was read from.
    pub clock: ClockKind,
    /// Microseconds on that clock.
    pub micros: i64,
    /// Seconds east of UTC, if it was printed so: in which zone the log was written. The time is the same in every zone.
    pub east: Option<i32>,
}

/// Stamps of one time are equal, in whichever zone they were printed.
impl PartialEq for Stamp {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Stamp {}

impl PartialOrd for Stamp {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Stamp {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.clock, self.micros).cmp(&(other.clock, other.micros))
    }
}

impl Stamp {
    /// A stamp of `clock` at `micros`.
    pub fn new(clock: ClockKind, micros: i64) -> Self {
        Self { clock, micros, east: None }
    }

    /// A stamp with a zone, so many seconds east of UTC; `local` is what it shows.
    pub fn zoned(local: i64, east: i64) -> Self {
        let named = i32::try_from(east).ok();
        Self { east: named, ..Self::new(ClockKind::Zoned, local.saturating_sub(east.saturating_mul(SECOND))) }
    }

    /// The most telling of several stamps on one line: an outer envelope with a zone beats an inner local time.
    pub fn best(stamps: &[Self]) -> Option<Self> {
        stamps.iter().copied().min_by_key(|stamp| stamp.clock)
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.clock.word(), self.micros)
    }
}
