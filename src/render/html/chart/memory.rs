//! A series of memory before the death, with the limit it ran against.
//!
//! It computes no trend; the report has it.

use super::{label, line, percent, pixels};
use crate::{
    language::{Messages, fill},
    render::{
        html::writer::Html,
        text::{curve::whose, words},
    },
    report::{ReportMemory, Verdict},
};
use std::fmt::Write;

/// The height of the curve, in pixels.
const HEIGHT: f64 = 120.0;
/// The most points that are drawn.
const MOST: usize = 400;

/// Draws every series of a verdict.
pub(in crate::render::html) fn memory(verdict: &Verdict, html: &mut Html) {
    for series in verdict.memory.iter().filter(|series| series.points.len() > 1).take(6) {
        html.element("figure", &[], |html| {
            curve(series, html);
            html.tag("figcaption", "", &caption(series, html.messages));
        });
    }
}

/// `Memory (process): 1.2 GiB to 3.9 GiB, limit 4.0 GiB; leak`.
fn caption(series: &ReportMemory, messages: &Messages) -> String {
    let percent = series.unit == "percent";
    let size = |value: i64| match u64::try_from(value) {
        Ok(bytes) if !percent => words::size(bytes),
        _ => format!("{value} %"),
    };
    let [first, last, limit] =
        [series.points.first().copied(), series.points.last().copied(), limit(series).filter(|_| !percent)];
    let phrase = if limit.is_some() { messages.curve_caption_limited } else { messages.curve_caption };
    let [first, last, limit] = [first, last, limit].map(|value| value.map(size).unwrap_or_default());
    let what = whose(&series.what, messages);
    let trend = messages.trend(&series.trend);
    let values = [("what", what), ("first", &*first), ("last", &last), ("limit", &limit), ("trend", trend)];
    fill(phrase, &values)
}

#[expect(clippy::cast_precision_loss, reason = "places in a drawing")]
fn curve(series: &ReportMemory, html: &mut Html) {
    let points = series.points.get(..series.points.len().min(MOST)).unwrap_or_default();
    let top = points.iter().copied().chain(limit(series)).max().unwrap_or(1).max(1) as f64 * 1.08;
    let y = |bytes: i64| HEIGHT * (1.0 - bytes.max(0) as f64 / top);
    let step = 1000.0 / (points.len().saturating_sub(1)).max(1) as f64;
    let mut path = String::new();
    for (index, bytes) in points.iter().enumerate() {
        // Writing into a String cannot fail.
        let _ = write!(path, "{:.1},{:.1} ", index as f64 * step, y(*bytes));
    }
    let height = pixels(HEIGHT);
    let attributes = [("class", "memory"), ("width", "100%"), ("height", &*height), ("role", "img")];
    html.element("svg", &attributes, |html| {
        html.tag("title", "", html.messages.curve_title);
        let frame = [
            ("viewBox", "0 0 1000 120"),
            ("preserveAspectRatio", "none"),
            ("width", "96%"),
            ("height", &*height),
        ];
        html.element("svg", &frame, |html| {
            let attributes =
                [("class", "curve"), ("points", path.trim_end()), ("vector-effect", "non-scaling-stroke")];
            html.element("polyline", &attributes, |_| {});
        });
        if let Some(limit) = limit(series) {
            line("moment", (0.0, y(limit)), (96.0, y(limit)), html);
            label("moment", "start", (0.0, y(limit) + 14.0), html.messages.curve_limit, html);
        }
        let x = percent(96.0);
        html.element(
            "circle",
            &[
                ("class", "host"),
                ("cx", &x),
                ("cy", &pixels(y(points.last().copied().unwrap_or_default()))),
                ("r", "4"),
            ],
            |_| {},
        );
    });
}

/// The limit, in the unit of the points.
fn limit(series: &ReportMemory) -> Option<i64> {
    if series.unit == "percent" { Some(100) } else { series.limit_bytes }
}
