//! Which log covers which time, and where the deaths lie.
//!
//! A log without times on the common clock has no bar.

use super::{
    axis::{Axis, milliseconds},
    label, line, percent, pixels, side,
};
use crate::{
    render::{html::writer::Html, text::words, view::cut},
    report::{Report, ReportSource},
};

/// The height of a log's row, in pixels.
const ROW: f64 = 32.0;
/// The space above the rows.
const TOP: f64 = 8.0;
/// The most logs that are drawn.
const MOST: usize = 40;
/// The most moments that are drawn.
const MOST_MOMENTS: usize = 60;
/// The most characters of a path.
const LONGEST_PATH: usize = 70;
/// A bar is at least this wide, in percent.
const NARROWEST: f64 = 0.6;

/// Draws the logs, if at least two cover a time.
pub(in crate::render::html) fn coverage(report: &Report, html: &mut Html) {
    let spans: Vec<(&ReportSource, i64, i64)> =
        report.inputs.sources.iter().filter_map(span).take(MOST).collect();
    let deaths: Vec<i64> =
        report.deaths.iter().filter_map(|death| milliseconds(death.time.as_deref()?)).collect();
    let moments: Vec<i64> =
        spans.iter().flat_map(|(_, first, last)| [*first, *last]).chain(deaths.clone()).collect();
    let Some(axis) = Axis::wide(&moments) else { return };
    if spans.len() < 2 {
        return;
    }
    html.element("figure", &[], |html| draw(&spans, &deaths, &axis, html));
}

/// The rows, the deaths, and the ends of the axis.
fn draw(spans: &[(&ReportSource, i64, i64)], deaths: &[i64], axis: &Axis, html: &mut Html) {
    let bottom = top(spans.len());
    let height = pixels(bottom + 22.0);
    let attributes = [("class", "coverage"), ("width", "100%"), ("height", &*height), ("role", "img")];
    html.element("svg", &attributes, |html| {
        html.tag("title", "", html.messages.coverage_title);
        // First the lines, so that they do not cross out names.
        for death in deaths.iter().take(MOST_MOMENTS) {
            let x = axis.place(*death);
            line("moment", (x, TOP), (x, bottom), html);
        }
        for (index, (source, first, last)) in spans.iter().enumerate() {
            row(source, (axis.place(*first), axis.place(*last)), top(index), html);
        }
        ends(spans, bottom + 16.0, html);
    });
    let messages = html.messages;
    let mut caption = messages.coverage_caption.to_owned();
    if !deaths.is_empty() {
        caption = format!("{caption}{}{}", messages.space, messages.coverage_deaths);
    }
    html.tag("figcaption", "", &caption);
}

/// A log's name and bar.
fn row(source: &ReportSource, (left, right): (f64, f64), y: f64, html: &mut Html) {
    let anchor = if left > 55.0 { "end" } else { "start" };
    let at = if anchor == "end" { right } else { left };
    label("name", anchor, (at, y + 12.0), &cut(source.path.as_str(), LONGEST_PATH), html);
    let (x, y) = (percent(left), pixels(y + 17.0));
    let width = percent((right - left).max(NARROWEST));
    let attributes =
        [("class", "bar"), ("x", &*x), ("y", &*y), ("width", &*width), ("height", "8"), ("rx", "2")];
    html.element("rect", &attributes, |html| {
        let (first, last) = (source.first.as_deref(), source.last.as_deref());
        let tip = [first, last].map(|time| time.map(words::moment).unwrap_or_default()).join(" – ");
        html.tag("title", "", &tip);
    });
}

/// The first and the last moment, in words.
fn ends(spans: &[(&ReportSource, i64, i64)], y: f64, html: &mut Html) {
    let first =
        spans.iter().min_by_key(|(_, first, _)| *first).and_then(|(source, ..)| source.first.as_deref());
    let last = spans.iter().max_by_key(|(_, _, last)| *last).and_then(|(source, ..)| source.last.as_deref());
    label("tick", side(0.0), (1.0, y), &first.map(words::moment).unwrap_or_default(), html);
    label(
        "tick",
        side(99.0),
        (96.0, y),
        &last.map(|last| words::second(last, first)).unwrap_or_default(),
        html,
    );
}

fn span(source: &ReportSource) -> Option<(&ReportSource, i64, i64)> {
    let first = milliseconds(source.first.as_deref()?)?;
    let last = milliseconds(source.last.as_deref()?)?;
    Some((source, first.min(last), last.max(first)))
}

/// The upper end of a row.
#[expect(clippy::cast_precision_loss, reason = "a few rows")]
fn top(row: usize) -> f64 {
    TOP + row as f64 * ROW
}
