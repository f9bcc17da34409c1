//! A summary as tables for people.

use super::{Sheet, overview, words};
use crate::{
    language::{Language, counted},
    render::{Options, safe::safe},
    summary::{Count, Dimension, Summary},
};
use std::io::{self, Write};

/// Writes the headline and a table for each thing that is counted by; of each the `top` values.
pub(in crate::render) fn write(
    summary: &Summary,
    top: usize,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut sheet = Sheet::new(options, out);
    let strong = sheet.styles.strong;
    sheet.prose(0, strong, &headline(summary))?;
    for dimension in Dimension::ALL {
        let counts = summary.by(dimension);
        if counts.is_empty() {
            continue;
        }
        sheet.blank()?;
        let header = [dimension.word(), "deaths", "findings"].map(str::to_owned).to_vec();
        overview::draw(header, rows(summary, dimension, &counts, top), &mut sheet)?;
    }
    Ok(())
}

/// `12 kernel deaths and 3 findings in 40 reports, from … to …`. Summaries are English: they feed dashboards.
pub(in crate::render) fn headline(summary: &Summary) -> String {
    let english = Language::English.messages();
    let deaths = counted(english.deaths, summary.total.deaths);
    let findings = counted(english.findings, summary.total.findings);
    let reports = match summary.reports {
        0 => String::new(),
        reports => format!(" in {}", counted("{n} report|{n} reports", reports)),
    };
    let between = match (&summary.first, &summary.last) {
        (Some(first), Some(last)) => format!(", from {} to {}", words::moment(first), words::moment(last)),
        _ => String::new(),
    };
    let repeated = match summary.repeated {
        0 => String::new(),
        repeated => format!("; {repeated} told of twice and counted once"),
    };
    format!("{deaths} and {findings}{reports}{between}{repeated}")
}

/// The rows of a table: the most deaths first, then what is left out, then what is not known.
pub(in crate::render) fn rows(
    summary: &Summary,
    dimension: Dimension,
    counts: &[(&str, Count)],
    top: usize,
) -> Vec<Vec<String>> {
    let row = |name: String, count: Count| vec![name, count.deaths.to_string(), count.findings.to_string()];
    // The newest weeks count, the most frequent of all else.
    let skipped = if dimension == Dimension::Week { counts.len().saturating_sub(top) } else { 0 };
    let mut rows: Vec<_> = counts
        .iter()
        .skip(skipped)
        .take(top)
        .map(|(value, count)| match dimension {
            Dimension::Cause => row(format!("{} ({})", safe(value), safe(summary.layer(value))), *count),
            _ => row(safe(value).into_owned(), *count),
        })
        .collect();
    let more = counts.len().saturating_sub(top);
    if more > 0 {
        rows.push(vec![format!("… {more} more"), String::new(), String::new()]);
    }
    let unknown = summary.unknown(dimension);
    if unknown != Count::default() {
        rows.push(row("(not known)".to_owned(), unknown));
    }
    rows
}
