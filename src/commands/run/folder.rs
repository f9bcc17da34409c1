//! The folder of a run, and the one file of records in it.

use super::command::Subject;
use crate::{
    commands::{clock, output},
    error::Error,
};
use chrono::SecondsFormat;
use serde_json::{Map, Value, json};
use std::{
    env,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    process,
    sync::{Mutex, PoisonError},
};

/// After so many bytes no more output is kept: a disk full of output is another death.
const MOST_OUTPUT_BYTES: u64 = 64 << 20;

/// Where a run's records go.
pub(super) struct Folder {
    /// Its path.
    pub(super) path: PathBuf,
    file: Mutex<Sink>,
}

/// The open file.
struct Sink {
    file: File,
    output_bytes: u64,
}

impl Folder {
    /// Makes the folder.
    pub(super) fn create(dir: Option<&Path>, subject: &Subject) -> Result<Self, Error> {
        let parent = match dir {
            Some(dir) => dir.to_owned(),
            None if subject.kernel_id.is_some() => state_folder(),
            None => PathBuf::from("."),
        };
        let stamp = clock::utc().format("%Y%m%dT%H%M%SZ");
        let path = parent.join(format!("kerneldoc-run-{stamp}-{}", process::id()));
        let record = path.join("record.ndjson");
        let failed = |source| Error::Output { path: path.display().to_string(), source };
        fs::create_dir_all(&path).map_err(failed)?;
        let file = File::options().append(true).create(true).open(record).map_err(failed)?;
        Ok(Self { path, file: Mutex::new(Sink { file, output_bytes: 0 }) })
    }

    /// Appends one record. What cannot be written is lost: recording must never disturb the command.
    pub(super) fn write(&self, kind: &str, members: Map<String, Value>) {
        self.append(&line(kind, members));
    }

    /// Appends records of output, unless there was too much of it.
    pub(super) fn output(&self, lines: &str) {
        let mut sink = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if sink.output_bytes > MOST_OUTPUT_BYTES {
            return;
        }
        sink.output_bytes += lines.len() as u64;
        let _ = sink.file.write_all(lines.as_bytes());
        if sink.output_bytes > MOST_OUTPUT_BYTES {
            let text = format!("no more output is kept after {MOST_OUTPUT_BYTES} bytes");
            let _ = sink.file.write_all(line("note", members([("text", json!(text))])).as_bytes());
        }
    }

    /// Appends a remark.
    pub(super) fn note(&self, text: &str) {
        self.write("note", members([("text", json!(text))]));
    }

    /// Tells the user where it is.
    pub(super) fn tell(&self) {
        output::remark(&format!("the record of this run is in {}", self.path.display()));
    }

    fn append(&self, line: &str) {
        let mut sink = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = sink.file.write_all(line.as_bytes());
    }
}

/// A record with its newline.
pub(super) fn line(kind: &str, members: Map<String, Value>) -> String {
    let mut record = Map::new();
    record.insert("kerneldoc".to_owned(), json!("record/1"));
    record.insert("time".to_owned(), json!(clock::utc().to_rfc3339_opts(SecondsFormat::Millis, true)));
    record.insert("kind".to_owned(), json!(kind));
    record.extend(members);
    format!("{}\n", Value::Object(record))
}

/// Members of a record; empty values are left out.
pub(super) fn members<const N: usize>(list: [(&str, Value); N]) -> Map<String, Value> {
    list.into_iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// Kernels start in the notebook's own folder, which is no place for records.
fn state_folder() -> PathBuf {
    let state = env::var_os("XDG_STATE_HOME").filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state"));
    state.or_else(home).unwrap_or_else(env::temp_dir).join("kerneldoc")
}
