//! Jira: issues of Cloud (an Atlassian document) and of Server and Data Center (wiki markup).
//!
//! Limits: summary 255 characters on one line, description 32 767, labels without blanks. The document's schema is that of
//! `@atlaskit/adf-schema`; it takes no empty text.

use super::{
    Ticket,
    body::{Block, fitting},
    words,
};
use crate::render::view::Severity;
use serde_json::{Value, json};

/// The most characters of a description.
const DESCRIPTION: usize = 32_767;
/// The most characters of a summary.
const SUMMARY: usize = 255;

/// `POST /rest/api/3/issue`.
pub(super) fn cloud(ticket: &Ticket<'_>) -> Value {
    let document = fitting(ticket, DESCRIPTION, document, |document| document.to_string().chars().count());
    issue(ticket, &document)
}

/// `POST /rest/api/2/issue`.
pub(super) fn server(ticket: &Ticket<'_>) -> Value {
    let text = fitting(ticket, DESCRIPTION, words::wiki, |text| text.chars().count());
    issue(ticket, &json!(text))
}

fn issue(ticket: &Ticket<'_>, description: &Value) -> Value {
    let priority = match ticket.severity {
        Severity::Critical => "Highest",
        Severity::Error => "High",
        Severity::Warning => "Medium",
        Severity::Info => "Low",
    };
    json!({"fields": {
        "project": {"key": ticket.value("project", "PROJECT")},
        "issuetype": {"name": ticket.value("issue_type", "Bug")},
        "summary": ticket.title(SUMMARY),
        "description": description,
        "labels": ticket.labels(),
        "priority": {"name": priority},
    }})
}

/// An Atlassian document.
fn document(blocks: &[Block]) -> Value {
    json!({"type": "doc", "version": 1, "content": blocks.iter().flat_map(nodes).collect::<Vec<_>>()})
}

fn nodes(block: &Block) -> Vec<Value> {
    match block {
        Block::Heading(title) => {
            vec![json!({"type": "heading", "attrs": {"level": 3}, "content": [text(title)]})]
        }
        Block::Text(words) => vec![paragraph(words)],
        Block::List(items) => vec![list("bulletList", items.iter().map(|item| vec![paragraph(item)]))],
        Block::Steps(steps) => vec![list(
            "orderedList",
            steps.iter().map(|(words, command)| {
                let mut inside = vec![paragraph(words)];
                inside.extend(
                    command.as_ref().filter(|command| !command.is_empty()).map(|command| code(command)),
                );
                inside
            }),
        )],
        Block::Quote(place, line) => vec![paragraph(place), code(line)],
        Block::Links(links) => vec![list("bulletList", links.iter().map(|link| vec![linked(link)]))],
    }
}

fn list(kind: &str, items: impl Iterator<Item = Vec<Value>>) -> Value {
    let items = items.map(|inside| json!({"type": "listItem", "content": inside}));
    json!({"type": kind, "content": items.collect::<Vec<_>>()})
}

fn paragraph(words: &str) -> Value {
    json!({"type": "paragraph", "content": [text(words)]})
}

fn code(words: &str) -> Value {
    json!({"type": "codeBlock", "content": [text(words)]})
}

/// A text, which must not be empty.
fn text(words: &str) -> Value {
    json!({"type": "text", "text": if words.is_empty() { "–" } else { words }})
}

/// An address; only one of the web becomes a link.
fn linked(address: &str) -> Value {
    if !address.starts_with("https://") {
        return paragraph(address);
    }
    let mark = json!({"type": "link", "attrs": {"href": address}});
    json!({"type": "paragraph", "content": [{"type": "text", "text": address, "marks": [mark]}]})
}
