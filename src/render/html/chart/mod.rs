//! Drawings, as SVG inside the page: the evidence of a death over the five layers, and what each log covers.
//!
//! Positions are percentages, so that a drawing is as wide as its page and its letters keep their size.

mod axis;
mod coverage;
mod memory;
mod timeline;

pub(super) use coverage::coverage;
pub(super) use memory::memory;
pub(super) use timeline::timeline;

use super::writer::Html;

/// A line from one place to another, in percent and pixels.
fn line(class: &'static str, from: (f64, f64), to: (f64, f64), html: &mut Html) {
    let (x1, y1, x2, y2) = (percent(from.0), pixels(from.1), percent(to.0), pixels(to.1));
    let attributes = [("class", class), ("x1", &*x1), ("y1", &*y1), ("x2", &*x2), ("y2", &*y2)];
    html.element("line", &attributes, |_| {});
}

/// A text that begins, is centred or ends at a place.
fn label(class: &'static str, anchor: &'static str, at: (f64, f64), text: &str, html: &mut Html) {
    let (x, y) = (percent(at.0), pixels(at.1));
    let attributes = [("class", class), ("x", &*x), ("y", &*y), ("text-anchor", anchor)];
    html.element("text", &attributes, |html| html.text(text));
}

fn percent(value: f64) -> String {
    format!("{value:.2}%")
}

fn pixels(value: f64) -> String {
    format!("{value:.0}")
}

/// On which side of a place a text stands, so that it stays inside.
fn side(x: f64) -> &'static str {
    if x > 78.0 {
        "end"
    } else if x < 26.0 {
        "start"
    } else {
        "middle"
    }
}
