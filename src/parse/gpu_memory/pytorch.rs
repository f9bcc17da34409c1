//! `PyTorch`'s out-of-memory sentence, versions 1.0 to 2.15, and its siblings for `ROCm`, Intel, Ascend and Metal.
//!
//! The sentence has had six grammars (a `capacty` among them, and in 2.2 a GPU number printed as a raw byte), so every
//! figure is found by itself. It does not guess what the figures mean together.

use super::phrase;
use crate::{
    event::GpuOutOfMemory,
    parse::prim::{self, rounded, unit_bytes},
};
use nom::{IResult, Parser, bytes::complete::tag, combinator::map};

/// Beginnings of the sentence and the framework each stands for.
const STARTS: [(&str, &str); 8] = [
    ("CUDA out of memory", "pytorch"),
    ("HIP out of memory", "pytorch"),
    ("XPU out of memory", "pytorch"),
    ("NPU out of memory", "pytorch"),
    ("MUSA out of memory", "pytorch"),
    ("MPS backend out of memory", "mps"),
    ("Allocation on device", "pytorch"),
    ("NVML_SUCCESS == ", "pytorch"),
];
/// Words with which the sentence's last figure ends, in every grammar.
const ENDS: [&str; 6] = [
    "is reserved by PyTorch but unallocated",
    "reserved in total by PyTorch",
    " cached)",
    "shared pool",
    "private pool",
    "INTERNAL ASSERT FAILED",
];
/// A limit above this is none: `cudaMallocAsync` prints an unset one as 17179869184.00 GiB.
const NO_LIMIT: i64 = 1 << 50;
/// What a CUDA context and its libraries take beside the allocator, at most.
const CONTEXT_BYTES: i64 = 1 << 30;

/// The sentence in a line, from its first word.
pub(super) fn start(text: &str) -> Option<&str> {
    let (words, _) = STARTS.iter().find(|(words, _)| text.contains(words))?;
    let message = phrase::from(text, words)?;
    if is_quoted(text, message) {
        return None;
    }
    let wanted = match *words {
        "Allocation on device" => message.contains("exceed allowed") || text.contains("OutOfMemoryError"),
        "NVML_SUCCESS == " => message.contains("INTERNAL ASSERT FAILED"),
        _ => true,
    };
    wanted.then_some(message)
}

/// Whether a sentence is only spoken of: `If you see "CUDA out of memory. Tried …" lower the batch size`. After a quote
/// from an exception's `repr` or from JSON comes no word.
fn is_quoted(text: &str, message: &str) -> bool {
    let before = text.strip_suffix(message).and_then(|head| head.chars().next_back());
    let Some(quote) = before.filter(|before| ['"', '\'', '`'].contains(before)) else { return false };
    let behind = message.split_once(quote).map_or("", |(_, rest)| rest);
    behind.trim_start().starts_with(|c: char| c.is_alphabetic())
}

/// Whether a line begins a sentence of its own.
pub(super) fn begins(text: &str) -> bool {
    start(text).is_some()
}

/// Whether nothing that matters can follow.
pub(super) fn complete(message: &str) -> bool {
    let block =
        || phrase::behind(message, "supplied memory fraction)").is_some_and(|rest| rest.contains("iB"));
    ENDS.iter().any(|end| message.contains(end)) || block()
}

/// Reads whatever figures the sentence gives.
pub(super) fn read(message: &str) -> GpuOutOfMemory {
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let framework =
        STARTS.iter().find(|(words, _)| message.starts_with(words)).map(|(_, name)| (*name).to_owned());
    let mut event = GpuOutOfMemory {
        framework,
        gpu: gpu(&message),
        requested_bytes: first(
            &message,
            phrase::size_behind,
            &["Tried to allocate ", "Requested size: ", "Requested : "],
        ),
        total_bytes: first(
            &message,
            phrase::size_behind,
            &["a total capacity of ", "a total capacty of ", "Device limit : "],
        )
        .or_else(|| phrase::size_ahead(&message, " total capacity")),
        free_bytes: first(&message, phrase::size_ahead, &[" is free", " free;"])
            .or_else(|| phrase::size_behind(&message, "Free (according to CUDA): ")),
        allocated_bytes: first(
            &message,
            phrase::size_ahead,
            &[" is allocated by PyTorch", " already allocated"],
        )
        .or_else(|| first(&message, phrase::size_behind, &["MPS allocated: ", "Currently allocated : "])),
        unallocated_bytes: first(&message, phrase::size_ahead, &[" is reserved by PyTorch but", " cached)"]),
        reserved_bytes: phrase::size_ahead(&message, " reserved in total by PyTorch"),
        fraction_limit_bytes: fraction_limit(&message),
        process_bytes: phrase::size_behind(&message, "this process has "),
        other_bytes: phrase::size_behind(&message, "other allocations: "),
        message: Some(phrase::excerpt(&message)),
        ..GpuOutOfMemory::default()
    };
    complete_sums(&mut event);
    processes(&message, &mut event);
    event
}

/// The first figure that one of several wordings gives.
fn first(message: &str, figure: fn(&str, &str) -> Option<i64>, wordings: &[&str]) -> Option<i64> {
    wordings.iter().find_map(|words| figure(message, words))
}

/// The GPU's number. `PyTorch` 2.2 and 2.3 print it as a raw byte: `GPU \x01 has a total capacity`.
fn gpu(message: &str) -> Option<String> {
    let named = ["GPU ", "(NPU ", "(XPU ", "XPU ", "(MUSA ", "on device "];
    let number = named.iter().find_map(|words| phrase::integer_behind(message, words));
    let raw = || {
        let byte = phrase::ahead(message, " has a total capac")?.chars().next_back()?;
        (byte < ' ').then_some(i64::from(u32::from(byte)))
    };
    number.or_else(raw).map(|number| number.to_string())
}

/// The limit of `set_per_process_memory_fraction`, or Metal's high watermark.
fn fraction_limit(message: &str) -> Option<i64> {
    let block = || phrase::size_behind(phrase::behind(message, "supplied memory fraction)")?, ": ");
    let limit =
        phrase::size_ahead(message, " allowed;").or_else(|| phrase::size_behind(message, "max allowed: "));
    limit.or_else(block).filter(|limit| *limit < NO_LIMIT)
}

/// Fills in the one of allocated, unallocated and reserved that the other two give.
fn complete_sums(event: &mut GpuOutOfMemory) {
    match (event.allocated_bytes, event.unallocated_bytes, event.reserved_bytes) {
        (Some(allocated), Some(unallocated), None) => {
            event.reserved_bytes = allocated.checked_add(unallocated);
        }
        (Some(allocated), None, Some(reserved)) if reserved >= allocated => {
            event.unallocated_bytes = Some(reserved - allocated);
        }
        _ => {}
    }
}

/// Reads `Process 1234 has 11.00 GiB memory in use.`, which stands once a process.
fn processes(message: &str, event: &mut GpuOutOfMemory) {
    let mut all: Vec<(i64, i64)> = Vec::new();
    let mut rest = message;
    while let Some(tail) = phrase::behind(rest, "Process ") {
        if let Ok((_, process)) = process(tail) {
            all.push(process);
        }
        rest = tail;
    }
    // In a container NVML counts processes in another namespace, so PyTorch takes itself for a stranger.
    let held = event.reserved_bytes.filter(|held| *held > 0 && event.process_bytes.is_none());
    let beside = |(_, bytes): &(i64, i64)| held.map(|held| bytes - held).filter(|rest| (0..=CONTEXT_BYTES).contains(rest));
    let own = (0..all.len()).filter_map(|at| Some((beside(all.get(at)?)?, at))).min();
    if let Some((_, own)) = own {
        let (pid, bytes) = all.remove(own);
        event.process_bytes = Some(bytes);
        event.pid = Some(pid);
    }
    if let Some((pid, _)) = all.iter().max_by_key(|(_, bytes)| *bytes) {
        event.other_pid = Some(*pid);
        event.other_bytes = Some(all.iter().fold(0, |sum: i64, (_, bytes)| sum.saturating_add(*bytes)));
    }
}

/// `1234 has 11.00 GiB memory in use`.
fn process(input: &str) -> IResult<&str, (i64, i64)> {
    map((prim::integer, tag(" has "), prim::size(true)), |(pid, _, bytes)| (pid, bytes)).parse(input)
}

/// A number of bytes from a number and a unit, where GB is 2^30.
pub(super) fn bytes(value: f64, unit: &str) -> Option<i64> {
    unit_bytes(unit, true).map(|factor| rounded(value * factor))
}
