//! The table of signatures: a literal, who prints it, how grave it is, and how its line is read.
//!
//! The order matters where two literals may stand on one line: the first that understands the line wins. Lines that
//! every healthy start prints (oneDNN, AVX, `Unable to register cuDNN factory`) are not in it.

use super::{
    Hit, LONGEST, Reading, assertion, cpp, detail, gui, loader, memory,
    source_line::{fatal_record, libprotobuf},
};
use crate::event::NativeMessage;

/// One thing that native code prints.
pub(super) struct Signature {
    /// Stands in the line as it is.
    pub literal: &'static str,
    /// Who prints it, unless the reader knows better.
    pub library: &'static str,
    /// How grave it is, unless the reader knows better.
    pub severity: &'static str,
    /// Reads the line.
    pub read: fn(Hit<'_>) -> Reading,
}

impl Signature {
    /// Fills in what the reader left open.
    pub(super) fn complete(&self, event: NativeMessage, hit: Hit<'_>) -> NativeMessage {
        let message = event.message.unwrap_or_else(|| hit.from().to_owned());
        NativeMessage {
            library: event.library.or_else(|| Some(self.library.to_owned())),
            severity: event.severity.or_else(|| Some(self.severity.to_owned())),
            message: Some(cut(message.trim())),
            code: event.code.map(|text| cut(&text)),
            exception: event.exception.map(|text| cut(&text)),
            file: event.file.map(|text| cut(&text)),
            ..event
        }
    }
}

/// A text, no longer than what is kept.
fn cut(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

/// A row of the table.
const fn row(
    literal: &'static str,
    library: &'static str,
    severity: &'static str,
    read: fn(Hit<'_>) -> Reading,
) -> Signature {
    Signature { literal, library, severity, read }
}

/// Every signature.
pub(super) const SIGNATURES: &[Signature] = &[
    // glibc's heap checks, from malloc.c of 2.17 to 2.40. The damage was done earlier; the place is innocent.
    row("free(): ", "glibc", "fatal", memory::heap),
    row("malloc(): ", "glibc", "fatal", memory::heap),
    row("realloc(): ", "glibc", "fatal", memory::heap),
    row("munmap_chunk(): ", "glibc", "fatal", memory::heap),
    row("mremap_chunk(): ", "glibc", "fatal", memory::heap),
    row("malloc_consolidate(): ", "glibc", "fatal", memory::heap),
    row("double free or corruption (", "glibc", "fatal", memory::heap_line),
    row("corrupted double-linked list", "glibc", "fatal", memory::heap_line),
    row("corrupted size vs. prev_size", "glibc", "fatal", memory::heap_line),
    row("*** stack smashing detected ***", "glibc", "fatal", detail::whole),
    row("*** buffer overflow detected ***", "glibc", "fatal", detail::whole),
    row("Fatal glibc error: ", "glibc", "fatal", detail::whole),
    // Other allocators.
    row("malloc: *** error", "malloc", "fatal", memory::macos),
    row("malloc: *** mach_vm_map(size=", "malloc", "error", memory::macos),
    row("malloc: Heap corruption detected", "malloc", "fatal", memory::macos),
    row("malloc: Incorrect checksum for freed object", "malloc", "fatal", memory::macos),
    row("<jemalloc>: ", "jemalloc", "error", detail::whole),
    row("tcmalloc: large alloc ", "tcmalloc", "warning", memory::large_allocation),
    row("Attempt to free invalid pointer", "tcmalloc", "fatal", detail::whole),
    // C++.
    row("terminate called after throwing an instance of", "c++", "fatal", cpp::terminate),
    row("terminate called without an active exception", "c++", "fatal", detail::whole),
    row("terminate called recursively", "c++", "fatal", detail::whole),
    row("pure virtual method called", "c++", "fatal", detail::whole),
    row("libc++abi", "c++", "fatal", cpp::libcxxabi),
    // Assertions.
    row("failed assertion", "assert", "fatal", assertion::apple),
    row("Assertion failed: ", "assert", "fatal", assertion::bare),
    row("Assertion `", "assert", "fatal", assertion::glibc),
    row(" (src/", "zmq", "fatal", assertion::libzmq),
    row("libzmq", "zmq", "fatal", assertion::libzmq),
    row("zeromq", "zmq", "fatal", assertion::libzmq),
    row("GGML_ASSERT", "ggml", "fatal", detail::whole),
    row(": CUDA error", "ggml", "fatal", assertion::ggml_gpu),
    // OpenMP and linear algebra.
    row("OMP: Error #", "openmp", "fatal", detail::numbered),
    row("OMP: System error #", "openmp", "error", detail::numbered),
    row("libgomp: ", "openmp", "fatal", detail::whole),
    row("MKL FATAL ERROR", "mkl", "fatal", detail::after_colon),
    row("MKL ERROR", "mkl", "error", detail::after_colon),
    row("oneMKL ERROR", "mkl", "error", detail::after_colon),
    row("blas_thread_init: pthread_create", "openblas", "error", detail::blas_thread),
    row("BLAS : Program is Terminated", "openblas", "fatal", detail::whole),
    row("BLAS : Bad memory unallocation", "openblas", "error", detail::whole),
    row("OpenBLAS error: ", "openblas", "fatal", detail::whole),
    // Two versions of one library.
    row("Headers are ", "hdf5", "fatal", detail::hdf5_versions),
    row("HDF5 library version mismatched", "hdf5", "fatal", detail::whole),
    row("[libprotobuf FATAL ", "protobuf", "fatal", libprotobuf),
    row("[libprotobuf ERROR ", "protobuf", "error", libprotobuf),
    // Fatal records of glog, Abseil and TensorFlow: an abort follows.
    row("Check failed: ", "absl", "fatal", fatal_record),
    row("CHECK failed: ", "absl", "fatal", fatal_record),
    row("F0000 00:00:", "absl", "fatal", fatal_record),
    row("The TensorFlow library was compiled to use ", "tensorflow", "fatal", detail::missing_instructions),
    row("F tensorflow/", "tensorflow", "fatal", fatal_record),
    row("F ./tensorflow/", "tensorflow", "fatal", fatal_record),
    row("F external/", "tensorflow", "fatal", fatal_record),
    row("F xla/", "tensorflow", "fatal", fatal_record),
    row("F bazel-out/", "tensorflow", "fatal", fatal_record),
    row("tf_jenkins", "tensorflow", "fatal", fatal_record),
    // The compiler under numba, JAX and PyTorch.
    row("LLVM ERROR: ", "llvm", "fatal", detail::whole),
    // Windows and displays.
    row("ould not connect to display", "qt", "error", gui::qt),
    row("load the Qt platform plugin", "qt", "fatal", gui::qt),
    row("no Qt platform plugin could be initialized", "qt", "fatal", gui::qt),
    row("Must construct a QApplication before a QWidget", "qt", "fatal", gui::qt),
    row("QThread: Destroyed while thread", "qt", "fatal", gui::qt),
    row("cannot connect to X server", "x11", "error", detail::line),
    row("X Error of failed request", "x11", "fatal", detail::whole),
    row("fatal IO error", "x11", "fatal", gui::x_connection),
    row("bad X server connection", "vtk", "fatal", detail::line),
    row("-ERROR **: ", "gtk", "fatal", gui::glib),
    row("-WARNING **: cannot open display", "gtk", "error", gui::glib),
    row("Tcl_AsyncDelete: ", "tk", "fatal", detail::whole),
    // Objective-C on macOS.
    row("Terminating app due to uncaught exception ", "objc", "fatal", gui::uncaught),
    row("when fork() was called", "objc", "fatal", gui::forked),
    row("The process has forked and you cannot use this CoreFoundation", "objc", "fatal", detail::whole),
    // Loaders.
    row("symbol lookup error: ", "loader", "fatal", loader::lookup),
    row("error while loading shared libraries: ", "loader", "fatal", loader::lookup),
    row("Inconsistency detected by ld.so", "loader", "fatal", loader::outside_exception),
    row("CPU ISA level is lower than required", "loader", "fatal", loader::outside_exception),
    row("Could not load library lib", "loader", "fatal", loader::named_library),
    row("Could not load library cudnn", "loader", "fatal", loader::named_library),
    row("Could not load symbol cudnn", "loader", "fatal", loader::named_library),
    row("Cannot load symbol cudnn", "loader", "fatal", loader::named_library),
    row("Unable to load any of {lib", "loader", "fatal", loader::outside_exception),
    row("Could not locate ", "loader", "fatal", loader::located),
    row("undefined symbol: cudnn", "loader", "fatal", loader::outside_exception),
    row("dyld: Library not loaded", "loader", "fatal", loader::outside_exception),
    row("dyld: Symbol not found", "loader", "fatal", loader::outside_exception),
    row("Missing required CPU features", "polars", "warning", detail::whole),
    // GPUs, where they end the process.
    row("(mpsFileLoc): ", "metal", "fatal", assertion::mps),
    row("command buffer exited with error status", "metal", "error", detail::whole),
    row("Execution of the command buffer was aborted", "metal", "error", detail::parenthesised_code),
    row("Memory access fault by GPU node", "rocm", "fatal", detail::whole),
    row("HW Exception by GPU node", "rocm", "fatal", detail::whole),
    row("callbackQueue aborting with error", "rocm", "fatal", detail::line),
    // Other languages in the same process, and other kernels.
    row("forrtl: error (", "fortran", "error", detail::numbered),
    row("forrtl: severe (", "fortran", "fatal", detail::numbered),
    row("STOP ", "fortran", "fatal", detail::fortran_stop),
    row("memory allocation of ", "rust", "fatal", memory::rust_refused),
    row("fatal runtime error: ", "rust", "fatal", detail::alone),
    row(" has overflowed its stack", "rust", "fatal", detail::rust_overflow),
    row(" panicked at ", "rust", "error", detail::rust_panic),
    row("qemu: uncaught target signal ", "qemu", "fatal", detail::whole),
    row("signal (", "julia", "fatal", detail::julia_signal),
    row("*** caught ", "r", "fatal", detail::r_signal),
    row("A fatal error has been detected by the Java Runtime", "java", "fatal", detail::whole),
    // What a shell says of its child, when nothing else stands on the line.
    row("Bus error", "shell", "fatal", detail::shell_word),
    row("Illegal instruction", "shell", "fatal", detail::shell_word),
    row("Floating point exception", "shell", "fatal", detail::shell_word),
];

/// The literals.
pub(super) const NEEDLES: [&str; SIGNATURES.len()] = {
    let mut literals = [""; SIGNATURES.len()];
    let mut index = 0;
    while index < SIGNATURES.len() {
        literals[index] = SIGNATURES[index].literal;
        index += 1;
    }
    literals
};
