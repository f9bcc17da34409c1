//! A summary as one page for a browser.

use super::{page, writer::Html};
use crate::{
    language::Language,
    render::text::summary::{headline, rows},
    summary::{Dimension, Summary},
};
use std::io::{self, Write};

/// Writes the page; of each kind the `top` values.
pub(in crate::render) fn write(summary: &Summary, top: usize, out: &mut dyn Write) -> io::Result<()> {
    let title = headline(summary);
    let text = page::around(&title, env!("CARGO_PKG_VERSION"), Language::English, |html| {
        html.element("header", &[], |html| {
            html.tag("p", "brand", "kerneldoc");
            html.tag("h1", "", &title);
        });
        html.line();
        html.element("main", &[], |html| {
            for dimension in Dimension::ALL {
                table(summary, dimension, top, html);
            }
        });
    });
    out.write_all(text.as_bytes())
}

/// What is counted by one thing.
fn table(summary: &Summary, dimension: Dimension, top: usize, html: &mut Html) {
    let counts = summary.by(dimension);
    if counts.is_empty() {
        return;
    }
    html.line();
    html.element("article", &[], |html| {
        html.tag("h2", "", &format!("By {}", dimension.word()));
        html.element("table", &[], |html| {
            html.element("thead", &[], |html| row(html, "th", &[dimension.word(), "deaths", "findings"]));
            html.element("tbody", &[], |html| {
                for cells in rows(summary, dimension, &counts, top) {
                    row(html, "td", &cells.iter().map(String::as_str).collect::<Vec<_>>());
                }
            });
        });
    });
}

fn row(html: &mut Html, cell: &'static str, cells: &[&str]) {
    html.element("tr", &[], |html| cells.iter().for_each(|text| html.tag(cell, "", text)));
}
