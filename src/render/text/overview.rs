//! The first line, which says how many deaths in how many logs, and the table of several verdicts.
//!
//! It tells no verdict in full.

use super::{group::Group, sheet::Sheet, words};
use crate::{
    language::{Messages, counted, fill},
    render::{safe::safe, view},
    report::Report,
};
use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle};
use std::io;
use unicode_width::UnicodeWidthStr;

/// `2 kernel deaths and 1 finding in 4 files (812 lines, 14 events)`.
pub(super) fn headline(report: &Report, sheet: &mut Sheet<'_>) -> io::Result<()> {
    let (inputs, messages) = (&report.inputs, sheet.messages);
    let events = [counted(messages.lines, inputs.lines), counted(messages.events, inputs.events)];
    let read = messages.with_brackets(&counted(messages.files, inputs.files), &events.join(messages.comma));
    let said = view::headline(report, messages);
    let mut said = fill(messages.said_in, &[("said", &said), ("read", &read)]);
    if report.deaths.is_empty() && report.findings.is_empty() {
        said.push_str(messages.stop);
    }
    let strong = sheet.styles.strong;
    sheet.prose(0, strong, &said)
}

/// One row a group.
pub(super) fn table(groups: &[Group<'_>], sheet: &mut Sheet<'_>) -> io::Result<()> {
    sheet.blank()?;
    let messages = sheet.messages;
    let day = common_day(groups);
    let mut rows: Vec<Vec<String>> = groups.iter().map(|group| row(group, day.is_some(), messages)).collect();
    let when = day.unwrap_or_else(|| "UTC".to_owned());
    let columns = [messages.column_layer, messages.column_cause, messages.column_confidence, messages.kernel];
    let mut header: Vec<String> = ["", &when].into_iter().chain(columns).map(str::to_owned).collect();
    if needed(&header, &rows) > sheet.width() {
        header.pop();
        for row in &mut rows {
            row.pop();
        }
    }
    draw(header, rows, sheet)
}

/// Draws a light table.
pub(super) fn draw(header: Vec<String>, rows: Vec<Vec<String>>, sheet: &mut Sheet<'_>) -> io::Result<()> {
    let mut table = Table::new();
    table.load_style(light(sheet.messages)).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(sheet.width()).unwrap_or(u16::MAX));
    table.set_header(header).add_rows(rows);
    for line in table.lines() {
        sheet.raw(line.trim_end())?;
    }
    Ok(())
}

/// A rule under the header and nothing else.
fn light(messages: &Messages) -> TableStyle {
    let rule = messages.rule.chars().next();
    TableStyle::new().header_separator(LineStyle { left: None, fill: rule, junction: rule, right: None })
}

/// The columns that a table needs so that no cell is wrapped.
fn needed(header: &[String], rows: &[Vec<String>]) -> usize {
    let widest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).chain(header.get(column));
        cells.map(|cell| cell.width()).max().unwrap_or(0) + 2
    };
    (0..header.len()).map(widest).sum()
}

/// A group's row.
fn row(group: &Group<'_>, one_day: bool, messages: &Messages) -> Vec<String> {
    let verdict = group.first;
    let kernel = verdict.kernel.as_ref().and_then(|kernel| kernel.id.as_ref());
    vec![
        format!("{} {}", messages.what(group.what), group.number),
        verdict.time.as_deref().map_or_else(|| messages.none.to_owned(), |time| when(time, one_day)),
        safe(messages.layer(&verdict.layer)).into_owned(),
        format!("{}{}", safe(&verdict.cause), group.times_sign(messages)),
        safe(messages.confidence(&verdict.confidence)).into_owned(),
        kernel.map_or_else(|| messages.none.to_owned(), |id| safe(words::short_id(id.as_str())).into_owned()),
    ]
}

/// A row's time, without the day when the header says it.
fn when(time: &str, one_day: bool) -> String {
    let shape = if one_day { "%H:%M:%S" } else { "%Y-%m-%d %H:%M:%S" };
    words::parse(time).map_or_else(|| safe(time).into_owned(), |time| time.format(shape).to_string())
}

/// The day on which everything happened, if it was one: `2026-11-30 UTC`.
fn common_day(groups: &[Group<'_>]) -> Option<String> {
    let mut days: Vec<_> = groups
        .iter()
        .flat_map(Group::times)
        .filter_map(words::parse)
        .map(|time| time.format("%Y-%m-%d UTC").to_string())
        .collect();
    days.dedup();
    if days.len() == 1 { days.pop() } else { None }
}
