//! The archive: redacted files, and a manifest of what was had and what was not.

use crate::redact::{LineRedactor, Mode};
use flate2::{Compression, write::GzEncoder};
use serde::Serialize;
use std::{fs::File, io, path::Path};
use tar::{Builder, Header};

/// The manifest's shape and version.
const SCHEMA: &str = "kerneldoc.collect/1";

/// One line of the manifest.
#[derive(Debug, Serialize)]
pub(super) struct Entry {
    /// The file in the archive; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<String>,
    /// The command, or the path on this host.
    pub(super) source: String,
    /// Its size as stored, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bytes: Option<usize>,
    /// Why it could not be had, or is not whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<String>,
}

/// What was had and what was not.
#[derive(Debug, Serialize)]
struct Manifest<'a> {
    schema: &'static str,
    version: &'static str,
    time: &'a str,
    since: &'a str,
    entries: &'a [Entry],
}

/// The archive being written.
pub(super) struct Archive {
    tar: Builder<GzEncoder<File>>,
    folder: String,
    mode: Mode,
    seconds: u64,
    /// The manifest so far.
    pub(super) entries: Vec<Entry>,
}

impl Archive {
    /// Begins one; `folder` stands before every name in it.
    pub(super) fn create(path: &Path, folder: &str, mode: Mode, seconds: u64) -> io::Result<Self> {
        let gzip = GzEncoder::new(File::create(path)?, Compression::default());
        Ok(Self { tar: Builder::new(gzip), folder: folder.to_owned(), mode, seconds, entries: Vec::new() })
    }

    /// Adds a file, redacted.
    pub(super) fn add(
        &mut self,
        file: &str,
        source: &str,
        content: &[u8],
        problem: Option<String>,
    ) -> io::Result<()> {
        let redacted = self.redacted(content);
        self.append(file, redacted.as_bytes())?;
        let (file, source) = (Some(file.to_owned()), source.to_owned());
        self.entries.push(Entry { file, source, bytes: Some(redacted.len()), problem });
        Ok(())
    }

    /// Remembers what could not be had.
    pub(super) fn lack(&mut self, source: &str, problem: String) {
        self.entries.push(Entry {
            file: None,
            source: source.to_owned(),
            bytes: None,
            problem: Some(problem),
        });
    }

    /// Ends it with its manifest.
    pub(super) fn finish(mut self, time: &str, since: &str) -> io::Result<Vec<Entry>> {
        let manifest = Manifest {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            time,
            since,
            entries: &self.entries,
        };
        let text = serde_json::to_string_pretty(&manifest).map_err(io::Error::other)?;
        let redacted = self.redacted(text.as_bytes());
        self.append("manifest.json", redacted.as_bytes())?;
        self.tar.into_inner()?.finish()?;
        Ok(self.entries)
    }

    fn redacted(&self, content: &[u8]) -> String {
        let text = String::from_utf8_lossy(content);
        let mut redactor = LineRedactor::new(self.mode);
        text.lines().fold(String::with_capacity(text.len()), |mut all, line| {
            all.push_str(redactor.line(line).as_str());
            all.push('\n');
            all
        })
    }

    fn append(&mut self, file: &str, content: &[u8]) -> io::Result<()> {
        let mut header = Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(self.seconds);
        self.tar.append_data(&mut header, format!("{}/{file}", self.folder), content)
    }
}
