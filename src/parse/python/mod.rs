//! What Python itself prints when something goes wrong: tracebacks and fatal errors.
//!
//! It does not judge exceptions, and leaves those with which notebook runners report another program's end
//! (`DeadKernelError`, `CellExecutionError` …) to the runners' parser.

mod exception;
mod fatal;
mod folded;
mod frame;
mod head;
mod place;
mod shadow;
mod source;
mod stack;
mod stranger;
mod traceback;

use super::{Claim, Found, Parser, Spec};
use crate::{event::PythonException, line::Line};
use fatal::Dump;
use head::head;
use shadow::shadow;
pub(in crate::parse) use shadow::in_message as shadow_in_message;
use traceback::{Step, Traceback};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "python",
    needles: &[
        "Traceback (most recent call last)",
        "Error: ",
        "Exception: ",
        "MemoryError",
        "SystemExit: ",
        "BrokenProcessPool: ",
        "Fatal Python error:",
        "Windows fatal exception:",
        ": No module named ",
    ],
    parts: &[],
    make: || Box::new(Python::default()),
};

/// The most tracebacks read at once: as many containers or processes whose lines a file may mix.
const MOST_OPEN: usize = 8;

/// The records that are open.
#[derive(Default)]
struct Python {
    open: Vec<Traceback>,
    dump: Option<Dump>,
    /// The number of the line before, while something is open.
    last: u64,
}

impl Parser for Python {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        let blank_before = line.number > self.last + 1;
        self.last = line.number;
        if let Some(claim) = self.fatal(line, found) {
            return claim;
        }
        let at = self.open.iter().position(|open| open.shares_origin(line.origin));
        if let Some(head) = head(line) {
            return self.head(at, head, line, found);
        }
        match at {
            Some(at) => self.body(at, line, blank_before, found),
            None => single(line, found),
        }
    }

    fn hungry(&self) -> bool {
        !self.open.is_empty() || self.dump.is_some()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        for open in self.open.drain(..) {
            open.close(found);
        }
        if let Some(dump) = self.dump.take() {
            dump.close(found);
        }
    }
}

impl Python {
    /// Looks for a fatal error and reads on in its dump; `None` for a line that may be a traceback's.
    fn fatal(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
        match fatal::open(line) {
            Err(damaged) => return Some(damaged),
            Ok(Some(dump)) => {
                if let Some(before) = self.dump.replace(dump) {
                    before.close(found);
                }
                return Some(Claim::Mine);
            }
            Ok(None) => {}
        }
        if let Some(dump) = &mut self.dump
            && !dump.line(line)
            && let Some(dump) = self.dump.take()
        {
            dump.close(found);
            return Some(Claim::Mine);
        }
        None
    }

    /// Opens a traceback, or goes on with a chain.
    fn head(
        &mut self,
        at: Option<usize>,
        head: head::Head,
        line: &Line<'_>,
        found: &mut Vec<Found>,
    ) -> Claim {
        let mut claim = Claim::Mine;
        if folded::read(&head, line, found) {
            return claim;
        }
        if let Some(at) = at {
            if let Some(open) = self.open.get_mut(at).filter(|open| open.awaits_chain()) {
                open.chain(head, line);
                return claim;
            }
            if self.open.get_mut(at).is_some_and(|open| open.nest(&head, line)) {
                return claim;
            }
            let before = self.open.remove(at);
            if before.is_torn() {
                claim = Claim::Damaged("the exception of the traceback before this one".to_owned());
            }
            before.close(found);
        }
        if self.open.len() >= MOST_OPEN {
            self.open.remove(0).close(found);
        }
        self.open.push(Traceback::new(head, line));
        claim
    }

    /// Reads on in an open traceback.
    fn body(&mut self, at: usize, line: &Line<'_>, blank_before: bool, found: &mut Vec<Found>) -> Claim {
        let Some(open) = self.open.get_mut(at) else { return Claim::NotMine };
        match open.line(line, blank_before) {
            Step::Took => Claim::Mine,
            Step::Passed => Claim::NotMine,
            Step::Damaged => Claim::Damaged("the end of a frame: `\", line N, in FUNCTION`".to_owned()),
            Step::Ended => {
                let wrapped = open.ends_in_wrapper();
                self.open.remove(at).close(found);
                if wrapped { Claim::Mine } else { single(line, found) }
            }
        }
    }
}

/// Reads a line that tells all by itself.
fn single(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let event = no_module(line.text).or_else(|| bare_exception(line));
    match event {
        Some(event) => {
            found.push(Found::on(line, event));
            Claim::Mine
        }
        None => Claim::NotMine,
    }
}

/// An exception without its traceback.
fn bare_exception(line: &Line<'_>) -> Option<PythonException> {
    let raised = exception::alone(line.text).filter(|raised| !raised.is_wrapper())?;
    let place = match raised.name.as_str() {
        // IPython catches it and says so; only a cell can raise it there.
        "SystemExit" => "cell",
        _ if line.logger.is_some() => "server",
        _ => "other",
    };
    Some(PythonException {
        exception: Some(raised.name),
        shadow: shadow(&[], &raised.message),
        message: Some(raised.message).filter(|message| !message.is_empty()),
        place: Some(place.to_owned()),
        ..PythonException::default()
    })
}

/// `/opt/env/bin/python: No module named ipykernel_launcher`: the interpreter that should become a kernel has no
/// ipykernel. `python -m` prints no traceback and does not name the exception.
fn no_module(text: &str) -> Option<PythonException> {
    let (interpreter, module) = text.split_once(": No module named ")?;
    let program = interpreter.rsplit(['/', '\\']).next()?;
    let module = module.split_whitespace().next()?;
    let python = program.to_ascii_lowercase().starts_with("py") && !program.contains([' ', ':']);
    python.then(|| PythonException {
        message: Some(format!("No module named {module}")),
        place: Some(if module.contains("ipykernel") { "kernel-start" } else { "other" }.to_owned()),
        ..PythonException::default()
    })
}
