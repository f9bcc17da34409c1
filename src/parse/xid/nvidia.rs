//! NVIDIA's driver: Xid of every era, the switches' `SXid`, and its messages without a number.
//!
//! The format is that of the open driver 595 (`kernel_rc.c`); older ones leave out the name, the process or `PCI:`.
//! It does not say what a number means.

use super::{Reading, phrase};
use crate::{
    event::{GpuError, GpuXid},
    parse::{linux, prim},
};
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag, take_until, take_while1},
    character::complete::{char, space0},
    combinator::{map, opt, rest},
    sequence::{delimited, preceded},
};

/// Reads a line.
pub(super) fn read(text: &str) -> Option<Reading> {
    if let Some(switch) = phrase::behind(text, "SXid (") {
        return Some(sxid(switch));
    }
    if let Some(report) = phrase::behind(text, "Xid (") {
        return Some(xid(report));
    }
    lost(text)
}

/// `PCI:0000:4f:00): 94, pid=39771, name=python3, Contained: CE User Channel (0x9). RST: No, D-RST: No`.
fn xid(report: &str) -> Reading {
    let Ok((tail, (bus, code))) = head(report) else { return Reading::Cut("an Xid number") };
    let mut parts = (opt(pid), opt(name), opt(tag(",")), space0, rest);
    let Ok((_, (pid, name, _, _, message))) = parts.parse(tail) else { return Reading::Cut("a message") };
    Reading::Event(
        GpuXid {
            code: Some(code),
            bus: Some(bus.to_owned()),
            pid: pid.flatten(),
            process: name.map(str::to_owned),
            message: some_text(message),
            family: Some("xid".to_owned()),
            victim: name.and_then(blamed).map(str::to_owned),
        }
        .into(),
    )
}

/// The switches' groups of lines: only the first carries the severity, the others repeat the number.
fn sxid(report: &str) -> Reading {
    let Ok((tail, (bus, code))) = head(report) else { return Reading::Cut("an SXid number") };
    let message = tail.trim_start_matches([',', ' ']);
    if ["Severity ", "Data {"].iter().any(|start| message.starts_with(start)) {
        return Reading::Companion;
    }
    Reading::Event(
        GpuXid {
            code: Some(code),
            bus: Some(bus.to_owned()),
            message: some_text(message),
            family: Some("sxid".to_owned()),
            ..GpuXid::default()
        }
        .into(),
    )
}

/// `PCI:0000:9b:00 GPU-I:03): 43`: the address with the parts of a divided GPU, and the number.
fn head(input: &str) -> IResult<&str, (&str, i64)> {
    let address = preceded(opt(tag("PCI:")), take_until(")"));
    map((address, tag("): "), prim::integer), |(bus, _, code)| (bus, code)).parse(input)
}

/// `, pid=39771` or `, pid='<unknown>'`.
fn pid(input: &str) -> IResult<&str, Option<i64>> {
    let number = map(prim::integer, Some);
    let unknown = map(tag("<unknown>"), |_| None);
    preceded(
        (tag(","), space0, tag("pid=")),
        delimited(opt(char('\'')), alt((number, unknown)), opt(char('\''))),
    )
    .parse(input)
}

/// `, name=ray::WorkerDict`; Linux cuts names at 15 bytes, and none was ever seen with a comma.
fn name(input: &str) -> IResult<&str, &str> {
    preceded((tag(","), space0, tag("name=")), take_while1(|c: char| c != ',')).parse(input)
}

/// What a blamed process is. Workers of training and inference engines rename themselves; they are a notebook's
/// children more often than not. `<unknown>` is nobody.
fn blamed(name: &str) -> Option<&'static str> {
    let workers = ["ray::", "VLLM", "sglang", "accelerate", "torchrun", "deepspeed"];
    match name.trim() {
        unknown if unknown.is_empty() || unknown.contains("unknown") => None,
        worker if workers.iter().any(|start| worker.starts_with(start)) => Some("kernel"),
        name => Some(linux::victim(name)),
    }
}

/// A text that is not empty.
fn some_text(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Messages without a number.
fn lost(text: &str) -> Option<Reading> {
    let fallen = text.contains("NVRM") && text.contains("fallen off the bus");
    let shapes = [
        (fallen, "gpu-fell-off-bus"),
        (text.contains("NVRM: API mismatch"), "driver-library-mismatch"),
        (text.contains("RmInitAdapter failed"), "gpu-initialization-failed"),
        (text.contains("GPU is probably locked"), "gpu-locked"),
    ];
    if let Some((_, name)) = shapes.iter().find(|(fits, _)| *fits) {
        let message = phrase::from(text, "NVRM: ").unwrap_or(text);
        let (api, name) = ("nvidia-driver".to_owned(), (*name).to_owned());
        let message = Some(phrase::excerpt(message));
        return Some(Reading::Event(
            GpuError { api: Some(api), name: Some(name), message, ..GpuError::default() }.into(),
        ));
    }
    // `NVRM: GPU at PCI:…: GPU-<uuid>` only introduces the card.
    text.contains("NVRM: GPU at PCI").then_some(Reading::Companion)
}
