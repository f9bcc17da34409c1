//! What kerneldoc's own recorders wrote (`docs/recorder.md`): the exit status that nobody else notes, and the counters
//! of cgroup and host around it.
//!
//! The envelope of the same name has taken off the time. Kinds and keys that are not known are passed over.

mod counters;
mod life;
mod status;

use super::{Claim, Found, Parser, Spec};
use crate::{envelope::record::PROGRAM, line::Line};
use counters::Comparison;
use serde_json::{Map, Value};

/// The parser.
pub const PARSER: Spec =
    Spec { name: "kerneldoc record", needles: &["record/1"], parts: &[], make: || Box::new(Recorder::default()) };

/// A record's members.
type Members = Map<String, Value>;

/// A recorder's file being read.
#[derive(Default)]
struct Recorder {
    comparison: Comparison,
}

impl Parser for Recorder {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if line.origin.program.as_deref() != Some(PROGRAM) {
            return Claim::NotMine;
        }
        let Ok(Value::Object(record)) = serde_json::from_str::<Value>(line.text) else {
            return Claim::Damaged("a JSON object".to_owned());
        };
        match text(&record, "kind").as_deref() {
            Some("counters") => self.comparison.counters(&record, line, found),
            // The parser of memory logs sums samples up.
            Some("memory.sample") => return Claim::NotMine,
            kind => {
                self.comparison.finish(found);
                if matches!(kind, Some("kernel.died" | "process.exit" | "child.exit")) {
                    self.comparison.ended(&record);
                }
                let event = kind.and_then(|kind| life::event(kind, &record));
                found.extend(event.map(|event| Found::on(line, event)));
            }
        }
        Claim::Mine
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        self.comparison.finish(found);
    }
}

/// A member that is a text and not empty.
fn text(record: &Members, name: &str) -> Option<String> {
    record.get(name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A member that is a whole number.
fn integer(record: &Members, name: &str) -> Option<i64> {
    record.get(name)?.as_i64()
}

/// A member that is a number.
fn number(record: &Members, name: &str) -> Option<f64> {
    record.get(name)?.as_f64()
}

/// A member that is `true` or `false`, in the catalogue's words.
fn yes_or_no(record: &Members, name: &str) -> Option<String> {
    Some(if record.get(name)?.as_bool()? { "yes" } else { "no" }.to_owned())
}
