//! `kerneldoc summary`: many reports in, counts out.
//!
//! Reports are read one at a time. They are trusted to have been redacted when they were made.

use super::{output, read, screen::Screen};
use crate::{
    cli::SummaryArgs,
    error::{EXIT_HEALTHY, Error},
    open::Opened,
    redact::Redacted,
    render::render_summary,
    report::{Report, Verdict},
    summary::Summary,
};
use serde::Deserialize;
use std::{
    io::{self, BufRead, BufReader, Read},
    path::PathBuf,
};

/// What a report, and a line of the ndjson format, says it is.
const SCHEMA: &str = "kerneldoc.report/1";

/// What tells a whole report from a line.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    schema: String,
    /// `death` or `finding`, on a line.
    record: Option<String>,
    partition: Option<Redacted>,
}

/// Runs the command.
pub(super) fn run(arguments: &SummaryArgs, screen: &Screen) -> Result<u8, Error> {
    let stdin = [PathBuf::from("-")];
    let paths = if arguments.reports.is_empty() { &stdin } else { &arguments.reports[..] };
    let mut summary = Summary::default();
    let mut read = 0;
    let skipped = read::each(paths, &mut |opened, skipped| match opened {
        Opened::Text { path, reader } => {
            read += 1;
            if let Err(error) = documents(reader, &mut |number, document| {
                if let Err(reason) = take(document, &mut summary) {
                    output::remark(&format!("{path}:{number}: not a report ({reason})"));
                }
            }) {
                skipped.push((path.to_owned(), read::reason(&error)));
            }
        }
        Opened::Skipped { path, reason } => skipped.push((path.to_owned(), reason.to_owned())),
    });
    if read == 0 {
        return Err(Error::Nothing { skipped });
    }
    for (path, reason) in &skipped {
        output::remark(&format!("`{path}` was not read ({reason})"));
    }
    let top = arguments.top;
    output::to_stdout(|out| render_summary(&summary, arguments.format, top, &screen.options(), out))?;
    for (format, path) in &arguments.outputs {
        output::to_file(path, |out| render_summary(&summary, *format, top, &screen.file_options(), out))?;
    }
    Ok(EXIT_HEALTHY)
}

/// Gives each document of a file and its line: a line, or what stands indented between `{` and `}` at a line's start.
fn documents(reader: &mut dyn Read, give: &mut dyn FnMut(u64, &[u8])) -> io::Result<()> {
    let mut reader = BufReader::new(reader);
    let (mut document, mut begun, mut number) = (Vec::new(), 0, 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        number += 1;
        let bare = line.trim_ascii_end();
        if bare == b"{" || document.is_empty() && !bare.is_empty() {
            if !document.is_empty() {
                give(begun, &document);
            }
            document.clear();
            begun = number;
        }
        document.extend_from_slice(&line);
        if bare == b"}"
            || bare != b"{" && begun == number
            || bare.is_empty() && document.trim_ascii().is_empty()
        {
            if !document.trim_ascii().is_empty() {
                give(begun, &document);
            }
            document.clear();
        }
    }
    if !document.is_empty() {
        give(begun, &document);
    }
    Ok(())
}

/// Counts what a document tells of.
fn take(document: &[u8], summary: &mut Summary) -> Result<(), String> {
    let fault = |error: serde_json::Error| error.to_string();
    let head: Head = serde_json::from_slice(document).map_err(fault)?;
    if head.schema != SCHEMA {
        return Err(format!("it does not say `\"schema\": \"{SCHEMA}\"`"));
    }
    let partition = head.partition.as_ref().map(Redacted::as_str);
    if let Some(record) = head.record {
        let verdict: Verdict = serde_json::from_slice(document).map_err(fault)?;
        summary.take(&verdict, record == "death", partition);
        return Ok(());
    }
    let report: Report = serde_json::from_slice(document).map_err(fault)?;
    summary.reports += 1;
    for (verdicts, death) in [(&report.deaths, true), (&report.findings, false)] {
        for verdict in verdicts {
            summary.take(verdict, death, partition);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_stand_on_a_line_or_between_braces() {
        let text = "{\"a\":1}\n\n{\n  \"b\": {\n  }\n}\n{\n  \"cut\n{\n  \"c\": 1\n}\nnoise\n{\"d\":1}";
        let mut found = Vec::new();
        documents(&mut text.as_bytes(), &mut |number, document| {
            found.push((number, String::from_utf8_lossy(document).split_whitespace().collect::<String>()));
        })
        .unwrap();
        let expected = [
            (1, "{\"a\":1}"),
            (3, "{\"b\":{}}"),
            (7, "{\"cut"),
            (9, "{\"c\":1}"),
            (12, "noise"),
            (13, "{\"d\":1}"),
        ];
        assert_eq!(found, expected.map(|(number, text)| (number, text.to_owned())));
    }
}
