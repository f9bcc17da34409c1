//! `Gathering`: puts logs together again from lines of the first half, whatever the order they come in.
//!
//! It is strict about damage and stops at nothing: a line that cannot be read is a note, and so is one that is missing.

use super::{EVENT_SCHEMA, EventLine, SKIPPED_SCHEMA, SOURCE_SCHEMA, SkippedLine, SourceLine};
use crate::{
    event::Record,
    extract::{Extract, Span},
    note::Note,
    stamp::Stamp,
};
use serde::{Deserialize, de::DeserializeOwned};
use std::collections::{BTreeMap, BTreeSet};

/// The most damaged lines that get a note each; the rest are counted.
const MOST_NOTES: usize = 50;

/// What is gathered from lines of events.
#[derive(Debug, Default)]
pub struct Gathering {
    by_key: bool,
    /// By key; all under the empty one where keys do not part them.
    parts: BTreeMap<String, Open>,
    notes: Vec<Note>,
    damaged: usize,
    lines: u64,
}

/// What belongs together: the logs of one machine, or of all.
#[derive(Debug, Default)]
pub struct Part {
    /// The key, where keys part the lines.
    pub key: Option<String>,
    /// The logs.
    pub extracts: Vec<Extract>,
    /// Paths that were not read, and why.
    pub skipped: Vec<(String, String)>,
}

/// A part that lines are still added to.
#[derive(Debug, Default)]
struct Open {
    /// By path and name.
    logs: BTreeMap<(String, String), Log>,
    skipped: BTreeSet<(String, String)>,
}

/// A log that lines are still added to.
#[derive(Debug, Default)]
struct Log {
    described: Option<Extract>,
    /// What the log is, as its events say.
    kind: String,
    /// How many events each of its lines announces, by key.
    announced: BTreeMap<String, u64>,
    records: BTreeMap<u64, Record>,
}

/// What every line has.
#[derive(Deserialize)]
struct Head {
    schema: String,
}

impl Gathering {
    /// Nothing yet. `by_key` keeps what has different keys apart; else all is of one report.
    pub fn new(by_key: bool) -> Self {
        Self { by_key, ..Self::default() }
    }

    /// Takes a line of the file or stream called `name`.
    pub fn line(&mut self, name: &str, number: u64, bytes: &[u8]) {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        self.lines += 1;
        if let Err(reason) = self.read(bytes) {
            self.damage(name, number, &reason);
        }
    }

    /// Remembers that a line is of no use.
    pub fn damage(&mut self, name: &str, number: u64, reason: &str) {
        self.damaged += 1;
        if self.damaged < MOST_NOTES {
            self.notes.push(Note::at(name, number, format!("damaged line of events: {reason}")));
        }
    }

    /// Whether no line came.
    pub fn is_empty(&self) -> bool {
        self.lines == 0
    }

    /// Reads a line by what it calls itself.
    fn read(&mut self, bytes: &[u8]) -> Result<(), String> {
        let Head { schema } = parse(bytes)?;
        match schema.as_str() {
            EVENT_SCHEMA => self.event(&parse(bytes)?),
            SOURCE_SCHEMA => self.source(&parse(bytes)?),
            SKIPPED_SCHEMA => {
                let line: SkippedLine = parse(bytes)?;
                let skipped = (line.path.as_str().to_owned(), line.reason.as_str().to_owned());
                self.part(line.key.as_str()).skipped.insert(skipped);
                Ok(())
            }
            other => Err(format!("`{other}` is nothing this kerneldoc reads")),
        }
    }

    fn event(&mut self, line: &EventLine) -> Result<(), String> {
        let record = line.record()?;
        let log = self.log(line.key.as_str(), line.path.as_str(), &line.log);
        line.source.clone_into(&mut log.kind);
        log.records.insert(line.index, record);
        Ok(())
    }

    fn source(&mut self, line: &SourceLine) -> Result<(), String> {
        let extract = line.extract()?;
        let log = self.log(line.key.as_str(), line.path.as_str(), &line.log);
        log.announced.insert(line.key.as_str().to_owned(), line.events);
        log.described = Some(extract);
        Ok(())
    }

    /// The log of that name at a path.
    fn log(&mut self, key: &str, path: &str, name: &str) -> &mut Log {
        self.part(key).logs.entry((path.to_owned(), name.to_owned())).or_default()
    }

    /// The part that a key belongs to.
    fn part(&mut self, key: &str) -> &mut Open {
        self.parts.entry(if self.by_key { key.to_owned() } else { String::new() }).or_default()
    }

    /// The parts in the order of their keys, and what was wrong with lines.
    pub fn finish(mut self) -> (Vec<Part>, Vec<Note>) {
        // Lines come in any order; notes do not.
        self.notes.sort();
        if self.damaged > self.notes.len() {
            self.notes.push(Note::about("", format!("{} damaged lines of events in all", self.damaged)));
        }
        let by_key = self.by_key;
        let parts = self.parts.into_iter().map(|(key, open)| Part {
            key: by_key.then_some(key),
            extracts: open.logs.into_iter().map(|((path, _), log)| log.close(path)).collect(),
            skipped: open.skipped.into_iter().collect(),
        });
        (parts.collect(), self.notes)
    }
}

impl Log {
    /// The log with its records in their order, and a note where something is missing.
    fn close(self, path: String) -> Extract {
        let announced: u64 = self.announced.values().sum();
        let there = self.records.len() as u64;
        let records: Vec<Record> = self.records.into_values().collect();
        let mut extract = match self.described {
            Some(extract) => extract,
            None => undescribed(path, self.kind, &records),
        };
        if announced > there {
            let text = format!("{} of its {announced} events did not arrive", announced - there);
            extract.notes.push(Note::about(&extract.path, text));
        }
        extract.records = records;
        extract
    }
}

/// A log of which only events are there: it covers at least what they do.
fn undescribed(path: String, kind: String, records: &[Record]) -> Extract {
    let note = Note::about(&path, "only its events arrived; what else it covers is not known");
    let mut extract = Extract { path, kind, notes: vec![note], ..Extract::default() };
    for Stamp { clock, micros, .. } in records.iter().flat_map(|record| record.stamps.iter().copied()) {
        let fresh = Span { first: micros, last: micros, earliest: micros, latest: micros };
        let span = extract.spans.entry(clock).or_insert(fresh);
        span.last = micros;
        span.earliest = span.earliest.min(micros);
        span.latest = span.latest.max(micros);
    }
    extract
}

/// A value of a line.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    serde_json::from_slice(bytes).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENT: &str = r#"{"schema":"kerneldoc.event/1","count":1,"kind":"server.kernel_restarted","path":"a.log","source":"jupyter","line":3,"text":"t","key":"folder:.","log":"1","index":0}"#;

    #[track_caller]
    fn notes_of(line: &str) -> Vec<Note> {
        let mut gathering = Gathering::new(false);
        gathering.line("events", 7, line.as_bytes());
        gathering.finish().1
    }

    #[test]
    fn damage_is_a_note() {
        let damaged = [
            "{",
            "[]",
            "\u{0}",
            r#"{"schema":"kerneldoc.event/1"}"#,
            r#"{"schema":"kerneldoc.report/1"}"#,
            &EVENT.replace("server.kernel_restarted", "server.no_such"),
            &EVENT.replace("\"line\":3", "\"line\":-3"),
            &EVENT.replace("\"line\":3", "\"line\":3,\"fields\":{\"no_such\":1}"),
            &EVENT.replace("\"line\":3", "\"line\":3,\"stamps\":[{\"clock\":\"sundial\",\"micros\":1}]"),
            &EVENT.replace("\"line\":3", "\"line\":3,\"origin\":{\"channel\":\"smoke\"}"),
        ];
        for line in damaged {
            let notes = notes_of(line);
            assert_eq!((notes.len(), notes[0].line), (1, Some(7)), "{line}");
        }
        assert!(notes_of(EVENT).is_empty() && notes_of("  ").is_empty());
    }

    #[test]
    fn much_damage_is_counted() {
        let mut gathering = Gathering::new(false);
        for number in 1..=70 {
            gathering.line("events", number, b"{");
        }
        let (parts, notes) = gathering.finish();
        assert!(parts.is_empty());
        assert_eq!(
            (notes.len(), notes.last().unwrap().text.as_str()),
            (MOST_NOTES, "70 damaged lines of events in all")
        );
    }

    #[test]
    fn a_line_read_twice_counts_once_and_a_lost_one_is_told() {
        let source = r#"{"schema":"kerneldoc.source/1","path":"a.log","source":"jupyter","log":"1","key":"folder:.","events":2,"bytes":9,"lines":9}"#;
        let mut gathering = Gathering::new(true);
        for line in [EVENT, source, EVENT, source] {
            gathering.line("events", 1, line.as_bytes());
        }
        let (parts, notes) = gathering.finish();
        let log = &parts[0].extracts[0];
        assert!(notes.is_empty());
        assert_eq!((parts.len(), parts[0].key.as_deref(), log.records.len()), (1, Some("folder:."), 1));
        assert_eq!(log.notes[0].text, "1 of its 2 events did not arrive");
    }
}
