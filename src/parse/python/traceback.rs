//! One traceback as it is being read, with the exceptions it was raised from.
//!
//! It takes the lines that are its own and leaves those of others that were printed in between; it does not know
//! which other tracebacks are open.

use super::{
    exception::{self, Raised},
    frame::{self, Frame},
    head::{Head, indent, without_prefix},
    place::Standing,
    stack::Stack,
    stranger::{is_chain_remark, is_stranger},
};
use crate::{
    event::{Origin, PythonException},
    line::{Line, Logger, Mark},
    parse::Found,
};
use std::sync::Arc;

/// The most lines of others that may stand in the middle of a traceback.
const MOST_STRANGERS: usize = 60;
/// The most lines of a traceback: a thousand frames, two lines each, and their carets.
const MOST_LINES: usize = 4000;
/// The most lines kept of a message, and its most characters.
const MOST_MESSAGE_LINES: usize = 8;
const MOST_MESSAGE: usize = 1000;
/// How many lines after an exception may pass before the remark that joins it to the next one.
const MOST_AFTER: usize = 4;

/// What a traceback did with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// It is part of it.
    Took,
    /// It is somebody else's; the traceback goes on.
    Passed,
    /// It is part of it and cut off.
    Damaged,
    /// The traceback is complete without it.
    Ended,
}

/// Which part comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Frames,
    Message,
    After,
}

/// A traceback being read.
#[derive(Debug)]
pub(super) struct Traceback {
    origin: Arc<Origin>,
    prefix: String,
    /// The logger whose head stands before every line of the record, as some loggers write it.
    logger: Option<Logger<'static>>,
    indent: usize,
    standing: Standing,
    expected: Option<String>,
    stage: Stage,
    chained: bool,
    stack: Stack,
    raised: Option<Raised>,
    /// The exception, and its line, whose message holds the traceback that is being read: a worker's.
    outer: Option<(Raised, Mark)>,
    /// Whether a line with the prefix has been seen, so that others are not of this record.
    prefixed: bool,
    /// Whether somebody else spoke after the exception.
    interrupted: bool,
    causes: Vec<String>,
    message_lines: usize,
    strangers: usize,
    lines: usize,
    mark: Mark,
}

impl Traceback {
    /// Opens one.
    pub(super) fn new(head: Head, line: &Line<'_>) -> Self {
        let mut new = Self {
            origin: Arc::clone(line.origin),
            prefix: String::new(),
            logger: line.logger.cloned().map(Logger::into_owned),
            indent: 0,
            standing: Standing { ipython: false, in_record: is_jupyters(line) },
            expected: None,
            stage: Stage::Frames,
            chained: false,
            stack: Stack::default(),
            raised: None,
            outer: None,
            prefixed: false,
            interrupted: false,
            causes: Vec::new(),
            message_lines: 0,
            strangers: 0,
            lines: 0,
            mark: line.mark(),
        };
        new.begin(head, line);
        new
    }

    /// Takes up a head, of the first exception or of one raised while another was handled.
    fn begin(&mut self, head: Head, line: &Line<'_>) {
        let Head { exception, ipython, prefix, indent, rest } = head;
        (self.expected, self.prefix, self.indent) = (exception, prefix, indent);
        self.standing.ipython = ipython;
        // tornado's formatter, which every Jupyter program uses, indents by four.
        self.standing.in_record |= indent == 4;
        self.stage = Stage::Frames;
        self.chained = false;
        self.strangers = 0;
        if let Some(frame) = frame::frame(&rest) {
            self.frame(frame, line);
        }
    }

    /// Goes on with the next exception of a chain.
    pub(super) fn chain(&mut self, head: Head, line: &Line<'_>) {
        if let Some(raised) = self.raised.take().filter(|raised| !is_remote(raised)) {
            self.causes.push(raised.shown());
        }
        self.stack.next();
        self.begin(head, line);
    }

    /// Goes on with the traceback of a worker that an exception's message holds; `false` if it is none.
    pub(super) fn nest(&mut self, head: &Head, line: &Line<'_>) -> bool {
        let announced = head.prefix.trim_end().ends_with("Original")
            || self
                .raised
                .as_ref()
                .is_some_and(|raised| raised.message.ends_with("with the following error:"));
        if self.stage != Stage::Message || !announced {
            return false;
        }
        self.enter(line);
        true
    }

    /// Puts the exception aside until that of its message is known.
    fn enter(&mut self, line: &Line<'_>) {
        if let Some(raised) = self.raised.take() {
            let mark = std::mem::replace(&mut self.mark, line.mark());
            self.outer = Some((raised, mark));
        }
        self.stage = Stage::Frames;
        self.strangers = 0;
    }

    /// Whether the next head belongs to this traceback.
    pub(super) fn awaits_chain(&self) -> bool {
        self.chained
    }

    /// Whether a runner's exception ended it.
    pub(super) fn ends_in_wrapper(&self) -> bool {
        self.raised.as_ref().is_some_and(Raised::is_wrapper)
    }

    /// Whether an exception is still to come.
    pub(super) fn is_torn(&self) -> bool {
        self.stage == Stage::Frames && self.outer.is_none() && !self.stack.is_empty()
    }

    /// Whether a line came the same way.
    pub(super) fn shares_origin(&self, origin: &Origin) -> bool {
        // The channel is left out: a logger's head changes it.
        self.origin.container_id == origin.container_id
            && self.origin.container_name == origin.container_name
            && self.origin.pod == origin.pod
            && self.origin.host == origin.host
            && self.origin.program == origin.program
            && self.origin.pid == origin.pid
            && self.origin.stream == origin.stream
    }

    /// Looks at a line that is no head. Blank lines are not shown to parsers; `blank_before` tells of them.
    pub(super) fn line(&mut self, line: &Line<'_>, blank_before: bool) -> Step {
        if blank_before && self.stage == Stage::Message {
            self.message_pause();
        }
        self.lines += 1;
        if self.lines > MOST_LINES {
            return Step::Ended;
        }
        let own = if self.prefix.is_empty() { None } else { without_prefix(line.text, &self.prefix) };
        self.prefixed |= own.is_some();
        let logged = line.logger.is_some() && line.logger != self.logger.as_ref();
        let foreign = own.is_none() && (self.prefixed || logged);
        let text = own.unwrap_or(line.text);
        match self.stage {
            _ if foreign => self.pass(),
            Stage::Frames => self.stack_line(text, line),
            Stage::Message => self.message_line(text, line),
            Stage::After => self.line_after(text),
        }
    }

    /// A line of somebody else.
    fn pass(&mut self) -> Step {
        self.strangers += 1;
        let most = if self.stage == Stage::Frames { MOST_STRANGERS } else { MOST_AFTER };
        if self.stage != Stage::Frames {
            self.stage = Stage::After;
            self.interrupted = true;
        }
        if self.strangers > most { Step::Ended } else { Step::Passed }
    }

    /// A line among the frames.
    fn stack_line(&mut self, text: &str, line: &Line<'_>) -> Step {
        if let Some(frame) = frame::frame(text) {
            if text.trim_start().starts_with("File \"") {
                // The head may have been glued to something; the frames tell the true indent.
                self.indent = indent(text).saturating_sub(2);
            }
            return self.frame(frame, line);
        }
        if frame::is_cut(text) {
            return Step::Damaged;
        }
        let deeper = indent(text) > self.indent;
        if !deeper && let Some(raised) = self.exception(text) {
            return self.raise(raised, line);
        }
        self.stack.source.line(text, indent(text) >= self.indent + 4);
        match text.trim() {
            "" if self.standing.ipython => Step::Took,
            _ if deeper || self.standing.ipython && text.trim_start().starts_with("---") => Step::Took,
            _ => self.pass(),
        }
    }

    /// Reads the line with the exception, which stands as far left as the head.
    fn exception(&self, text: &str) -> Option<Raised> {
        let raised = exception::within_traceback(text.trim_start());
        // IPython named the type in the head, so even an odd name is known again.
        raised.or_else(|| {
            let expected = self.expected.as_deref()?;
            let (name, message) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
            let named = name == expected || name.rsplit('.').next() == Some(expected);
            named.then(|| Raised {
                name: expected.to_owned(),
                message: message.trim().to_owned(),
                colon: true,
            })
        })
    }

    /// Keeps a frame.
    fn frame(&mut self, frame: Frame, line: &Line<'_>) -> Step {
        self.mark = line.mark();
        self.stack.push(frame);
        Step::Took
    }

    /// Keeps the exception.
    fn raise(&mut self, raised: Raised, line: &Line<'_>) -> Step {
        if let Some((outer, mark)) = self.outer.take() {
            self.causes.push(raised.shown());
            (self.raised, self.mark, self.stage) = (Some(outer), mark, Stage::After);
            return Step::Took;
        }
        self.mark = line.mark();
        self.chained = is_remote(&raised);
        self.interrupted = false;
        self.stage = Stage::Message;
        self.message_lines = 0;
        self.strangers = 0;
        let wrapper = raised.is_wrapper();
        self.raised = Some(raised);
        if wrapper { Step::Ended } else { Step::Took }
    }

    /// A line after the exception's first.
    fn message_line(&mut self, text: &str, line: &Line<'_>) -> Step {
        if text.trim_start().starts_with("File \"") && frame::frame(text).is_some() {
            self.enter(line);
            return self.stack_line(text, line);
        }
        let Some(raised) = &mut self.raised else { return Step::Ended };
        if is_chain_remark(text) || is_remote(raised) || indent(text) < self.indent && !text.trim().is_empty()
        {
            self.stage = Stage::After;
            return self.line_after(text);
        }
        if text.trim().is_empty() {
            self.message_pause();
            return Step::Took;
        }
        if is_stranger(text) || exception::alone(text.trim_start()).is_some() {
            self.stage = Stage::After;
            return self.line_after(text);
        }
        self.message_lines += 1;
        if self.message_lines > MOST_MESSAGE_LINES {
            return Step::Ended;
        }
        if raised.message.len() < MOST_MESSAGE {
            if !raised.message.is_empty() {
                raised.message.push('\n');
            }
            raised.message.push_str(text.trim());
        }
        Step::Took
    }

    /// A blank line in a message ends it. `NumPy`'s and `multiprocessing`'s begin with one.
    fn message_pause(&mut self) {
        let begins_later = self.raised.as_ref().is_some_and(|raised| {
            raised.message.is_empty() && raised.colon && raised.name != "KeyboardInterrupt"
        });
        self.message_lines += 1;
        if !begins_later || self.message_lines > 2 {
            self.stage = Stage::After;
        }
    }

    /// A line after the message: the remark that another exception follows, the same exception again (nbclient ends
    /// its own message with it), or the end.
    fn line_after(&mut self, text: &str) -> Step {
        let trimmed = text.trim();
        self.strangers += 1;
        if is_chain_remark(trimmed) {
            self.chained = true;
            self.strangers = 0;
            return Step::Took;
        }
        let most = if self.chained { 2 * MOST_AFTER } else { MOST_AFTER };
        if self.strangers > most {
            return Step::Ended;
        }
        let repeated = exception::alone(trimmed).is_some_and(|again| {
            !self.interrupted && self.raised.as_ref().is_some_and(|raised| again.shown() == raised.shown())
        });
        let filler = matches!(trimmed, "" | "\"\"\"" | "'''") || trimmed.starts_with("-----");
        if repeated || filler || self.chained { Step::Took } else { Step::Ended }
    }

    /// Gives the event, as far as the traceback goes.
    pub(super) fn close(mut self, found: &mut Vec<Found>) {
        if let Some((outer, mark)) = self.outer.take() {
            (self.raised, self.mark) = (Some(outer), mark);
        }
        if self.ends_in_wrapper() || self.raised.is_none() && self.stack.is_empty() && self.expected.is_none()
        {
            return;
        }
        let mark = self.mark.clone();
        found.push(Found::at(&mark, self.event()));
    }

    /// The event.
    fn event(self) -> PythonException {
        let Self { stack, standing, raised, expected, causes, .. } = self;
        let innermost = stack.innermost();
        let message: Option<String> =
            raised.as_ref().map(|raised| raised.message.chars().take(MOST_MESSAGE).collect());
        let shadow = stack.shadow(message.as_deref().unwrap_or_default());
        PythonException {
            file: innermost.map(|frame| frame.file.clone()),
            function: innermost.and_then(|frame| frame.function.clone()),
            files: stack.files(),
            place: Some(stack.place(standing).to_owned()),
            cell: stack.cell(),
            pid: stack.pid(),
            exception: raised.map(|raised| raised.name).or(expected),
            message: message.filter(|text: &String| !text.is_empty()),
            source: stack.source.text,
            shadow,
            causes: (!causes.is_empty()).then(|| causes.join("\n")),
            notebook: None,
        }
    }
}

/// Whether a line is the first of a record of a Jupyter program, not of the kernel.
fn is_jupyters(line: &Line<'_>) -> bool {
    let name = line.logger_name();
    name == "JupyterHub" || name.ends_with("App") && name != "IPKernelApp"
}

/// Whether an exception only carries the text of a worker's traceback, which follows in three quotes.
fn is_remote(raised: &Raised) -> bool {
    raised.name.ends_with("RemoteTraceback")
}
