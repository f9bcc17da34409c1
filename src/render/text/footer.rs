//! What the verdicts rest on: which logs were looked at, which clocks were corrected, what was not read, remarks.
//!
//! It is short unless everything is asked for.

use super::{overview, sheet::Sheet, words};
use crate::{
    language::{Messages, counted, fill},
    render::safe::safe,
    report::{Report, ReportSource},
};
use std::io;

/// The most logs named unless everything is asked for.
const MOST: usize = 8;

/// The end of the sheet.
pub(super) fn write(report: &Report, sheet: &mut Sheet<'_>) -> io::Result<()> {
    let nothing = report.deaths.is_empty() && report.findings.is_empty();
    let alone = report.inputs.sources.len() == 1;
    let corrected = report.inputs.sources.iter().filter(|source| is_corrected(source, alone));
    let corrected: Vec<_> = corrected.collect();
    let anything = !corrected.is_empty() || !report.inputs.skipped.is_empty() || !report.notes.is_empty();
    if nothing || anything || sheet.full() {
        sheet.blank()?;
    }
    if sheet.full() && !report.inputs.sources.is_empty() {
        sources(report, sheet)?;
        sheet.blank()?;
    } else if nothing {
        looked_at(report, sheet)?;
    }
    clocks(&corrected, sheet)?;
    not_read(report, sheet)?;
    notes(report, sheet)
}

/// Whether a log's clock had to be put on the common one. Of a log alone, what was assumed does not matter.
fn is_corrected(source: &ReportSource, alone: bool) -> bool {
    let clock = source.clock.as_deref().unwrap_or_default();
    let common = matches!(clock, "" | "UTC" | "zoned" | "local+00:00");
    let harmless = alone && clock.ends_with("+00:00, assumed");
    !common && !harmless
}

/// The logs, when nothing was found in them.
fn looked_at(report: &Report, sheet: &mut Sheet<'_>) -> io::Result<()> {
    let sources = &report.inputs.sources;
    let messages = sheet.messages;
    let mut label = messages.label_read;
    for source in sources.iter().take(MOST) {
        let mut parts = vec![source.kind.clone(), counted(messages.events, source.events)];
        parts.extend(covers(source, messages).map(|span| format!("{span} UTC")));
        let text = messages.with_brackets(source.path.as_str(), &parts.join(messages.comma));
        sheet.labelled(label, &text)?;
        label = "";
    }
    match sources.len().saturating_sub(MOST) {
        0 => Ok(()),
        more => sheet.beside("", &counted(messages.more_files, more as u64)),
    }
}

/// From when to when a log reaches: `2026-11-30 15:14:12 to 15:22:30`.
fn covers(source: &ReportSource, messages: &Messages) -> Option<String> {
    let (first, last) = (source.first.as_deref()?, source.last.as_deref()?);
    let first_words = words::moment(first);
    let last = words::second(last, Some(first));
    let first = first_words.trim_end_matches(" UTC");
    Some(fill(messages.first_to_last, &[("first", first), ("last", &last)]))
}

/// Every log, in a table.
fn sources(report: &Report, sheet: &mut Sheet<'_>) -> io::Result<()> {
    let messages = sheet.messages;
    let header = [
        messages.column_source,
        messages.column_kind,
        messages.column_events,
        messages.column_covers,
        messages.column_clock,
    ];
    let rows = report.inputs.sources.iter().map(|source| {
        let clock = source.clock.as_deref().unwrap_or(messages.none);
        let clock = if clock.starts_with("boot") { "boot" } else { clock };
        let cells = [
            source.path.as_str().to_owned(),
            source.kind.clone(),
            source.events.to_string(),
            covers(source, messages).unwrap_or_else(|| messages.none.to_owned()),
            clock.to_owned(),
        ];
        cells.map(|cell| safe(&cell).into_owned()).to_vec()
    });
    let rows = rows.collect();
    overview::draw(header.map(str::to_owned).to_vec(), rows, sheet)
}

/// One line for each clock that was corrected.
fn clocks(corrected: &[&ReportSource], sheet: &mut Sheet<'_>) -> io::Result<()> {
    let messages = sheet.messages;
    let mut label = messages.label_clock;
    for source in corrected {
        let mut clock = clock_words(source.clock.as_deref().unwrap_or_default(), messages);
        if let Some(basis) = source.clock_basis.as_deref() {
            clock = messages.with_brackets(&clock, messages.remark(basis));
        }
        sheet.hanging(label, 2, &format!("{} {clock}", source.path))?;
        label = "";
    }
    Ok(())
}

/// What a clock is, in words.
pub(in crate::render) fn clock_words(clock: &str, messages: &Messages) -> String {
    if let Some((domain, _)) = clock.split_once(": not on the common clock") {
        return fill(messages.clock_apart, &[("clock", domain)]);
    }
    if let Some(boot) = clock.strip_prefix("boot+") {
        return fill(messages.clock_boot, &[("time", &words::moment(boot))]);
    }
    let (zoned, assumed) = clock.strip_suffix(", assumed").map_or((clock, false), |zoned| (zoned, true));
    // `date-less-05:00`: only the last sign is the zone's.
    let at = zoned.rfind(['+', '-']);
    let (domain, zone) = at.map_or((zoned, ""), |at| zoned.split_at(at));
    let lacks = match domain {
        "local" => messages.clock_no_zone,
        "year-less" => messages.clock_no_year,
        "date-less" => messages.clock_no_date,
        _ => return fill(messages.clock_other, &[("clock", zoned)]),
    };
    let zone = if matches!(zone, "+00:00" | "-00:00") { "UTC" } else { zone };
    let phrase = if assumed { messages.clock_assumed } else { messages.clock_found };
    fill(phrase, &[("lacks", lacks), ("zone", zone)])
}

/// What was not read, and why.
fn not_read(report: &Report, sheet: &mut Sheet<'_>) -> io::Result<()> {
    let most = if sheet.full() { usize::MAX } else { MOST };
    let (skipped, messages) = (&report.inputs.skipped, sheet.messages);
    let mut label = messages.label_skipped;
    for item in skipped.iter().take(most) {
        let text = messages.with_brackets(item.path.as_str(), item.reason.as_str());
        sheet.hanging(label, 2, &text)?;
        label = "";
    }
    match skipped.len().saturating_sub(most) {
        0 => Ok(()),
        more => sheet.beside("", &counted(messages.more_files, more as u64)),
    }
}

/// The remarks, or how many there are.
fn notes(report: &Report, sheet: &mut Sheet<'_>) -> io::Result<()> {
    if report.notes.is_empty() {
        return Ok(());
    }
    let messages = sheet.messages;
    let mut label = messages.label_notes;
    if !sheet.full() {
        return sheet.beside(label, &counted(messages.remarks, report.notes.len() as u64));
    }
    for note in &report.notes {
        let place = match (&note.path, note.line) {
            (Some(path), Some(line)) => format!("{path}:{line}: "),
            (Some(path), None) => format!("{path}: "),
            _ => String::new(),
        };
        sheet.hanging(label, 2, &format!("{place}{}", messages.remark(note.text.as_str())))?;
        label = "";
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::clock_words;
    use crate::language::Language;

    #[test]
    fn clocks_are_told_in_words() {
        let clock_words = |clock| clock_words(clock, Language::English.messages());
        assert_eq!(
            clock_words("boot+2026-11-30T15:14:10Z"),
            "counts from the boot at 2026-11-30 15:14:10 UTC"
        );
        assert_eq!(clock_words("local+08:00"), "names no zone; it is in +08:00");
        assert_eq!(clock_words("local+00:00, assumed"), "names no zone; UTC is assumed");
        assert_eq!(clock_words("date-less-05:00"), "prints no date; it is in -05:00");
        assert!(clock_words("boot: not on the common clock").starts_with("cannot be put on one clock"));
        assert_eq!(clock_words("sidereal"), "has the clock sidereal");
    }
}
