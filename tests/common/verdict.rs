//! A report in one line.

use kerneldoc::report::Report;

/// `death host/container-memory-limit confirmed; finding …`, or `nothing`.
pub(crate) fn verdict(report: &Report) -> String {
    let deaths =
        report.deaths.iter().map(|one| format!("death {}/{} {}", one.layer, one.cause, one.confidence));
    let findings =
        report.findings.iter().map(|one| format!("finding {}/{} {}", one.layer, one.cause, one.confidence));
    let all: Vec<_> = deaths.chain(findings).collect();
    if all.is_empty() { "nothing".to_owned() } else { all.join("; ") }
}
