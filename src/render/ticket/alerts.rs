//! Alerts: `PagerDuty` Events v2, and operations of Jira Service Management (formerly Opsgenie).
//!
//! Both join repeats by a key of the sender's: the fingerprint.

use super::{Ticket, body::fitting, words};
use crate::render::{
    safe,
    view::{self, Severity, cut},
};
use serde_json::{Value, json};

/// `POST https://events.pagerduty.com/v2/enqueue`: summary 1024 characters, the whole 512 KB.
pub(super) fn pagerduty(ticket: &Ticket<'_>) -> Value {
    let verdict = ticket.verdict;
    let severity = match ticket.severity {
        Severity::Critical => "critical",
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    };
    let kernel = verdict
        .kernel
        .as_ref()
        .and_then(|kernel| kernel.name.as_ref())
        .map_or("kernel", |name| name.as_str());
    let references = verdict.fix.iter().flat_map(|fix| &fix.references);
    let links = references.filter(|link| link.starts_with("https://")).take(5);
    json!({
        "routing_key": ticket.value("routing_key", "ROUTING_KEY"),
        "event_action": "trigger",
        "dedup_key": ticket.fingerprint(),
        "client": "kerneldoc",
        "payload": {
            "summary": ticket.title(1024),
            "source": ticket.source(),
            "severity": severity,
            "timestamp": verdict.time.as_deref().map(safe),
            "component": format!("jupyter-kernel/{}", view::short(kernel, 100)),
            "group": ticket.notebook(),
            "class": super::word(&verdict.cause),
            "custom_details": details(ticket),
        },
        "links": links.map(|link| json!({"href": view::short(link, 1000), "text": view::short(link, 200)})).collect::<Vec<_>>(),
    })
}

/// What the alert's page shows.
fn details(ticket: &Ticket<'_>) -> Value {
    let verdict = ticket.verdict;
    let line = |evidence: &crate::report::Evidence| {
        format!("{} {}", cut(&view::place(evidence), 200), view::short(evidence.text.as_str(), 300))
    };
    json!({
        "layer": view::short(&verdict.layer, 200),
        "cause": view::short(&verdict.cause, 200),
        "confidence": view::short(&verdict.confidence, 200),
        "summary": view::summary(verdict).map(|summary| cut(&summary, 2000)),
        "fix": verdict.fix.as_ref().map(|fix| view::short(fix.summary.as_str(), 1000)),
        "evidence": verdict.evidence.iter().take(5).map(line).collect::<Vec<_>>(),
        "occurrence": view::short(&verdict.id, 200),
    })
}

/// `POST /v2/alerts`: message 130, description 15 000, alias 512 characters; details are texts.
pub(super) fn jsm(ticket: &Ticket<'_>) -> Value {
    let verdict = ticket.verdict;
    let description = fitting(ticket, 15_000, words::plain, |text| text.chars().count());
    json!({
        "message": ticket.title(130),
        "alias": ticket.fingerprint(),
        "description": description,
        "tags": ticket.labels(),
        "entity": ticket.source(),
        "source": "kerneldoc",
        "priority": format!("P{}", ticket.priority()),
        "details": {
            "layer": view::short(&verdict.layer, 200),
            "cause": view::short(&verdict.cause, 200),
            "confidence": view::short(&verdict.confidence, 200),
            "notebook": ticket.notebook().unwrap_or_default(),
            "occurrence": view::short(&verdict.id, 200),
        },
    })
}
