//! What is run, by its command line: a kernel or a notebook's runner, and of which notebook.

use crate::redact::{Mode, Redactor};
use serde_json::{Map, Value, json};
use std::{
    env,
    ffi::{OsStr, OsString},
    path::Path,
};

/// The command and what its arguments say.
#[derive(Debug)]
pub(super) struct Subject {
    /// The command line.
    pub(super) command: Vec<OsString>,
    /// The last part of the command's first word.
    pub(super) program: String,
    /// The kernel's id, out of its connection file's name.
    pub(super) kernel_id: Option<String>,
    /// The notebook.
    pub(super) notebook: Option<String>,
}

impl Subject {
    /// Reads a command line.
    pub(super) fn of(command: &[OsString]) -> Self {
        let words: Vec<String> = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let notebook = words.iter().skip(1).find(|word| is_notebook(word)).cloned();
        // The server tells its kernels which notebook they are for (jupyter_server 2 and later).
        let session = env::var("JPY_SESSION_NAME").ok().filter(|name| is_notebook(name));
        Self {
            command: command.to_vec(),
            program: program(&words),
            kernel_id: kernel_id(&words),
            notebook: notebook.or(session),
        }
    }

    /// The members that name it in a record.
    pub(super) fn members(&self) -> Map<String, Value> {
        let mut members = Map::new();
        members.insert("program".to_owned(), json!(self.program));
        for (name, text) in [("kernel_id", &self.kernel_id), ("notebook", &self.notebook)] {
            members.extend(text.as_ref().map(|text| (name.to_owned(), json!(text))));
        }
        members
    }

    /// The command line without secrets.
    pub(super) fn shown(&self) -> Vec<String> {
        let redactor = Redactor::new(Mode::Secrets);
        self.command.iter().map(|word| redactor.redact(&word.to_string_lossy()).as_str().to_owned()).collect()
    }
}

/// Whether a word names a notebook.
fn is_notebook(word: &str) -> bool {
    Path::new(word).extension().is_some_and(|end| end == "ipynb")
}

/// The program of a command line.
pub(super) fn program(words: &[String]) -> String {
    let first = words.first().map(String::as_str).unwrap_or_default();
    Path::new(first).file_name().and_then(OsStr::to_str).unwrap_or(first).to_owned()
}

/// The kernel's id: `-f …/kernel-225fc1c4-0fd0-4ba3-a65f-6f29345c727d.json`. Kernels of other runners have names without
/// one, `/tmp/tmpab12.json`, which only the module tells from other programs.
pub(super) fn kernel_id(words: &[String]) -> Option<String> {
    let in_name = words.iter().find_map(|word| {
        let name = Path::new(word).file_name()?.to_str()?;
        let id = name.strip_prefix("kernel-")?.strip_suffix(".json")?;
        let shape = id.len() == 36 && id.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
        shape.then(|| id.to_owned())
    });
    in_name.or_else(|| {
        let launched = words.iter().any(|word| word.starts_with("ipykernel"));
        let file = words.iter().find_map(|word| {
            let name = Path::new(word.strip_prefix("--f=").unwrap_or(word)).file_name()?.to_str()?;
            name.strip_suffix(".json").map(str::to_owned)
        });
        file.filter(|_| launched)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn connection_files_name_kernels() {
        let id = "225fc1c4-0fd0-4ba3-a65f-6f29345c727d";
        let server = words(&format!("python -m ipykernel_launcher -f /run/jupyter/kernel-{id}.json"));
        assert_eq!(kernel_id(&server).as_deref(), Some(id));
        let papermill = words("/opt/e/bin/python -m ipykernel_launcher -f /tmp/tmpx1_2.json");
        assert_eq!(kernel_id(&papermill).as_deref(), Some("tmpx1_2"));
        assert_eq!(kernel_id(&words("python train.py config.json")), None);
        assert_eq!(program(&papermill), "python");
    }
}
