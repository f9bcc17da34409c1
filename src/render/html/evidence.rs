//! The quoted lines, numbered as in the chart.
//!
//! It keeps the order of the report, which is the most telling first.

use super::{layer_class, writer::Html};
use crate::{
    render::view,
    report::{Evidence, Verdict},
};

/// The evidence of a verdict.
pub(super) fn section(verdict: &Verdict, html: &mut Html) {
    if verdict.evidence.is_empty() {
        return;
    }
    html.element("section", &[], |html| {
        html.tag("h3", "", html.messages.how_known);
        html.element("ol", &[("class", "evidence")], |html| {
            for evidence in &verdict.evidence {
                html.line();
                html.element("li", &[], |html| quote(evidence, verdict.time.as_deref(), html));
            }
        });
    });
}

/// One line, where it stands, when, and what ties it to the death.
fn quote(evidence: &Evidence, death: Option<&str>, html: &mut Html) {
    html.element("p", &[("class", "place")], |html| {
        html.tag("code", "", &view::place(evidence));
        html.text(" ");
        html.tag("span", layer_class(&evidence.layer), html.messages.layer(&evidence.layer));
        html.text(" ");
        html.tag("span", "faint", &view::circumstances(evidence, death, html.messages));
    });
    html.tag("pre", "", evidence.text.as_str().trim());
}
