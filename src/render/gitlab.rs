//! GitLab's code quality report: a list of issues, each at a file and line.
//!
//! Fields: <https://docs.gitlab.com/ci/testing/code_quality/>. Equal verdicts are one issue, because GitLab joins equal
//! fingerprints anyway.

use super::{
    json::write_indented,
    text::group::{Group, groups},
    view::{self, Severity, cut},
};
use crate::{language::Messages, report::Report};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Writes the list.
pub(super) fn write(report: &Report, messages: &Messages, out: &mut dyn Write) -> io::Result<()> {
    let issues: Vec<Value> = groups(report).iter().map(|group| issue(group, messages)).collect();
    write_indented(&issues, out)
}

fn issue(group: &Group<'_>, messages: &Messages) -> Value {
    let verdict = group.first;
    let anchor = view::anchor(verdict);
    let summary = view::summary(verdict).map(|summary| format!(" {summary}")).unwrap_or_default();
    let cell = view::cell(verdict, messages).map(|cell| format!(" (in {cell})")).unwrap_or_default();
    // The merge request's widget hides `check_name`.
    let description = format!("{}: {}.{summary}{cell}", verdict.cause, view::title(group, messages));
    json!({
        "description": super::safe(&cut(&description, 1000)),
        "check_name": super::safe(&verdict.cause),
        "fingerprint": super::safe(&verdict.fingerprint),
        "severity": severity(group),
        "location": {"path": anchor.path, "lines": {"begin": anchor.line.unwrap_or(1)}},
    })
}

fn severity(group: &Group<'_>) -> &'static str {
    match Severity::of(group) {
        Severity::Critical | Severity::Error => "critical",
        Severity::Warning => "major",
        Severity::Info => "info",
    }
}
