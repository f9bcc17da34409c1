//! Readers that never fail: an error ends the stream, and its reason is kept for the report.
//!
//! They do not look at what they carry.

use std::{
    cell::{Cell, RefCell},
    io::{self, Read},
    rc::Rc,
};

/// How much any stream may unpack to before its ratio counts: bombs are larger, and short files say nothing.
pub(super) const HARMLESS: u64 = 64 << 20;

/// Why a stream ended early; the first reason counts.
#[derive(Debug, Clone, Default)]
pub(super) struct Failure(Rc<RefCell<Option<String>>>);

impl Failure {
    /// The reason.
    pub(super) fn reason(&self) -> Option<String> {
        self.0.borrow().clone()
    }

    /// Keeps a reason.
    pub(super) fn set(&self, reason: impl Into<String>) {
        let mut kept = self.0.borrow_mut();
        if kept.is_none() {
            *kept = Some(reason.into());
        }
    }
}

/// The words for an error in the middle of a stream.
pub(super) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "cut off: it ends before its end".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => format!("damaged or unreadable: {error}"),
    }
}

/// A reader whose errors end it.
pub(super) struct Guarded<R> {
    inner: R,
    failure: Failure,
    ended: bool,
}

impl<R: Read> Guarded<R> {
    /// Guards a reader.
    pub(super) fn new(inner: R, failure: Failure) -> Self {
        Self { inner, failure, ended: false }
    }
}

impl<R: Read> Read for Guarded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.ended {
            match self.inner.read(buffer) {
                Ok(read) => return Ok(read),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    self.failure.set(reason(&error));
                }
            }
        }
        Ok(0)
    }
}

/// A reader that counts.
pub(super) struct Counted<R> {
    pub(super) inner: R,
    pub(super) count: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.count.set(self.count.get() + read as u64);
        Ok(read)
    }
}

/// An unpacked stream under its limits.
pub(super) struct Unpacked<R> {
    pub(super) inner: Guarded<R>,
    pub(super) failure: Failure,
    /// Packed bytes read so far.
    pub(super) consumed: Rc<Cell<u64>>,
    /// Bytes given so far.
    pub(super) produced: u64,
    pub(super) ratio: u64,
    /// Bytes that all streams of the file may still give.
    pub(super) left: Rc<Cell<u64>>,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.produced > HARMLESS && self.produced / self.consumed.get().max(1) > self.ratio {
            self.failure
                .set(format!("unpacks to more than {} times its size; the rest was left", self.ratio));
            return Ok(0);
        }
        let left = usize::try_from(self.left.get()).unwrap_or(usize::MAX);
        if left == 0 {
            self.failure.set("unpacks to more than the limit; the rest was left");
            return Ok(0);
        }
        let end = buffer.len().min(left);
        let read = self.inner.read(buffer.get_mut(..end).unwrap_or_default())?;
        self.produced += read as u64;
        self.left.set(self.left.get().saturating_sub(read as u64));
        Ok(read)
    }
}
