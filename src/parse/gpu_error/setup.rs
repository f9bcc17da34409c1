//! Why CUDA cannot be used at all: no driver, no device, the wrong build, a fork, a library that is missing.
//!
//! It does not read errors of calls to a GPU that works.

use super::{Reading, error, phrase};

/// One message: all of its words must stand in the line, the first of them begins the message.
struct Shape {
    words: &'static [&'static str],
    api: &'static str,
    name: &'static str,
    code: Option<i64>,
}

/// A row of the table.
const fn shape(
    words: &'static [&'static str],
    api: &'static str,
    name: &'static str,
    code: Option<i64>,
) -> Shape {
    Shape { words, api, name, code }
}

/// The messages. Names without `cuda` in front are this program's: no runtime has one for them.
const SHAPES: &[Shape] = &[
    shape(&["Torch not compiled with CUDA enabled"], "cuda", "cpu-only-build", None),
    shape(&["not compiled with GPU support"], "cuda", "cpu-only-build", None),
    shape(&["GPU Tree Learner was not enabled in this build"], "cuda", "cpu-only-build", None),
    shape(&["CUDA Tree Learner was not enabled in this build"], "cuda", "cpu-only-build", None),
    shape(&["CUDA driver library cannot be found"], "cuda", "libcuda-missing", None),
    shape(&["rocBLAS error: ", "TensileLibrary"], "hip", "hipErrorNoBinaryForGpu", None),
    shape(&["Cannot re-initialize CUDA in forked subprocess"], "cuda", "cuda-after-fork", None),
    shape(&["No CUDA GPUs are available"], "cuda", "cudaErrorNoDevice", Some(100)),
    shape(&["Found no NVIDIA driver on your system"], "cuda", "no-nvidia-driver", None),
    shape(&["The NVIDIA driver on your system is too old"], "cuda", "cudaErrorInsufficientDriver", Some(35)),
    shape(&["CUDA driver version is insufficient"], "cuda", "cudaErrorInsufficientDriver", Some(35)),
    shape(&["CUDA driver initialization failed"], "cuda", "cudaErrorInitializationError", Some(3)),
    shape(&["CUDA unknown error"], "cuda", "cudaErrorUnknown", Some(999)),
    shape(&["is not compatible with the current PyTorch"], "cuda", "cudaErrorNoKernelImageForDevice", None),
    shape(&["device >= 0 && device < num_gpus INTERNAL ASSERT FAILED"], "cuda", "cudaErrorInvalidDevice", Some(101)),
    shape(&["could not allocate pinned host memory"], "cuda", "cudaErrorMemoryAllocation", Some(2)),
    shape(&["failed to alloc ", "bytes on host: CUDA_ERROR_OUT_OF_MEMORY"], "cuda", "cudaErrorMemoryAllocation", Some(2)),
    shape(&["Driver/library version mismatch"], "nvml", "driver-library-mismatch", None),
    shape(&["Failed to initialize NVML: Unknown Error"], "nvml", "nvml-unknown-error", None),
    shape(
        &["Failed to initialize NVML: Insufficient Permissions"],
        "nvml",
        "nvml-insufficient-permissions",
        None,
    ),
    shape(&["couldn't communicate with the NVIDIA driver"], "nvml", "nvidia-driver-not-running", None),
    shape(&["Unable to determine the device handle for"], "nvml", "gpu-is-lost", None),
];

/// Reads a line.
pub(super) fn read(text: &str) -> Option<Reading> {
    libcuda(text).or_else(|| no_devices(text)).or_else(|| {
        let shape = SHAPES.iter().find(|shape| shape.words.iter().all(|words| text.contains(words)))?;
        let first = shape.words.first()?;
        let message = if first.starts_with("is not") {
            phrase::excerpt(text)
        } else {
            phrase::from(text, first)?.to_owned()
        };
        Some(error(text, shape.api, shape.name, shape.code, &message))
    })
}

/// `libcuda.so.1: cannot open shared object file: No such file or directory`. TensorFlow's warning of the same on a
/// host without a GPU was taken out before.
fn libcuda(text: &str) -> Option<Reading> {
    let missing = ["cannot open shared object file", "cannot find", "not found"];
    let message =
        phrase::from(text, "libcuda.so").filter(|rest| missing.iter().any(|words| rest.contains(words)))?;
    let message = phrase::from(text, "Could not load library").unwrap_or(message);
    Some(error(text, "cuda", "libcuda-missing", None, message))
}

/// nvidia-smi found the driver but no GPU it may show.
fn no_devices(text: &str) -> Option<Reading> {
    (text.trim() == "No devices were found").then(|| error(text, "nvml", "no-devices-found", None, text))
}
