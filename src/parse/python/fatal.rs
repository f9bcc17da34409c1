//! The interpreter's last words: `Fatal Python error: …`, and the dump of all stacks behind it.
//!
//! A dump from `faulthandler.dump_traceback_later` (`Timeout (0:00:10)!`) is no fatal error and is left alone.

use super::frame;
use crate::{
    event::{Origin, PythonFatalError},
    line::{Line, Mark},
    parse::{Claim, Found, prim},
};
use std::sync::Arc;

const FATAL: &str = "Fatal Python error:";
const WINDOWS: &str = "Windows fatal exception:";
/// First-chance exceptions that Windows shows to faulthandler although somebody catches them: COM, a C++ exception,
/// `LuaJIT`. Kernels live on.
const HARMLESS: [&str; 3] = ["code 0x8001010d", "code 0xe06d7363", "code 0xe24c4a02"];
/// Files that a process runs through for as long as it is a Jupyter server.
const SERVER_FILES: [&str; 4] =
    ["/jupyter_server/serverapp.py", "/notebook/notebookapp.py", "/jupyterhub/singleuser/", "/kernel_gateway/gatewayapp.py"];
/// The most lines that are looked at after the first.
const MOST_LINES: usize = 600;
/// The most lines of others in a dump.
const MOST_STRANGERS: usize = 20;
/// The longest list of extension modules kept.
const MOST_MODULES: usize = 2000;

/// A fatal error whose dump is being read.
#[derive(Debug)]
pub(super) struct Dump {
    mark: Mark,
    origin: Arc<Origin>,
    event: PythonFatalError,
    in_current: bool,
    lines: usize,
    strangers: usize,
}

/// Reads a line as the first of a dump; the kernel's last line may be glued to something before it.
pub(super) fn open(line: &Line<'_>) -> Result<Option<Dump>, Claim> {
    let said =
        [FATAL, WINDOWS].iter().find_map(|mark| line.text.split_once(mark).map(|(_, said)| said.trim()));
    let Some(said) = said else { return Ok(None) };
    if said.is_empty() {
        return Err(Claim::Damaged("what the fatal error is".to_owned()));
    }
    if HARMLESS.iter().any(|harmless| said.starts_with(harmless)) {
        return Ok(None);
    }
    let message = said.chars().take(400).collect();
    let event = PythonFatalError { message: Some(message), ..PythonFatalError::default() };
    Ok(Some(Dump {
        mark: line.mark(),
        origin: Arc::clone(line.origin),
        event,
        in_current: false,
        lines: 0,
        strangers: 0,
    }))
}

impl Dump {
    /// Looks at the next line; `false` when the dump is complete.
    pub(super) fn line(&mut self, line: &Line<'_>) -> bool {
        self.lines += 1;
        if self.lines > MOST_LINES || self.strangers > MOST_STRANGERS {
            return false;
        }
        let text = line.text.trim_end();
        if text.contains("(most recent call first):") {
            self.in_current = text.starts_with("Current thread") && !text.contains("C stack");
        } else if let Some(modules) = text.strip_prefix("Extension modules:") {
            self.event.extension_modules = Some(modules_of(modules));
            return false;
        } else if let Some(frame) = frame::dumped(text) {
            self.frame(frame);
        } else if !text.starts_with(' ') && !text.is_empty()
            || line.origin.container_id != self.origin.container_id
        {
            self.strangers += 1;
        }
        true
    }

    /// Keeps the first frame of the thread that died. The other threads of an ipykernel only wait, but show whose
    /// process it was.
    fn frame(&mut self, frame: frame::Frame) {
        if SERVER_FILES.iter().any(|file| frame.path().contains(file)) {
            self.event.server = Some("yes".to_owned());
        }
        if let Some((_, behind)) = frame.file.split_once("ipykernel") {
            self.event.kernel = Some("yes".to_owned());
            let pid = behind.strip_prefix('_').and_then(|pid| prim::integer(pid).ok());
            self.event.pid = self.event.pid.or(pid.map(|(_, pid)| pid));
        }
        if self.in_current && self.event.file.is_none() {
            self.event.file = Some(frame.file);
            self.event.function = frame.function;
        }
    }

    /// Gives the event, as far as the dump goes.
    pub(super) fn close(mut self, found: &mut Vec<Found>) {
        // A kernel's code may call into the server's packages.
        self.event.server = self.event.server.filter(|_| self.event.kernel.is_none());
        found.push(Found::at(&self.mark, self.event));
    }
}

/// `numpy.linalg.lapack_lite, zmq._zmq (total: 2)` without the count.
fn modules_of(text: &str) -> String {
    let list = text.split(" (total:").next().unwrap_or(text);
    list.trim().chars().take(MOST_MODULES).collect()
}
