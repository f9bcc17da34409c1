//! Messages: Slack and Microsoft Teams. They are short; the report has the rest.
//!
//! In Slack `&`, `<` and `>` are escaped, so that `<!channel>` in a log calls nobody. In Teams texts are runs, which know no markup.

use super::Ticket;
use crate::language::fill;
use crate::render::{
    safe,
    view::{self, cut},
};
use serde_json::{Value, json};

/// A webhook of Slack: header 150, a section's text 3000 characters.
pub(super) fn slack(ticket: &Ticket<'_>) -> Value {
    let verdict = ticket.verdict;
    // A header is plain text, but its copy in a notification is not.
    let title = ticket.title(150).replace('<', "‹").replace('>', "›");
    let mut blocks =
        vec![json!({"type": "header", "text": {"type": "plain_text", "text": title, "emoji": false}})];
    let facts = facts(ticket);
    blocks.push(section(&escaped(&view::short(&facts, 300))));
    blocks.extend(view::summary(verdict).map(|summary| section(&escaped(&view::short(&summary, 500)))));
    if let Some(evidence) = verdict.evidence.first() {
        let text = escaped(&view::short(evidence.text.as_str(), 400)).replace("```", "'''");
        blocks.push(section(&format!("{}\n```{text}```", escaped(&cut(&view::place(evidence), 150)))));
    }
    if let Some(fix) = verdict.fix.as_ref().filter(|fix| !fix.summary.is_empty()) {
        blocks.push(section(&fill(
            ticket.messages.strong_fix,
            &[("text", &escaped(&view::short(fix.summary.as_str(), 500)))],
        )));
    }
    let key = format!("kerneldoc {} · {}", ticket.fingerprint(), super::word(&verdict.id));
    blocks.push(json!({"type": "context", "elements": [{"type": "mrkdwn", "text": key}]}));
    json!({"text": escaped(&ticket.title(150)), "blocks": blocks})
}

/// `host · container-memory-limit · confirmed`.
fn facts(ticket: &Ticket<'_>) -> String {
    let (verdict, messages) = (ticket.verdict, ticket.messages);
    let facts = [messages.layer(&verdict.layer), &verdict.cause, messages.confidence(&verdict.confidence)];
    facts.join(messages.separator)
}

fn section(text: &str) -> Value {
    json!({"type": "section", "text": {"type": "mrkdwn", "text": if text.is_empty() { "–" } else { text }}})
}

/// A text in which Slack sees no link, mention or command.
fn escaped(text: &str) -> String {
    safe(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A workflow's webhook of Teams: an adaptive card, about 28 KB in all.
pub(super) fn teams(ticket: &Ticket<'_>) -> Value {
    let verdict = ticket.verdict;
    let mut body = vec![runs(
        &json!([{"type": "TextRun", "text": ticket.title(150), "weight": "Bolder", "size": "Medium"}]),
    )];
    let facts = facts(ticket);
    body.push(run(&facts, 300));
    body.extend(view::summary(verdict).map(|summary| run(&summary, 1000)));
    for evidence in verdict.evidence.iter().take(2) {
        body.push(run(&view::place(evidence), 200));
        let text = view::short(evidence.text.as_str(), 500);
        body.push(runs(&json!([{"type": "TextRun", "text": text, "fontType": "Monospace"}])));
    }
    if let Some(fix) = &verdict.fix {
        body.push(run(&fill(ticket.messages.short_fix, &[("text", fix.summary.as_str())]), 500));
    }
    body.push(run(&format!("kerneldoc {} · {}", ticket.fingerprint(), verdict.id), 200));
    json!({"type": "message", "attachments": [{
        "contentType": "application/vnd.microsoft.card.adaptive",
        "content": {
            "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
            "type": "AdaptiveCard",
            "version": "1.4",
            "body": body,
        },
    }]})
}

/// A text without markup.
fn run(text: &str, most: usize) -> Value {
    runs(&json!([{"type": "TextRun", "text": view::short(text, most)}]))
}

fn runs(inlines: &Value) -> Value {
    json!({"type": "RichTextBlock", "inlines": inlines})
}
