//! Leaves out of a report what an older one has, so that a ticket is filed once.
//!
//! It changes no verdict that stays.

use super::{Report, ReportNote, Verdict};
use crate::redact::Redacted;
use std::collections::BTreeSet;

/// Leaves out the occurrences that the older report has; with `causes`, also what it has seen at the same place.
pub fn leave_out(report: &mut Report, older: &Report, causes: bool) {
    let names = |name: fn(&Verdict) -> &str| -> BTreeSet<&str> {
        older.deaths.iter().chain(&older.findings).map(name).filter(|name| !name.is_empty()).collect()
    };
    let ids = names(|verdict| &verdict.id);
    let fingerprints = names(|verdict| &verdict.fingerprint);
    let is_new = |verdict: &Verdict| {
        let seen = causes && fingerprints.contains(verdict.fingerprint.as_str());
        !seen && !ids.contains(verdict.id.as_str())
    };
    let before = report.deaths.len() + report.findings.len();
    report.deaths.retain(is_new);
    report.findings.retain(is_new);
    let gone = before - report.deaths.len() - report.findings.len();
    if gone > 0 {
        let text = format!("{gone} of the verdicts are in the baseline and were left out");
        report.notes.push(ReportNote { path: None, line: None, text: Redacted::ours(text) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(names: &[(&str, &str)]) -> Report {
        let verdict = |(id, fingerprint): &(&str, &str)| Verdict {
            id: (*id).to_owned(),
            fingerprint: (*fingerprint).to_owned(),
            ..Verdict::default()
        };
        Report { deaths: names.iter().map(verdict).collect(), ..Report::default() }
    }

    #[test]
    fn occurrences_and_causes() {
        let older = report(&[("a", "kd1-x")]);
        let mut now = report(&[("a", "kd1-x"), ("b", "kd1-x"), ("c", "kd1-y")]);
        leave_out(&mut now, &older, false);
        assert_eq!((now.deaths.len(), now.notes.len()), (2, 1));
        leave_out(&mut now, &older, true);
        assert_eq!(now.deaths.first().map(|death| death.id.as_str()), Some("c"));
        let mut unnamed = report(&[("", "")]);
        leave_out(&mut unnamed, &report(&[("", "")]), true);
        assert_eq!(unnamed.deaths.len(), 1);
    }
}
