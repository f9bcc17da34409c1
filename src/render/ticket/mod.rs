//! Tickets, alerts and chat messages: a payload a death that the target's API takes, within its limits.
//!
//! It sends nothing. Equal deaths (one fingerprint) are one payload that says how many.

mod alerts;
mod body;
mod chat;
mod issues;
mod jira;
mod servicenow;
mod target;
mod values;
mod words;

pub use target::Target;

use super::{
    Options,
    json::write_json_line,
    text::group::{Group, groups},
    view::{self, Severity, cut},
};
use crate::{
    language::Messages,
    redact::Redacted,
    report::{Report, Verdict},
};
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// The most characters of a title, whatever the target allows: it is read in lists.
const LONGEST_TITLE: usize = 160;

/// What a payload is made of.
struct Ticket<'a> {
    verdict: &'a Verdict,
    title: String,
    severity: Severity,
    values: &'a BTreeMap<String, String>,
    messages: &'static Messages,
}

/// Writes one payload a line.
pub(super) fn write(
    report: &Report,
    target: Target,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    let findings = options.values.get("findings").is_some_and(|value| value == "yes");
    let wanted = |group: &&Group<'_>| group.first.known.is_none() && (group.what == "death" || findings);
    for group in groups(report).iter().filter(wanted) {
        let mut payload = target.payload(&Ticket::new(group, options));
        values::set(&mut payload, target.pointer(), &options.values);
        write_json_line(&payload, out)?;
    }
    Ok(())
}

impl<'a> Ticket<'a> {
    fn new(group: &Group<'a>, options: &'a Options) -> Self {
        let (values, messages) = (&options.values, options.language.messages());
        let verdict = group.first;
        let about = verdict.notebook.as_ref().map(Redacted::as_str);
        let about = about
            .and_then(|path| path.rsplit(['/', '\\']).next())
            .map(|name| format!(" ({})", super::safe(name)));
        let title =
            cut(&view::title(group, messages), LONGEST_TITLE - 40) + &cut(&about.unwrap_or_default(), 40);
        Self { verdict, title, severity: severity(group, values), values, messages }
    }

    /// The title within a limit.
    fn title(&self, most: usize) -> String {
        cut(&self.title, most)
    }

    /// `kerneldoc`, the layer, the cause, the fingerprint: words without blanks.
    fn labels(&self) -> Vec<String> {
        let Verdict { layer, cause, .. } = self.verdict;
        vec![
            "kerneldoc".to_owned(),
            word(&format!("layer-{layer}")),
            word(&format!("cause-{cause}")),
            self.fingerprint(),
        ]
    }

    /// The name of the cause at this place.
    fn fingerprint(&self) -> String {
        word(&self.verdict.fingerprint)
    }

    /// What it happened on: the host, the container, or `unknown`.
    fn source(&self) -> String {
        let container = self.verdict.container.as_ref().and_then(|container| container.name.as_ref());
        let source = self.verdict.host.as_ref().or(container);
        source.map_or_else(|| "unknown".to_owned(), |source| view::short(source.as_str(), 255))
    }

    /// The notebook, or nothing.
    fn notebook(&self) -> Option<String> {
        self.verdict.notebook.as_ref().map(|notebook| view::short(notebook.as_str(), 255))
    }

    /// A value of the site, or what stands for it.
    fn value(&self, name: &str, otherwise: &str) -> String {
        self.values.get(name).cloned().unwrap_or_else(|| otherwise.to_owned())
    }

    /// A number from 1 (critical) to 4 (information), as most targets count.
    fn priority(&self) -> u8 {
        match self.severity {
            Severity::Critical => 1,
            Severity::Error => 2,
            Severity::Warning => 3,
            Severity::Info => 4,
        }
    }
}

/// How grave it is, unless the site says so.
fn severity(group: &Group<'_>, values: &BTreeMap<String, String>) -> Severity {
    match values.get("severity").map(String::as_str) {
        Some("critical") => Severity::Critical,
        Some("error") => Severity::Error,
        Some("warning") => Severity::Warning,
        Some("info") => Severity::Info,
        _ => Severity::of(group),
    }
}

/// A word that every target takes as a label: letters, digits, `-`, `_`, `.`.
fn word(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    cut(&text.chars().map(plain).collect::<String>(), 100)
}
