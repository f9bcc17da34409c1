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
use std::{
    collections::BTreeSet,
    io::{self, Write},
    iter,
};

/// Writes the list.
pub(super) fn write(report: &Report, messages: &Messages, out: &mut dyn Write) -> io::Result<()> {
    let groups = groups(report);
    let issues: Vec<Value> = groups
        .iter()
        .zip(fingerprints(&groups))
        .map(|(group, fingerprint)| issue(group, &fingerprint, messages))
        .collect();
    write_indented(&issues, out)
}

/// The fingerprint of each issue. Reports of others may lack them or give two causes the same; GitLab would show only one.
fn fingerprints(groups: &[Group<'_>]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let unique = |group: &Group<'_>| {
        let own = &group.first.fingerprint;
        let others = (2_usize..).map(|number| format!("{own}-{number}"));
        let free = iter::once(own.clone()).chain(others).find(|name| taken.insert(name.clone()));
        free.unwrap_or_default()
    };
    groups.iter().map(unique).collect()
}

fn issue(group: &Group<'_>, fingerprint: &str, messages: &Messages) -> Value {
    let verdict = group.first;
    let anchor = view::anchor(verdict);
    let summary = view::summary(verdict).map(|summary| format!(" {summary}")).unwrap_or_default();
    let cell = view::cell(verdict, messages).map(|cell| format!(" (in {cell})")).unwrap_or_default();
    // The merge request's widget hides `check_name`.
    let description = format!("{}: {}.{summary}{cell}", verdict.cause, view::title(group, messages));
    json!({
        "description": super::safe(&cut(&description, 1000)),
        "check_name": super::safe(&verdict.cause),
        "fingerprint": super::safe(fingerprint),
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
