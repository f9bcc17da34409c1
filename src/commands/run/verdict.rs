//! What is said when the command failed: why, by its own record, and where that record is.

use super::{command::Subject, folder::Folder};
use crate::{
    commands::{read, reports::Reports, rule_files, screen::Screen},
    pipeline::Settings,
    render::Format,
};
use std::{
    fs,
    io::{self, Write},
    path::Path,
    time::SystemTime,
};

/// A larger notebook is left where it is.
const MOST_NOTEBOOK_BYTES: u64 = 12 << 20;

/// Diagnoses the folder and writes the report to standard error. A kernel's standard error is its server's log, where a
/// report would be read as evidence; there only the place is named.
pub(super) fn tell(folder: &Folder, subject: &Subject, screen: &Screen) {
    if subject.kernel_id.is_none() {
        let report = report(folder, screen);
        let mut stderr = io::stderr().lock();
        let _ = stderr.write_all(&report);
    }
    folder.tell();
}

/// Copies the notebooks that the command wrote: papermill's shows how far it came.
pub(super) fn keep_notebooks(folder: &Folder, subject: &Subject, begun: SystemTime) {
    let words = subject.command.iter().skip(1).map(Path::new);
    for path in words.filter(|path| path.extension().is_some_and(|end| end == "ipynb")) {
        let Ok(meta) = path.metadata() else { continue };
        let written = meta.modified().is_ok_and(|written| written >= begun);
        if let Some(name) = path.file_name().filter(|_| written && meta.len() <= MOST_NOTEBOOK_BYTES) {
            let _ = fs::copy(path, folder.path.join(name));
        }
    }
}

/// The report as text; empty if the record tells of nothing.
fn report(folder: &Folder, screen: &Screen) -> Vec<u8> {
    let mut text = Vec::new();
    let Ok(rules) = rule_files::load(&[]) else { return text };
    let logs = read::read(std::slice::from_ref(&folder.path), screen);
    let reports = Reports::judge(logs, &rules, &Settings::default(), [Format::Text], screen);
    if reports.any().is_some_and(|report| !report.deaths.is_empty() || !report.findings.is_empty()) {
        let _ = reports.write(Format::Text, &screen.stderr_options(), screen, &mut text);
    }
    text
}
