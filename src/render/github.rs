//! Annotations of GitHub Actions: workflow commands that the runner reads off standard output.
//!
//! A step may annotate ten times; more would be dropped silently.

use super::{
    text::group::{Group, groups},
    view::{self, Severity, cut},
};
use crate::report::Report;
use std::io::{self, Write};

/// The most annotations of a step (GitHub's limit for each kind).
const MOST: usize = 10;
/// The most characters of a message.
const LONGEST: usize = 2000;

/// Writes one line a group, the gravest first; the last one counts those that have no room.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut groups = groups(report);
    groups.sort_by_key(|group| std::cmp::Reverse(Severity::of(group)));
    let shown = if groups.len() > MOST { MOST - 1 } else { groups.len() };
    for group in groups.iter().take(shown) {
        annotation(group, out)?;
    }
    match groups.len() - shown {
        0 => Ok(()),
        more => writeln!(out, "::notice title=kerneldoc::and {more} more; the report has them all"),
    }
}

fn annotation(group: &Group<'_>, out: &mut dyn Write) -> io::Result<()> {
    let verdict = group.first;
    let command = match Severity::of(group) {
        Severity::Critical | Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let anchor = view::anchor(verdict);
    let line = anchor.line.map(|line| format!(",line={line}")).unwrap_or_default();
    let title = format!("{} · {} ({})", verdict.layer, view::title(group), verdict.confidence);
    writeln!(
        out,
        "::{command} file={}{line},title={}::{}",
        property(&anchor.path),
        property(&cut(&title, 200)),
        data(&message(group))
    )
}

/// The summary, the place of the proof, the fix: a line each.
fn message(group: &Group<'_>) -> String {
    let verdict = group.first;
    let mut lines: Vec<String> = vec![view::summary(verdict).unwrap_or_else(|| view::title(group))];
    lines.extend(view::cell(verdict).map(|cell| format!("In {cell}.")));
    lines.extend(verdict.evidence.first().map(|one| {
        format!("Proof: {} {}", view::place(one), super::safe(&cut(one.text.as_str().trim(), 300)))
    }));
    let fix = verdict.fix.as_ref().map(|fix| fix.summary.as_str()).filter(|fix| !fix.is_empty());
    lines.extend(fix.map(|fix| format!("Fix: {}", super::safe(fix))));
    lines.push(format!("kerneldoc explain {} tells more.", super::safe(&verdict.cause)));
    cut(&lines.join("\n"), LONGEST)
}

/// The value of a property: percent signs, line ends, and what divides properties are escaped.
fn property(text: &str) -> String {
    data(&super::safe(text)).replace(':', "%3A").replace(',', "%2C")
}

/// A message: percent signs and line ends are escaped, so that it cannot begin another command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
