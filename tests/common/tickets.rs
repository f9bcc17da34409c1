//! What each target of tickets takes: required fields, limits, words that are allowed.

use serde_json::Value;

type Check = Result<(), String>;

fn ensure(holds: bool, what: &str) -> Check {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

/// The text at a place, not empty and at most so many characters.
fn text<'a>(value: &'a Value, pointer: &str, most: usize) -> Result<&'a str, String> {
    let text = value.pointer(pointer).and_then(Value::as_str).ok_or_else(|| format!("no {pointer}"))?;
    ensure(!text.is_empty(), &format!("{pointer} is empty"))?;
    let length = text.chars().count();
    ensure(length <= most, &format!("{pointer} has {length} of {most} characters"))?;
    Ok(text)
}

/// One of some words.
fn word(value: &Value, pointer: &str, words: &[&str]) -> Check {
    let word = text(value, pointer, 40)?;
    ensure(words.contains(&word), &format!("{pointer}: {word}"))
}

/// Checks a payload, given also as the line that holds it.
pub(crate) fn check(target: &str, value: &Value, line: &str) -> Check {
    match target {
        "jira-v3" => jira(value).and_then(|()| document(&value["fields"]["description"])),
        "jira-v2" => jira(value).and_then(|()| text(value, "/fields/description", 32_767).and_then(wiki)),
        "servicenow" => {
            text(value, "/short_description", 160)?;
            text(value, "/description", 4000)?;
            text(value, "/correlation_id", 100)?;
            word(value, "/impact", &["1", "2", "3"])?;
            word(value, "/urgency", &["1", "2", "3"])
        }
        "servicenow-event" => {
            for name in ["source", "node", "type", "resource", "message_key"] {
                text(value, &format!("/records/0/{name}"), 255)?;
            }
            text(value, "/records/0/description", 4000)?;
            word(value, "/records/0/severity", &["1", "2", "3", "4", "5"])?;
            let more = text(value, "/records/0/additional_info", usize::MAX)?;
            serde_json::from_str::<Value>(more).map(|_| ()).map_err(|error| error.to_string())
        }
        "github-issue" => {
            text(value, "/title", 256)?;
            super::valid::check(
                "markdown",
                text(value, "/body", 65_536)?.rsplit_once("<!--").ok_or("no key")?.0,
            )?;
            labels(&value["labels"])
        }
        "gitlab-issue" => {
            text(value, "/title", 255)?;
            let body = text(value, "/description", 1_048_576)?;
            super::valid::check("markdown", body.rsplit_once("<!--").ok_or("no key")?.0)?;
            word(value, "/issue_type", &["issue", "incident"])?;
            ensure(text(value, "/labels", 1000)?.split(',').count() == 4, "labels")
        }
        "zendesk" => {
            text(value, "/ticket/subject", 150)?;
            ensure(text(value, "/ticket/comment/body", 65_536)?.len() <= 65_536, "the comment is too long")?;
            ensure(value["ticket"]["comment"]["public"] == false, "the note is public")?;
            word(value, "/ticket/priority", &["urgent", "high", "normal", "low"])?;
            labels(&value["ticket"]["tags"])
        }
        "pagerduty" => {
            text(value, "/routing_key", 255)?;
            word(value, "/event_action", &["trigger"])?;
            text(value, "/dedup_key", 255)?;
            text(value, "/payload/summary", 1024)?;
            text(value, "/payload/source", 1024)?;
            word(value, "/payload/severity", &["critical", "error", "warning", "info"])?;
            ensure(value["payload"]["custom_details"].is_object(), "custom_details")?;
            ensure(line.len() <= 512_000, "the event is too long")
        }
        "jsm-alert" => {
            text(value, "/message", 130)?;
            text(value, "/alias", 512)?;
            text(value, "/description", 15_000)?;
            word(value, "/priority", &["P1", "P2", "P3", "P4", "P5"])?;
            let details = value["details"].as_object().ok_or("no details")?;
            ensure(details.values().all(Value::is_string), "details are texts")
        }
        "linear" => {
            text(value, "/query", 1000)?;
            text(value, "/variables/input/teamId", 100)?;
            text(value, "/variables/input/title", 255)?;
            text(value, "/variables/input/description", 65_536)?;
            ensure(value["variables"]["input"]["priority"].as_u64().is_some_and(|one| one <= 4), "priority")
        }
        "slack" => slack(value),
        "teams" => {
            ensure(line.len() <= 28_000, &format!("the card has {} bytes", line.len()))?;
            let card = &value["attachments"][0]["content"];
            ensure(
                card["type"] == "AdaptiveCard"
                    && card["body"].as_array().is_some_and(|body| !body.is_empty()),
                "card",
            )
        }
        other => Err(format!("nothing checks {other}")),
    }
}

fn labels(value: &Value) -> Check {
    let labels = value.as_array().ok_or("no labels")?;
    let plain = |label: &Value| {
        label.as_str().is_some_and(|label| !label.is_empty() && !label.contains([' ', ',', '\n']))
    };
    ensure(labels.len() == 4 && labels.iter().all(plain), "labels")
}

fn jira(value: &Value) -> Check {
    text(value, "/fields/project/key", 100)?;
    text(value, "/fields/issuetype/name", 100)?;
    ensure(!text(value, "/fields/summary", 255)?.contains('\n'), "the summary has two lines")?;
    word(value, "/fields/priority/name", &["Highest", "High", "Medium", "Low"])?;
    labels(&value["fields"]["labels"])
}

/// `{noformat}` comes in pairs.
fn wiki(text: &str) -> Check {
    ensure(text.matches("{noformat}").count().is_multiple_of(2), "a block is left open")
}

/// What Atlassian's schema says of the nodes that are used.
fn document(value: &Value) -> Check {
    ensure(value["type"] == "doc" && value["version"] == 1, "no document")?;
    ensure(value.to_string().chars().count() <= 32_767, "the document is too long")?;
    let content = value["content"].as_array().ok_or("no content")?;
    content.iter().try_for_each(|node| {
        self::node(node, &["paragraph", "heading", "bulletList", "orderedList", "codeBlock"])
    })
}

fn node(value: &Value, allowed: &[&str]) -> Check {
    let kind = value["type"].as_str().unwrap_or_default();
    ensure(allowed.contains(&kind), &format!("{kind} may not stand here"))?;
    let inside: &[&str] = match kind {
        "text" => return text(value, "/text", usize::MAX).map(|_| ()),
        "paragraph" | "heading" | "codeBlock" => &["text"],
        "bulletList" | "orderedList" => &["listItem"],
        "listItem" => &["paragraph", "codeBlock"],
        other => return Err(format!("node {other}")),
    };
    if kind == "heading" {
        ensure(value["attrs"]["level"].as_u64().is_some_and(|level| (1..=6).contains(&level)), "level")?;
    }
    if kind == "codeBlock" {
        ensure(
            value["content"].as_array().is_some_and(|runs| runs.iter().all(|run| run.get("marks").is_none())),
            "marks",
        )?;
    }
    let content = value["content"].as_array().filter(|content| !content.is_empty()).ok_or("an empty node")?;
    content.iter().try_for_each(|node| self::node(node, inside))
}

fn slack(value: &Value) -> Check {
    let calls = |text: &str| text.contains('<') || text.contains('>');
    ensure(!calls(text(value, "/text", 3000)?), "text")?;
    let blocks = value["blocks"].as_array().ok_or("no blocks")?;
    ensure(blocks.len() <= 50, "too many blocks")?;
    for block in blocks {
        let (pointer, most) = match block["type"].as_str() {
            Some("header") => ("/text/text", 150),
            Some("section") => ("/text/text", 3000),
            Some("context") => ("/elements/0/text", 2000),
            other => return Err(format!("block {other:?}")),
        };
        ensure(!calls(text(block, pointer, most)?), "a link or a mention")?;
    }
    Ok(())
}
