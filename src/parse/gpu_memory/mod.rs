//! Messages that a GPU's memory is full, of every framework.
//!
//! A message may be hard-wrapped or cut: its figures are gathered one by one from its lines. It does not read memory
//! logs (`memory` does) and does not say what filled the memory.

mod frameworks;
mod pytorch;
mod serving;
mod tensorflow;

use super::{Claim, Found, Parser, Spec, phrase};
use crate::{
    event::{GpuError, GpuOutOfMemory},
    line::{Line, Mark},
};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "gpu memory",
    needles: &[
        "CUDA out of memory",
        "HIP out of memory",
        "XPU out of memory",
        "NPU out of memory",
        "MUSA out of memory",
        "MPS backend out of memory",
        "would exceed allowed memory",
        "OutOfMemoryError: Allocation on device",
        "NVML_SUCCESS == ",
        "error: out of memory",
        "CudaError: out of memory",
        "): out of memory",
        ") : out of memory",
        "CUDA failure 2",
        "Cuda failure",
        "cudaMalloc failed",
        "CUDA_ERROR_OUT_OF_MEMORY",
        "cudaErrorMemoryAllocation",
        "hipErrorOutOfMemory",
        "OOM when allocating",
        "ran out of memory trying",
        "Out of memory while trying to allocate",
        "Out of memory allocating",
        "Out of memory error on GPU",
        "RMM failure",
        "memory for requested buffer",
        "Free memory on device",
        "memory for the cache blocks",
        "KV cache is needed",
        "stored in KV cache",
        "mem-fraction-static",
        "Invalid buffer size",
        "Error out of memory at line",
        "MEM_OBJECT_ALLOCATION_FAILURE",
        "PT_DEVMEM Allocation failed",
        "No executable batch size found",
        "Dst tensor is not initialized",
        "Out of GPU memory trying",
        "retry failed: out of memory",
        "in pin memory thread",
        ": CUDA error",
    ],
    parts: &[],
    make: || Box::new(Messages::default()),
};

/// The most lines over which a message is gathered: a pasted one has about a dozen.
const MOST_LINES: usize = 16;
/// The most text gathered of one message.
const MOST_TEXT: usize = 8_192;

/// How far the end of ggml's block lies from its beginning, with other lines in between.
const BLOCK_LINES: u64 = 8;

/// How far a `DataLoader`'s original traceback reaches behind the line that names its thread.
const TRACEBACK_LINES: u64 = 80;

/// A message that may go on in the next lines.
struct Open {
    mark: Mark,
    text: String,
    fatal: Option<String>,
    lines: usize,
}

/// The parser at work: at most one message is open.
#[derive(Default)]
struct Messages {
    open: Option<Open>,
    /// Where a bare CUDA call last said that memory was full.
    full: Option<u64>,
    /// Where a `DataLoader` last said that its pin-memory thread had failed.
    pinning: Option<u64>,
}

impl Messages {
    /// Gives the open message as far as it goes.
    fn close(&mut self, found: &mut Vec<Found>) {
        if let Some(open) = self.open.take() {
            found.push(Found::at(&open.mark, GpuOutOfMemory { fatal: open.fatal, ..pytorch::read(&open.text) }));
        }
    }

    /// ggml's block of four lines begins with `CUDA error: out of memory` and ends with the place where it aborts,
    /// `…/ggml-cuda.cu:101: CUDA error`.
    fn ggml_gave_up(&mut self, line: &Line<'_>) -> Option<GpuOutOfMemory> {
        if line.text.trim() == "CUDA error: out of memory" {
            self.full = Some(line.number);
        }
        let full = self.full.filter(|_| is_abort(line.text))?;
        self.full = None;
        (line.number.saturating_sub(full) <= BLOCK_LINES).then(|| GpuOutOfMemory {
            framework: Some("ggml".to_owned()),
            message: Some("CUDA error: out of memory".to_owned()),
            fatal: Some("yes".to_owned()),
            ..GpuOutOfMemory::default()
        })
    }

    /// `CUDA error: out of memory` in the `DataLoader`'s pin-memory thread: what was full is page-locked memory of the host.
    fn pinned(&mut self, line: &Line<'_>) -> Option<GpuError> {
        if line.text.contains("in pin memory thread") {
            self.pinning = Some(line.number);
        }
        let begin = self.pinning.filter(|_| line.text.contains("CUDA error: out of memory"))?;
        self.pinning = None;
        (line.number.saturating_sub(begin) <= TRACEBACK_LINES).then(|| GpuError {
            api: Some("cuda".to_owned()),
            name: Some("cudaErrorMemoryAllocation".to_owned()),
            code: Some(2),
            message: Some("CUDA error: out of memory in the pin memory thread".to_owned()),
            framework: Some("pytorch".to_owned()),
            ..GpuError::default()
        })
    }

    /// Adds a line to the open message; `false` if the line is not its continuation.
    fn goes_on(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> bool {
        let Some(open) = &mut self.open else { return false };
        let piece = unwrapped(line.text);
        let foreign = piece.is_empty() || pytorch::begins(piece) || ends_message(piece);
        open.lines += 1;
        if line.logger.is_some() && open.lines <= MOST_LINES {
            // The server's own line came in between.
            return false;
        }
        if foreign || open.lines > MOST_LINES || open.text.len() > MOST_TEXT {
            self.close(found);
            return false;
        }
        open.text.push(' ');
        open.text.push_str(piece);
        if pytorch::complete(&open.text) {
            self.close(found);
        }
        true
    }
}

impl Parser for Messages {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if self.goes_on(line, found) {
            return Claim::Mine;
        }
        if phrase::is_program_text(line.text) {
            return Claim::NotMine;
        }
        if let Some(message) = pytorch::start(line.text) {
            // The one before may still be open, if this one stands in the server's own line.
            self.close(found);
            let fatal = fatal(line.text);
            if pytorch::complete(message) {
                found.push(Found::on(line, GpuOutOfMemory { fatal, ..pytorch::read(message) }));
            } else {
                let text = message.chars().take(MOST_TEXT).collect();
                self.open = Some(Open { mark: line.mark(), text, fatal, lines: 0 });
            }
            return Claim::Mine;
        }
        if let Some(event) = self.ggml_gave_up(line) {
            found.push(Found::on(line, event));
            return Claim::Mine;
        }
        if let Some(event) = self.pinned(line) {
            found.push(Found::on(line, event));
            return Claim::Mine;
        }
        single(line, found)
    }

    fn hungry(&self) -> bool {
        self.open.is_some()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        self.close(found);
    }
}

/// Whether a line names the place where ggml aborts over a CUDA call.
fn is_abort(text: &str) -> bool {
    text.contains("ggml") && text.contains(".cu:") && text.trim_end().ends_with(": CUDA error")
}

/// What `fatal` holds for a line.
fn fatal(text: &str) -> Option<String> {
    phrase::ends_process(text).then(|| "yes".to_owned())
}

/// Messages that always stand on one line.
fn single(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let readers = [tensorflow::read, serving::read, frameworks::read];
    match readers.iter().find_map(|read| read(line.text)) {
        Some(Reading::Event(event)) => {
            found.push(Found::on(line, GpuOutOfMemory { fatal: fatal(line.text), ..*event }));
            Claim::Mine
        }
        Some(Reading::Harmless) => Claim::Mine,
        Some(Reading::Cut(expected)) => Claim::Damaged(expected.to_owned()),
        None => Claim::NotMine,
    }
}

/// What a line says.
enum Reading {
    /// Memory was full.
    Event(Box<GpuOutOfMemory>),
    /// The program says itself that nothing failed.
    Harmless,
    /// The line breaks off where this was expected.
    Cut(&'static str),
}

impl Reading {
    /// Memory was full.
    fn event(framework: &str, message: &str, rest: GpuOutOfMemory) -> Self {
        let framework = Some(framework.to_owned());
        Self::Event(Box::new(GpuOutOfMemory { framework, message: Some(phrase::excerpt(message)), ..rest }))
    }
}

/// A line without the marks that mail programs and comments put before wrapped lines.
fn unwrapped(text: &str) -> &str {
    text.trim().trim_start_matches(['#', '>', '|']).trim_start()
}

/// Whether a line clearly begins something else.
fn ends_message(text: &str) -> bool {
    ["Traceback", "During handling", "The above exception", "Cell In[", "File \"", "-----", "Epoch "]
        .iter()
        .any(|start| text.starts_with(start))
}
