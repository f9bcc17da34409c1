//! Reads logs: files are found, opened, and each is turned into its events.
//!
//! It judges nothing. What cannot be read is remembered with the reason, and the rest is read.

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
    path::{Path, PathBuf},
};

/// What was read and what was not.
#[derive(Default)]
pub(super) struct Logs {
    /// The logs.
    pub(super) extracts: Vec<Extract>,
    /// Paths that were not read, and why.
    pub(super) skipped: Vec<(String, String)>,
}

/// Reads the logs of these paths; without any, of the current folder.
pub(super) fn read(paths: &[PathBuf]) -> Logs {
    let here = [PathBuf::from(".")];
    let found = discover(if paths.is_empty() { &here } else { paths });
    let mut logs = Logs { extracts: Vec::new(), skipped: found.skipped };
    logs.skipped
        .extend(found.missing.into_iter().map(|missing| (missing.path.display().to_string(), missing.cause)));
    for path in found.files {
        let name = name(&path);
        match reader(&path) {
            Ok(reader) => open(&name, reader, &Limits::default(), &mut |opened| logs.take(opened)),
            Err(error) => logs.skipped.push((name, reason(&error))),
        }
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
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}
