//! Annotations of GitHub Actions: workflow commands that the runner reads off standard output.
//!
//! A step may annotate ten times; more would be dropped silently.

use super::{
    text::group::{Group, groups},
    view::{self, Severity, cut},
};
use crate::{
    language::{Messages, counted, fill},
    report::Report,
};
use std::io::{self, Write};

/// The most annotations of a step (GitHub's limit for each kind).
const MOST: usize = 10;
/// The most characters of a message.
const LONGEST: usize = 2000;

/// Writes one line a group, the gravest first; the last one counts those that have no room.
pub(super) fn write(report: &Report, messages: &Messages, out: &mut dyn Write) -> io::Result<()> {
    let mut groups = groups(report);
    groups.sort_by_key(|group| std::cmp::Reverse(Severity::of(group)));
    let shown = if groups.len() > MOST { MOST - 1 } else { groups.len() };
    for group in groups.iter().take(shown) {
        annotation(group, messages, out)?;
    }
    match groups.len() - shown {
        0 => Ok(()),
        more => {
            let more = counted(messages.more_in_report, more as u64);
            writeln!(out, "::notice title=kerneldoc::{}", data(&more))
        }
    }
}

fn annotation(group: &Group<'_>, messages: &Messages, out: &mut dyn Write) -> io::Result<()> {
    let verdict = group.first;
    let command = match Severity::of(group) {
        Severity::Critical | Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let anchor = view::anchor(verdict);
    let line = anchor.line.map(|line| format!(",line={line}")).unwrap_or_default();
    let title =
        format!("{}{}{}", messages.layer(&verdict.layer), messages.separator, view::title(group, messages));
    let title = messages.with_brackets(&title, messages.confidence(&verdict.confidence));
    writeln!(
        out,
        "::{command} file={}{line},title={}::{}",
        property(&anchor.path),
        property(&cut(&title, 200)),
        data(&message(group, messages))
    )
}

/// The summary, the place of the proof, the fix: a line each.
fn message(group: &Group<'_>, messages: &Messages) -> String {
    let verdict = group.first;
    let mut lines: Vec<String> = vec![view::summary(verdict).unwrap_or_else(|| view::title(group, messages))];
    lines.extend(view::cell(verdict, messages).map(|cell| fill(messages.short_cell, &[("cell", &cell)])));
    lines.extend(verdict.evidence.first().map(|one| {
        let text = super::safe(&cut(one.text.as_str().trim(), 300)).into_owned();
        fill(messages.short_proof, &[("text", &format!("{} {text}", view::place(one)))])
    }));
    let fix = verdict.fix.as_ref().map(|fix| fix.summary.as_str()).filter(|fix| !fix.is_empty());
    lines.extend(fix.map(|fix| fill(messages.short_fix, &[("text", &super::safe(fix))])));
    lines.push(fill(messages.explain_more, &[("cause", &super::safe(&verdict.cause))]));
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
