//! Tensors on different devices that met in one operation, in `PyTorch`'s wordings since 0.4.
//!
//! It reads only messages that name devices; a mere difference of number types is no business of it.

use super::{Reading, phrase};
use crate::event::GpuMixedDevices;

/// Reads a line.
pub(super) fn read(text: &str) -> Option<Reading> {
    same_device(text)
        .or_else(|| input_and_weight(text))
        .or_else(|| expected_object(text))
        .or_else(|| indices(text))
}

/// The event.
fn event(message: &str, devices: (Option<&str>, Option<&str>), operation: Option<String>) -> Reading {
    let own = |device: Option<&str>| device.map(str::to_owned);
    Reading::Event(
        GpuMixedDevices {
            device: own(devices.0),
            other_device: own(devices.1),
            operation,
            message: Some(phrase::excerpt(message)),
        }
        .into(),
    )
}

/// The name of a device at the beginning of a text: `cuda:0`, `cpu`, `mps:0`.
fn device(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != ':').unwrap_or(text.len());
    text.get(..end).map(|name| name.trim_end_matches(':')).filter(|name| !name.is_empty())
}

/// What stands between some words and the next closing bracket or full stop.
fn clause(message: &str, words: &str) -> Option<String> {
    let rest = phrase::behind(message, words)?;
    rest.split([')', '.']).next().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// `Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! (when checking …)`
/// and, since 2.8, `…, but got mat1 is on cpu, different from other tensors on cuda:0 (when checking …)`.
fn same_device(text: &str) -> Option<Reading> {
    let words = [
        "xpected all tensors to be on the same device",
        "nput, output and indices must be on the current device",
    ];
    let start = words.iter().find_map(|words| text.find(words))?;
    let message = text.get(start.saturating_sub(1)..)?;
    let operation =
        clause(message, "when checking argument for ").or_else(|| clause(message, "(when checking "));
    let pair = phrase::behind(message, "two devices, ")
        .map(|rest| (device(rest), phrase::behind(rest, " and ").and_then(device)))
        .or_else(|| {
            let one = phrase::behind(message, " is on ").and_then(device);
            Some((one, phrase::behind(message, "other tensors on ").and_then(device)))
        });
    let pair = pair.unwrap_or_default();
    if pair == (None, None) && !message.contains("but ") && words.iter().any(|words| message.ends_with(words))
    {
        return Some(Reading::Cut("the devices"));
    }
    Some(event(message, pair, operation))
}

/// `Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same`.
fn input_and_weight(text: &str) -> Option<Reading> {
    let message = phrase::from(text, "nput type (").filter(|rest| rest.contains("should be the same"))?;
    let (input, rest) = phrase::behind(message, "nput type (")?.split_once(')')?;
    let (weight, _) = phrase::behind(rest, " type (")?.split_once(')')?;
    let devices = (tensor_device(input), tensor_device(weight));
    if devices.0 == devices.1 {
        return None;
    }
    let message = text.find(message).and_then(|at| text.get(at.saturating_sub(1)..)).unwrap_or(message);
    Some(event(message, (Some(devices.0), Some(devices.1)), Some("input and weight".to_owned())))
}

/// The device in a tensor type: `torch.cuda.FloatTensor`, `CUDAFloatType`, `torch.FloatTensor`.
fn tensor_device(name: &str) -> &'static str {
    let name = name.to_ascii_lowercase();
    let devices = ["cuda", "mps", "xpu", "hip"];
    devices.into_iter().find(|device| name.contains(device)).unwrap_or("cpu")
}

/// `Expected object of device type cuda but got device type cpu for argument #1 'self' in call to _th_index_select`,
/// before 1.5 `Expected object of backend CUDA but got backend CPU for argument …`, before that `of type torch.cuda.…
/// but found type torch.…`.
fn expected_object(text: &str) -> Option<Reading> {
    let message = phrase::from(text, "Expected object of ")?;
    let rest = phrase::behind(message, "Expected object of ")?;
    let (wanted, got) = rest.split_once(" but ")?;
    let devices = (tensor_device(wanted), tensor_device(got.split(" for ").next().unwrap_or(got)));
    if devices.0 == devices.1 {
        return None;
    }
    let operation = phrase::behind(got, " for ").map(|text| phrase::excerpt(text.trim_end_matches('.')));
    Some(event(message, (Some(devices.0), Some(devices.1)), operation))
}

/// `indices should be either on cpu or on the same device as the indexed tensor (cpu)`.
fn indices(text: &str) -> Option<Reading> {
    let message =
        phrase::from(text, "indices should be ").filter(|rest| rest.contains("as the indexed tensor"))?;
    let at = phrase::behind(message, "indexed tensor (").and_then(device);
    Some(event(message, (at, None), Some("indexing".to_owned())))
}
