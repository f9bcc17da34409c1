//! What GitHub Actions takes through files: the job's summary and the step's outputs.
//!
//! Annotations are lines on standard output and stand in `render`.

use crate::{
    error::Error,
    language::Language,
    redact::Redacted,
    render::{Format, Options, render, safe},
    report::{Report, ReportNote},
};
use std::{env, ffi::OsString, fs, io::Write, path::Path};

/// A step's summary may have 1 MiB; a longer one is not shown at all.
const LONGEST_SUMMARY: u64 = 1 << 20;
/// What is left free below that limit.
const SLACK: u64 = 4096;

/// Appends the report to the job's summary.
pub(super) fn summary(report: &Report, language: Language) -> Result<(), Error> {
    let Some(path) = variable("GITHUB_STEP_SUMMARY") else { return Ok(()) };
    let there = fs::metadata(&path).map_or(0, |file| file.len());
    append(&path, &within(report, language, LONGEST_SUMMARY.saturating_sub(there + SLACK)))
}

/// Writes the step's outputs.
pub(super) fn outputs(report: &Report, folder: &Path) -> Result<(), Error> {
    let Some(path) = variable("GITHUB_OUTPUT") else { return Ok(()) };
    let first = report.deaths.first().or(report.findings.first()).cloned().unwrap_or_default();
    let outputs = [
        ("deaths", report.deaths.len().to_string()),
        ("findings", report.findings.len().to_string()),
        ("layer", first.layer),
        ("cause", first.cause),
        ("confidence", first.confidence),
        ("fingerprint", first.fingerprint),
        ("report", folder.join("kerneldoc.json").display().to_string()),
    ];
    // A line end in a value would begin another output.
    let lines = outputs.map(|(name, value)| format!("{name}={}\n", safe(&value)));
    append(&path, &lines.concat())
}

/// The report as Markdown, with as many verdicts as fit.
fn within(report: &Report, language: Language, limit: u64) -> String {
    let options = Options { language, ..Options::default() };
    let markdown = |report: &Report| {
        let mut out = Vec::new();
        // Writing into memory cannot fail.
        let _ = render(report, Format::Markdown, &options, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    };
    let mut text = markdown(report);
    let mut less = report.clone();
    while text.len() as u64 > limit && !(less.deaths.is_empty() && less.findings.is_empty()) {
        less.findings.truncate(less.findings.len() / 2);
        less.deaths.truncate(less.deaths.len() / 2);
        less.inputs.sources.truncate(20);
        less.inputs.skipped.truncate(20);
        let cut = "more is in kerneldoc.html; the summary has room for no more";
        less.notes = vec![ReportNote { path: None, line: None, text: Redacted::plain(cut) }];
        text = markdown(&less);
    }
    if text.len() as u64 > limit { String::new() } else { text }
}

fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

fn append(path: &OsString, text: &str) -> Result<(), Error> {
    let file = fs::OpenOptions::new().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|source| Error::Output { path: path.to_string_lossy().into_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Verdict;

    #[test]
    fn a_summary_keeps_within_its_limit() {
        let within = |report: &Report, limit| within(report, Language::English, limit);
        let verdict = |index: usize| Verdict {
            fingerprint: index.to_string(),
            summary: Redacted::ours("long ".repeat(100)),
            ..Verdict::default()
        };
        let report = Report { deaths: (0..100).map(verdict).collect(), ..Report::default() };
        let text = within(&report, 10_000);
        assert!(text.len() <= 10_000 && text.contains("room for no more"), "{}", text.len());
        assert!(within(&Report::default(), 1 << 20).contains("No kernel death"));
        assert_eq!(within(&report, 10), "");
    }
}
