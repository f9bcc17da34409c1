//! Out-of-memory messages of `CuPy`, Numba, RAPIDS, ONNX Runtime, ggml, Metal and bare CUDA calls.
//!
//! It does not read other CUDA errors; `gpu_error` leaves these to it.

use super::{Reading, phrase};
use crate::event::GpuOutOfMemory;

/// Reads a line.
pub(super) fn read(text: &str) -> Option<Reading> {
    cupy(text)
        .or_else(|| paddle(text))
        .or_else(|| rmm(text))
        .or_else(|| onnx(text))
        .or_else(|| ggml(text))
        .or_else(|| julia(text))
        .or_else(|| mxnet(text))
        .or_else(|| metal(text))
        .or_else(|| worded(text))
        .or_else(|| bare(text))
}

/// `Out of memory allocating 1,234 bytes (allocated so far: 5,678 bytes, limit set to: 9,999 bytes).`
fn cupy(text: &str) -> Option<Reading> {
    let message = phrase::from(text, "Out of memory allocating")?;
    if message.len() < "Out of memory allocating 1".len() {
        return Some(Reading::Cut("a size"));
    }
    let rest = GpuOutOfMemory {
        requested_bytes: phrase::integer_behind(message, "Out of memory allocating "),
        allocated_bytes: phrase::integer_behind(message, "allocated so far: "),
        fraction_limit_bytes: phrase::integer_behind(message, "limit set to: "),
        ..Default::default()
    };
    Some(Reading::event("cupy", message, rest))
}

/// Paddle: `Out of memory error on GPU 0. Cannot allocate 2.25GB memory on GPU 0, 7.78GB memory has been allocated and
/// available memory is only 211.43MB.`
fn paddle(text: &str) -> Option<Reading> {
    let message = phrase::from(text, "Out of memory error on GPU ")?;
    let rest = GpuOutOfMemory {
        gpu: phrase::integer_behind(message, "error on GPU ").map(|number| number.to_string()),
        requested_bytes: phrase::size_behind(message, "Cannot allocate "),
        allocated_bytes: phrase::size_ahead(message, " memory has been allocated"),
        free_bytes: phrase::size_behind(message, "available memory is only "),
        ..Default::default()
    };
    Some(Reading::event("paddle", message, rest))
}

/// RAPIDS: `std::bad_alloc: out_of_memory: CUDA error (failed to allocate 8589934592 bytes) at: …`.
fn rmm(text: &str) -> Option<Reading> {
    let message = phrase::from(text, "std::bad_alloc: ")?;
    if !["cudaErrorMemoryAllocation", "RMM failure"].iter().any(|words| message.contains(words)) {
        return None;
    }
    let requested_bytes = phrase::size_behind(message, "failed to allocate ");
    Some(Reading::event("rmm", message, GpuOutOfMemory { requested_bytes, ..Default::default() }))
}

/// ONNX Runtime: `CUDA failure 2: out of memory ; GPU=0 ; …`, or an arena that says it is CUDA's.
fn onnx(text: &str) -> Option<Reading> {
    let message = phrase::from(text, "CUDA failure 2: out of memory").or_else(|| {
        let message = phrase::from(text, "Failed to allocate memory for requested buffer")?;
        ["cuda", "CUDA", "Cuda"].iter().any(|word| text.contains(word)).then_some(message)
    })?;
    let gpu = phrase::integer_behind(message, "GPU=").map(|number| number.to_string());
    let requested_bytes = phrase::integer_behind(message, "buffer of size ");
    Some(Reading::event(
        "onnxruntime",
        message,
        GpuOutOfMemory { gpu, requested_bytes, ..Default::default() },
    ))
}

/// llama.cpp: `allocating 4096.00 MiB on device 0: cudaMalloc failed: out of memory`.
fn ggml(text: &str) -> Option<Reading> {
    text.find("cudaMalloc failed: out of memory")?;
    let message = phrase::from(text, "allocating ").unwrap_or(text);
    let gpu = phrase::integer_behind(message, "on device ").map(|number| number.to_string());
    let requested_bytes = phrase::size_behind(message, "allocating ");
    Some(Reading::event("ggml", message, GpuOutOfMemory { gpu, requested_bytes, ..Default::default() }))
}

/// CUDA.jl: `Out of GPU memory trying to allocate 1.250 GiB`; the figures of the card stand in the next lines.
fn julia(text: &str) -> Option<Reading> {
    let message = phrase::from(text, "Out of GPU memory trying to allocate")?;
    let requested_bytes = phrase::size_behind(message, "to allocate ");
    Some(Reading::event("julia", message, GpuOutOfMemory { requested_bytes, ..Default::default() }))
}

/// `MXNet`: `cudaMalloc retry failed: out of memory`.
fn mxnet(text: &str) -> Option<Reading> {
    let message = phrase::from(text, "cudaMalloc retry failed: out of memory")?;
    Some(Reading::event("mxnet", message, GpuOutOfMemory::default()))
}

/// Metal: `Invalid buffer size: 24.00 GiB`.
fn metal(text: &str) -> Option<Reading> {
    let message = phrase::from(text, "Invalid buffer size: ")?;
    let requested_bytes = Some(phrase::size_behind(message, "size: ")?);
    Some(Reading::event("mps", message, GpuOutOfMemory { requested_bytes, ..Default::default() }))
}

/// Short messages, each of one program: bitsandbytes' `Error out of memory at line 380 in file /src/csrc/ops.cu` (it
/// exits with status 1 after it), `OpenCL`, Habana, and accelerate's last words when no batch is small enough.
fn worded(text: &str) -> Option<Reading> {
    let shapes = [
        ("Error out of memory at line ", "bitsandbytes"),
        ("MEM_OBJECT_ALLOCATION_FAILURE", "opencl"),
        ("MODULE:PT_DEVMEM Allocation failed", "habana"),
        ("No executable batch size found", "accelerate"),
    ];
    let (message, framework) =
        shapes.iter().find_map(|(words, name)| phrase::from(text, words).map(|message| (message, *name)))?;
    let requested_bytes = phrase::integer_behind(message, "failed for size::");
    Some(Reading::event(framework, message, GpuOutOfMemory { requested_bytes, ..Default::default() }))
}

/// A CUDA or HIP call that failed for want of memory, whoever made it: outside `PyTorch`'s caching allocator no figures
/// are printed (a context, a workspace, pinned host memory).
fn bare(text: &str) -> Option<Reading> {
    // The second line of PyTorch's block only names the error again: Search for `cudaErrorMemoryAllocation' in …
    if text.contains("Search for `") || text.contains("on host: CUDA_ERROR_OUT_OF_MEMORY") {
        return None;
    }
    let shapes = [
        "CUDA error: out of memory",
        "CUDA driver error: out of memory",
        "HIP error: out of memory",
        "cuda runtime error (2) : out of memory",
        "Cuda failure 2 'out of memory'",
        "Cuda failure 'out of memory'",
        "cudaErrorMemoryAllocation",
        "hipErrorOutOfMemory",
        "CUDA_ERROR_OUT_OF_MEMORY",
        // torch.cuda's own wrapper of the runtime.
        "CudaError: out of memory (2)",
    ];
    let message = shapes.iter().find_map(|shape| phrase::from(text, shape)).or_else(|| checked(text))?;
    Some(Reading::event(framework(text), message, GpuOutOfMemory::default()))
}

/// flash-attention: `CUDA error (/…/hardware_info.h:19): out of memory`.
fn checked(text: &str) -> Option<&str> {
    phrase::from(text, "CUDA error (").filter(|message| message.contains("): out of memory"))
}

/// The framework that made a call, by the words around it.
fn framework(text: &str) -> &'static str {
    let known = [
        ("cupy", "cupy"),
        ("Call to cu", "numba"),
        ("numba", "numba"),
        ("tensorflow", "tensorflow"),
        ("failed call to cu", "tensorflow"),
        ("jax", "jax"),
        ("rmm", "rmm"),
        ("NCCL", "nccl"),
        ("Cuda failure", "nccl"),
        ("torch", "pytorch"),
        ("CUDA error: out of", "pytorch"),
        ("runtime error (2)", "pytorch"),
        ("HIP error: out of", "pytorch"),
    ];
    known.iter().find(|(words, _)| text.contains(words)).map_or("cuda", |(_, name)| name)
}
