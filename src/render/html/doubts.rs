//! Why it may be otherwise, and what would settle it.
//!
//! It judges nothing: all of it stands in the report.

use super::{layer_class, writer::Html};
use crate::{
    language::pieces,
    render::view,
    report::{Also, ReportMissing, Verdict},
};

/// The doubts about a verdict, if there are any.
pub(super) fn section(verdict: &Verdict, html: &mut Html) {
    let messages = html.messages;
    let reservation = messages.reservation(&verdict.confidence);
    let none = verdict.also.is_empty() && verdict.missing.is_empty() && verdict.silent.is_empty();
    if none && reservation.is_none() {
        return;
    }
    html.element("section", &[("class", "doubts")], |html| {
        html.tag("h3", "", messages.doubts_heading);
        html.element("ul", &[], |html| {
            if let Some(reservation) = reservation {
                html.tag("li", "", reservation);
            }
            verdict.also.iter().for_each(|other| also(other, html));
            for silent in &verdict.silent {
                html.element("li", &[], |html| {
                    html.phrase(messages.silent, &[("path", silent.path.as_str())]);
                });
            }
            verdict.missing.iter().for_each(|log| missing(log, html));
        });
    });
}

fn also(other: &Also, html: &mut Html) {
    let messages = html.messages;
    let symptom = other.role == "symptom";
    html.element("li", &[], |html| {
        let phrase = if symptom { messages.is_symptom } else { messages.is_alternative };
        for (text, place) in pieces(phrase) {
            html.text(text);
            if place.is_some() {
                html.text(other.title.as_deref().unwrap_or(&other.cause));
                html.text(" ");
                html.tag("span", layer_class(&other.layer), messages.layer(&other.layer));
                html.text(" ");
                html.tag("code", "", &other.cause);
            }
        }
        if !symptom {
            html.text(&messages.with_brackets("", messages.confidence(&other.confidence)));
        }
    });
}

fn missing(log: &ReportMissing, html: &mut Html) {
    let messages = html.messages;
    html.element("li", &[], |html| {
        html.text(&view::missing(log, messages));
        html.text(messages.space);
        html.text(messages.to_get_it);
        html.tag("pre", "command", log.command.as_str());
    });
}
