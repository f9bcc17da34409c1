//! Issues of GitHub, GitLab and Linear, tickets of Zendesk.
//!
//! The fingerprint stands in the body, where the trackers' search finds it.

use super::{Ticket, body::fitting, words};
use crate::render::view::Severity;
use serde_json::{Value, json};

/// `POST /repos/{owner}/{repo}/issues`: title 256, body 65 536 characters.
pub(super) fn github(ticket: &Ticket<'_>) -> Value {
    json!({"title": ticket.title(256), "body": markdown(ticket, 65_536), "labels": ticket.labels()})
}

/// `POST /api/v4/projects/{id}/issues`: title 255, description 1 048 576 characters; labels are one text.
pub(super) fn gitlab(ticket: &Ticket<'_>) -> Value {
    json!({
        "title": ticket.title(255),
        "description": markdown(ticket, 1_048_576),
        "labels": ticket.labels().join(","),
        "issue_type": ticket.value("issue_type", "incident"),
    })
}

/// `POST /api/v2/tickets`: an internal note of at most 64 KiB.
pub(super) fn zendesk(ticket: &Ticket<'_>) -> Value {
    let priority = match ticket.severity {
        Severity::Critical => "urgent",
        Severity::Error => "high",
        Severity::Warning => "normal",
        Severity::Info => "low",
    };
    let body = fitting(ticket, 60_000, words::plain, String::len);
    json!({"ticket": {
        "subject": ticket.title(150),
        "comment": {"body": body, "public": false},
        "type": "incident",
        "priority": priority,
        "tags": ticket.labels(),
        "external_id": ticket.fingerprint(),
    }})
}

/// The mutation `issueCreate`.
pub(super) fn linear(ticket: &Ticket<'_>) -> Value {
    let query = "mutation($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { identifier url } } }";
    json!({"query": query, "variables": {"input": {
        "teamId": ticket.value("team", "TEAM"),
        "title": ticket.title(255),
        "description": markdown(ticket, 65_536),
        "priority": ticket.priority(),
    }}})
}

/// The body as Markdown, with the fingerprint once more where only a search sees it.
fn markdown(ticket: &Ticket<'_>, limit: usize) -> String {
    let key = format!("\n\n<!-- kerneldoc {} -->\n", ticket.fingerprint());
    let body = fitting(ticket, limit - key.len(), words::markdown, |text| text.chars().count());
    body + &key
}
