//! Writes a summary: text and HTML for people, JSON for programs, Prometheus' text for dashboards.

use super::{Options, html, json, prometheus, text};
use crate::summary::{Count, Dimension, Summary};
use serde_json::{Value, json};
use std::io::{self, Write};

/// A form that a summary can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SummaryFormat {
    /// Tables for people.
    #[default]
    Text,
    /// All counts.
    Json,
    /// One page for a browser, with nothing outside it.
    Html,
    /// The text format of Prometheus.
    Prometheus,
}

impl SummaryFormat {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::Text, Self::Json, Self::Html, Self::Prometheus];

    /// The word used on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Html => "html",
            Self::Prometheus => "prometheus",
        }
    }
}

/// Writes a summary; for people the `top` values of each kind.
///
/// # Errors
/// Only those of the writer.
pub fn render_summary(
    summary: &Summary,
    format: SummaryFormat,
    top: usize,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        SummaryFormat::Text => text::summary::write(summary, top, options, out),
        SummaryFormat::Json => json::write_indented(&value(summary), out),
        SummaryFormat::Html => html::summary::write(summary, top, out),
        SummaryFormat::Prometheus => prometheus::write(summary, out),
    }
}

/// All counts as JSON.
fn value(summary: &Summary) -> Value {
    let by = Dimension::ALL.map(|dimension| (dimension.word().to_owned(), counts(summary, dimension)));
    json!({
        "schema": "kerneldoc.summary/1",
        "reports": summary.reports,
        "deaths": summary.total.deaths,
        "findings": summary.total.findings,
        "repeated": summary.repeated,
        "first": summary.first,
        "last": summary.last,
        "by": by.into_iter().collect::<serde_json::Map<_, _>>(),
    })
}

/// The counts by one dimension; `null` stands where the reports do not say.
fn counts(summary: &Summary, dimension: Dimension) -> Value {
    let row = |value: Option<&str>, Count { deaths, findings }: Count| {
        let mut row = json!({ "value": value, "deaths": deaths, "findings": findings });
        if let (Dimension::Cause, Some(cause), Some(row)) = (dimension, value, row.as_object_mut()) {
            row.insert("layer".to_owned(), summary.layer(cause).into());
        }
        row
    };
    let mut rows: Vec<Value> =
        summary.by(dimension).into_iter().map(|(value, count)| row(Some(value), count)).collect();
    let unknown = summary.unknown(dimension);
    if unknown != Count::default() {
        rows.push(row(None, unknown));
    }
    rows.into()
}
