//! Passes the command's output through, byte for byte, and keeps a copy line by line.

use super::folder::{Folder, line, members};
use serde_json::{Value, json};
use std::{
    fs::File,
    io::{self, PipeReader, Read, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

/// A line longer than this is kept in pieces.
const LONGEST: usize = 16 << 10;
/// After the command's end its output is complete when nothing more came for this long; what it left running in the
/// background may hold the pipe open for ever.
const QUIET: Duration = Duration::from_millis(150);

/// A stream being passed through.
pub(super) struct Pump {
    done: Arc<AtomicBool>,
    writing: Arc<AtomicBool>,
    passed: Arc<AtomicU64>,
}

impl Pump {
    /// Begins; `target` is the recorder's own stream.
    pub(super) fn start(folder: &Arc<Folder>, stream: &'static str, from: PipeReader, target: File) -> Self {
        let pump = Self { done: Arc::default(), writing: Arc::default(), passed: Arc::default() };
        let (done, writing, passed) = (pump.done.clone(), pump.writing.clone(), pump.passed.clone());
        let folder = folder.clone();
        thread::spawn(move || {
            pass(&folder, stream, from, target, &writing, &passed);
            done.store(true, Ordering::Release);
        });
        pump
    }

    /// Waits until everything that the command wrote has gone through.
    pub(super) fn finish(&self) {
        let mut before = self.passed.load(Ordering::Acquire);
        while !self.done.load(Ordering::Acquire) {
            thread::sleep(QUIET);
            let now = self.passed.load(Ordering::Acquire);
            if now == before && !self.writing.load(Ordering::Acquire) {
                return;
            }
            before = now;
        }
    }
}

/// Copies until the stream ends. If nobody reads the target any more, the pipe is closed, and the command learns of it
/// as it would without a recorder.
fn pass(
    folder: &Folder,
    stream: &str,
    mut from: PipeReader,
    mut target: File,
    writing: &AtomicBool,
    passed: &AtomicU64,
) {
    let mut buffer = vec![0; 64 << 10];
    let mut lines = Lines::default();
    loop {
        let size = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(size) => size,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let bytes = buffer.get(..size).unwrap_or_default();
        writing.store(true, Ordering::Release);
        let written = target.write_all(bytes);
        folder.output(&lines.records(stream, bytes));
        passed.fetch_add(size as u64, Ordering::AcqRel);
        writing.store(false, Ordering::Release);
        if written.is_err() {
            break;
        }
    }
    folder.output(&lines.rest(stream));
}

/// Cuts a stream into lines.
#[derive(Default)]
struct Lines {
    begun: Vec<u8>,
}

impl Lines {
    /// The records of the lines that are complete now.
    fn records(&mut self, stream: &str, bytes: &[u8]) -> String {
        let mut records = String::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.begun.extend_from_slice(piece);
            if self.begun.ends_with(b"\n") || self.begun.len() >= LONGEST {
                records.push_str(&self.take(stream));
            }
        }
        records
    }

    /// The record of what was left without a newline.
    fn rest(&mut self, stream: &str) -> String {
        if self.begun.is_empty() { String::new() } else { self.take(stream) }
    }

    fn take(&mut self, stream: &str) -> String {
        let bytes = std::mem::take(&mut self.begun);
        let whole = bytes.strip_suffix(b"\n");
        let text = String::from_utf8_lossy(whole.unwrap_or(&bytes));
        let partial = if whole.is_none() { json!(true) } else { Value::Null };
        line("output", members([("stream", json!(stream)), ("text", json!(text)), ("partial", partial)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_whatever_the_pieces() {
        let mut lines = Lines::default();
        assert_eq!(lines.records("stdout", b"half"), "");
        let records = lines.records("stdout", b" a line\n\xffodd\nrest");
        assert_eq!(records.lines().count(), 2);
        assert!(records.contains(r#""text":"half a line""#));
        assert!(lines.rest("stdout").contains(r#""text":"rest","partial":true"#));
        assert_eq!(lines.rest("stdout"), "");
    }
}
