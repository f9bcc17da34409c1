//! `JUnit`'s XML: a failed test a death, a skipped one a finding, a passed one where no kernel died.
//!
//! Times are left out, so that the same report gives the same bytes; readers take their own.

use super::{
    safe,
    text::group::{Group, groups},
    view,
};
use crate::{language::Messages, redact::Redacted, report::Report};
use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};
use std::io::{self, Write};

/// Writes the XML.
pub(super) fn write(report: &Report, messages: &Messages, out: &mut dyn Write) -> io::Result<()> {
    let mut suite = TestSuite::new("kerneldoc");
    suite.add_test_cases(groups(report).iter().map(|group| test_case(group, messages)));
    if report.deaths.is_empty() {
        // Several readers take a file without any test for a fault.
        let mut passed = TestCase::new("no kernel died", TestCaseStatus::success());
        passed.set_classname("kerneldoc");
        suite.add_test_case(passed);
    }
    let mut junit = Junit::new("kerneldoc");
    junit.add_test_suite(suite);
    junit.serialize(out).map_err(io::Error::other)
}

fn test_case(group: &Group<'_>, messages: &Messages) -> TestCase {
    let verdict = group.first;
    let mut status = if group.what == "death" && verdict.known.is_none() {
        TestCaseStatus::non_success(NonSuccessKind::Failure)
    } else {
        TestCaseStatus::skipped()
    };
    status.set_type(safe(&verdict.cause).into_owned());
    let message = verdict.known.as_ref().map(|known| view::known(known, messages));
    status.set_message(message.unwrap_or_else(|| view::title(group, messages)));
    status.set_description(description(group, messages));
    let about = verdict.notebook.as_ref().map(Redacted::as_str);
    let about = about.or_else(|| verdict.kernel.as_ref()?.id.as_ref().map(Redacted::as_str));
    let about = about.map(|about| format!(" {}", safe(about))).unwrap_or_default();
    let mut case = TestCase::new(format!("{}{about}", safe(&verdict.cause)), status);
    case.set_classname(format!("kerneldoc.{}", safe(&verdict.layer)));
    case.add_properties(properties(group, messages));
    case
}

/// What the failure's text says: summary, proof, fix.
fn description(group: &Group<'_>, messages: &Messages) -> String {
    let verdict = group.first;
    let mut lines: Vec<String> = view::summary(verdict).into_iter().collect();
    lines.push(format!("{}: {}", messages.column_confidence, safe(messages.confidence(&verdict.confidence))));
    for evidence in &verdict.evidence {
        let circumstances = view::circumstances(evidence, verdict.time.as_deref(), messages);
        lines.push(format!(
            "{} ({circumstances})\n  {}",
            view::place(evidence),
            safe(evidence.text.as_str().trim())
        ));
    }
    if let Some(fix) = &verdict.fix {
        lines.push(format!("{}: {}", messages.label_fix, safe(fix.summary.as_str())));
        for step in &fix.steps {
            lines.push(format!("- {}", safe(step.text.as_str())));
            lines.extend(step.command.as_ref().map(|command| format!("  $ {}", safe(command.as_str()))));
        }
    }
    lines.join("\n")
}

fn properties(group: &Group<'_>, messages: &Messages) -> Vec<(String, String)> {
    let verdict = group.first;
    let mut properties = vec![
        ("fingerprint".to_owned(), safe(&verdict.fingerprint).into_owned()),
        ("id".to_owned(), safe(&verdict.id).into_owned()),
    ];
    properties.extend(verdict.time.as_deref().map(|time| ("time".to_owned(), safe(time).into_owned())));
    properties.extend(view::who(verdict, messages).into_iter().map(|(word, name)| (word.to_owned(), name)));
    properties
}
