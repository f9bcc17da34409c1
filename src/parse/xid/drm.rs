//! Faults, hangs and resets that `amdgpu`, `i915`, `xe` and `nouveau` report.
//!
//! The report's further lines (registers, addresses) add nothing and are not read.

use super::{Reading, phrase};
use crate::{event::GpuDriverFault, parse::prim};
use nom::{
    IResult, Parser,
    bytes::complete::{tag, take_until, take_while_m_n},
    character::complete::char,
    combinator::recognize,
};

/// Words of a message and what they mean, the most telling first.
const SHAPES: [(&str, &str); 11] = [
    ("VRAM is lost", "vram-lost"),
    ("page fault (src_id", "page-fault"),
    ("GPU fault detected", "page-fault"),
    ("fifo: fault", "page-fault"),
    ("GPU HANG", "hang"),
    (" timeout, signaled seq", "hang"),
    (" timeout, but soft recovered", "hang"),
    ("SCHED_ERROR", "hang"),
    ("MES failed to respond", "hang"),
    ("MES might be in unrecoverable", "hang"),
    ("GPU reset", "reset"),
];

/// Reads a line.
pub(super) fn read(text: &str) -> Option<Reading> {
    let (_, what) = SHAPES.iter().find(|(words, _)| text.contains(words))?;
    let driver = driver(text)?;
    if *what == "reset" && !is_reset(text) {
        return Some(Reading::Companion);
    }
    let process = process(text);
    let event = GpuDriverFault {
        driver: Some(driver.to_owned()),
        what: Some((*what).to_owned()),
        bus: bus(text).map(str::to_owned),
        pid: process.map(|(_, pid)| pid),
        process: process.map(|(name, _)| name.to_owned()),
        message: Some(phrase::excerpt(text)),
    };
    Some(Reading::Event(event.into()))
}

/// Whether a reset began or ended; `GPU reset` is also a feature the driver names while it starts.
fn is_reset(text: &str) -> bool {
    ["begin", "succe", "failed", "end with"].iter().any(|word| text.contains(word))
}

/// The driver that speaks; `[drm]` alone with `VRAM` is amdgpu, `GPU HANG` without a name is i915.
fn driver(text: &str) -> Option<&'static str> {
    let named =
        ["amdgpu", "i915", "nouveau", "xe 0000", "radeon"].into_iter().find(|name| text.contains(name));
    let unnamed = || match () {
        () if text.contains("GPU HANG") => Some("i915"),
        () if text.contains("[drm") || text.contains("VRAM is lost") => Some("amdgpu"),
        () => None,
    };
    named.or_else(unnamed).map(|name| name.split(' ').next().unwrap_or(name))
}

/// The PCI address, `0000:63:00.0`.
fn bus(text: &str) -> Option<&str> {
    text.split([' ', ',', ']', '[']).find_map(|word| match address(word) {
        Ok((_, address)) => Some(address),
        Err(_) => None,
    })
}

/// A PCI address at the beginning of a word.
fn address(input: &str) -> IResult<&str, &str> {
    let hex = |count| take_while_m_n(count, count, |c: char| c.is_ascii_hexdigit());
    recognize((hex(4), char(':'), hex(2), char(':'), hex(2), char('.'), hex(1))).parse(input)
}

/// `for process python3 pid 5121 thread …`, or i915's `in python3 [4711]`.
fn process(text: &str) -> Option<(&str, i64)> {
    let amd = || named_process(phrase::behind(text, "process ")?).ok();
    let intel = || bracketed_process(phrase::behind(phrase::from(text, "GPU HANG")?, ", in ")?).ok();
    amd().or_else(intel).map(|(_, process)| process).filter(|(name, pid)| !name.is_empty() && *pid > 0)
}

/// `python3 pid 5121`.
fn named_process(input: &str) -> IResult<&str, (&str, i64)> {
    let (rest, (name, _, pid)) = (take_until(" pid "), tag(" pid "), prim::integer).parse(input)?;
    Ok((rest, (name.trim(), pid)))
}

/// `python3 [4711]`.
fn bracketed_process(input: &str) -> IResult<&str, (&str, i64)> {
    let (rest, (name, _, pid)) = (take_until(" ["), tag(" ["), prim::integer).parse(input)?;
    Ok((rest, (name, pid)))
}
