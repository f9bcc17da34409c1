//! Errors of CUDA and HIP calls, by name, by number or by text, from whatever framework prints them.
//!
//! `PyTorch`'s block has up to five lines; the first one tells all, the others give advice. A full memory is left to
//! `gpu_memory`.

use super::{
    Reading,
    codes::{Code, modern, name_of, named, numbered, texted},
    error, phrase,
};
use crate::parse::prim;
use nom::{IResult, Parser, bytes::complete::tag};

/// The number of a full memory.
const OUT_OF_MEMORY: i64 = 2;
/// The longest name of an error that is looked at, in bytes.
const LONGEST_NAME: usize = 80;
/// Words behind which a runtime text stands.
const INTRODUCTIONS: [&str; 5] =
    ["CUDA error: ", "CUDA driver error: ", "HIP error: ", "CUDA Error: ", "CUDA runtime error: "];
/// Texts that are telling enough to be believed without an introduction.
const TELLING: [&str; 9] = [
    "device-side assert triggered",
    "an illegal memory access was encountered",
    "unspecified launch failure",
    "the launch timed out and was terminated",
    "no kernel image is available for execution on the device",
    "no CUDA-capable device is detected",
    "CUDA driver version is insufficient for CUDA runtime version",
    "CUDA-capable device(s) is/are busy or unavailable",
    "all CUDA-capable devices are busy or unavailable",
];

/// Reads a line.
pub(super) fn read(text: &str) -> Option<Reading> {
    // The block's second line only names the error again.
    if text.contains("Search for `") || text.contains("kernel errors might be asynchronously") {
        return Some(Reading::Noise);
    }
    by_name(text).or_else(|| by_old_number(text)).or_else(|| by_number(text)).or_else(|| by_text(text))
}

/// The event of a known code; nothing for a full memory and for calls that succeeded or only wait.
fn event(text: &str, code: &Code, message: &str) -> Reading {
    if code.number == OUT_OF_MEMORY {
        return Reading::Noise;
    }
    let hip = text.contains("HIP error") || text.contains("hipError");
    let name = if hip { name_of(code).replacen("cudaError", "hipError", 1) } else { name_of(code).to_owned() };
    error(text, if hip { "hip" } else { "cuda" }, &name, Some(code.number), message)
}

/// `cudaErrorIllegalAddress`, `CUDA_ERROR_LAUNCH_TIMEOUT`, `hipErrorNoBinaryForGpu`.
fn by_name(text: &str) -> Option<Reading> {
    let (start, name) =
        ["cudaError", "CUDA_ERROR_", "hipError"].iter().find_map(|prefix| name(text, prefix))?;
    let code = named(name).or_else(|| named(&name.replacen("hipError", "cudaError", 1)));
    let message = sentence(text, start);
    match code {
        Some(code) => Some(event(text, code, message)),
        None if name == "hipErrorOutOfMemory" => Some(Reading::Noise),
        None if name.starts_with("hipError") => Some(error(text, "hip", name, None, message)),
        None if name.ends_with('_') && name.len() == text.len().saturating_sub(start) => {
            Some(Reading::Cut("an error name"))
        }
        None => Some(error(text, "cuda", name, None, message)),
    }
}

/// The first whole name with a prefix, and where it begins. `cudaError_t` and `cudaError` alone are types.
fn name<'a>(text: &'a str, prefix: &str) -> Option<(usize, &'a str)> {
    text.match_indices(prefix).find_map(|(start, _)| {
        let rest = text.get(start..)?;
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let end = rest.bytes().take(LONGEST_NAME).take_while(is_word).count();
        let name = rest.get(..end)?;
        let kind = name.get(prefix.len()..)?;
        let is_name = prefix.ends_with('_') || kind.starts_with(|c: char| c.is_ascii_uppercase());
        let before = text.get(..start)?.chars().next_back();
        (is_name && !before.is_some_and(|c| c.is_alphanumeric() && c != 'b' || c == '_'))
            .then_some((start, name))
    })
}

/// The sentence that a name stands in: from the last introduction before it, else from the name on.
fn sentence(text: &str, start: usize) -> &str {
    let head = text.get(..start).unwrap_or_default();
    let words = ["CUDA error", "CUDA ERROR", "] ", "failed ", "["];
    let begin = words.iter().filter_map(|words| head.find(words)).min().unwrap_or(start);
    text.get(begin..).map_or(text, |sentence| sentence.trim_start_matches("] "))
}

/// `PyTorch` 1.4 and older: `cuda runtime error (59) : device-side assert triggered at …`.
fn by_old_number(text: &str) -> Option<Reading> {
    let rest = phrase::behind(text, "cuda runtime error (")?;
    let message = phrase::from(text, "cuda runtime error (")?;
    let (_, number) = bracketed(rest).ok()?;
    let told = phrase::behind(rest, ") : ").and_then(texted);
    match told.or_else(|| numbered(modern(number))) {
        Some(code) => Some(event(text, code, message)),
        None => Some(error(text, "cuda", "", Some(number), message)),
    }
}

/// `59) : `.
fn bracketed(input: &str) -> IResult<&str, i64> {
    let (rest, (number, _)) = (prim::integer, tag(")")).parse(input)?;
    Ok((rest, number))
}

/// `[700] Call to cuMemcpyDtoH results in UNKNOWN_CUDA_ERROR`, `CUDA failure 700: …`, `Cuda failure 217 '…'`,
/// `cudaGetDeviceCount() … Error 804: …`.
fn by_number(text: &str) -> Option<Reading> {
    let call = text.contains("] Call to cu").then(|| phrase::from(text, "[")).flatten();
    let counted = text.contains("cudaGetDeviceCount").then(|| phrase::from(text, "Error ")).flatten();
    let failure = phrase::from(text, "CUDA failure ").or_else(|| phrase::from(text, "Cuda failure "));
    let message = call.or(counted).or(failure)?;
    let digits = message.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == ' ' || c == '[');
    let (_, number) = prim::integer(digits).ok()?;
    match numbered(number) {
        Some(code) => Some(event(text, code, message)),
        None => Some(error(text, "cuda", "", Some(number), message)),
    }
}

/// A runtime text behind an introduction, or one that is telling by itself.
fn by_text(text: &str) -> Option<Reading> {
    if let Some(words) = INTRODUCTIONS.iter().find(|words| text.contains(**words)) {
        let told = phrase::behind(text, words)?.trim_start();
        let message = phrase::from(text, words)?;
        return match texted(told) {
            Some(code) => Some(event(text, code, message)),
            None if told.is_empty() => Some(Reading::Cut("the error's text")),
            None if told.starts_with("out of memory") => Some(Reading::Noise),
            None => {
                Some(error(text, if words.starts_with("HIP") { "hip" } else { "cuda" }, "", None, message))
            }
        };
    }
    if let Some(rest) = phrase::behind(text, "CUDA error (") {
        let code = phrase::behind(rest, "): ").and_then(texted)?;
        return Some(event(text, code, phrase::from(text, "CUDA error (")?));
    }
    if let Some(reading) = by_place(text) {
        return Some(reading);
    }
    let message = TELLING.iter().find_map(|words| phrase::from(text, words))?;
    Some(event(text, texted(message)?, message))
}

/// Any text in front of its place in the source, as bitsandbytes prints it before it calls `exit(1)`: `Error named
/// symbol not found at line 449 in file …/csrc/ops.cu`.
fn by_place(text: &str) -> Option<Reading> {
    let told = text.trim_start().strip_prefix("Error ")?;
    let (words, place) = told.split_once(" at line ")?;
    place.contains(" in file ").then(|| texted(words))?.map(|code| event(text, code, told))
}
