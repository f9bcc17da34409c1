//! Which runner is at work on which notebook and cell, as far as the log has said so far.
//!
//! Two runners that write into one log mix; the later line wins.

use super::number_behind;
use crate::{
    event::RunnerStarted,
    line::{Line, Mark},
    parse::Found,
};

/// Files of a traceback that belong to one runner only. nbclient's own are in all of them.
const FRAMES: &[(&str, &str)] = &[
    ("nbconvertapp.py", "nbconvert"),
    ("papermill", "papermill"),
    ("nbmake", "nbmake"),
    ("testbook", "testbook"),
    ("treon", "treon"),
    ("jupytext", "jupytext"),
    ("ploomber_engine", "ploomber-engine"),
    ("myst_nb", "jupyter-book"),
];

/// What myst-nb says behind a notebook's name when it begins with it.
const BEGINS: &str = ": Executing notebook using ";

/// What is known of the runner at work.
#[derive(Default)]
pub(super) struct Context {
    /// The runner's name.
    pub(super) runner: Option<String>,
    /// The notebook.
    pub(super) notebook: Option<String>,
    /// The cell that is running, as the runner counts.
    pub(super) cell: Option<i64>,
    /// A start that still waits for the kernelspec's name, which comes on a line of its own.
    started: Option<(Mark, RunnerStarted)>,
}

impl Context {
    /// Looks at one line; `true` if it told something of the runner and nothing else.
    pub(super) fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> bool {
        if self.runner.is_none()
            && (line.logger_name() == "NbConvertApp" || line.text.contains("[NbConvertApp]"))
        {
            self.runner = Some("nbconvert".to_owned());
        }
        if let Some((runner, notebook)) = start(line) {
            self.start(line, runner, notebook, found);
            return true;
        }
        if let Some((_, name)) = line.text.split_once("Executing notebook with kernel: ") {
            if let Some((_, started)) = &mut self.started {
                started.kernel_name = Some(name.trim().to_owned());
            }
            self.finish(found);
            return true;
        }
        self.cell(line, found) || self.frame(line.text)
    }

    /// Looks whether Sphinx names the notebook that a line of myst-nb is about.
    pub(super) fn book(&mut self, line: &Line<'_>, found: &mut Vec<Found>) {
        let Some(notebook) = book(line.text) else { return };
        if line.text.contains(BEGINS) {
            self.start(line, "jupyter-book", Some(notebook), found);
        } else if self.notebook.as_ref() != Some(&notebook) {
            self.finish(found);
            (self.runner, self.notebook, self.cell) = (Some("jupyter-book".to_owned()), Some(notebook), None);
        }
    }

    /// Gives a start that is still waiting.
    pub(super) fn finish(&mut self, found: &mut Vec<Found>) {
        if let Some((mark, event)) = self.started.take() {
            found.push(Found::at(&mark, event));
        }
    }

    /// A notebook begins.
    fn start(&mut self, line: &Line<'_>, runner: &str, notebook: Option<String>, found: &mut Vec<Found>) {
        self.finish(found);
        self.runner = Some(runner.to_owned());
        self.notebook.clone_from(&notebook);
        self.cell = None;
        let event = RunnerStarted { runner: self.runner.clone(), notebook, kernel_name: None };
        self.started = Some((line.mark(), event));
    }

    /// papermill's `Executing Cell 3---…` and `Ending Cell 3---…` (with `--log-output`), ploomber-engine's
    /// `Executing cell: 2`, which is the only sign that the cells run in the runner's own process.
    fn cell(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> bool {
        if let Some(cell) = number_behind(line.text, "Executing Cell ") {
            self.cell = Some(cell);
        } else if let Some(cell) = number_behind(line.text, "Executing cell: ") {
            if self.runner.as_deref() != Some("ploomber-engine") {
                self.start(line, "ploomber-engine", None, found);
            }
            self.cell = Some(cell);
        } else if number_behind(line.text, "Ending Cell ").is_some() {
            self.cell = None;
        } else {
            return false;
        }
        true
    }

    /// `File "/opt/…/papermill/execute.py", line 116, in execute_notebook`.
    fn frame(&mut self, text: &str) -> bool {
        if !text.trim_start().starts_with("File ") {
            return false;
        }
        let runner = FRAMES.iter().find(|(part, _)| text.contains(part)).map(|(_, runner)| *runner);
        if let Some(runner) = runner {
            self.runner = Some(runner.to_owned());
        }
        runner.is_some()
    }
}

/// The line with which a runner begins a notebook.
fn start(line: &Line<'_>) -> Option<(&'static str, Option<String>)> {
    let text = line.text;
    if let Some((_, rest)) = text.split_once("Converting notebook ") {
        let notebook = rest.rsplit_once(" to ").map_or(rest, |(notebook, _)| notebook);
        return Some(("nbconvert", name(notebook)));
    }
    if let Some((_, rest)) = text.split_once("Input Notebook:") {
        return Some(("papermill", name(rest)));
    }
    if let Some((_, rest)) = text.split_once("Triggered test for ") {
        return Some(("treon", name(rest)));
    }
    let client = line.logger_name() == "NbClientApp" || text.contains("[NbClientApp]");
    let (_, rest) = text.split_once("Executing ").filter(|_| client)?;
    Some(("jupyter execute", name(rest)))
}

/// The notebook of `/work/book/a.ipynb: Executing notebook using local CWD [mystnb]` and of
/// `/work/book/a.ipynb: WARNING: Executing notebook failed: DeadKernelError [mystnb.exec]`.
fn book(text: &str) -> Option<String> {
    let (before, _) = text.split_once(": WARNING: Executing notebook failed").or_else(|| text.split_once(BEGINS))?;
    name(before)
}

/// Whether a line that begins a notebook breaks off before the notebook.
pub(super) fn broken_off(text: &str) -> bool {
    let text = text.trim_end();
    text.ends_with("Converting notebook") || text.ends_with("Input Notebook:")
}

/// A notebook's path.
fn name(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
