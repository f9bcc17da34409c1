//! Every file of `fixtures/parsers/<parser>/` is read as a log; each event it yields must be announced by a `#=` line.
//!
//! `#= kind field=value field="two words"` announces an event on the next log line, `#= damaged` a damaged line,
//! `#: …` is a remark. A line without an announcement must yield nothing. All parsers run over each fixture: with
//! `KERNELDOC_BLESS=1` what other parsers rightly find in a line is added; read it before you commit it.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

#[path = "common/entries.rs"]
mod entries;

use entries::entries;
use kerneldoc::{extract::extract, source::SourceId};
use libtest_mimic::{Arguments, Failed, Trial};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut files = Vec::new();
    collect(Path::new("fixtures/parsers"), &mut files);
    let trials = files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix("fixtures").unwrap_or(&path).display().to_string();
            Trial::test(name, move || check(&path))
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// All files below a folder, in order.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// One announced event or damage.
struct Announced {
    line: u64,
    kind: String,
    fields: BTreeMap<String, String>,
}

/// Splits a fixture into the log and what is announced of it.
fn split(text: &str) -> (String, Vec<Announced>) {
    let mut log = String::new();
    let mut lines = 0;
    let mut announced = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(announcement) = line.strip_prefix("#= ") {
            let mut words = words(announcement.trim()).into_iter();
            let kind = words.next().unwrap_or_default();
            let fields =
                words.filter_map(|word| word.split_once('=').map(|(k, v)| (k.to_owned(), v.to_owned())));
            announced.push(Announced { line: lines + 1, kind, fields: fields.collect() });
        } else if !line.starts_with("#: ") {
            log.push_str(line);
            lines += 1;
        }
    }
    (log, announced)
}

/// Words divided by blanks; double quotes keep blanks together, `\n` and `\"` stand for what they say.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => quoted = !quoted,
            '\\' => match characters.next() {
                Some('n') => words.last_mut().unwrap().push('\n'),
                Some(other) => words.last_mut().unwrap().push(other),
                None => {}
            },
            ' ' if !quoted => words.push(String::new()),
            other => words.last_mut().unwrap().push(other),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Adds announcements of what was found and not announced.
fn bless(path: &Path, text: &str, records: &[&kerneldoc::event::Record]) -> Result<(), Failed> {
    let mut out = String::new();
    let mut number = 0;
    for line in text.split_inclusive('\n') {
        if !line.starts_with("#= ") && !line.starts_with("#: ") {
            number += 1;
            for record in records.iter().filter(|record| record.at.line == number) {
                out.push_str("#= ");
                out.push_str(record.event.kind().name);
                for (field, value) in record.event.fields().take(2) {
                    let value =
                        value.to_string().replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
                    out.push_str(&[" ", field, "=\"", &value, "\""].concat());
                }
                out.push('\n');
            }
        }
        out.push_str(line);
    }
    Ok(fs::write(path, out)?)
}

/// Reads a fixture and compares.
fn check(path: &Path) -> Result<(), Failed> {
    let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
    let (log, announced) = split(&text);
    let extract = extract(&path.display().to_string(), SourceId(0), log.as_bytes())?;
    let mut problems = Vec::new();
    let mut records: Vec<_> = extract.records.iter().collect();
    let mut damages: Vec<_> = extract.notes.iter().filter(|note| note.text.starts_with("damaged")).collect();
    for announced in &announced {
        if announced.kind == "damaged" {
            match damages.iter().position(|note| note.line == Some(announced.line)) {
                Some(index) => drop(damages.remove(index)),
                None => problems.push(format!("line {}: not damaged", announced.line)),
            }
            continue;
        }
        let index = records.iter().position(|record| {
            record.at.line == announced.line
                && record.event.kind().name == announced.kind
                && announced.fields.iter().all(|(field, expected)| {
                    record.event.get(field).map_or("none".to_owned(), |value| value.to_string()) == *expected
                })
        });
        match index {
            Some(index) => drop(records.remove(index)),
            None => problems
                .push(format!("line {}: missing {} {:?}", announced.line, announced.kind, announced.fields)),
        }
    }
    if std::env::var_os("KERNELDOC_BLESS").is_some() {
        return bless(path, &text, &records);
    }
    for record in records {
        let fields: Vec<_> =
            record.event.fields().map(|(field, value)| format!("{field}={value:?}")).collect();
        problems.push(format!(
            "line {}: not announced: {} {}",
            record.at.line,
            record.event.kind().name,
            fields.join(" ")
        ));
    }
    problems.extend(damages.iter().map(|note| format!("line {:?}: not announced: {}", note.line, note.text)));
    if announced.is_empty() && !path.display().to_string().contains("none") {
        problems.push("nothing is announced".to_owned());
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(format!("{}\n{}", path.display(), problems.join("\n")).into())
    }
}
