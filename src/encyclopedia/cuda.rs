//! CUDA's errors, by number, name and message.
//!
//! Names and messages as `libcudart.so.13` gives them; runtime and driver share their numbers since CUDA 10.1. Which
//! errors poison the process is what `driver_types.h` 13.5 says of each, and practice for hardware faults.

use super::Entry;

/// A CUDA error.
#[derive(Debug, Clone, Copy)]
pub struct CudaError {
    /// Its number.
    pub number: i64,
    /// The runtime's name.
    pub runtime: &'static str,
    /// The driver's name; empty where it has none.
    pub driver: &'static str,
    /// The message as printed.
    pub message: &'static str,
    /// Whether the process is poisoned: `yes`, `no`, `setup` (nothing to poison), `echo`, `unknown`.
    pub sticky: &'static str,
    /// What usually gives it, and what to do.
    pub usual: &'static str,
    /// Causes that show it.
    pub causes: &'static [&'static str],
}

/// The common errors, by number.
pub const CUDA_ERRORS: &[CudaError] = &[
    CudaError { number: 1, runtime: "cudaErrorInvalidValue", driver: "CUDA_ERROR_INVALID_VALUE", message: "invalid argument", sticky: "no", usual: "A bad size, pointer or stream: look at the failing call itself.", causes: &[] },
    CudaError { number: 2, runtime: "cudaErrorMemoryAllocation", driver: "CUDA_ERROR_OUT_OF_MEMORY", message: "out of memory", sticky: "no", usual: "No room on the GPU, or no pinned host memory. Without `Tried to allocate` in the message: another process, the context itself, or host RAM.", causes: &["gpu-memory-exhausted", "pinned-memory-exhausted"] },
    CudaError { number: 3, runtime: "cudaErrorInitializationError", driver: "CUDA_ERROR_NOT_INITIALIZED", message: "initialization error", sticky: "setup", usual: "A fork after CUDA was used (start workers with `spawn`), or broken /dev/nvidia*.", causes: &["cuda-after-fork"] },
    CudaError { number: 4, runtime: "cudaErrorCudartUnloading", driver: "CUDA_ERROR_DEINITIALIZED", message: "driver shutting down", sticky: "echo", usual: "Printed while the process ends: look earlier.", causes: &[] },
    CudaError { number: 35, runtime: "cudaErrorInsufficientDriver", driver: "", message: "CUDA driver version is insufficient for CUDA runtime version", sticky: "setup", usual: "The driver is older than the CUDA of the library, or there is none at all.", causes: &["driver-too-old", "no-gpu-found"] },
    CudaError { number: 46, runtime: "cudaErrorDevicesUnavailable", driver: "CUDA_ERROR_DEVICE_UNAVAILABLE", message: "CUDA-capable device(s) is/are busy or unavailable", sticky: "setup", usual: "Exclusive mode, or a GPU that is dying: `nvidia-smi -q -d COMPUTE`.", causes: &["gpu-unavailable-on-node"] },
    CudaError { number: 98, runtime: "cudaErrorInvalidDeviceFunction", driver: "", message: "invalid device function", sticky: "no", usual: "The library was not built for this GPU.", causes: &["no-gpu-code-for-device"] },
    CudaError { number: 100, runtime: "cudaErrorNoDevice", driver: "CUDA_ERROR_NO_DEVICE", message: "no CUDA-capable device is detected", sticky: "setup", usual: "No GPU is visible: `--gpus all`, CUDA_VISIBLE_DEVICES, or Xid 79 on the host.", causes: &["no-gpu-found", "container-without-gpu"] },
    CudaError { number: 101, runtime: "cudaErrorInvalidDevice", driver: "CUDA_ERROR_INVALID_DEVICE", message: "invalid device ordinal", sticky: "no", usual: "There are fewer GPUs than the program counts on.", causes: &["invalid-device-ordinal"] },
    CudaError { number: 209, runtime: "cudaErrorNoKernelImageForDevice", driver: "CUDA_ERROR_NO_BINARY_FOR_GPU", message: "no kernel image is available for execution on the device", sticky: "no", usual: "The library is older or newer than this GPU: compare `torch.cuda.get_arch_list()` with `get_device_capability()`.", causes: &["no-gpu-code-for-device"] },
    CudaError { number: 214, runtime: "cudaErrorECCUncorrectable", driver: "CUDA_ERROR_ECC_UNCORRECTABLE", message: "uncorrectable ECC error encountered", sticky: "yes", usual: "Hardware: the GPU's memory failed. Look for Xid 48, 94 or 95.", causes: &["gpu-ecc-error"] },
    CudaError { number: 217, runtime: "cudaErrorPeerAccessUnsupported", driver: "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", message: "peer access is not supported between these two devices", sticky: "no", usual: "These GPUs cannot read each other's memory: `NCCL_P2P_DISABLE=1`.", causes: &[] },
    CudaError { number: 218, runtime: "cudaErrorInvalidPtx", driver: "CUDA_ERROR_INVALID_PTX", message: "a PTX JIT compilation failed", sticky: "no", usual: "Update the driver or rebuild.", causes: &[] },
    CudaError { number: 220, runtime: "cudaErrorNvlinkUncorrectable", driver: "CUDA_ERROR_NVLINK_UNCORRECTABLE", message: "uncorrectable NVLink error detected during the execution", sticky: "yes", usual: "Hardware of the link: Xid 74, 144 to 150.", causes: &["gpu-link-error"] },
    CudaError { number: 222, runtime: "cudaErrorUnsupportedPtxVersion", driver: "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", message: "the provided PTX was compiled with an unsupported toolchain.", sticky: "no", usual: "A newer driver, or an older toolkit.", causes: &[] },
    CudaError { number: 226, runtime: "cudaErrorContained", driver: "CUDA_ERROR_CONTAINED", message: "Invalid access of peer GPU memory over nvlink or a hardware error", sticky: "yes", usual: "Look for Xid 94.", causes: &["gpu-ecc-error"] },
    CudaError { number: 304, runtime: "cudaErrorOperatingSystem", driver: "CUDA_ERROR_OPERATING_SYSTEM", message: "OS call failed or operation not supported on this OS", sticky: "setup", usual: "/dev/nvidia-uvm is missing or forbidden to the container: `nvidia-modprobe -u -c=0`.", causes: &["gpu-unavailable-on-node"] },
    CudaError { number: 400, runtime: "cudaErrorInvalidResourceHandle", driver: "CUDA_ERROR_INVALID_HANDLE", message: "invalid resource handle", sticky: "no", usual: "A handle of another GPU, or a stream that is gone.", causes: &[] },
    CudaError { number: 600, runtime: "cudaErrorNotReady", driver: "CUDA_ERROR_NOT_READY", message: "device not ready", sticky: "no", usual: "No error: a query says that the work is not done.", causes: &[] },
    CudaError { number: 700, runtime: "cudaErrorIllegalAddress", driver: "CUDA_ERROR_ILLEGAL_ADDRESS", message: "an illegal memory access was encountered", sticky: "yes", usual: "A CUDA kernel read or wrote outside its memory: a custom extension, Triton, an index beyond 2^31. Run once with `CUDA_LAUNCH_BLOCKING=1` or under compute-sanitizer; pairs with Xid 31.", causes: &["illegal-memory-access"] },
    CudaError { number: 701, runtime: "cudaErrorLaunchOutOfResources", driver: "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", message: "too many resources requested for launch", sticky: "no", usual: "Too many threads or registers a block.", causes: &[] },
    CudaError { number: 702, runtime: "cudaErrorLaunchTimeout", driver: "CUDA_ERROR_LAUNCH_TIMEOUT", message: "the launch timed out and was terminated", sticky: "yes", usual: "The display's watchdog ended a long kernel: use a GPU without a display; on Windows raise TdrDelay.", causes: &["gpu-watchdog-timeout"] },
    CudaError { number: 704, runtime: "cudaErrorPeerAccessAlreadyEnabled", driver: "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", message: "peer access is already enabled", sticky: "no", usual: "Harmless, but it may surface in a later check of another library.", causes: &[] },
    CudaError { number: 709, runtime: "cudaErrorContextIsDestroyed", driver: "CUDA_ERROR_CONTEXT_IS_DESTROYED", message: "context is destroyed", sticky: "echo", usual: "The first error stands earlier.", causes: &[] },
    CudaError { number: 710, runtime: "cudaErrorAssert", driver: "CUDA_ERROR_ASSERT", message: "device-side assert triggered", sticky: "yes", usual: "An index or label out of range, or a probability that is no number. The assertion's own line stands in the server's log.", causes: &["device-side-assert", "gpu-index-out-of-range", "gpu-label-out-of-range"] },
    CudaError { number: 714, runtime: "cudaErrorHardwareStackError", driver: "CUDA_ERROR_HARDWARE_STACK_ERROR", message: "hardware stack error", sticky: "yes", usual: "The stack of a CUDA kernel ran over.", causes: &[] },
    CudaError { number: 715, runtime: "cudaErrorIllegalInstruction", driver: "CUDA_ERROR_ILLEGAL_INSTRUCTION", message: "an illegal instruction was encountered", sticky: "yes", usual: "Code for another GPU, or a damaged image, or hardware.", causes: &[] },
    CudaError { number: 716, runtime: "cudaErrorMisalignedAddress", driver: "CUDA_ERROR_MISALIGNED_ADDRESS", message: "misaligned address", sticky: "yes", usual: "A sliced tensor in a vectorised kernel: `.contiguous()`.", causes: &["misaligned-address"] },
    CudaError { number: 717, runtime: "cudaErrorInvalidAddressSpace", driver: "CUDA_ERROR_INVALID_ADDRESS_SPACE", message: "operation not supported on global/shared address space", sticky: "yes", usual: "A bug of a custom kernel.", causes: &[] },
    CudaError { number: 718, runtime: "cudaErrorInvalidPc", driver: "CUDA_ERROR_INVALID_PC", message: "invalid program counter", sticky: "yes", usual: "Damaged code or a bad function pointer.", causes: &[] },
    CudaError { number: 719, runtime: "cudaErrorLaunchFailure", driver: "CUDA_ERROR_LAUNCH_FAILED", message: "unspecified launch failure", sticky: "yes", usual: "Any exception without a nicer code; the Xid in dmesg says whether program or hardware.", causes: &["gpu-launch-failure"] },
    CudaError { number: 720, runtime: "cudaErrorCooperativeLaunchTooLarge", driver: "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", message: "too many blocks in cooperative launch", sticky: "no", usual: "Fewer blocks.", causes: &[] },
    CudaError { number: 801, runtime: "cudaErrorNotSupported", driver: "CUDA_ERROR_NOT_SUPPORTED", message: "operation not supported", sticky: "no", usual: "Not on this GPU, in WSL, under MIG or with this driver.", causes: &[] },
    CudaError { number: 802, runtime: "cudaErrorSystemNotReady", driver: "CUDA_ERROR_SYSTEM_NOT_READY", message: "system not yet initialized", sticky: "setup", usual: "An NVSwitch machine whose fabric manager does not run: `systemctl start nvidia-fabricmanager`.", causes: &[] },
    CudaError { number: 803, runtime: "cudaErrorSystemDriverMismatch", driver: "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", message: "system has unsupported display driver / cuda driver combination", sticky: "setup", usual: "The driver was updated and not reloaded: reboot.", causes: &["driver-library-mismatch"] },
    CudaError { number: 804, runtime: "cudaErrorCompatNotSupportedOnDevice", driver: "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", message: "forward compatibility was attempted on non supported HW", sticky: "setup", usual: "Remove the image's `/usr/local/cuda/compat` from the library path.", causes: &[] },
    CudaError { number: 805, runtime: "cudaErrorMpsConnectionFailed", driver: "CUDA_ERROR_MPS_CONNECTION_FAILED", message: "MPS client failed to connect to the MPS control daemon or the MPS server", sticky: "setup", usual: "The MPS daemon does not answer.", causes: &[] },
    CudaError { number: 900, runtime: "cudaErrorStreamCaptureUnsupported", driver: "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", message: "operation not permitted when stream is capturing", sticky: "no", usual: "Move it out of the captured region of the CUDA graph.", causes: &[] },
    CudaError { number: 999, runtime: "cudaErrorUnknown", driver: "CUDA_ERROR_UNKNOWN", message: "unknown error", sticky: "unknown", usual: "Often the driver after suspend: reload nvidia_uvm or reboot; look for an Xid.", causes: &["gpu-broken-after-suspend"] },
];

/// The errors of a number, a name or a message.
pub(super) fn entries(word: &str) -> Vec<Entry> {
    by_word(word)
}

/// As [`entries`]; a whole message or the beginning of one will do.
pub(super) fn by_word(word: &str) -> Vec<Entry> {
    let number = word.parse::<i64>().ok();
    let long = word.len() >= 8;
    let fits = |error: &&CudaError| {
        let named = |name: &str| !name.is_empty() && name.eq_ignore_ascii_case(word);
        number == Some(error.number)
            || named(error.runtime)
            || named(error.driver)
            || named(error.message)
            || long && word.to_lowercase().contains(&error.message.to_lowercase()) && error.message.len() >= 12
    };
    CUDA_ERRORS.iter().filter(fits).map(entry).collect()
}

/// An error's entry.
fn entry(error: &CudaError) -> Entry {
    let names = [error.runtime, error.driver].into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>();
    let state = match error.sticky {
        "yes" => "The process is poisoned: every later CUDA call fails too, and only restarting the kernel helps. The first \
                  such error is the cause, the others are echoes. The Python line is where it was noticed, not where it arose.",
        "no" => "The call failed, the process is fine: the same kernel can go on.",
        "setup" => "Raised while CUDA starts; nothing has run on the GPU yet.",
        "echo" => "An effect of something earlier.",
        _ => "Whether the process can go on is not known.",
    };
    Entry {
        heading: format!("CUDA error {}: {}, `{}`", error.number, names.join(" / "), error.message),
        paragraphs: vec![error.usual.to_owned(), state.to_owned()],
        causes: error.causes.to_vec(),
    }
}
