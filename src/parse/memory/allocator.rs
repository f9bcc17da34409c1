//! `PyTorch`'s allocator in its own words: the dict of `torch.cuda.memory_stats()` and a printed snapshot.
//!
//! A snapshot as a pickle is binary and never opened. Of a dict's seventy figures only the current ones count.

use super::{Reading, phrase, sample::Sample};
use crate::{event::GpuOutOfMemory, parse::prim};

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "_bytes.all.",
    "_bytes.large_pool.",
    "_bytes.small_pool.",
    "total_size",
    "allocated_size",
    "'oom'",
    "\"oom\"",
];

/// The figures read of `memory_stats()`, and what each is.
const CURRENT: [(&str, &str); 3] = [
    ("allocated_bytes.all.current", "gpu-allocated"),
    ("reserved_bytes.all.current", "gpu-reserved"),
    ("inactive_split_bytes.all.current", "gpu-non-releasable"),
];
/// The most segments of one line that are added up.
const MOST_SEGMENTS: usize = 100_000;

/// The snapshot being added up.
#[derive(Default)]
pub(super) struct Snapshot {
    reserved: i64,
    allocated: i64,
}

impl Snapshot {
    /// Reads a line.
    pub(super) fn line(&mut self, text: &str) -> Option<Vec<Reading>> {
        stats(text).or_else(|| self.segments(text)).or_else(|| full(text))
    }

    /// What the segments seen so far make together.
    pub(super) fn finish(&mut self) -> Vec<Reading> {
        let Self { reserved, allocated } = std::mem::take(self);
        let parts = [("gpu-reserved", reserved), ("gpu-allocated", allocated)];
        let sample = |(what, bytes)| {
            let label = Some("snapshot".to_owned());
            Reading::Sample(Sample { label, ..Sample::bytes(what, bytes, 512.0) })
        };
        if reserved > 0 { parts.map(sample).into() } else { Vec::new() }
    }

    /// `{'device': 0, 'total_size': 2097152, 'allocated_size': 512, …`, one or many on a line. A snapshot on one line
    /// is complete; one that is printed a key a line is given when the log ends.
    fn segments(&mut self, text: &str) -> Option<Vec<Reading>> {
        let sum = |key: &str| {
            let found = text.match_indices(key).take(MOST_SEGMENTS);
            let values = found.filter_map(|(at, _)| number(text.get(at + key.len()..)?));
            values.fold(0, |sum: i64, value| sum.saturating_add(value.max(0)))
        };
        let (reserved, allocated) = (sum("total_size"), sum("allocated_size"));
        if reserved == 0 && allocated == 0 {
            return None;
        }
        self.reserved = self.reserved.saturating_add(reserved);
        self.allocated = self.allocated.saturating_add(allocated);
        let whole = text.contains("segments") && text.trim_end().ends_with('}');
        Some(if whole { self.finish() } else { Vec::new() })
    }
}

/// Any of the current figures on a line. The dict's other lines are claimed, so that nobody takes a count of all bytes
/// ever allocated for a level.
fn stats(text: &str) -> Option<Vec<Reading>> {
    let ours = ["_bytes.all.", "_bytes.large_pool.", "_bytes.small_pool."];
    if !ours.iter().any(|key| text.contains(key)) {
        return None;
    }
    let figure = |(key, what): (&str, &'static str)| {
        let at = text.find(key)?;
        // `inactive_split_bytes…` must not be found inside another key.
        let clean = text.get(..at)?.chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
        let bytes = number(text.get(at + key.len()..)?).filter(|_| clean)?;
        Some(Reading::Sample(Sample::bytes(what, bytes, 512.0)))
    };
    Some(CURRENT.into_iter().filter_map(figure).collect())
}

/// A trace entry `'action': 'oom', …, 'size': 2147483648, …, 'device_free': 12582912`.
fn full(text: &str) -> Option<Vec<Reading>> {
    let (_, entry) = text.split_once("'oom'").or_else(|| text.split_once("\"oom\""))?;
    let free = phrase::behind(entry, "device_free").and_then(number);
    let size = phrase::behind(entry, "size").and_then(number)?;
    let event = GpuOutOfMemory {
        framework: Some("pytorch".to_owned()),
        requested_bytes: Some(size),
        free_bytes: Some(free?),
        message: Some("an `oom` entry of the allocator's trace".to_owned()),
        ..GpuOutOfMemory::default()
    };
    Some(vec![Reading::Event(event.into())])
}

/// The whole number behind a key: `': 512`, `", 512)`.
fn number(text: &str) -> Option<i64> {
    let digits = text.trim_start_matches(['\'', '"', ':', ',', ' ']);
    (text.len() - digits.len() <= 8).then(|| prim::integer(digits).ok().map(|(_, number)| number)).flatten()
}
