//! The table of several verdicts, each with a link to its own part of the page.
//!
//! It tells no verdict in full.

use super::{layer_class, writer::Html};
use crate::render::{
    text::{group::Group, words},
    view,
};

/// One row a group.
pub(super) fn table(groups: &[Group<'_>], html: &mut Html) {
    html.element("nav", &[("class", "wide"), ("aria-label", "Verdicts")], |html| {
        html.element("table", &[], |html| {
            html.element("thead", &[], |html| {
                html.element("tr", &[], |html| {
                    for column in ["", "time (UTC)", "layer", "what happened", "confidence"] {
                        html.tag("th", "", column);
                    }
                });
            });
            html.element("tbody", &[], |html| groups.iter().for_each(|group| row(group, html)));
        });
    });
}

fn row(group: &Group<'_>, html: &mut Html) {
    let verdict = group.first;
    html.line();
    html.element("tr", &[], |html| {
        html.tag("td", "faint", &name(group));
        let time = verdict.time.as_deref().map_or_else(|| "–".to_owned(), words::moment);
        html.tag("td", "time", time.trim_end_matches(" UTC"));
        html.element("td", &[], |html| html.tag("span", layer_class(&verdict.layer), &verdict.layer));
        html.element("td", &[], |html| {
            html.element("a", &[("href", &format!("#{}", anchor(group)))], |html| {
                html.text(&view::title(group));
            });
        });
        html.tag("td", "", &verdict.confidence);
    });
}

/// `death 2`.
pub(super) fn name(group: &Group<'_>) -> String {
    format!("{} {}", group.what, group.number)
}

/// The name of a group's part of the page.
pub(super) fn anchor(group: &Group<'_>) -> String {
    format!("{}-{}", group.what, group.number)
}
