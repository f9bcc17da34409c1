//! What several formats say in the same way: how grave a verdict is, which file it is shown at, who it is about.
//!
//! It writes no format, and every text it gives is safe to show.

use super::{
    safe::safe,
    text::{group::Group, words},
};
use crate::{
    language::{Messages, counted, fill},
    redact::Redacted,
    report::{Also, Evidence, Known, Report, ReportMissing, Verdict},
};
use serde_json::Value;
use std::path::Path;

/// How grave a verdict is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    /// A guess at trouble that ended no kernel.
    Info,
    /// Trouble that ended no kernel.
    Warning,
    /// A kernel died.
    Error,
    /// Others are hit too. Only a site can say so.
    Critical,
}

impl Severity {
    /// Of a group of equal verdicts.
    pub(super) fn of(group: &Group<'_>) -> Self {
        match (group.what, group.first.confidence.as_str()) {
            _ if group.first.known.is_some() => Self::Info,
            ("death", _) => Self::Error,
            (_, "possible") => Self::Info,
            _ => Self::Warning,
        }
    }
}

/// Where a verdict is shown: a file that the reader's repository may hold.
pub(super) struct Anchor {
    /// The file, with `/` between folders and none in front.
    pub(super) path: String,
    /// The line, where it is known.
    pub(super) line: Option<u64>,
}

/// The notebook, at the line of the evidence where that stands in it; else the first log that says so.
///
/// A log is seldom in the repository, so that a platform could not show it; the notebook mostly is.
pub(super) fn anchor(verdict: &Verdict) -> Anchor {
    let is_notebook_line = |evidence: &&Evidence| is_notebook(evidence.path.as_str());
    let inside = verdict.evidence.iter().find(is_notebook_line);
    if let Some(evidence) = inside {
        return Anchor { path: relative(evidence.path.as_str()), line: Some(evidence.line.max(1)) };
    }
    if let Some(notebook) = &verdict.notebook {
        return Anchor { path: relative(notebook.as_str()), line: None };
    }
    let first = verdict.evidence.first();
    Anchor {
        path: first.map_or_else(|| "kerneldoc".to_owned(), |evidence| relative(evidence.path.as_str())),
        line: first.map(|evidence| evidence.line.max(1)),
    }
}

/// Whether a path is a notebook's.
fn is_notebook(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|end| end == "ipynb")
}

/// A path as a repository names it. A server's notebook paths begin at its root folder with a `/`.
fn relative(path: &str) -> String {
    let path = path.replace('\\', "/");
    let path = path.trim_start_matches("./").trim_start_matches('/');
    if path.is_empty() { "kerneldoc".to_owned() } else { safe(path).into_owned() }
}

/// The cell that a verdict speaks of, where its rule tells.
pub(super) fn cell(verdict: &Verdict, messages: &Messages) -> Option<String> {
    let value = verdict.facts.get("cell")?;
    let number = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Some(fill(messages.cell, &[("n", &safe(&number))]))
}

/// `The container … killed the kernel ×40`.
pub(super) fn title(group: &Group<'_>, messages: &Messages) -> String {
    let title = if group.first.title.is_empty() { &group.first.cause } else { &group.first.title };
    format!("{}{}", safe(title), group.times_sign(messages))
}

/// The summary, unless it only repeats the title.
pub(super) fn summary(verdict: &Verdict) -> Option<String> {
    let summary = verdict.summary.as_str();
    (!summary.is_empty() && summary != verdict.title).then(|| safe(summary).into_owned())
}

/// What it is about, in pairs of a word and a name: notebook, kernel, container, host, user.
pub(super) fn who(verdict: &Verdict, messages: &Messages) -> Vec<(&'static str, String)> {
    let mut who = Vec::new();
    let shown = |text: &Redacted| safe(text.as_str()).into_owned();
    if let Some(notebook) = &verdict.notebook {
        let cell = cell(verdict, messages);
        let cell = cell.map(|cell| format!("{}{cell}", messages.comma)).unwrap_or_default();
        who.push((messages.notebook, format!("{}{cell}", shown(notebook))));
    }
    if let Some(kernel) = &verdict.kernel {
        let pid = kernel.pid.map(|pid| format!("pid {pid}"));
        let parts = [kernel.id.as_ref().map(shown), kernel.name.as_ref().map(shown), pid];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        who.push((messages.kernel, parts.join(messages.separator)));
    }
    if let Some(container) = &verdict.container {
        let id = container.id.as_ref().map(|id| safe(words::short_id(id.as_str())).into_owned());
        let parts = [container.name.as_ref().map(shown), id, container.image.as_ref().map(shown)];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        who.push((messages.container, parts.join(messages.separator)));
    }
    who.extend(verdict.host.as_ref().map(|host| (messages.host, shown(host))));
    who.extend(verdict.user.as_ref().map(|user| (messages.user, shown(user))));
    who.retain(|(_, name)| !name.is_empty());
    who
}

/// `dmesg.log:84`.
pub(super) fn place(evidence: &Evidence) -> String {
    format!("{}:{}", safe(evidence.path.as_str()), evidence.line)
}

/// `15:22:30.411, 2.6 s later · same container · ×3`.
pub(super) fn circumstances(evidence: &Evidence, death: Option<&str>, messages: &Messages) -> String {
    let mut parts = Vec::new();
    if let Some(time) = evidence.time.as_deref() {
        let offset = death.and_then(|death| words::offset(time, death, messages));
        let offset = offset.map(|offset| format!("{}{offset}", messages.comma)).unwrap_or_default();
        parts.push(format!("{}{offset}", safe(&words::clock_time(time, death))));
    }
    parts.push(safe(messages.link(&evidence.link)).into_owned());
    let count = evidence.count.filter(|count| *count > 1);
    parts.extend(count.map(|count| fill(messages.count_sign, &[("n", &count.to_string())])));
    parts.retain(|part| !part.is_empty());
    parts.join(messages.separator)
}

/// `2 kernel deaths and 1 finding`.
pub(super) fn headline(report: &Report, messages: &Messages) -> String {
    let total = |verdicts: &[Verdict]| verdicts.iter().map(|verdict| verdict.count.unwrap_or(1)).sum::<u64>();
    let deaths = counted(messages.deaths, total(&report.deaths));
    let findings = counted(messages.findings, total(&report.findings));
    match (report.deaths.is_empty(), report.findings.is_empty()) {
        (true, true) => messages.no_death.to_owned(),
        (true, false) => fill(messages.only_findings, &[("findings", &findings)]),
        (false, true) => deaths,
        (false, false) => fill(messages.deaths_and_findings, &[("deaths", &deaths), ("findings", &findings)]),
    }
}

/// `●` confirmed, `◐` probable, `○` possible, for pages; the word stands beside it. A terminal has its own marks.
pub(super) fn mark(confidence: &str) -> &'static str {
    match confidence {
        "confirmed" => "●",
        "probable" => "◐",
        _ => "○",
    }
}

/// Another cause in words; its title, and what names it, are given as the format writes them.
pub(super) fn also(also: &Also, title: &str, place: &str, messages: &Messages) -> String {
    let symptom = also.role == "symptom";
    let phrase = if symptom { messages.is_symptom } else { messages.is_alternative };
    fill(phrase, &[("cause", &messages.with_brackets(title, place))])
}

/// A log that would help, in words.
pub(super) fn missing(log: &ReportMissing, messages: &Messages) -> String {
    let source = messages.source(&log.source);
    match &log.reason {
        Some(reason) => fill(messages.would_help, &[("source", source), ("reason", reason.as_str())]),
        None => fill(messages.not_given, &[("source", source)]),
    }
}

/// A figure's name and value in words: `limit`, `380.0 MiB`.
pub(super) fn figure(name: &str, value: &Value) -> (String, String) {
    let words = match value {
        Value::Number(number) if name.ends_with("_bytes") || name.starts_with("bytes_per_") => {
            let whole = number.as_u64().or_else(|| number.as_f64().map(rounded));
            whole.map_or_else(|| number.to_string(), words::size)
        }
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.as_i64().is_none() => format!("{float:.1}"),
            _ => number.to_string(),
        },
        Value::String(text) if name.ends_with("_time") => words::moment(text),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let name = name.trim_end_matches("_bytes").replace('_', " ");
    (safe(&name).into_owned(), safe(&words).into_owned())
}

/// A rate in whole bytes.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "shown with one digit behind the point"
)]
fn rounded(bytes: f64) -> u64 {
    bytes.round() as u64
}

/// The first characters of a text, with `…` where some were cut off.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// `known issue: the pool is too small (OPS-12, until 2026-12-31)`.
pub(super) fn known(known: &Known, messages: &Messages) -> String {
    let until = known.until.as_ref().map(|until| fill(messages.until, &[("date", until)]));
    let more: Vec<String> = known.ticket.clone().into_iter().chain(until).collect();
    let reason = if more.is_empty() {
        known.reason.clone()
    } else {
        messages.with_brackets(&known.reason, &more.join(messages.comma))
    };
    safe(&fill(messages.known_issue, &[("reason", &reason)])).into_owned()
}

/// A text that is safe to show, of at most so many characters.
pub(super) fn short(text: &str, most: usize) -> String {
    // Cut before, because a log's text may be long, and after, because escapes are longer than what they stand for.
    cut(&safe(&cut(text.trim(), most)), most)
}
