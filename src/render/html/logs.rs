//! What the verdicts rest on: which logs cover which time, how their clocks were put on one, what was not read.
//!
//! It repeats no verdict.

use super::{chart, writer::Html};
use crate::{
    language::{Messages, counted},
    render::text::{footer::clock_words, words},
    report::{Report, ReportNote, ReportSource},
};

/// The most files and remarks that are listed.
const MOST: usize = 200;

/// The part of the page on the logs.
pub(super) fn section(report: &Report, html: &mut Html) {
    let inputs = &report.inputs;
    if inputs.sources.is_empty() && inputs.skipped.is_empty() && report.notes.is_empty() {
        return;
    }
    html.element("section", &[("class", "logs"), ("id", "logs")], |html| {
        html.tag("h2", "", html.messages.logs_heading);
        if !inputs.sources.is_empty() {
            chart::coverage(report, html);
            table(&inputs.sources, html);
        }
        skipped(report, html);
        notes(&report.notes, html);
    });
}

fn table(sources: &[ReportSource], html: &mut Html) {
    let messages = html.messages;
    let columns = [
        messages.column_log,
        messages.column_kind,
        messages.column_events,
        messages.column_covers,
        messages.column_clock,
    ];
    html.element("div", &[("class", "wide")], |html| {
        html.element("table", &[], |html| {
            html.element("thead", &[], |html| {
                html.element("tr", &[], |html| {
                    for column in columns {
                        html.tag("th", "", column);
                    }
                });
            });
            html.element("tbody", &[], |html| sources.iter().take(MOST).for_each(|source| row(source, html)));
        });
    });
    more(sources.len(), html);
}

fn row(source: &ReportSource, html: &mut Html) {
    html.line();
    html.element("tr", &[], |html| {
        html.element("td", &[], |html| html.tag("code", "", source.path.as_str()));
        html.tag("td", "", &source.kind);
        html.tag("td", "number", &source.events.to_string());
        html.tag("td", "time", &covers(source, html.messages));
        html.tag("td", "clock", &clock(source, html.messages));
    });
}

/// From when to when a log reaches.
fn covers(source: &ReportSource, messages: &Messages) -> String {
    let (Some(first), Some(last)) = (source.first.as_deref(), source.last.as_deref()) else {
        return messages.none.to_owned();
    };
    let begin = words::moment(first);
    format!("{} – {}", begin.trim_end_matches(" UTC"), words::second(last, Some(first)))
}

/// How a log's clock was put on the common one, and what that rests on.
fn clock(source: &ReportSource, messages: &Messages) -> String {
    let words = match source.clock.as_deref() {
        None | Some("") => return messages.clock_none.to_owned(),
        Some("UTC" | "zoned") => return messages.clock_zoned.to_owned(),
        Some(clock) => clock_words(clock, messages),
    };
    let basis = source.clock_basis.as_deref();
    basis.map_or_else(|| words.clone(), |basis| messages.with_brackets(&words, messages.remark(basis)))
}

fn skipped(report: &Report, html: &mut Html) {
    let skipped = &report.inputs.skipped;
    if skipped.is_empty() {
        return;
    }
    html.tag("h3", "", html.messages.not_read);
    html.element("ul", &[], |html| {
        for item in skipped.iter().take(MOST) {
            html.element("li", &[], |html| {
                html.tag("code", "", item.path.as_str());
                html.text(&format!(": {}", item.reason));
            });
        }
    });
    more(skipped.len(), html);
}

fn notes(notes: &[ReportNote], html: &mut Html) {
    if notes.is_empty() {
        return;
    }
    html.tag("h3", "", html.messages.remarks_heading);
    html.element("ul", &[], |html| {
        for note in notes.iter().take(MOST) {
            html.element("li", &[], |html| {
                let line = note.line.map(|line| format!(":{line}")).unwrap_or_default();
                if let Some(path) = &note.path {
                    html.tag("code", "", &format!("{path}{line}"));
                    html.text(" ");
                }
                html.text(html.messages.remark(note.text.as_str()));
            });
        }
    });
    more(notes.len(), html);
}

/// How many were not listed.
fn more(all: usize, html: &mut Html) {
    if all > MOST {
        html.tag("p", "faint", &counted(html.messages.more, (all - MOST) as u64));
    }
}
