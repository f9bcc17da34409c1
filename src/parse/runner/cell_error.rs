//! A cell raised an exception and the runner gave up: one event for the whole traceback.
//!
//! It takes the exception's type and message from the lines that follow and reads no frames.

use super::{context::Context, number_behind};
use crate::{
    event::RunnerCellError,
    line::{Line, Mark, shorten},
    parse::Found,
};

/// The longest traceback that is waited for, in lines.
const TRACEBACK_LINES: usize = 400;
/// The lines within which the same exception is the same failure, told again by a chained traceback or a summary.
const SAME_LINES: u64 = 400;

/// Beginnings of a record.
const HEADERS: &[&str] = &[
    "CellExecutionError: An error occurred while executing the following cell",
    "TestbookRuntimeError: An error occurred while executing the following cell",
    "PapermillExecutionError:",
    "Exception encountered at",
];

/// What stands between two chained exceptions.
const CHAINED: &[&str] =
    &["During handling of the above exception", "the direct cause of the following exception"];

/// The open record and the last one given.
#[derive(Default)]
pub(super) struct CellErrors {
    open: Option<Open>,
    last: Option<(u64, RunnerCellError)>,
}

/// A record whose last line has not come.
struct Open {
    mark: Mark,
    event: RunnerCellError,
    /// Whether the exception's last line was seen; another may follow if it was chained.
    complete: bool,
    left: usize,
}

impl CellErrors {
    /// Whether a record is open.
    pub(super) fn open(&self) -> bool {
        self.open.is_some()
    }

    /// Looks at one line; `true` if it belongs to a record.
    pub(super) fn line(&mut self, line: &Line<'_>, context: &Context, found: &mut Vec<Found>) -> bool {
        let text = line.text.strip_prefix("E  ").unwrap_or(line.text).trim();
        if text.contains("Executing notebook failed: CellExecutionError") {
            self.finish(context, found);
            self.begin(line);
            self.finish(context, found);
            return true;
        }
        // papermill says `Exception encountered at "In [3]":` inside the record; alone it still begins one.
        if header(text) && !(self.open() && text.contains("Exception encountered at")) {
            self.finish(context, found);
            self.begin(line);
        }
        let Some(open) = &mut self.open else { return false };
        let own = open.follow(text);
        if !own && (open.complete || open.left == 0) {
            self.finish(context, found);
        }
        own
    }

    /// Gives the open record as far as it goes.
    pub(super) fn finish(&mut self, context: &Context, found: &mut Vec<Found>) {
        let Some(Open { mark, mut event, .. }) = self.open.take() else { return };
        event.runner = context.runner.clone().or_else(|| runner(&mark.text));
        event.notebook.clone_from(&context.notebook);
        let told = self.last.as_ref().is_some_and(|(number, before)| {
            mark.number <= number + SAME_LINES
                && before.exception == event.exception
                && before.message == event.message
                && before.notebook == event.notebook
        });
        if !told {
            self.last = Some((mark.number, event.clone()));
            found.push(Found::at(&mark, event));
        }
    }

    /// Opens a record.
    fn begin(&mut self, line: &Line<'_>) {
        let event = RunnerCellError::default();
        self.open = Some(Open { mark: line.mark(), event, complete: false, left: TRACEBACK_LINES });
    }
}

impl Open {
    /// Takes a line of the record; `false` if it tells nothing.
    fn follow(&mut self, text: &str) -> bool {
        self.left = self.left.saturating_sub(1);
        if header(text) {
            self.event.cell = self.event.cell.or_else(|| number_behind(text, "In ["));
            return true;
        }
        if CHAINED.iter().any(|words| text.contains(words)) {
            self.complete = false;
            return true;
        }
        if let Some(exception) = traceback_head(text) {
            self.event.exception = Some(exception.to_owned());
            self.event.message = None;
            self.complete = false;
            return true;
        }
        self.event.cell = self.event.cell.or_else(|| cell(text));
        // Blank lines, and the repetition of the last line, do not end a record.
        text.is_empty() || self.last_line(text)
    }

    /// `ZeroDivisionError: division by zero`.
    fn last_line(&mut self, text: &str) -> bool {
        let (exception, message) = text.split_once(':').unwrap_or((text, ""));
        let expected = match &self.event.exception {
            // IPython writes the short name in the head and the full one on the last line.
            Some(known) => exception == known || exception.ends_with(&format!(".{known}")),
            None => looks_like_exception(exception),
        };
        if !expected {
            return false;
        }
        if !self.complete {
            let short = exception.rsplit('.').next().unwrap_or(exception);
            self.event.exception = Some(short.to_owned());
            self.event.message = Some(shorten(message.trim())).filter(|message| !message.is_empty());
            self.complete = true;
        }
        true
    }
}

/// Whether a line begins a record. pytest's summary repeats the header without what follows.
fn header(text: &str) -> bool {
    HEADERS.iter().any(|header| text.contains(header))
        && !text.starts_with("FAILED ")
        && !text.starts_with("ERROR ")
}

/// `ZeroDivisionError                         Traceback (most recent call last)`: `IPython`'s head, with the type.
fn traceback_head(text: &str) -> Option<&str> {
    let (exception, _) = text.split_once("Traceback (most recent call last)")?;
    let exception = exception.trim_end();
    (!exception.is_empty() && exception.chars().all(|c| c.is_alphanumeric() || "_.".contains(c)))
        .then_some(exception)
}

/// The execution count in `Cell In[1], line 1`, `Input In [3], in <cell line: 1>()` and `<ipython-input-3-…>`.
fn cell(text: &str) -> Option<i64> {
    ["Cell In[", "Input In [", "<ipython-input-"].into_iter().find_map(|literal| number_behind(text, literal))
}

/// Whether a word can be the type of an exception nobody announced (a `SyntaxError` has no head).
fn looks_like_exception(word: &str) -> bool {
    let named = ["Error", "Exception", "Interrupt", "Exit"].iter().any(|end| word.ends_with(end));
    named && word.chars().all(|c| c.is_alphanumeric() || "_.".contains(c))
}

/// The runner, by the exception's module.
fn runner(text: &str) -> Option<String> {
    let names = ["papermill", "testbook", "nbconvert", "nbclient"];
    names.into_iter().find(|name| text.contains(&format!("{name}."))).map(str::to_owned)
}
