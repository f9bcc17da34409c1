//! Turns physical lines into logical ones: split lines are joined, glued ones divided, overwritten ones separated.

use crate::{
    envelope::{self, Peeled},
    event::Origin,
    line::{Logger, segments},
    stamp::Stamp,
};
use regex::Regex;
use std::{collections::BTreeMap, sync::LazyLock};

/// The longest line that is put together again.
const LONGEST_JOINED: usize = 1 << 20;

/// A logger's head in the middle of a line: the kernel's last words had no newline and the server's next line was
/// glued to them. An anchored parser would miss exactly the line that tells of the death.
static GLUED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\[[DIWEC] (?:\d{4}-\d\d-\d\d |\d{6} )?\d\d:\d\d:\d\d[.\d]* [A-Z]\w+").ok());

/// A line as parsers see it.
pub(super) struct Logical {
    /// The line with its logger's head.
    pub(super) shown: String,
    /// Where the message begins in it.
    pub(super) body: usize,
    /// Its stamps.
    pub(super) stamps: Vec<Stamp>,
    /// What the envelopes said.
    pub(super) origin: Origin,
    /// The logger's head.
    pub(super) logger: Option<Logger>,
}

/// The beginning of a line that a carrier split, and what it wore.
struct Part {
    text: String,
    stamps: Vec<Stamp>,
    origin: Origin,
}

/// Lines of which the end has not been seen, by container and stream.
#[derive(Default)]
pub(super) struct Wrapping {
    parts: BTreeMap<(Option<String>, Option<String>), Part>,
}

impl Wrapping {
    /// Whether the end of a split line is still to come.
    pub(super) fn waits(&self) -> bool {
        !self.parts.is_empty()
    }

    /// The logical lines of a peeled one.
    pub(super) fn unwrap(&mut self, peeled: Peeled<'_>) -> Vec<Logical> {
        let key = (peeled.origin.container_id.clone(), peeled.origin.stream.clone());
        if peeled.partial {
            let fresh =
                || Part { text: String::new(), stamps: peeled.stamps.clone(), origin: peeled.origin.clone() };
            let part = self.parts.entry(key).or_insert_with(fresh);
            if part.text.len() < LONGEST_JOINED {
                part.text.push_str(&peeled.shown);
            }
            return Vec::new();
        }
        match self.parts.remove(&key) {
            Some(mut part) => {
                part.text.push_str(&peeled.shown);
                whole(part)
            }
            None => divided(logical(peeled)),
        }
    }

    /// What is left of lines whose end never came: a killed process's last words.
    pub(super) fn finish(&mut self) -> Vec<Logical> {
        std::mem::take(&mut self.parts).into_values().flat_map(whole).collect()
    }
}

/// A joined line, peeled again: its logger's head was in the first piece.
fn whole(part: Part) -> Vec<Logical> {
    let inner = envelope::peel(&part.text);
    let mut line = logical(inner);
    line.stamps = part.stamps.into_iter().chain(line.stamps).collect();
    line.origin = part.origin;
    divided(line)
}

/// A peeled line as it stands.
fn logical(peeled: Peeled<'_>) -> Logical {
    let Peeled { shown, body, stamps, origin, logger, .. } = peeled;
    Logical { shown: shown.into_owned(), body, stamps, origin, logger }
}

/// Divides what carriage returns wrote over each other inside an envelope, and what was glued together.
fn divided(line: Logical) -> Vec<Logical> {
    if line.shown.contains('\r') {
        let pieces: Vec<String> = segments(&line.shown).map(str::to_owned).collect();
        return pieces.iter().flat_map(|piece| unglued(inside(&line, piece))).collect();
    }
    unglued(line)
}

/// A piece of a line, which wears the same envelopes and may have a head of its own.
fn inside(line: &Logical, piece: &str) -> Logical {
    let mut inner = logical(envelope::peel(piece));
    inner.stamps = if inner.stamps.is_empty() {
        line.stamps.clone()
    } else {
        line.stamps.first().copied().into_iter().chain(inner.stamps).collect()
    };
    inner.origin = line.origin.clone();
    inner
}

/// Two lines where a logger's head stands in the middle of one.
fn unglued(mut line: Logical) -> Vec<Logical> {
    let found = GLUED.as_ref().and_then(|glued| glued.find_iter(&line.shown).find(|hit| hit.start() > 0));
    let Some(start) = found.map(|hit| hit.start()) else { return vec![line] };
    let second = line.shown.split_off(start);
    line.body = line.body.min(start);
    // Without an envelope a stamp in the line was the second one's.
    let outer = if line.logger.is_some() { Vec::new() } else { std::mem::take(&mut line.stamps) };
    let mut second = logical(envelope::peel(&second));
    second.stamps = outer.iter().copied().chain(second.stamps).collect();
    second.origin = line.origin.clone();
    if line.logger.is_none() {
        line.stamps = outer;
    }
    vec![line, second]
}
