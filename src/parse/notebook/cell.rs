//! One code cell of a notebook: its source, its errors, and what runners wrote into its metadata.
//!
//! It knows no other cell.

use crate::{
    envelope::prim::iso,
    event::{CodeRun, PythonException},
    line::clean,
    parse::{prim, python::shadow_in_message},
    stamp::{ClockKind, SECOND, Stamp},
};
use serde_json::Value;

/// The most characters of a cell's source that are kept.
const SOURCE_CHARACTERS: usize = 2000;

/// A code cell.
pub(super) struct Cell<'a>(&'a Value);

impl<'a> Cell<'a> {
    /// The cell, if it is a code cell.
    pub(super) fn of(value: &'a Value) -> Option<Self> {
        (value.get("cell_type")?.as_str()? == "code").then_some(Self(value))
    }

    /// Its execution count.
    pub(super) fn count(&self) -> Option<i64> {
        self.0.get("execution_count")?.as_i64()
    }

    /// Whether it began and its end was never written down.
    ///
    /// papermill 2 keeps `papermill.status` (`pending` and `running` are cells that were not done, but only a cell
    /// with a start time had begun); nbclient and `JupyterLab` keep the times of the messages in `execution`. A crash
    /// at once leaves no more than `iopub.status.busy` or an empty `execution`, and papermill calls the cell `completed` all the same.
    pub(super) fn unfinished(&self) -> bool {
        let papermill =
            self.papermill("status").is_some_and(|status| matches!(status, "running" | "pending"));
        if papermill && self.papermill("start_time").is_some() && self.papermill("end_time").is_none() {
            return true;
        }
        let timed = self.0.get("metadata").is_some_and(|metadata| metadata.get("execution").is_some());
        let began = ["iopub.status.busy", "iopub.execute_input"];
        let began = began.iter().any(|sign| self.execution(sign).is_some())
            || self.papermill("start_time").is_some();
        timed && began && self.execution("shell.execute_reply").is_none()
    }

    /// When it began, by the runner's clock.
    pub(super) fn started(&self) -> Option<Stamp> {
        let text = self
            .papermill("start_time")
            .or_else(|| self.execution("iopub.execute_input"))
            .or_else(|| self.execution("iopub.status.busy"))?;
        iso(text).ok().map(|(_, stamp)| stamp)
    }

    /// When papermill was done with it, in seconds since the epoch.
    fn given_up(&self) -> Option<i64> {
        let (_, stamp) = iso(self.papermill("end_time")?).ok()?;
        (stamp.clock == ClockKind::Zoned).then_some(stamp.micros.div_euclid(SECOND))
    }

    /// The cell as the last code that ran.
    pub(super) fn run(&self) -> CodeRun {
        CodeRun {
            source: Some(self.source().chars().take(SOURCE_CHARACTERS).collect()),
            notebook: None,
            unfinished: self.unfinished().then(|| "yes".to_owned()),
            ended_epoch_seconds: self.given_up(),
            cell: self.count(),
            last: Some("yes".to_owned()),
            script: None,
        }
    }

    /// The first line of its source that is not blank.
    pub(super) fn first_source_line(&self) -> String {
        self.source().lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned()
    }

    /// Its error outputs.
    pub(super) fn exceptions(&self) -> impl Iterator<Item = PythonException> {
        let outputs = self.0.get("outputs").and_then(Value::as_array).into_iter().flatten();
        let errors = outputs.filter(|output| text(output, "output_type") == Some("error"));
        errors.map(|output| self.exception(output))
    }

    /// Whether VS Code wrote into the outputs that the kernel crashed under this cell.
    pub(super) fn crashed(&self) -> bool {
        let outputs = self.0.get("outputs").and_then(Value::as_array).into_iter().flatten();
        let mut errors = outputs.filter(|output| text(output, "output_type") == Some("error"));
        errors.any(|output| {
            output.get("traceback").map(joined).is_some_and(|text| text.contains("The Kernel crashed while executing code"))
        })
    }

    /// An error output as an event.
    fn exception(&self, output: &Value) -> PythonException {
        let frames = output.get("traceback").map(joined).unwrap_or_default();
        let frames = clean(&frames).into_owned();
        let name = text(output, "ename").map(|name| name.rsplit('.').next().unwrap_or(name).to_owned());
        PythonException {
            exception: name,
            message: text(output, "evalue").map(str::to_owned),
            shadow: text(output, "evalue").and_then(shadow_in_message),
            place: Some("cell".to_owned()),
            cell: self.count(),
            pid: pid(&frames),
            source: arrow(&frames),
            ..PythonException::default()
        }
    }

    /// Its source, which is one text or a list of lines.
    fn source(&self) -> String {
        self.0.get("source").map(joined).unwrap_or_default()
    }

    /// A text of papermill's metadata.
    fn papermill(&self, key: &str) -> Option<&'a str> {
        text(self.0.get("metadata")?.get("papermill")?, key)
    }

    /// A text of the execution times.
    fn execution(&self, key: &str) -> Option<&'a str> {
        text(self.0.get("metadata")?.get("execution")?, key)
    }
}

/// A text member.
fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key)?.as_str()
}

/// nbformat writes long texts as a list of lines.
fn joined(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let parts: Vec<_> = parts.iter().filter_map(Value::as_str).collect();
            // Lines of a source keep their line feeds, lines of a traceback have none.
            let glue = if parts.iter().any(|part| part.ends_with('\n')) { "" } else { "\n" };
            parts.join(glue)
        }
        _ => String::new(),
    }
}

/// The source line that `IPython`'s outermost arrow points at: `----> 3 model.fit(x)`.
fn arrow(frames: &str) -> Option<String> {
    frames.lines().find_map(|line| {
        let (_, rest) = line.trim_start().strip_prefix("--")?.split_once("> ")?;
        let (rest, _) = prim::integer(rest).ok()?;
        Some(rest.trim().to_owned()).filter(|source| !source.is_empty())
    })
}

/// The kernel's process id, from `/tmp/ipykernel_6921/2022621267.py` (ipykernel 6 and later).
fn pid(frames: &str) -> Option<i64> {
    let (_, rest) = frames.split_once("ipykernel_")?;
    prim::integer(rest).ok().map(|(_, pid)| pid)
}
