//! Reads logs: files are found, opened, and each is turned into its events.
//!
//! It judges nothing. What cannot be read is remembered with the reason, and the rest is read.

use super::{progress::Progress, screen::Screen};
use crate::{
    discover::discover,
    error::Error,
    extract::{Extract, extract},
    open::{Limits, Opened, open},
    source::SourceId,
};
use std::{
    fs::File,
    io::{self, Read},
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread::{available_parallelism, scope},
};

/// Paths that were not read, and why.
type Skipped = Vec<(String, String)>;

/// The name of pasted lines in reports.
const PASTED: &str = "pasted";

/// What was read and what was not.
#[derive(Default)]
pub(super) struct Logs {
    /// The logs.
    pub(super) extracts: Vec<Extract>,
    /// Paths that were not read, and why.
    pub(super) skipped: Vec<(String, String)>,
}

/// Reads pasted lines as one log, and the logs of paths if any are named beside it.
pub(super) fn read_with(lines: &[String], paths: &[PathBuf], screen: &Screen) -> Logs {
    if lines.is_empty() {
        return read(paths, screen);
    }
    let mut logs = if paths.is_empty() { Logs::default() } else { read(paths, screen) };
    let text = lines.join("\n");
    logs.take(Opened::Text { path: PASTED, reader: &mut text.as_bytes() });
    logs
}

/// Reads the logs of these paths; without any, of the current folder.
pub(super) fn read(paths: &[PathBuf], screen: &Screen) -> Logs {
    let here = [PathBuf::from(".")];
    read_all(if paths.is_empty() { &here } else { paths }, screen)
}

/// Opens the files of these paths one after the other, and gives what was not read. `take` may add to it.
pub(super) fn each(paths: &[PathBuf], take: &mut dyn FnMut(Opened<'_>, &mut Skipped)) -> Skipped {
    let (files, mut skipped) = find(paths);
    for path in files {
        let name = name(&path);
        match reader(&path) {
            Ok(reader) => open(&name, reader, &Limits::default(), &mut |opened| take(opened, &mut skipped)),
            Err(error) => skipped.push((name, reason(&error))),
        }
    }
    skipped
}

/// The files of these paths, and what is none.
fn find(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<(String, String)>) {
    let found = discover(paths);
    let missing =
        found.missing.into_iter().map(|missing| (missing.path.display().to_string(), missing.cause));
    (found.files, found.skipped.into_iter().chain(missing).collect())
}

/// Reads the logs of exactly these paths. Files are read side by side on all cores; the result does not depend on which
/// is done first.
pub(super) fn read_all(paths: &[PathBuf], screen: &Screen) -> Logs {
    let (files, skipped) = find(paths);
    let mut logs = Logs { extracts: Vec::new(), skipped };
    let next = AtomicUsize::new(0);
    let workers = available_parallelism().map_or(1, NonZeroUsize::get).min(files.len());
    let progress = Progress::new(files.len(), screen.shows_progress());
    let mut read: Vec<(usize, Logs)> = scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(path) = files.get(index) else { return done };
                done.push((index, read_file(path)));
                progress.step();
            }
        };
        let workers: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
        let mut read = work();
        // A worker that panicked would be a bug; what it had not read is missing, and the rest is told.
        read.extend(workers.into_iter().filter_map(|worker| worker.join().ok()).flatten());
        read
    });
    read.sort_by_key(|(index, _)| *index);
    for (_, one) in read {
        logs.extracts.extend(one.extracts);
        logs.skipped.extend(one.skipped);
    }
    logs
}

/// Reads one file, which may hold many logs.
fn read_file(path: &Path) -> Logs {
    let mut logs = Logs::default();
    let name = name(path);
    match reader(path) {
        Ok(reader) => open(&name, reader, &Limits::default(), &mut |opened| logs.take(opened)),
        Err(error) => logs.skipped.push((name, reason(&error))),
    }
    logs
}

impl Logs {
    /// Takes one decoded log, or the reason why it could not be decoded.
    fn take(&mut self, opened: Opened<'_>) {
        match opened {
            Opened::Text { path, reader } => match extract(path, SourceId(self.extracts.len()), reader) {
                Ok(extract) => self.extracts.push(extract),
                Err(error) => self.skipped.push((path.to_owned(), reason(&error))),
            },
            Opened::Skipped { path, reason } => self.skipped.push((path.to_owned(), reason.to_owned())),
        }
    }

    /// An error if there is nothing at all.
    pub(super) fn not_empty(&self) -> Result<(), Error> {
        if self.extracts.is_empty() { Err(Error::Nothing { skipped: self.skipped.clone() }) } else { Ok(()) }
    }
}

/// A file or standard input.
pub(super) fn reader(path: &Path) -> io::Result<Box<dyn Read>> {
    if path.as_os_str() == "-" { Ok(Box::new(io::stdin())) } else { Ok(Box::new(File::open(path)?)) }
}

/// The path as reports show it: without the `./` of the current folder.
fn name(path: &Path) -> String {
    path.strip_prefix("./").unwrap_or(path).display().to_string()
}

/// Why a file was not read, without the number of the error.
pub(super) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}
