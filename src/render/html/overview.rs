//! The table of several verdicts, each with a link to its own part of the page.
//!
//! It tells no verdict in full.

use super::{layer_class, writer::Html};
use crate::{
    language::Messages,
    render::{
        text::{group::Group, words},
        view,
    },
};

/// One row a group.
pub(super) fn table(groups: &[Group<'_>], html: &mut Html) {
    let messages = html.messages;
    let columns = [
        "",
        messages.column_time_utc,
        messages.column_layer,
        messages.column_what,
        messages.column_confidence,
    ];
    html.element("nav", &[("class", "wide"), ("aria-label", messages.verdicts)], |html| {
        html.element("table", &[], |html| {
            html.element("thead", &[], |html| {
                html.element("tr", &[], |html| {
                    for column in columns {
                        html.tag("th", "", column);
                    }
                });
            });
            html.element("tbody", &[], |html| groups.iter().for_each(|group| row(group, html)));
        });
    });
}

fn row(group: &Group<'_>, html: &mut Html) {
    let (verdict, messages) = (group.first, html.messages);
    html.line();
    html.element("tr", &[], |html| {
        html.tag("td", "faint", &name(group, messages));
        let time = verdict.time.as_deref().map_or_else(|| messages.none.to_owned(), words::moment);
        html.tag("td", "time", time.trim_end_matches(" UTC"));
        html.element("td", &[], |html| {
            html.tag("span", layer_class(&verdict.layer), messages.layer(&verdict.layer));
        });
        html.element("td", &[], |html| {
            html.element("a", &[("href", &format!("#{}", anchor(group)))], |html| {
                html.text(&view::title(group, messages));
            });
        });
        html.tag("td", "", messages.confidence(&verdict.confidence));
    });
}

/// `death 2`.
pub(super) fn name(group: &Group<'_>, messages: &Messages) -> String {
    format!("{} {}", messages.what(group.what), group.number)
}

/// The name of a group's part of the page.
pub(super) fn anchor(group: &Group<'_>) -> String {
    format!("{}-{}", group.what, group.number)
}
