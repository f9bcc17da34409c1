//! Memory budgets of inference engines (vLLM, `SGLang`) that do not fit what is free.
//!
//! The engines' ordinary reports of their budgets are not errors and are not read here.

use super::{Reading, phrase, pytorch};
use crate::{event::GpuOutOfMemory, parse::prim};
use nom::{IResult, Parser, bytes::complete::tag, character::complete::space0};

/// Reads a line.
pub(super) fn read(text: &str) -> Option<Reading> {
    startup(text).or_else(|| cache(text)).or_else(|| sglang(text))
}

/// `Free memory on device (3.22/4.0 GiB) on startup is less than desired GPU memory utilization (0.9, 3.6 GiB).`
/// vLLM 0.11 names the device: `Free memory on device cuda:0 (…)`.
fn startup(text: &str) -> Option<Reading> {
    let message = phrase::from(text, "Free memory on device")?;
    if !message.contains("is less than desired") {
        let cut = !message.contains("on startup is") && message.len() < 60;
        return cut.then_some(Reading::Cut("is less than desired GPU memory utilization"));
    }
    let pair = phrase::behind(message, "(").and_then(|inner| of(inner).ok());
    let (free_bytes, total_bytes) = pair.map_or((None, None), |(_, (free, total))| (free, total));
    let requested_bytes = phrase::behind(message, "utilization (")
        .and_then(|inner| phrase::size_behind(phrase::ahead(inner, ")").unwrap_or(inner), ", "));
    let gpu = phrase::integer_behind(message, "device cuda:").map(|number| number.to_string());
    let rest = GpuOutOfMemory { gpu, requested_bytes, total_bytes, free_bytes, ..Default::default() };
    Some(Reading::event("vllm", message, rest))
}

/// `3.22/4.0 GiB`: free and total in the same unit.
fn of(input: &str) -> IResult<&str, (Option<i64>, Option<i64>)> {
    let (rest, (free, _, total, _, unit)) =
        (prim::number, tag("/"), prim::number, space0, prim::word).parse(input)?;
    let unit = unit.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    Ok((rest, (pytorch::bytes(free, unit), pytorch::bytes(total, unit))))
}

/// vLLM finds no room for the cache of keys and values.
fn cache(text: &str) -> Option<Reading> {
    let message = phrase::from(text, "No available memory for the cache blocks").or_else(|| {
        phrase::from(text, "To serve at least one request").filter(|rest| rest.contains("is needed"))
    });
    let message = message.or_else(|| {
        // Figures in tokens: `The model's max seq len (131072) is larger than … can be stored in KV cache (50112).`
        phrase::from(text, "The model's max seq len").filter(|rest| rest.contains("stored in KV cache"))
    })?;
    let requested_bytes = phrase::size_ahead(message, " KV cache is needed");
    let free_bytes = phrase::size_behind(message, "available KV cache memory (");
    Some(Reading::event(
        "vllm",
        message,
        GpuOutOfMemory { requested_bytes, free_bytes, ..Default::default() },
    ))
}

/// `RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.`
fn sglang(text: &str) -> Option<Reading> {
    let message =
        phrase::from(text, "Not enough memory").filter(|rest| rest.contains("mem-fraction-static"))?;
    Some(Reading::event("sglang", message, GpuOutOfMemory::default()))
}
