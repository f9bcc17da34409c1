//! CUDA's error codes: number, runtime name, driver name, text.
//!
//! Read out of libcudart 13.5 and `cuda.h` 13.5 (runtime and driver share the numbers since CUDA 10.1). It does not say
//! which errors end what.

/// One error of CUDA.
pub(super) struct Code {
    /// The number.
    pub(super) number: i64,
    /// The runtime's name; empty where only the driver has it.
    pub(super) runtime: &'static str,
    /// The driver's name; empty where only the runtime has it.
    pub(super) driver: &'static str,
    /// What `cudaGetErrorString` says; empty where it says nothing.
    pub(super) text: &'static str,
}

/// A row of the table.
const fn code(number: i64, runtime: &'static str, driver: &'static str, text: &'static str) -> Code {
    Code { number, runtime, driver, text }
}

impl Code {
    /// The canonical name: the runtime's where there is one.
    pub(super) fn name(&self) -> &'static str {
        if self.runtime.is_empty() { self.driver } else { self.runtime }
    }
}

/// The error of this name, the runtime's or the driver's.
pub(super) fn named(name: &str) -> Option<&'static Code> {
    CODES.iter().find(|code| !name.is_empty() && (code.runtime == name || code.driver == name))
}

/// The error of this number.
pub(super) fn numbered(number: i64) -> Option<&'static Code> {
    CODES.iter().find(|code| code.number == number)
}

/// The error whose text a message begins with; of several the longest.
pub(super) fn texted(message: &str) -> Option<&'static Code> {
    let fitting = CODES.iter().filter(|code| !code.text.is_empty() && message.starts_with(code.text));
    fitting.max_by_key(|code| code.text.len())
}

/// The number an error of CUDA before 10.1 has today. `PyTorch` 1.4 and older print `cuda runtime error (59)`.
pub(super) fn modern(old: i64) -> i64 {
    match old {
        4 => 719,
        6 => 702,
        7 => 701,
        8 => 98,
        10 => 101,
        11 => 1,
        30 => 999,
        38 => 100,
        39 => 214,
        48 => 209,
        59 => 710,
        72 => 714,
        73 => 715,
        74 => 716,
        75 => 717,
        76 => 718,
        77 => 700,
        same => same,
    }
}

/// The table.
#[rustfmt::skip]
const CODES: &[Code] = &[
    code(1, "cudaErrorInvalidValue", "CUDA_ERROR_INVALID_VALUE", "invalid argument"),
    code(2, "cudaErrorMemoryAllocation", "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"),
    code(3, "cudaErrorInitializationError", "CUDA_ERROR_NOT_INITIALIZED", "initialization error"),
    code(4, "cudaErrorCudartUnloading", "CUDA_ERROR_DEINITIALIZED", "driver shutting down"),
    code(5, "cudaErrorProfilerDisabled", "", "profiler disabled while using external profiling tool"),
    code(6, "cudaErrorProfilerNotInitialized", "", "profiler not initialized: call cudaProfilerInitialize()"),
    code(7, "cudaErrorProfilerAlreadyStarted", "", "profiler already started"),
    code(8, "cudaErrorProfilerAlreadyStopped", "", "profiler already stopped"),
    code(9, "cudaErrorInvalidConfiguration", "", "invalid configuration argument"),
    code(10, "cudaErrorVersionTranslation", "", "Driver is newer than runtime and returned parameters the runtime cannot process"),
    code(12, "cudaErrorInvalidPitchValue", "", "invalid pitch argument"),
    code(13, "cudaErrorInvalidSymbol", "", "invalid device symbol"),
    code(16, "cudaErrorInvalidHostPointer", "", "invalid host pointer"),
    code(17, "cudaErrorInvalidDevicePointer", "", "invalid device pointer"),
    code(18, "cudaErrorInvalidTexture", "", "invalid texture reference"),
    code(19, "cudaErrorInvalidTextureBinding", "", "texture is not bound to a pointer"),
    code(20, "cudaErrorInvalidChannelDescriptor", "", "invalid channel descriptor"),
    code(21, "cudaErrorInvalidMemcpyDirection", "", "invalid copy direction for memcpy"),
    code(22, "cudaErrorAddressOfConstant", "", "invalid address of constant"),
    code(23, "cudaErrorTextureFetchFailed", "", "fetch from texture failed"),
    code(24, "cudaErrorTextureNotBound", "", "cannot fetch from a texture that is not bound"),
    code(25, "cudaErrorSynchronizationError", "", "incorrect use of __syncthreads()"),
    code(26, "cudaErrorInvalidFilterSetting", "", "linear filtering not supported for non-float type"),
    code(27, "cudaErrorInvalidNormSetting", "", "read as normalized float not supported for data type"),
    code(28, "cudaErrorMixedDeviceExecution", "", "device emulation mode and device execution mode cannot be mixed"),
    code(31, "cudaErrorNotYetImplemented", "", "feature not yet implemented"),
    code(32, "cudaErrorMemoryValueTooLarge", "", "memory size or pointer value too large to fit in 32 bit"),
    code(34, "cudaErrorStubLibrary", "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"),
    code(35, "cudaErrorInsufficientDriver", "", "CUDA driver version is insufficient for CUDA runtime version"),
    code(36, "cudaErrorCallRequiresNewerDriver", "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER", "API call is not supported in the installed CUDA driver"),
    code(37, "cudaErrorInvalidSurface", "", "invalid surface reference"),
    code(43, "cudaErrorDuplicateVariableName", "", "duplicate global variable looked up by string name"),
    code(44, "cudaErrorDuplicateTextureName", "", "duplicate texture looked up by string name"),
    code(45, "cudaErrorDuplicateSurfaceName", "", "duplicate surface looked up by string name"),
    code(46, "cudaErrorDevicesUnavailable", "CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable"),
    code(47, "", "CUDA_ERROR_MULTICAST_RESOURCE_FULL", ""),
    code(49, "cudaErrorIncompatibleDriverContext", "", "incompatible driver context"),
    code(52, "cudaErrorMissingConfiguration", "", "__global__ function call is not configured"),
    code(53, "cudaErrorPriorLaunchFailure", "", "unspecified launch failure in prior launch"),
    code(65, "cudaErrorLaunchMaxDepthExceeded", "", "launch would exceed maximum depth of nested launches"),
    code(66, "cudaErrorLaunchFileScopedTex", "", "launch failed because kernel uses unsupported, file-scoped textures (texture objects are supported)"),
    code(67, "cudaErrorLaunchFileScopedSurf", "", "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects are supported)"),
    code(68, "cudaErrorSyncDepthExceeded", "", "cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth"),
    code(69, "cudaErrorLaunchPendingCountExceeded", "", "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"),
    code(98, "cudaErrorInvalidDeviceFunction", "", "invalid device function"),
    code(100, "cudaErrorNoDevice", "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"),
    code(101, "cudaErrorInvalidDevice", "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"),
    code(102, "cudaErrorDeviceNotLicensed", "CUDA_ERROR_DEVICE_NOT_LICENSED", "device doesn't have valid Grid license"),
    code(103, "cudaErrorSoftwareValidityNotEstablished", "", "integrity checks failed"),
    code(127, "cudaErrorStartupFailure", "", "startup failure in cuda runtime"),
    code(200, "cudaErrorInvalidKernelImage", "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"),
    code(201, "cudaErrorDeviceUninitialized", "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"),
    code(202, "", "CUDA_ERROR_CONTEXT_ALREADY_CURRENT", ""),
    code(205, "cudaErrorMapBufferObjectFailed", "CUDA_ERROR_MAP_FAILED", "mapping of buffer object failed"),
    code(206, "cudaErrorUnmapBufferObjectFailed", "", "unmapping of buffer object failed"),
    code(207, "cudaErrorArrayIsMapped", "", "array is mapped"),
    code(208, "cudaErrorAlreadyMapped", "CUDA_ERROR_ALREADY_MAPPED", "resource already mapped"),
    code(209, "cudaErrorNoKernelImageForDevice", "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"),
    code(210, "cudaErrorAlreadyAcquired", "", "resource already acquired"),
    code(211, "cudaErrorNotMapped", "", "resource not mapped"),
    code(212, "cudaErrorNotMappedAsArray", "", "resource not mapped as array"),
    code(213, "cudaErrorNotMappedAsPointer", "", "resource not mapped as pointer"),
    code(214, "cudaErrorECCUncorrectable", "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"),
    code(215, "cudaErrorUnsupportedLimit", "CUDA_ERROR_UNSUPPORTED_LIMIT", "limit is not supported on this architecture"),
    code(216, "cudaErrorDeviceAlreadyInUse", "CUDA_ERROR_CONTEXT_ALREADY_IN_USE", "exclusive-thread device already in use by a different thread"),
    code(217, "cudaErrorPeerAccessUnsupported", "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", "peer access is not supported between these two devices"),
    code(218, "cudaErrorInvalidPtx", "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"),
    code(219, "cudaErrorInvalidGraphicsContext", "", "invalid OpenGL or DirectX context"),
    code(220, "cudaErrorNvlinkUncorrectable", "CUDA_ERROR_NVLINK_UNCORRECTABLE", "uncorrectable NVLink error detected during the execution"),
    code(221, "cudaErrorJitCompilerNotFound", "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "PTX JIT compiler library not found"),
    code(222, "cudaErrorUnsupportedPtxVersion", "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."),
    code(223, "cudaErrorJitCompilationDisabled", "", "PTX JIT compilation was disabled"),
    code(224, "cudaErrorUnsupportedExecAffinity", "", "the provided execution affinity is not supported"),
    code(225, "cudaErrorUnsupportedDevSideSync", "", "the provided PTX contains unsupported call to cudaDeviceSynchronize"),
    code(226, "cudaErrorContained", "CUDA_ERROR_CONTAINED", "Invalid access of peer GPU memory over nvlink or a hardware error"),
    code(227, "cudaErrorInsufficientLoaderVersion", "CUDA_ERROR_INSUFFICIENT_LOADER_VERSION", "Loader version is insufficient for fatbin"),
    code(300, "cudaErrorInvalidSource", "CUDA_ERROR_INVALID_SOURCE", "device kernel image is invalid"),
    code(301, "cudaErrorFileNotFound", "", "file not found"),
    code(302, "cudaErrorSharedObjectSymbolNotFound", "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND", "shared object symbol not found"),
    code(303, "cudaErrorSharedObjectInitFailed", "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED", "shared object initialization failed"),
    code(304, "cudaErrorOperatingSystem", "CUDA_ERROR_OPERATING_SYSTEM", "OS call failed or operation not supported on this OS"),
    code(400, "cudaErrorInvalidResourceHandle", "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"),
    code(401, "cudaErrorIllegalState", "CUDA_ERROR_ILLEGAL_STATE", "the operation cannot be performed in the present state"),
    code(402, "cudaErrorLossyQuery", "", "attempted introspection would be semantically lossy"),
    code(500, "cudaErrorSymbolNotFound", "CUDA_ERROR_NOT_FOUND", "named symbol not found"),
    code(600, "cudaErrorNotReady", "CUDA_ERROR_NOT_READY", "device not ready"),
    code(700, "cudaErrorIllegalAddress", "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"),
    code(701, "cudaErrorLaunchOutOfResources", "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"),
    code(702, "cudaErrorLaunchTimeout", "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"),
    code(703, "cudaErrorLaunchIncompatibleTexturing", "", "launch uses incompatible texturing mode"),
    code(704, "cudaErrorPeerAccessAlreadyEnabled", "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "peer access is already enabled"),
    code(705, "cudaErrorPeerAccessNotEnabled", "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", "peer access has not been enabled"),
    code(708, "cudaErrorSetOnActiveProcess", "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE", "cannot set while device is active in this process"),
    code(709, "cudaErrorContextIsDestroyed", "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"),
    code(710, "cudaErrorAssert", "CUDA_ERROR_ASSERT", "device-side assert triggered"),
    code(711, "cudaErrorTooManyPeers", "CUDA_ERROR_TOO_MANY_PEERS", "peer mapping resources exhausted"),
    code(712, "cudaErrorHostMemoryAlreadyRegistered", "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "part or all of the requested memory range is already mapped"),
    code(713, "cudaErrorHostMemoryNotRegistered", "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", "pointer does not correspond to a registered memory region"),
    code(714, "cudaErrorHardwareStackError", "CUDA_ERROR_HARDWARE_STACK_ERROR", "hardware stack error"),
    code(715, "cudaErrorIllegalInstruction", "CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered"),
    code(716, "cudaErrorMisalignedAddress", "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"),
    code(717, "cudaErrorInvalidAddressSpace", "CUDA_ERROR_INVALID_ADDRESS_SPACE", "operation not supported on global/shared address space"),
    code(718, "cudaErrorInvalidPc", "CUDA_ERROR_INVALID_PC", "invalid program counter"),
    code(719, "cudaErrorLaunchFailure", "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"),
    code(720, "cudaErrorCooperativeLaunchTooLarge", "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "too many blocks in cooperative launch"),
    code(721, "cudaErrorTensorMemoryLeak", "CUDA_ERROR_TENSOR_MEMORY_LEAK", "tensor memory not completely freed"),
    code(800, "cudaErrorNotPermitted", "CUDA_ERROR_NOT_PERMITTED", "operation not permitted"),
    code(801, "cudaErrorNotSupported", "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"),
    code(802, "cudaErrorSystemNotReady", "CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized"),
    code(803, "cudaErrorSystemDriverMismatch", "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver / cuda driver combination"),
    code(804, "cudaErrorCompatNotSupportedOnDevice", "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", "forward compatibility was attempted on non supported HW"),
    code(805, "cudaErrorMpsConnectionFailed", "CUDA_ERROR_MPS_CONNECTION_FAILED", "MPS client failed to connect to the MPS control daemon or the MPS server"),
    code(806, "cudaErrorMpsRpcFailure", "CUDA_ERROR_MPS_RPC_FAILURE", "the remote procedural call between the MPS server and the MPS client failed"),
    code(807, "cudaErrorMpsServerNotReady", "CUDA_ERROR_MPS_SERVER_NOT_READY", "MPS server is not ready to accept new MPS client requests"),
    code(808, "cudaErrorMpsMaxClientsReached", "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED", "the hardware resources required to create MPS client have been exhausted"),
    code(809, "cudaErrorMpsMaxConnectionsReached", "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED", "the hardware resources required to support device connections have been exhausted"),
    code(810, "cudaErrorMpsClientTerminated", "CUDA_ERROR_MPS_CLIENT_TERMINATED", "the MPS client has been terminated by the server"),
    code(811, "cudaErrorCdpNotSupported", "", "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not support it"),
    code(812, "cudaErrorCdpVersionMismatch", "", "unsupported interaction between different versions of CUDA Dynamic Parallelism"),
    code(900, "cudaErrorStreamCaptureUnsupported", "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"),
    code(901, "cudaErrorStreamCaptureInvalidated", "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "operation failed due to a previous error during capture"),
    code(902, "cudaErrorStreamCaptureMerge", "", "operation would result in a merge of separate capture sequences"),
    code(903, "cudaErrorStreamCaptureUnmatched", "", "capture was not ended in the same stream as it began"),
    code(904, "cudaErrorStreamCaptureUnjoined", "", "capturing stream has unjoined work"),
    code(905, "cudaErrorStreamCaptureIsolation", "", "dependency created on uncaptured work in another stream"),
    code(906, "cudaErrorStreamCaptureImplicit", "", "operation would make the legacy stream depend on a capturing blocking stream"),
    code(907, "cudaErrorCapturedEvent", "", "operation not permitted on an event last recorded in a capturing stream"),
    code(908, "cudaErrorStreamCaptureWrongThread", "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD", "attempt to terminate a thread-local capture sequence from another thread"),
    code(909, "cudaErrorTimeout", "CUDA_ERROR_TIMEOUT", "wait operation timed out"),
    code(910, "cudaErrorGraphExecUpdateFailure", "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE", "the graph update was not performed because it included changes which violated constraints specific to instantiated graph update"),
    code(911, "cudaErrorExternalDevice", "CUDA_ERROR_EXTERNAL_DEVICE", "an async error has occured in external entity outside of CUDA"),
    code(912, "cudaErrorInvalidClusterSize", "CUDA_ERROR_INVALID_CLUSTER_SIZE", "a kernel launch error has occurred due to cluster misconfiguration"),
    code(913, "cudaErrorFunctionNotLoaded", "", "the function handle is not loaded when calling an API that requires a loaded function"),
    code(914, "cudaErrorInvalidResourceType", "", "one or more resources passed in are not valid resource types for the operation"),
    code(915, "cudaErrorInvalidResourceConfiguration", "", "one or more resources are insufficient or non-applicable for the operation"),
    code(916, "", "CUDA_ERROR_KEY_ROTATION", ""),
    code(917, "cudaErrorStreamDetached", "", "API call not permitted since the green context associated with the stream has been destroyed"),
    code(918, "cudaErrorGraphRecaptureFailure", "", "recapturing to the source graph failed and had to be terminated"),
    code(919, "cudaErrorFabricNotReady", "CUDA_ERROR_FABRIC_NOT_READY", "GPU fabric is not ready within the probe wait budget; application may retry (see CUDA_FABRIC_INIT_TIMEOUT_MS)"),
    code(999, "cudaErrorUnknown", "CUDA_ERROR_UNKNOWN", "unknown error"),
];
