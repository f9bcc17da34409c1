//! The evidence of one verdict over the five layers, with the moment of the death.
//!
//! Points that would cover each other become one, with the numbers of all.

use super::{
    axis::{Axis, milliseconds},
    label, line, percent, pixels, side,
};
use crate::{
    render::{html::writer::Html, text::words},
    report::Verdict,
};

/// The layers, from what the user sees down to the machine.
const LAYERS: [&str; 5] = ["frontend", "server", "kernel", "cuda", "host"];
/// The height of a lane, in pixels.
const LANE: f64 = 34.0;
/// The space above the lanes.
const TOP: f64 = 26.0;
/// The lower end of the lanes.
const BOTTOM: f64 = TOP + 5.0 * LANE;
/// The height of the drawing.
const HEIGHT: f64 = BOTTOM + 24.0;
/// Points nearer than this, in percent, become one.
const NEAR: f64 = 3.2;

/// Points of one lane at nearly one place.
struct Point {
    lane: usize,
    x: f64,
    numbers: Vec<usize>,
    tip: String,
}

/// Draws the timeline, if any evidence has a time.
pub(in crate::render::html) fn timeline(verdict: &Verdict, what: &str, html: &mut Html) {
    let death = verdict.time.as_deref().and_then(milliseconds);
    let mut moments: Vec<i64> =
        verdict.evidence.iter().filter_map(|evidence| milliseconds(evidence.time.as_deref()?)).collect();
    if moments.is_empty() {
        return;
    }
    moments.extend(death);
    let Some(axis) = Axis::new(&moments) else { return };
    let zero = death.or_else(|| moments.iter().min().copied()).unwrap_or_default();
    html.element("figure", &[], |html| {
        let height = pixels(HEIGHT);
        let attributes = [("class", "timeline"), ("width", "100%"), ("height", &*height), ("role", "img")];
        html.element("svg", &attributes, |html| {
            html.tag("title", "", html.messages.timeline_title);
            lanes(verdict, &axis, zero, html);
            if let Some(death) = death {
                moment(axis.place(death), what, verdict, html);
            }
            for point in points(verdict, &axis) {
                dot(&point, html);
            }
        });
        let caption = if death.is_some() {
            html.messages.timeline_from_death
        } else {
            html.messages.timeline_from_first
        };
        html.tag("figcaption", "", caption);
    });
}

/// The lanes, their names, and the marks of the axis.
fn lanes(verdict: &Verdict, axis: &Axis, zero: i64, html: &mut Html) {
    for (index, layer) in LAYERS.iter().enumerate() {
        let y = middle(index);
        let guilty = *layer == verdict.layer;
        line(if guilty { "lane guilty" } else { "lane" }, (19.0, y), (96.0, y), html);
        label(
            if guilty { "name guilty" } else { "name" },
            "start",
            (0.0, y + 4.0),
            html.messages.layer(layer),
            html,
        );
    }
    for (x, text) in axis.marks(zero) {
        line("mark", (x, BOTTOM), (x, BOTTOM + 5.0), html);
        label("tick", "middle", (x, BOTTOM + 18.0), &text, html);
    }
}

/// The dashed line of the death.
fn moment(x: f64, what: &str, verdict: &Verdict, html: &mut Html) {
    line("moment", (x, TOP - 6.0), (x, BOTTOM), html);
    let time = verdict.time.as_deref().map(|time| words::clock_time(time, None)).unwrap_or_default();
    label("moment", side(x), (x, TOP - 12.0), &format!("{} {time}", html.messages.what(what)), html);
}

/// The points of all lanes, near ones joined.
fn points(verdict: &Verdict, axis: &Axis) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    for (index, evidence) in verdict.evidence.iter().enumerate() {
        let place = evidence.time.as_deref().and_then(milliseconds).map(|time| axis.place(time));
        let lane = LAYERS.iter().position(|layer| *layer == evidence.layer);
        let (Some(x), Some(lane)) = (place, lane) else { continue };
        let tip = format!("{}. {}:{} {}", index + 1, evidence.path, evidence.line, evidence.event);
        match points.iter_mut().find(|point| point.lane == lane && (point.x - x).abs() < NEAR) {
            Some(point) => {
                point.numbers.push(index + 1);
                point.tip = format!("{}; {tip}", point.tip);
            }
            None => points.push(Point { lane, x, numbers: vec![index + 1], tip }),
        }
    }
    points
}

fn dot(point: &Point, html: &mut Html) {
    let (x, y) = (percent(point.x), pixels(middle(point.lane)));
    let class = LAYERS.get(point.lane).copied().unwrap_or_default();
    html.element("circle", &[("class", class), ("cx", &x), ("cy", &y), ("r", "5.5")], |html| {
        html.tag("title", "", &point.tip);
    });
    let numbers: Vec<String> = point.numbers.iter().map(ToString::to_string).collect();
    label("point", "middle", (point.x, middle(point.lane) - 9.0), &numbers.join("·"), html);
}

/// The middle of a lane.
#[expect(clippy::cast_precision_loss, reason = "one of five lanes")]
fn middle(lane: usize) -> f64 {
    TOP + (lane as f64 + 0.6) * LANE
}
