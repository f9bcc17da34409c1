//! What deceives a reader of a host's logs, each as a file of `fixtures/traps/`: the logs, what must be said of them
//! and what must not.
//!
//! A file is TOML: `trap` says in plain words what is easily taken wrongly and what is true; `verdict` is the whole
//! report in one line, as in `fixtures/cases/*/about.md`; `says` and `never_says` are texts of the report; `events`
//! are events that must be read, `kind field=value field=value` (`none`: the log does not give it), and `[logs]` the
//! raw lines by file name, as in a rule's tests.

#[path = "common/entries.rs"]
mod entries;
#[path = "common/verdict.rs"]
mod verdict;

use entries::entries;
use kerneldoc::{
    event::Record,
    extract::extract,
    pipeline::{Log, Settings, analyze},
    render::{Format, Options, render},
    rule::RuleSet,
    source::SourceId,
};
use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use std::{collections::BTreeMap, fs, path::Path, process::ExitCode, sync::Arc};
use verdict::verdict;

/// A trap, as its file tells it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Trap {
    #[serde(rename = "trap")]
    deceives: String,
    verdict: String,
    #[serde(default)]
    says: Vec<String>,
    #[serde(default)]
    never_says: Vec<String>,
    #[serde(default)]
    events: Vec<String>,
    logs: BTreeMap<String, String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let rules = Arc::new(RuleSet::builtin().expect("the built-in rules load"));
    let trials = entries(Path::new("fixtures/traps")).into_iter().map(|path| {
        let rules = Arc::clone(&rules);
        Trial::test(path.display().to_string(), move || check(&path, &rules))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// Reads a trap's logs and compares what is made of them with what must be.
fn check(path: &Path, rules: &RuleSet) -> Result<(), Failed> {
    let trap: Trap = toml::from_str(&fs::read_to_string(path)?)?;
    let mut problems: Vec<String> =
        trap.events.iter().filter_map(|event| missing(event, &trap.logs)).collect();
    let logs: Vec<Log> =
        trap.logs.iter().map(|(path, text)| Log { path: path.clone(), text: text.clone().into() }).collect();
    let report = analyze(&logs, rules, &Settings::default());
    let said = verdict(&report);
    if said != trap.verdict {
        problems.push(format!("the verdict must be `{}` and is `{said}`", trap.verdict));
    }
    let mut page = Vec::new();
    // Wide enough that no text is wrapped.
    render(&report, Format::Text, &Options { width: 2_000, ..Options::default() }, &mut page)?;
    let page = String::from_utf8(page)?;
    problems.extend(
        trap.says.iter().filter(|text| !page.contains(*text)).map(|text| format!("must say `{text}`")),
    );
    let never = trap.never_says.iter().filter(|text| page.contains(*text));
    problems.extend(never.map(|text| format!("must not say `{text}`")));
    if problems.is_empty() {
        Ok(())
    } else {
        Err(format!("{}\n{}\n{page}", trap.deceives, problems.join("\n")).into())
    }
}

/// What is wrong if no log gives an event.
fn missing(event: &str, logs: &BTreeMap<String, String>) -> Option<String> {
    let extracts = logs.iter().filter_map(|(path, text)| extract(path, SourceId(0), text.as_bytes()).ok());
    let there = extracts.flat_map(|extract| extract.records).any(|record| is(&record, event));
    (!there).then(|| format!("no event `{event}`"))
}

/// Whether a record is the event that is described.
fn is(record: &Record, described: &str) -> bool {
    let mut words = described.split(' ');
    words.next() == Some(record.event.kind().name)
        && words.all(|word| {
            let (field, expected) = word.split_once('=').unwrap_or((word, ""));
            record.event.get(field).map_or("none".to_owned(), |value| value.to_string()) == expected
        })
}
