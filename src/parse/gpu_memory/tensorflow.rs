//! TensorFlow's and JAX's allocator messages.
//!
//! `cpu` allocators are host memory and no business of this parser; a trial that may fail is not trouble.

use super::{Reading, phrase};
use crate::event::GpuOutOfMemory;

/// Reads a line.
pub(super) fn read(text: &str) -> Option<Reading> {
    tensor(text).or_else(|| copy(text)).or_else(|| allocator(text)).or_else(|| driver(text)).or_else(|| xla(text))
}

/// `OOM when allocating tensor with shape[500,512,4,4] and type float on …/device:GPU:0 by allocator GPU_0_bfc`.
fn tensor(text: &str) -> Option<Reading> {
    let message = phrase::from(text, "OOM when allocating tensor")?;
    let message = phrase::ahead(message, " [Op:").unwrap_or(message);
    if phrase::behind(message, "by allocator ").is_some_and(is_host_allocator) {
        return None;
    }
    let gpu = phrase::integer_behind(message, "device:GPU:").map(|number| number.to_string());
    Some(Reading::event(
        "tensorflow",
        message,
        GpuOutOfMemory { gpu, requested_bytes: shape(message), ..Default::default() },
    ))
}

/// `Failed copying input tensor from …/device:CPU:0 to …/device:GPU:0 in order to run _EagerConst: Dst tensor is not
/// initialized.` is how TensorFlow puts that the copy found no room on the GPU.
fn copy(text: &str) -> Option<Reading> {
    let message = phrase::from(text, "Dst tensor is not initialized")?;
    let gpu = phrase::integer_behind(text, "device:GPU:").map(|number| number.to_string());
    Some(Reading::event("tensorflow", message, GpuOutOfMemory { gpu, ..Default::default() }))
}

/// The bytes of a tensor by its shape and type.
fn shape(message: &str) -> Option<i64> {
    let (dimensions, rest) =
        phrase::behind(message, "shape")?.trim_start().strip_prefix('[')?.split_once(']')?;
    let width = match phrase::behind(rest, "type ")?.split(' ').next()? {
        "double" | "int64" | "uint64" | "complex64" => 8,
        "float" | "int32" | "uint32" => 4,
        "half" | "bfloat16" | "int16" | "uint16" => 2,
        "bool" | "int8" | "uint8" => 1,
        _ => return None,
    };
    dimensions.split(',').try_fold(width, |bytes: i64, number| bytes.checked_mul(number.trim().parse().ok()?))
}

/// Whether an allocator hands out host memory.
fn is_host_allocator(name: &str) -> bool {
    ["cpu", "mklcpu", "gpu_host", "cuda_host"].iter().any(|host| name.starts_with(host))
}

/// `Allocator (GPU_0_bfc) ran out of memory trying to allocate 43.75MiB (rounded to 45875200)`.
fn allocator(text: &str) -> Option<Reading> {
    let message = phrase::from(text, "Allocator (")?;
    let name = phrase::behind(message, "Allocator (")?;
    let requested = phrase::behind(message, "ran out of memory trying to allocate")?;
    if message.contains("this is not a failure") {
        return Some(Reading::Harmless);
    }
    if is_host_allocator(name) {
        return None;
    }
    if requested.trim().is_empty() {
        return Some(Reading::Cut("a size"));
    }
    let gpu = phrase::integer_behind(name, "GPU_").map(|number| number.to_string());
    let requested_bytes = phrase::integer_behind(message, "(rounded to ")
        .or_else(|| phrase::size_behind(message, "trying to allocate "));
    let framework = if text.contains("xla") { "jax" } else { "tensorflow" };
    Some(Reading::event(framework, message, GpuOutOfMemory { gpu, requested_bytes, ..Default::default() }))
}

/// `failed to allocate 5.96G (6404864512 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory`.
fn driver(text: &str) -> Option<Reading> {
    let message = phrase::from(text, "failed to allocate ")?;
    if !message.contains("from device: CUDA_ERROR_OUT_OF_MEMORY") {
        return None;
    }
    let exact = phrase::ahead(message, " bytes)").and_then(|head| phrase::integer_behind(head, "("));
    let requested_bytes = exact.or_else(|| phrase::size_behind(message, "failed to allocate "));
    Some(Reading::event("tensorflow", message, GpuOutOfMemory { requested_bytes, ..Default::default() }))
}

/// `RESOURCE_EXHAUSTED: Out of memory while trying to allocate 33762398024 bytes.`
fn xla(text: &str) -> Option<Reading> {
    let message = phrase::from(text, "Out of memory while trying to allocate")?;
    let requested_bytes = phrase::size_behind(message, "trying to allocate ");
    let framework = if text.contains("tensorflow") { "tensorflow" } else { "jax" };
    Some(Reading::event(framework, message, GpuOutOfMemory { requested_bytes, ..Default::default() }))
}
