//! Notebook runners: nbconvert, nbclient, papermill, nbmake, testbook, treon, ploomber-engine, jupyter-book.
//!
//! They say that a kernel died, never why. An exception in a cell and a time-out are no deaths. What the exception
//! means is the python parser's.

mod cell_error;
mod context;
mod died;
mod pytest;
mod timeout;

use super::{Claim, Found, Parser, Spec, prim};
use crate::{event::Event, line::Line};
use cell_error::CellErrors;
use context::Context;
use timeout::Timeouts;

/// The parser.
pub const PARSER: Spec = Spec {
    name: "runner",
    needles: &[
        "Kernel died while waiting",
        "Kernel died before replying",
        "DeadKernelError",
        "respond in ",
        "CellExecutionError",
        "PapermillExecutionError",
        "TestbookRuntimeError",
        "Exception encountered at",
        "CellTimeoutError",
        "Timeout waiting for execute reply",
        "Cell execution timed out",
        "NBMAKE INTERNAL ERROR",
        "A cell timed out",
        "FAILED ",
        "Converting notebook ",
        "Input Notebook:",
        "Executing notebook with kernel",
        ": Executing notebook using ",
        "NbClientApp",
        "Triggered test for ",
        "Executing Cell ",
        "Ending Cell ",
        "Executing cell: ",
        "papermill",
        "nbconvertapp.py",
        "nbmake",
        "testbook",
        "treon",
        "jupytext",
        "ploomber_engine",
        "myst_nb",
    ],
    parts: &[],
    make: || Box::new(Runner::default()),
};

/// What is known of the runner at work, and the records that are open.
#[derive(Default)]
struct Runner {
    context: Context,
    errors: CellErrors,
    timeouts: Timeouts,
    /// How often this log told of a dead kernel, which gives nbmake's `INTERNAL ERROR` its meaning, as often.
    deaths_seen: usize,
}

impl Parser for Runner {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        self.context.book(line, found);
        if self.errors.line(line, &self.context, found) || self.context.line(line, found) {
            let cut = context::broken_off(line.text);
            return if cut { Claim::Damaged("a notebook".to_owned()) } else { Claim::Mine };
        }
        if let Some(event) = died::died(line.text, &self.context) {
            self.deaths_seen += 1;
            found.push(Found::on(line, event));
            return Claim::Mine;
        }
        if let Some(event) = pytest::failed(line.text, self.deaths_seen > 0) {
            if matches!(event, Event::RunnerKernelDied(_)) {
                self.deaths_seen -= 1;
            }
            found.push(Found::on(line, event));
            return Claim::Mine;
        }
        if let Some(event) = died::never_ready(line.text) {
            found.push(Found::on(line, event));
            return Claim::Mine;
        }
        if self.timeouts.line(line, &self.context, found) { Claim::Mine } else { Claim::NotMine }
    }

    fn hungry(&self) -> bool {
        self.errors.open()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        self.context.finish(found);
        self.errors.finish(&self.context, found);
    }
}

/// The whole number behind a literal.
fn number_behind(text: &str, literal: &str) -> Option<i64> {
    let (_, rest) = text.split_once(literal)?;
    prim::integer(rest).ok().map(|(_, number)| number)
}
