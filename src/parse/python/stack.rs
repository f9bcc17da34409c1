//! The frames of a traceback and of the tracebacks it is chained to.
//!
//! It does not read lines, and does not know the exception.

use super::{
    frame::Frame,
    place::{Standing, place},
    shadow::shadow,
    source::Source,
};

/// The most frames kept of one stack; of a deeper one the middle is left out.
const MOST_FRAMES: usize = 64;

/// The frames, outermost first.
#[derive(Debug, Default)]
pub(super) struct Stack {
    /// Those of the exceptions it was raised from.
    earlier: Vec<Frame>,
    /// Its own.
    frames: Vec<Frame>,
    /// The executed line of the user's cell.
    pub source: Source,
}

impl Stack {
    /// Adds the next inner frame. Python's own frozen loader is in every import and tells nothing.
    pub(super) fn push(&mut self, frame: Frame) {
        if frame.file.starts_with("<frozen ") {
            return;
        }
        self.source.frame(&frame);
        self.frames.push(frame);
        cut_middle(&mut self.frames);
    }

    /// Begins the frames of the next exception of a chain.
    pub(super) fn next(&mut self) {
        self.earlier.append(&mut self.frames);
        cut_middle(&mut self.earlier);
    }

    /// Whether no frame of the exception itself is known.
    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The frame in which the exception was raised.
    pub(super) fn innermost(&self) -> Option<&Frame> {
        self.frames.last()
    }

    /// The innermost cell's execution count.
    pub(super) fn cell(&self) -> Option<i64> {
        self.all().filter_map(|frame| frame.cell).last()
    }

    /// The kernel's process, from the names of its cells' files.
    pub(super) fn pid(&self) -> Option<i64> {
        self.all().filter_map(|frame| frame.pid).last()
    }

    /// The files of all frames, each once in a row.
    pub(super) fn files(&self) -> Option<String> {
        let mut files: Vec<&str> = self.all().map(|frame| frame.file.as_str()).collect();
        files.dedup();
        (!files.is_empty()).then(|| files.join("\n"))
    }

    /// Where it was raised; the frames of its causes are asked only when its own do not tell.
    pub(super) fn place(&self, standing: Standing) -> &'static str {
        match place(&self.frames, standing) {
            "other" => place(&self.all().cloned().collect::<Vec<_>>(), standing),
            known => known,
        }
    }

    /// The user's file that hides a standard module.
    pub(super) fn shadow(&self, message: &str) -> Option<String> {
        shadow(&self.frames, message).or_else(|| shadow(&self.earlier, ""))
    }

    /// Every frame, in the order in which they were printed.
    fn all(&self) -> impl Iterator<Item = &Frame> {
        self.earlier.iter().chain(&self.frames)
    }
}

/// Leaves out the middle of too deep a stack: the two ends tell who called and what broke.
fn cut_middle(frames: &mut Vec<Frame>) {
    if let Some(surplus) = frames.len().checked_sub(MOST_FRAMES) {
        let middle = MOST_FRAMES / 2;
        frames.drain(middle..middle + surplus);
    }
}
