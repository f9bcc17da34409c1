//! Errors that CUDA, HIP and their libraries report: calls, device assertions, mixed devices, set-up.
//!
//! A full memory is `gpu_memory`'s. It does not say which of several errors came first.

mod assertion;
mod codes;
mod cuda;
mod library;
mod mixed;
mod setup;

use super::{Claim, Found, OneLine, Spec, phrase};
use crate::{
    event::{Event, GpuError},
    line::Line,
};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "gpu error",
    needles: &[
        "CUDA error",
        "CUDA driver error",
        "CUDA failure",
        "Cuda failure",
        "HIP error",
        "cuda runtime error",
        "cudaError",
        "hipError",
        "CUDA_ERROR_",
        "] Call to cu",
        "ops.cu",
        "device-side assert triggered",
        "an illegal memory access was encountered",
        "unspecified launch failure",
        "the launch timed out and was terminated",
        "no kernel image is available",
        "no CUDA-capable device",
        "busy or unavailable",
        "CUDA driver version is insufficient",
        "CUDA driver initialization failed",
        "CUDA unknown error",
        "cudaGetDeviceCount",
        "rocBLAS error: ",
        "CUDA driver library cannot be found",
        "not compiled with GPU support",
        "not compiled with CUDA",
        "Learner was not enabled in this build",
        "NVIDIA driver on your system",
        "No CUDA GPUs are available",
        "Torch not compiled with CUDA",
        "is not compatible with the current PyTorch",
        "device < num_gpus INTERNAL ASSERT FAILED",
        "could not allocate pinned host memory",
        "re-initialize CUDA in forked",
        "library version mismatch",
        "initialize NVML",
        "communicate with the NVIDIA driver",
        "determine the device handle for",
        "No devices were found",
        "libcuda.so",
        "CUBLAS_STATUS_",
        "CUDNN_STATUS_",
        "CUSOLVER_STATUS_",
        "CUSPARSE_STATUS_",
        "CUFFT_",
        "CURAND_STATUS_",
        "Loaded runtime CuDNN library",
        "libcudnn",
        "Could not load library cudnn",
        "Cannot load symbol cudnn",
        "zlibwapi",
        "undefined symbol: cudnn",
        "cuDNN version incompatibility",
        "find a valid cuDNN algorithm",
        "unable to find an engine to execute",
        "cuDNN failed to initialize",
        "DNN library i",
        "NCCL WARN",
        "/dev/shm/nccl-",
        "NCCL error",
        "NCCL Error",
        "ProcessGroupNCCL",
        "Watchdog caught collective",
        "taking the entire process down",
        "out of resource: shared memory",
        "], thread: [",
        "to be on the same device",
        "should be the same",
        "Expected object of ",
        "other tensors on cpu",
        "as the indexed tensor",
        "different from other tensors",
    ],
    parts: &[],
    make: || Box::new(OneLine(line)),
};

/// A reader of one group of errors.
type Reader = fn(&str) -> Option<Reading>;

/// What a line says.
enum Reading {
    /// Something went wrong.
    Event(Event),
    /// Known noise, or an echo of the line before.
    Noise,
    /// The line breaks off where this was expected.
    Cut(&'static str),
}

/// Looks at one line.
fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    if is_noise(line.text) || phrase::is_program_text(line.text) {
        return Claim::NotMine;
    }
    let readers: [Reader; 5] = [assertion::read, mixed::read, library::read, cuda::read, setup::read];
    match readers.iter().find_map(|read| read(line.text)) {
        Some(Reading::Event(event)) => {
            found.push(Found::on(line, event));
            Claim::Mine
        }
        Some(Reading::Noise) => Claim::Mine,
        Some(Reading::Cut(expected)) => Claim::Damaged(expected.to_owned()),
        None => Claim::NotMine,
    }
}

/// Lines that name GPU libraries and mean nothing: a CPU-only host, an optional plugin, a success.
fn is_noise(text: &str) -> bool {
    let words = [
        "Unable to register cu",
        "successful NUMA node read",
        "Could not load dynamic library",
        "uccessfully opened ",
        "Cannot dlopen some GPU libraries",
        "hint: For more detailed error",
    ];
    words.iter().any(|words| text.contains(words))
}

/// An error event; the framework and whether the process ends are read from the line around the message.
fn error(text: &str, api: &str, name: &str, code: Option<i64>, message: &str) -> Reading {
    let name = (!name.is_empty()).then(|| name.to_owned());
    Reading::Event(
        GpuError {
            api: Some(api.to_owned()),
            name,
            code,
            message: Some(phrase::excerpt(message)),
            framework: framework(text).map(str::to_owned),
            fatal: phrase::ends_process(text).then(|| "yes".to_owned()),
            gpu: phrase::integer_behind(text, "CUDA device ordinal ").map(|number| number.to_string()),
        }
        .into(),
    )
}

/// The framework that speaks.
fn framework(text: &str) -> Option<&'static str> {
    let known = [
        ("cupy", "cupy"),
        ("numba", "numba"),
        ("Call to cu", "numba"),
        ("tensorflow", "tensorflow"),
        ("jax", "jax"),
        ("external/xla", "jax"),
        ("rmm", "rmm"),
        ("GDFError", "cudf"),
        ("cudf", "cudf"),
        ("CUDA failure", "onnxruntime"),
        ("at line ", "bitsandbytes"),
        ("AcceleratorError", "pytorch"),
        ("ProcessGroupNCCL", "pytorch"),
        ("DistBackendError", "pytorch"),
        ("orch", "pytorch"),
        ("RuntimeError: CUDA error: ", "pytorch"),
        ("RuntimeError: cuDNN error: ", "pytorch"),
        ("HIP error: ", "pytorch"),
        ("c10::", "pytorch"),
    ];
    known.iter().find(|(words, _)| text.contains(words)).map(|(_, name)| *name)
}
