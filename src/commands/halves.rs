//! `kerneldoc diagnose --events`: the second half of the pipeline, on what the first half printed.

use super::{
    diagnose, output,
    read::{self, Logs},
    reports::Reports,
    screen::Screen,
};
use crate::{
    cli::DiagnoseArgs,
    error::{EXIT_HEALTHY, Error},
    exchange::{Gathering, Part},
    note::Note,
    open::Opened,
    pipeline::Settings,
    redact::Redactor,
    render::Format,
    rule::RuleSet,
};
use std::{
    io::{self, BufRead, BufReader, Read},
    path::PathBuf,
};

/// The longest line that is read; a longer one is damaged.
const LONGEST_LINE: u64 = 16 << 20;

/// What was gathered from files of events.
pub(super) struct Gathered {
    parts: Vec<Part>,
    notes: Vec<Note>,
    /// Files of events that could not be read.
    skipped: Vec<(String, String)>,
}

/// Reads what the first half printed; `--each-key` keeps what has different keys apart.
pub(super) fn gather(arguments: &DiagnoseArgs) -> Gathered {
    let mut gathering = Gathering::new(arguments.each_key);
    let stdin = [PathBuf::from("-")];
    let paths = if arguments.paths.is_empty() { &stdin } else { &arguments.paths[..] };
    let mut skipped = read::each(paths, &mut |opened, skipped| match opened {
        Opened::Text { path, reader } => {
            if let Err(error) = lines(path, reader, &mut gathering) {
                skipped.push((path.to_owned(), read::reason(&error)));
            }
        }
        Opened::Skipped { path, reason } => skipped.push((path.to_owned(), reason.to_owned())),
    });
    skipped.sort();
    let (parts, notes) = gathering.finish();
    Gathered { parts, notes, skipped }
}

/// Gives the lines of one file to the gathering.
fn lines(name: &str, reader: &mut dyn Read, gathering: &mut Gathering) -> io::Result<()> {
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        number += 1;
        if reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.last() != Some(&b'\n') && line.len() as u64 == LONGEST_LINE {
            gathering.damage(name, number, "it is longer than 16 MiB");
            skip_line(&mut reader)?;
        } else {
            gathering.line(name, number, &line);
        }
    }
}

/// Reads on to the line's end.
fn skip_line(reader: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        let (end, length) = match memchr::memchr(b'\n', buffer) {
            Some(at) => (true, at + 1),
            None => (buffer.is_empty(), buffer.len()),
        };
        reader.consume(length);
        if end {
            return Ok(());
        }
    }
}

impl Gathered {
    /// Everything, as if it had been read here, and what was odd about the lines.
    pub(super) fn logs(self) -> (Logs, Vec<Note>) {
        let Self { mut parts, notes, skipped } = self;
        let Part { extracts, skipped: more, .. } = parts.pop().unwrap_or_default();
        let skipped = more.into_iter().chain(skipped).collect();
        (Logs { extracts, skipped }, notes)
    }

    /// A report a key, one after the other; the exit code of the worst.
    pub(super) fn reports(
        self,
        arguments: &DiagnoseArgs,
        (rules, settings): (&RuleSet, &Settings),
        screen: &Screen,
    ) -> Result<u8, Error> {
        for note in &self.notes {
            let line = note.line.map_or_else(String::new, |line| format!(":{line}"));
            output::remark(&format!("{}{line}: {}", note.path, note.text));
        }
        for (path, reason) in &self.skipped {
            output::remark(&format!("`{path}` was not read ({reason})"));
        }
        let redactor = Redactor::new(settings.redaction);
        let mut code = EXIT_HEALTHY;
        let mut fault = None;
        output::to_stdout(|out| {
            for part in self.parts {
                let logs = Logs { extracts: part.extracts, skipped: part.skipped };
                let mut reports = Reports::judge(logs, rules, settings, [arguments.output.format], screen);
                reports.partition(part.key.map(|key| redactor.redact(&key)).as_ref());
                if let Err(error) = reports.triage(&arguments.triage) {
                    fault = Some(error);
                    return Ok(());
                }
                let worst = reports.any().map(|report| diagnose::exit_code(report, &arguments.gate));
                code = code.max(worst.unwrap_or_default());
                reports.write(arguments.output.format, &screen.options(), screen, out)?;
            }
            Ok(())
        })?;
        fault.map_or(Ok(code), Err)
    }
}

/// Refuses formats of which several cannot stand one after the other.
pub(super) fn check_format(format: Format) -> Result<(), Error> {
    if matches!(format, Format::Json | Format::Ndjson) {
        Ok(())
    } else {
        let text = "--each-key writes many reports, which only --format ndjson and json can hold";
        Err(Error::Usage(text.to_owned()))
    }
}
