//! Why it may be otherwise, and what would settle it.
//!
//! It judges nothing: all of it stands in the report.

use super::{layer_class, writer::Html};
use crate::{
    render::text::verdict::reservation,
    report::{Also, ReportMissing, Verdict},
};

/// The doubts about a verdict, if there are any.
pub(super) fn section(verdict: &Verdict, html: &mut Html) {
    let reservation = reservation(&verdict.confidence);
    let none = verdict.also.is_empty() && verdict.missing.is_empty() && verdict.silent.is_empty();
    if none && reservation.is_none() {
        return;
    }
    html.element("section", &[("class", "doubts")], |html| {
        html.tag("h3", "", "Doubts, and what would settle them");
        html.element("ul", &[], |html| {
            if let Some(reservation) = reservation {
                html.tag("li", "", reservation);
            }
            verdict.also.iter().for_each(|other| also(other, html));
            for silent in &verdict.silent {
                html.element("li", &[], |html| {
                    html.tag("code", "", silent.path.as_str());
                    html.text(" covers the moment and shows nothing of it");
                });
            }
            verdict.missing.iter().for_each(|log| missing(log, html));
        });
    });
}

fn also(other: &Also, html: &mut Html) {
    html.element("li", &[], |html| {
        let symptom = other.role == "symptom";
        html.text(if symptom { "an effect of it, not another cause: " } else { "it could also be: " });
        html.text(other.title.as_deref().unwrap_or(&other.cause));
        html.text(" ");
        html.tag("span", layer_class(&other.layer), &other.layer);
        html.text(" ");
        html.tag("code", "", &other.cause);
        if !symptom {
            html.text(&format!(" ({})", other.confidence));
        }
    });
}

fn missing(log: &ReportMissing, html: &mut Html) {
    html.element("li", &[], |html| {
        match &log.reason {
            Some(reason) => html.text(&format!("{} would help, but {}. To get it:", log.source, reason)),
            None => html.text(&format!("not among the logs: {}. To get it:", log.source)),
        }
        html.tag("pre", "command", log.command.as_str());
    });
}
