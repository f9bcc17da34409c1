//! Runs the tests that a rule brings: its raw log lines through the whole pipeline, with all rules loaded.

use crate::{
    pipeline::{Log, Settings, analyze},
    report::Report,
    rule::{Expectation, Rule, RuleSet, RuleTest},
};

/// A test's name, and what went wrong if it failed.
pub type Outcome = (String, Result<(), String>);

/// Runs every test of a rule.
pub fn run(rule: &Rule, rules: &RuleSet) -> Vec<Outcome> {
    rule.tests.iter().map(|test| (test.name.clone(), run_one(rule, test, rules))).collect()
}

/// Runs one test.
fn run_one(rule: &Rule, test: &RuleTest, rules: &RuleSet) -> Result<(), String> {
    let logs: Vec<Log> = test
        .logs
        .iter()
        .map(|(path, text)| Log { path: path.clone(), text: text.clone().into_bytes() })
        .collect();
    let report = analyze(&logs, rules, &Settings::default());
    let cause = report.deaths.iter().any(|death| death.cause == rule.id);
    let finding = report.findings.iter().any(|finding| finding.cause == rule.id);
    let also = report.deaths.iter().chain(&report.findings).flat_map(|verdict| &verdict.also);
    let explained = also.filter(|also| also.role == "symptom").any(|also| also.cause == rule.id);
    let held = match test.expect {
        Expectation::Cause => cause,
        Expectation::Finding => finding,
        Expectation::Explained => explained && !cause && !finding,
        Expectation::Silent => !cause && !finding,
    };
    if held {
        Ok(())
    } else {
        Err(format!("expected {}; the report says {}", expected(test.expect), said(&report)))
    }
}

/// An expectation in words.
fn expected(expectation: Expectation) -> &'static str {
    match expectation {
        Expectation::Cause => "it to be the cause of a death",
        Expectation::Finding => "it as a finding",
        Expectation::Explained => "it to be explained by another cause",
        Expectation::Silent => "it to be silent",
    }
}

/// A report in one line.
fn said(report: &Report) -> String {
    let deaths = report
        .deaths
        .iter()
        .map(|death| format!("death {}/{} ({})", death.layer, death.cause, death.confidence));
    let findings =
        report.findings.iter().map(|one| format!("finding {}/{} ({})", one.layer, one.cause, one.confidence));
    let all: Vec<String> = deaths.chain(findings).collect();
    if all.is_empty() { "nothing".to_owned() } else { all.join(", ") }
}
