//! Errors of CUDA's libraries: cuBLAS, cuDNN, `cuSOLVER`, cuFFT, NCCL and its watchdog; Triton's on-chip memory.
//!
//! It does not decide whether a library failed by itself or echoes an earlier CUDA error.

use super::{Reading, error, phrase};

/// Status words, the interface each belongs to, and the numbers that the libraries' headers give.
const STATUSES: [(&str, &str); 6] = [
    ("CUBLAS_STATUS_", "cublas"),
    ("CUDNN_STATUS_", "cudnn"),
    ("CUSOLVER_STATUS_", "cusolver"),
    ("CUSPARSE_STATUS_", "cusparse"),
    ("CURAND_STATUS_", "curand"),
    ("CUFFT_", "cufft"),
];

/// Reads a line.
pub(super) fn read(text: &str) -> Option<Reading> {
    cudnn_library(text)
        .or_else(|| status(text))
        .or_else(|| cudnn_words(text))
        .or_else(|| watchdog(text))
        .or_else(|| nccl(text))
        .or_else(|| triton(text))
}

/// `CUBLAS_STATUS_ALLOC_FAILED when calling …`.
fn status(text: &str) -> Option<Reading> {
    let (start, api) = STATUSES.iter().find_map(|(prefix, api)| text.find(prefix).map(|at| (at, *api)))?;
    let rest = text.get(start..)?;
    let end =
        rest.find(|c: char| !c.is_ascii_uppercase() && !c.is_ascii_digit() && c != '_').unwrap_or(rest.len());
    let name = rest.get(..end)?;
    if name.ends_with("_SUCCESS")
        || (api == "cufft" && !["_FAILED", "_ERROR", "_PLAN"].iter().any(|word| name.contains(word)))
    {
        return None;
    }
    if text.contains("could not destroy") {
        // Cleaning up after the failure that the line before told of.
        return Some(Reading::Noise);
    }
    if name.ends_with('_') {
        return Some(Reading::Cut("a status name"));
    }
    Some(error(text, api, name, number(name), message(text, start)))
}

/// The message around a status: from the words that introduce it.
fn message(text: &str, start: usize) -> &str {
    let head = text.get(..start).unwrap_or_default();
    let words = [
        "CUDA error: ",
        "cuDNN error: ",
        "could not ",
        "Could not ",
        "cusolver error: ",
        "cuFFT error: ",
        "] ",
    ];
    let begin = words.iter().filter_map(|word| head.rfind(word)).max().unwrap_or(start);
    text.get(begin..).map_or(text, |message| message.trim_start_matches("] "))
}

/// The number of a status (cuBLAS; cuDNN before 9, which renumbered).
fn number(name: &str) -> Option<i64> {
    Some(match name {
        "CUBLAS_STATUS_NOT_INITIALIZED" => 1,
        "CUBLAS_STATUS_ALLOC_FAILED" => 3,
        "CUBLAS_STATUS_INVALID_VALUE" => 7,
        "CUBLAS_STATUS_ARCH_MISMATCH" => 8,
        "CUBLAS_STATUS_MAPPING_ERROR" => 11,
        "CUBLAS_STATUS_EXECUTION_FAILED" => 13,
        "CUBLAS_STATUS_INTERNAL_ERROR" => 14,
        "CUBLAS_STATUS_NOT_SUPPORTED" => 15,
        "CUBLAS_STATUS_LICENSE_ERROR" => 16,
        _ => return None,
    })
}

/// cuDNN cannot be loaded, or is another version than the framework was built for.
fn cudnn_library(text: &str) -> Option<Reading> {
    let mismatch = ["Loaded runtime CuDNN library: ", "cuDNN version incompatibility"];
    if let Some(message) = mismatch.iter().find_map(|words| phrase::from(text, words)) {
        let told = message.contains("compiled with") || message.contains("incompatibility");
        // TensorFlow says it in two sentences; the words up to the colon alone are a line cut off.
        return Some(if told {
            error(text, "cudnn", "cudnn-version-mismatch", None, message)
        } else {
            Reading::Cut("the version it was compiled with")
        });
    }
    let loads = [
        "Could not load library",
        "Could not locate zlibwapi",
        "Could not load symbol cudnn",
        "Cannot load symbol cudnn",
        "Unable to load any of {libcudnn",
        "undefined symbol: cudnn",
    ];
    let symbol = text.contains("libcudnn")
        && (text.contains("undefined symbol") || text.contains("cannot open shared object"));
    let message = loads.iter().find_map(|words| phrase::from(text, words)).or(symbol.then_some(text))?;
    let of_cudnn = ["cudnn", "zlibwapi"].iter().any(|word| message.contains(word));
    // `Could not load library libcudnn_cnn_infer.so.8. Error: libcuda.so: …` is the driver's library that is missing.
    if !of_cudnn || message.contains("Error: libcuda.so") {
        return None;
    }
    Some(error(text, "cudnn", "cudnn-library-broken", None, message))
}

/// cuDNN's failures that `PyTorch` and TensorFlow put in words.
fn cudnn_words(text: &str) -> Option<Reading> {
    let shapes = [
        ("Unable to find a valid cuDNN algorithm", "cudnn-no-algorithm"),
        ("GET was unable to find an engine to execute", "cudnn-no-algorithm"),
        ("FIND was unable to find an engine to execute", "cudnn-no-algorithm"),
        ("cuDNN failed to initialize", "CUDNN_STATUS_NOT_INITIALIZED"),
        // XLA's words, of JAX and TensorFlow alike.
        ("DNN library initialization failed", "CUDNN_STATUS_NOT_INITIALIZED"),
        ("DNN library is not found", "CUDNN_STATUS_NOT_INITIALIZED"),
    ];
    shapes.iter().find_map(|(words, name)| {
        phrase::from(text, words).map(|message| error(text, "cudnn", name, None, message))
    })
}

/// The watchdog of `PyTorch`'s NCCL backend, which ends the process. The rank that reports is rarely the guilty one.
fn watchdog(text: &str) -> Option<Reading> {
    let words = ["Watchdog caught collective operation timeout", "taking the entire process down"];
    let message = words.iter().find_map(|words| phrase::from(text, words));
    let message = message.or_else(|| phrase::from(text, "watchdog got stuck for"))?;
    Some(error(text, "nccl", "nccl-watchdog-timeout", None, message))
}

/// NCCL's own errors, and its warnings about shared memory and peers.
fn nccl(text: &str) -> Option<Reading> {
    if let Some(message) = phrase::behind(text, "NCCL WARN") {
        return warning(text, message.trim_start());
    }
    // `Error while creating shared memory segment /dev/shm/nccl-PWGoA9 (size 9637888)` stands alone under `Last error:`.
    if text.contains("/dev/shm/nccl-") && ["Error", "error", "failed"].iter().any(|word| text.contains(word)) {
        return Some(error(text, "nccl", "nccl-shared-memory", None, text));
    }
    let message = phrase::from(text, "NCCL error").or_else(|| phrase::from(text, "NCCL Error"))?;
    let kinds = [
        ("unhandled cuda error", "ncclUnhandledCudaError", 1),
        ("unhandled system error", "ncclSystemError", 2),
        ("internal error", "ncclInternalError", 3),
        ("invalid argument", "ncclInvalidArgument", 4),
        ("invalid usage", "ncclInvalidUsage", 5),
        ("remote process exited", "ncclRemoteError", 6),
    ];
    let kind = kinds.iter().find(|(words, name, _)| message.contains(words) || message.contains(name));
    let (name, code) = kind.map_or(("", None), |(_, name, code)| (*name, Some(*code)));
    Some(error(text, "nccl", name, code, message))
}

/// `NCCL WARN …`: only the warnings that name a cause; the rest only say where one passed by.
fn warning(text: &str, message: &str) -> Option<Reading> {
    if message.contains("/dev/shm") {
        return Some(error(text, "nccl", "nccl-shared-memory", None, message));
    }
    if message.contains("Cuda failure") {
        // A full memory is another parser's, the other failures are CUDA's.
        return None;
    }
    Some(Reading::Noise)
}

/// Triton: `out of resource: shared memory, Required: 212992, Hardware limit: 101376.` On-chip memory, not the card's.
fn triton(text: &str) -> Option<Reading> {
    let message = phrase::from(text, "out of resource: shared memory")?;
    Some(error(text, "triton", "gpu-shared-memory-limit", None, message))
}
