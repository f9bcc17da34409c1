//! `ServiceNow`: incidents and events.
//!
//! Limits of an incident, as delivered: `short_description` 160, `description` 4000, `correlation_id` 100 characters. Priority is
//! computed there from impact and urgency.

use super::{Ticket, body::fitting, words};
use crate::render::{
    text::words as time_words,
    view::{self, Severity},
};
use serde_json::{Value, json};

const SHORT_DESCRIPTION: usize = 160;
const DESCRIPTION: usize = 4000;

/// `POST /api/now/table/incident`.
pub(super) fn incident(ticket: &Ticket<'_>) -> Value {
    let (impact, urgency) = match ticket.severity {
        Severity::Critical => ("1", "1"),
        Severity::Error => ("2", "2"),
        Severity::Warning => ("3", "2"),
        Severity::Info => ("3", "3"),
    };
    json!({
        "short_description": ticket.title(SHORT_DESCRIPTION),
        "description": description(ticket),
        "impact": impact,
        "urgency": urgency,
        "category": "software",
        "correlation_id": ticket.fingerprint(),
        "correlation_display": "kerneldoc",
    })
}

/// `POST /api/global/em/jsonv2`; `message_key` joins repeats.
pub(super) fn event(ticket: &Ticket<'_>) -> Value {
    let verdict = ticket.verdict;
    let severity = match ticket.severity {
        Severity::Critical => "1",
        Severity::Error => "2",
        Severity::Warning => "4",
        Severity::Info => "5",
    };
    let short = |text: &str| view::short(text, 200);
    // A text that holds JSON; what is in it must be safe before it becomes JSON.
    let more = json!({
        "layer": short(&verdict.layer),
        "cause": short(&verdict.cause),
        "confidence": short(&verdict.confidence),
        "notebook": ticket.notebook(),
        "occurrence": short(&verdict.id),
    });
    let time = verdict.time.as_deref().and_then(time_words::parse);
    json!({"records": [{
        "source": "kerneldoc",
        "event_class": "kerneldoc",
        "node": ticket.source(),
        "resource": ticket.notebook().unwrap_or_else(|| "jupyter-kernel".to_owned()),
        "metric_name": super::word(&verdict.cause),
        "type": "Jupyter kernel death",
        "message_key": ticket.fingerprint(),
        "severity": severity,
        "time_of_event": time.map(|time| time.format("%Y-%m-%d %H:%M:%S").to_string()),
        "description": description(ticket),
        "additional_info": more.to_string(),
    }]})
}

fn description(ticket: &Ticket<'_>) -> String {
    fitting(ticket, DESCRIPTION, words::plain, |text| text.chars().count())
}
