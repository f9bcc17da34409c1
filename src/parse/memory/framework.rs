//! What training frameworks print of memory in words of their own: `DeepSpeed`, Megatron, Ultralytics, mmengine,
//! detectron2.
//!
//! A running maximum (`max_mem`) can only rise and is no level: it is `gpu-peak`, and nobody looks for a leak in it.

use super::{Reading, phrase, sample::Sample};
use crate::parse::prim::{self, rounded};

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "GPU_mem",
    "Max_MA ",
    "CPU Virtual Memory:",
    "memory (MB) |",
    "max_mem: ",
    "max mem: ",
    "memory: ",
];

/// One MiB.
const MIB: f64 = 1_048_576.0;
/// How many lines after its header a row of Ultralytics' table may stand.
const REACH: u8 = 4;

/// The table of Ultralytics, if one is open.
#[derive(Default)]
pub(super) struct Frameworks {
    left: u8,
}

impl Frameworks {
    /// Whether a row may follow.
    pub(super) fn hungry(&self) -> bool {
        self.left > 0
    }

    /// Reads a line.
    pub(super) fn line(&mut self, text: &str) -> Option<Vec<Reading>> {
        if text.contains("GPU_mem") && text.contains("Epoch") {
            self.left = REACH;
            return Some(Vec::new());
        }
        if self.left > 0 {
            self.left -= 1;
            if let Some(sample) = ultralytics(text) {
                return Some(vec![Reading::Sample(sample)]);
            }
        }
        let samples = deepspeed(text).or_else(|| host(text)).or_else(|| megatron(text)).or_else(|| peak(text))?;
        Some(samples.into_iter().map(Reading::Sample).collect())
    }
}

/// `      3/100      7.52G     1.203 …`: what the allocator has reserved, in units of 10^9 bytes.
fn ultralytics(text: &str) -> Option<Sample> {
    let mut words = text.split_whitespace();
    let (epoch, of) = words.next()?.split_once('/')?;
    let step: i64 = epoch.parse().ok()?;
    of.parse::<u32>().ok()?;
    let gigabytes: f64 = words.next()?.strip_suffix('G')?.parse().ok()?;
    Some(Sample { step: Some(step), ..Sample::bytes("gpu-reserved", rounded(gigabytes * 1e9), 1e7) })
}

/// `MA 12.5 GB         Max_MA 14.2 GB         CA 15.1 GB         Max_CA 15 GB`: divided by 1024³.
fn deepspeed(text: &str) -> Option<Vec<Sample>> {
    let max = text.find("Max_MA ")?;
    let allocated = phrase::size_behind(text.get(..max)?, "MA ")?;
    let cached = phrase::size_behind(text.get(max..)?, " CA ");
    let resolution = 1024.0 * MIB / 100.0;
    let allocated = Sample::bytes("gpu-allocated", allocated, resolution);
    let reserved = cached.map(|cached| Sample::bytes("gpu-reserved", cached, resolution));
    Some(std::iter::once(allocated).chain(reserved).collect())
}

/// `DeepSpeed`'s next line: `CPU Virtual Memory:  used = 93.1 GB, percent = 46.3%`.
fn host(text: &str) -> Option<Vec<Sample>> {
    let rest = phrase::behind(text, "CPU Virtual Memory:")?;
    let used = phrase::size_behind(rest, "used = ")?;
    let percent = phrase::behind(rest, "percent = ").and_then(|rest| prim::number(rest).ok());
    let percent = percent.map(|(_, percent)| percent);
    Some(vec![Sample { percent, ..Sample::bytes("host", used, 1024.0 * MIB / 10.0) }])
}

/// `[Rank 0] (after 10 iterations) memory (MB) | allocated: 12345.6 | max allocated: … | reserved: …`.
fn megatron(text: &str) -> Option<Vec<Sample>> {
    let rest = phrase::behind(text, "memory (MB) |")?;
    let size = |name: &str| {
        let (_, mebibytes) = prim::number(phrase::behind(rest, name)?).ok()?;
        Some(rounded(mebibytes * MIB))
    };
    let step = phrase::integer_behind(text, "(after ");
    let allocated = Sample { step, ..Sample::bytes("gpu-allocated", size(" allocated: ")?, MIB / 10.0) };
    let reserved = size("| reserved: ").map(|bytes| Sample { step, ..Sample::bytes("gpu-reserved", bytes, MIB / 10.0) });
    Some(std::iter::once(allocated).chain(reserved).collect())
}

/// detectron2's `max_mem: 7521M`, torchvision's `max mem: 7521`, mmengine's `memory: 7521`.
fn peak(text: &str) -> Option<Vec<Sample>> {
    let known = ["max_mem: ", "max mem: "].iter().find_map(|words| phrase::integer_behind(text, words));
    let mebibytes = known.or_else(|| {
        let ours = text.contains("data_time: ") || text.contains("Epoch(train)") || text.contains("Iter(train)");
        ours.then(|| phrase::integer_behind(text, "memory: ")).flatten()
    })?;
    Some(vec![Sample::bytes("gpu-peak", mebibytes.checked_mul(1 << 20)?, MIB)])
}
