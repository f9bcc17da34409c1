//! SARIF 2.1.0, as code scanners write it.
//!
//! One result a group of equal verdicts; the evidence stands under `relatedLocations`.

use super::{
    json::write_indented,
    safe,
    text::group::{Group, groups},
    view::{self, Severity},
};
use crate::language::Messages;
use crate::report::{Evidence, Report, Verdict};
use serde_json::{Value, json};
use std::{
    fmt::Write as _,
    io::{self, Write},
};

/// The schema's address.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";

/// Writes the log file.
pub(super) fn write(report: &Report, messages: &Messages, out: &mut dyn Write) -> io::Result<()> {
    let groups = groups(report);
    let mut causes: Vec<&Verdict> = groups.iter().map(|group| group.first).collect();
    causes.sort_by(|one, other| one.cause.cmp(&other.cause));
    causes.dedup_by(|one, other| one.cause == other.cause);
    let results: Vec<Value> = groups.iter().map(|group| result(group, &causes, messages)).collect();
    let notifications: Vec<Value> = report
        .notes
        .iter()
        .map(|note| json!({"level": "note", "message": {"text": safe(note.text.as_str())}}))
        .collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "kerneldoc",
                "version": safe(&report.tool.version),
                "rules": causes.iter().map(|cause| rule(cause)).collect::<Vec<_>>(),
            }},
            "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": notifications}],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    write_indented(&log, out)
}

/// What a cause is.
fn rule(verdict: &Verdict) -> Value {
    let fix = verdict.fix.as_ref();
    let mut rule = json!({
        "id": safe(&verdict.cause),
        "shortDescription": {"text": text(&verdict.title)},
        "fullDescription": {"text": text(&paragraphs(verdict.why.as_deref().unwrap_or(&verdict.title)))},
        "help": {"text": text(fix.map_or(verdict.title.as_str(), |fix| fix.summary.as_str()))},
        "properties": {"tags": ["jupyter", safe(&verdict.layer)]},
    });
    let address =
        fix.and_then(|fix| fix.references.iter().find(|reference| reference.starts_with("https://")));
    if let (Some(address), Some(rule)) = (address, rule.as_object_mut()) {
        rule.insert("helpUri".to_owned(), json!(uri(address, true)));
    }
    rule
}

fn result(group: &Group<'_>, causes: &[&Verdict], messages: &Messages) -> Value {
    let verdict = group.first;
    let anchor = view::anchor(verdict);
    let title = view::title(group, messages);
    let message = match view::summary(verdict) {
        Some(summary) => format!("{title}{}{}{summary}", messages.stop, messages.space),
        None => title,
    };
    // A report from elsewhere may leave a path out, and a location needs one.
    let placed = verdict.evidence.iter().filter(|evidence| !evidence.path.as_str().is_empty());
    let related: Vec<Value> =
        placed.enumerate().map(|(index, evidence)| related(index + 1, evidence)).collect();
    let suppressions: Vec<Value> = verdict
        .known
        .iter()
        .map(|known| json!({"kind": "external", "justification": view::known(known, messages)}))
        .collect();
    json!({
        "ruleId": safe(&verdict.cause),
        "ruleIndex": causes.iter().position(|cause| cause.cause == verdict.cause),
        "level": level(group),
        "message": {"text": text(&message)},
        "locations": [location(&anchor.path, anchor.line.unwrap_or(1))],
        "relatedLocations": related,
        "partialFingerprints": {"kerneldoc/v1": safe(&verdict.fingerprint)},
        "suppressions": suppressions,
        "occurrenceCount": group.count().max(1),
        "properties": {
            "kind": group.what,
            "layer": safe(&verdict.layer),
            "confidence": safe(&verdict.confidence),
            "time": verdict.time.as_deref().map(safe),
            "id": safe(&verdict.id),
        },
    })
}

fn level(group: &Group<'_>) -> &'static str {
    match Severity::of(group) {
        Severity::Critical | Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// A line of evidence.
fn related(id: usize, evidence: &Evidence) -> Value {
    let mut location = location(evidence.path.as_str(), evidence.line.max(1));
    if let Some(location) = location.as_object_mut() {
        location.insert("id".to_owned(), id.into());
        location.insert("message".to_owned(), json!({"text": text(evidence.text.as_str().trim())}));
    }
    location
}

fn location(path: &str, line: u64) -> Value {
    let path = uri(&path.replace('\\', "/"), false);
    json!({"physicalLocation": {"artifactLocation": {"uri": path}, "region": {"startLine": line}}})
}

/// A text; SARIF wants one that is not empty.
fn text(text: &str) -> String {
    if text.is_empty() { "–".to_owned() } else { safe(text).into_owned() }
}

/// Paragraphs on one line.
fn paragraphs(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A path or an address as a URI: what no URI may hold is percent-encoded. Only an address keeps its colon and query.
fn uri(text: &str, address: bool) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
        if plain || (address && b":?#=&%+,@".contains(&byte)) {
            out.push(char::from(byte));
        } else {
            // Writing into a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
