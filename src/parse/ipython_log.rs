//! `ipython_log.py`: what `%logstart` keeps of an interactive session.
//!
//! The code is not understood, only divided into statements.

use super::{Claim, Document, Found};
use crate::{
    envelope::prim,
    event::CodeRun,
    line::{Mark, shorten},
    stamp::{ClockKind, Stamp},
};
use nom::{IResult, Parser, bytes::complete::tag, character::complete::char, combinator::map_opt};
use std::collections::VecDeque;

/// The most statements given, counted from the end.
const MOST: usize = 1000;
/// The most characters of a statement that are kept.
const SOURCE_CHARACTERS: usize = 2000;

/// Words that continue a compound statement at the margin.
const CONTINUATIONS: &[&str] = &["else", "elif", "except", "finally", ")", "]", "}", "\"\"\"", "'''"];

/// The document.
pub const DOCUMENT: Document = Document { name: "ipython log", recognise, read };

/// Whether a file is such a log, by its first line.
fn recognise(head: &str) -> bool {
    head.trim_start_matches('\u{feff}').trim_start().starts_with("# IPython log file")
}

/// Reads the log.
fn read(text: &str, found: &mut Vec<Found>) -> Claim {
    let statements = statements(text);
    let cell = first_of_last_cell(&statements);
    for (number, statement) in statements.into_iter().enumerate() {
        let event = CodeRun {
            source: Some(statement.source.trim_end().chars().take(SOURCE_CHARACTERS).collect()),
            last: (number >= cell).then(|| "yes".to_owned()),
            ..CodeRun::default()
        };
        found.push(Found::at(&statement.mark, event));
    }
    Claim::Mine
}

/// Where the last cell begins: `%logstart -t` writes a stamp before each. Where one stamp stands over all, or none, only
/// the last statement is sure to belong to it.
fn first_of_last_cell(statements: &VecDeque<Statement>) -> usize {
    let stamp = |statement: &Statement| statement.mark.stamps.first().copied();
    let last = statements.back().and_then(stamp);
    let others = statements.iter().rev().take_while(|statement| stamp(statement) == last).count();
    let stamped = last.is_some() && others < statements.len();
    statements.len().saturating_sub(if stamped { others } else { 1 })
}

/// A statement and where it begins.
struct Statement {
    mark: Mark,
    source: String,
}

/// The statements of the log, each under the last stamp before it (`%logstart -t`).
fn statements(text: &str) -> VecDeque<Statement> {
    let mut all: VecDeque<Statement> = VecDeque::new();
    let mut stamp = None;
    let mut after_decorator = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.starts_with('#') {
            stamp = stamp_of(line).or(stamp);
            continue;
        }
        let continues = line.trim().is_empty() || continues(line) || after_decorator;
        after_decorator = line.starts_with('@');
        if !continues {
            if all.len() == MOST {
                all.pop_front();
            }
            all.push_back(Statement { mark: mark(number, line, stamp), source: line.to_owned() });
        } else if let Some(statement) = all.back_mut()
            && statement.source.len() < SOURCE_CHARACTERS * 4
        {
            statement.source.push('\n');
            statement.source.push_str(line);
        }
    }
    all
}

/// Whether a line belongs to the statement before it.
fn continues(line: &str) -> bool {
    line.starts_with([' ', '\t'])
        || CONTINUATIONS.iter().any(|word| {
            let rest = line.strip_prefix(word);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
}

/// A statement's place.
fn mark(number: u64, line: &str, stamp: Option<Stamp>) -> Mark {
    Mark { number, stamps: stamp.into_iter().collect(), exact: false, text: shorten(line), ..Mark::default() }
}

/// `# Sun, 18 Feb 2024 16:17:48`.
fn stamp_of(line: &str) -> Option<Stamp> {
    let (_, stamp) = written(line.trim_start_matches(['#', ' '])).ok()?;
    Some(stamp)
}

/// The date and time behind the number sign.
fn written(input: &str) -> IResult<&str, Stamp> {
    let day = prim::digits_between(1, 2);
    map_opt(
        (
            prim::weekday,
            tag(", "),
            day,
            char(' '),
            prim::month,
            char(' '),
            prim::digits(4),
            char(' '),
            prim::time,
        ),
        |(_, _, day, _, month, _, year, _, time)| {
            let date = chrono::NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
            Some(Stamp::new(ClockKind::Local, prim::local_micros(date, time)?))
        },
    )
    .parse(input)
}
