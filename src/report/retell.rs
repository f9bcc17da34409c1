//! Tells a report that is there already in another language, as far as its own words allow.
//!
//! A text is changed only where the rule's English text, filled in with the report's figures, gives exactly what the
//! report says: a report of another version, or of rules that are not here, keeps its words.

use super::{Report, ReportStep, Verdict};
use crate::{
    event::Value,
    language::{Language, flowing},
    redact::Redacted,
    rule::{RuleSet, Template, Texts},
};
use chrono::DateTime;

/// Retells the texts of rules in a language.
pub fn retell(report: &mut Report, rules: &RuleSet, language: Language) {
    for verdict in report.deaths.iter_mut().chain(&mut report.findings) {
        for also in &mut verdict.also {
            let Some(rule) = rules.get(&also.cause) else { continue };
            let title = rule.texts(language).title;
            also.title.iter_mut().filter(|said| **said == rule.title).for_each(|said| title.clone_into(said));
        }
        if let Some(rule) = rules.get(&verdict.cause) {
            retell_verdict(verdict, &rule.texts(Language::English), &rule.texts(language));
        }
    }
}

fn retell_verdict(verdict: &mut Verdict, english: &Texts<'_>, own: &Texts<'_>) {
    let known = verdict.clone();
    let lookup = |name: &str| value(&known, name);
    if verdict.summary.as_str() == english.title {
        verdict.summary = Redacted::ours(own.title);
    } else if let Some(summary) = summary(verdict, english, own, &lookup) {
        verdict.summary = Redacted::ours(summary);
    }
    if verdict.title == english.title {
        own.title.clone_into(&mut verdict.title);
    }
    verdict
        .why
        .iter_mut()
        .filter(|why| **why == flowing(english.why))
        .for_each(|why| *why = flowing(own.why));
    let Some(fix) = &mut verdict.fix else { return };
    if fix.summary.as_str() == english.fix {
        fix.summary = Redacted::ours(own.fix);
    }
    for step in &mut fix.steps {
        retell_step(step, english, own, &lookup);
    }
}

/// The line of the summary that was taken, in the other language.
fn summary(
    verdict: &Verdict,
    english: &Texts<'_>,
    own: &Texts<'_>,
    lookup: &dyn Fn(&str) -> Option<Value>,
) -> Option<String> {
    let lines = |texts: &Texts<'_>| texts.summary.map(Template::lines).unwrap_or_default();
    let (english, own) = (lines(english), lines(own));
    let mut pairs = english.iter().zip(&own);
    let said = verdict.summary.as_str();
    pairs.find(|(line, _)| line.render(lookup).as_deref() == Some(said))?.1.render(lookup)
}

fn retell_step(
    step: &mut ReportStep,
    english: &Texts<'_>,
    own: &Texts<'_>,
    lookup: &dyn Fn(&str) -> Option<Value>,
) {
    let mut pairs = english.steps.iter().zip(&own.steps);
    let said = step.text.as_str();
    let pair = pairs.find(|(line, _)| line.render(lookup).as_deref() == Some(said));
    if let Some(text) = pair.and_then(|(_, own)| own.render(lookup)) {
        step.text = Redacted::ours(text);
    }
}

/// What a template may speak of, as far as the report tells.
fn value(verdict: &Verdict, name: &str) -> Option<Value> {
    let text = |text: Option<&Redacted>| text.map(|text| Value::Text(text.as_str().to_owned()));
    let moment = |time: &str| {
        DateTime::parse_from_rfc3339(time).ok().map(|time| Value::Integer(time.timestamp_micros()))
    };
    if let Some(fact) = verdict.facts.get(name) {
        return match fact {
            serde_json::Value::String(time) if name.ends_with("_time") => moment(time),
            serde_json::Value::String(text) => Some(Value::Text(text.clone())),
            fact => fact.as_i64().map(Value::Integer).or_else(|| fact.as_f64().map(Value::Number)),
        };
    }
    let (container, kernel) = (verdict.container.as_ref(), verdict.kernel.as_ref());
    match name {
        "container" => text(container.and_then(|one| one.name.as_ref().or(one.id.as_ref()))),
        "container_id" => text(container.and_then(|one| one.id.as_ref())),
        "image" => text(container.and_then(|one| one.image.as_ref())),
        "kernel_id" => text(kernel.and_then(|one| one.id.as_ref())),
        "pid" => kernel.and_then(|one| one.pid).map(Value::Integer),
        "notebook" => text(verdict.notebook.as_ref()),
        "user" => text(verdict.user.as_ref()),
        "host" => text(verdict.host.as_ref()),
        "count" => Some(Value::Integer(i64::try_from(verdict.count.unwrap_or(1)).unwrap_or(i64::MAX))),
        "time" => verdict.time.as_deref().and_then(moment),
        _ => None,
    }
}
