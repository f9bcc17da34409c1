//! How far reading has come, on a terminal's standard error, for runs that take longer than a moment.
//!
//! It is a courtesy: what cannot be written is left.

use std::{
    io::{self, Write},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// Nothing is shown before this.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often the line is written anew.
const PACE: Duration = Duration::from_millis(150);

/// A line that counts files. It takes itself away when it is dropped.
pub(super) struct Progress {
    done: Arc<AtomicUsize>,
    line: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Counts up to `total`; silent unless it is wanted.
    pub(super) fn new(total: usize, wanted: bool) -> Self {
        let done = Arc::new(AtomicUsize::new(0));
        let line = wanted.then(|| {
            let (end, ended) = mpsc::channel();
            let done = Arc::clone(&done);
            let write = move || {
                let mut wait = PATIENCE;
                while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                    let read = done.load(Ordering::Relaxed);
                    let _ = write!(io::stderr(), "\r\u{1b}[Kreading: {read} of {total} files");
                    let _ = io::stderr().flush();
                    wait = PACE;
                }
                if wait == PACE {
                    let _ = write!(io::stderr(), "\r\u{1b}[K");
                }
            };
            (end, thread::spawn(write))
        });
        Self { done, line }
    }

    /// One more file has been read.
    pub(super) fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((end, line)) = self.line.take() {
            drop(end);
            let _ = line.join();
        }
    }
}
