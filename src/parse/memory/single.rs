//! Tools that print one figure a line, each in its own shape: mprof, `/usr/bin/time -v`, tracemalloc, `%memit`,
//! jupyter-resource-usage's answer.
//!
//! What a line of program text costs (`memory_profiler`'s table, tracemalloc's snapshot) is not read: it is no level.

use super::{
    Reading,
    phrase,
    sample::Sample,
};
use crate::{
    parse::prim::{self, rounded},
    stamp::{ClockKind, SECOND, Stamp},
};
use nom::{IResult, Parser, character::complete::space1, combinator::eof};

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "MEM ",
    "CHLD ",
    "Maximum resident set size",
    "VmRSS",
    "urrent: ",
    "urrent memory usage is ",
    "peak memory: ",
    "\"limits\"",
];

/// One MiB.
const MIB: f64 = 1_048_576.0;

/// Reads a line.
pub(super) fn read(text: &str) -> Option<Vec<Reading>> {
    let sample = mprof(text)
        .or_else(|| time(text))
        .or_else(|| status(text))
        .or_else(|| tracemalloc(text))
        .or_else(|| memit(text))
        .or_else(|| resource_usage(text))?;
    Some(vec![Reading::Sample(sample)])
}

/// `MEM 17.699219 1796052721.2683`, `CHLD 1 12.3 1796052721.30`: MiB and seconds since the epoch.
fn mprof(text: &str) -> Option<Sample> {
    let (text, child) = match text.strip_prefix("CHLD ") {
        Some(rest) => (rest, true),
        None => (text.strip_prefix("MEM ")?, false),
    };
    let (rest, number) = if child { numbered(text).ok()? } else { (text, 0) };
    let (_, (used, seconds)) = pair(rest).ok()?;
    let sample = Sample::bytes("process", rounded(used * MIB), MIB / 100.0);
    let label = child.then(|| format!("child {number}"));
    let stamp = Some(Stamp::new(ClockKind::Zoned, rounded(seconds * micros())));
    Some(Sample { label, stamp, ..sample })
}

/// `1 `.
fn numbered(input: &str) -> IResult<&str, i64> {
    let (rest, (number, _)) = (prim::integer, space1).parse(input)?;
    Ok((rest, number))
}

/// `12.3 1796052721.30` and nothing else.
fn pair(input: &str) -> IResult<&str, (f64, f64)> {
    let (rest, (used, _, seconds)) = (prim::number, space1, prim::number).parse(input)?;
    let (rest, _) = eof(rest.trim_end())?;
    Ok((rest, (used, seconds)))
}

/// Microseconds in a second.
#[expect(clippy::cast_precision_loss, reason = "a million")]
fn micros() -> f64 {
    SECOND as f64
}

/// `Maximum resident set size (kbytes): 59796`: of the largest single process, in KiB.
fn time(text: &str) -> Option<Sample> {
    let kibibytes = phrase::integer_behind(text, "Maximum resident set size (kbytes): ")?;
    let label = Some("maximum resident set size".to_owned());
    Some(Sample { label, ..Sample::bytes("process", kibibytes.checked_mul(1024)?, 1024.0) })
}

/// `VmRSS:    7900000 kB` of `/proc/PID/status`.
fn status(text: &str) -> Option<Sample> {
    let bytes = phrase::size_behind(text.strip_prefix("VmRSS")?, ":").filter(|_| text.ends_with(" kB"))?;
    Some(Sample::bytes("process", bytes, 1024.0))
}

/// `Current memory usage is 10.5MB; Peak was 20.1MB` or `Current: 10.5 MB; Peak: 20.1 MB`, as every tutorial on tracemalloc prints it. Python's heap only:
/// tensors and arrays of other allocators are not in it.
fn tracemalloc(text: &str) -> Option<Sample> {
    let said = || phrase::size_behind(text, "urrent: ").filter(|_| text.contains("Peak: ") || text.contains("peak: "));
    let bytes = phrase::size_behind(text, "urrent memory usage is ").or_else(said)?;
    Some(Sample { label: Some("Python's heap".to_owned()), ..Sample::bytes("process", bytes, MIB / 10.0) })
}

/// `peak memory: 105.36 MiB, increment: 48.20 MiB`.
fn memit(text: &str) -> Option<Sample> {
    let bytes = phrase::size_behind(text, "peak memory: ").filter(|_| text.contains("increment: "))?;
    Some(Sample { label: Some("peak memory".to_owned()), ..Sample::bytes("process", bytes, MIB / 100.0) })
}

/// `{"rss": 812345344, "limits": {"memory": {"rss": 2147483648, "warn": false}}}`: all kernels of a server together;
/// the limit is a configured number that nobody enforces.
fn resource_usage(text: &str) -> Option<Sample> {
    let (used, limits) = text.split_once("\"limits\"")?;
    let bytes = rss(used)?;
    let total_bytes = rss(limits);
    Some(Sample { total_bytes, label: Some("server and kernels".to_owned()), ..Sample::bytes("process", bytes, 4096.0) })
}

/// The number behind the first `"rss"`.
fn rss(text: &str) -> Option<i64> {
    let value = phrase::behind(text, "\"rss\"")?.trim_start().strip_prefix(':')?;
    prim::integer(value.trim_start()).ok().map(|(_, number)| number)
}
