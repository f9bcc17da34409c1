//! The quoted lines that say so: where each stands, when, and what ties it to the death.
//!
//! It keeps the order of the report, which is the most telling first.

use super::sheet::{Sheet, fit, fit_end, styled, width};
use crate::{
    language::{Messages, counted},
    render::{safe::safe, view},
    report::{Evidence, Verdict},
};
use std::io;

/// The most lines quoted unless everything is asked for.
const MOST: usize = 6;
/// The most lines that a quoted line is set on, unless everything is asked for.
const MOST_LINES: usize = 2;

/// The least that is shown of a path.
const LEAST_PATH: usize = 16;

/// The proof of a verdict.
pub(super) fn write(verdict: &Verdict, sheet: &mut Sheet<'_>) -> io::Result<()> {
    let most = if sheet.full() { usize::MAX } else { MOST };
    let messages = sheet.messages;
    let mut label = messages.label_proof;
    for evidence in verdict.evidence.iter().take(most) {
        let columns = sheet.beside_label();
        let place = place(evidence, verdict.time.as_deref(), columns, messages);
        let shown = place.split(messages.separator).next().unwrap_or_default().to_owned();
        let place = fit(&place, columns);
        let linked = sheet.file_link(&place, &shown, evidence.path.as_str(), evidence.line);
        sheet.beside(label, &linked)?;
        quote(evidence, sheet)?;
        label = "";
    }
    match verdict.evidence.len().saturating_sub(most) {
        0 => Ok(()),
        more => sheet.beside(label, &counted(messages.more_lines, more as u64)),
    }
}

/// `dmesg.log:84 · 15:22:30.411, 2.6 s later · same container`. Of a path that is too long the end is kept: how the
/// line is tied to the death matters more than the folder it lies in.
fn place(evidence: &Evidence, death: Option<&str>, columns: usize, messages: &Messages) -> String {
    let tied = format!("{}{}", messages.separator, view::circumstances(evidence, death, messages));
    let line = format!(":{}", evidence.line);
    let left = columns.saturating_sub(width(&tied) + width(&line)).max(LEAST_PATH);
    format!("{}{line}{tied}", fit_end(&safe(evidence.path.as_str()), left))
}

/// The line's text behind a bar: at most two lines, unless everything is asked for.
fn quote(evidence: &Evidence, sheet: &mut Sheet<'_>) -> io::Result<()> {
    let columns = sheet.beside_label() - 2;
    let bar = styled(sheet.styles.faint, sheet.messages.bar);
    let text = safe(evidence.text.as_str().trim());
    // Only blanks divide a quoted line: `total-vm` and ids stay whole.
    let options = textwrap::Options::new(columns)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    let lines = textwrap::wrap(&text, options);
    let most = if sheet.full() { lines.len() } else { MOST_LINES };
    for (index, line) in lines.iter().take(most).enumerate() {
        let cut = index + 1 == most && lines.len() > most;
        let line = if cut { fit(&format!("{line} …"), columns) } else { line.to_string() };
        sheet.beside("", &format!("{bar} {line}"))?;
    }
    Ok(())
}
