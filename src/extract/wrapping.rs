//! Turns physical lines into logical ones: split lines are joined, glued ones divided, overwritten ones separated.

use crate::{
    envelope::{self, Peeled},
    event::Origin,
    line::{Logger, segments},
    parse::broken::{self, ALL_SHAPES, Shapes},
    stamp::Stamps,
};
use std::{borrow::Cow, collections::BTreeMap};

/// The longest line that is put together again.
const LONGEST_JOINED: usize = 1 << 20;

/// The longest line that is held against the shapes of broken lines.
const LONGEST_BROKEN: usize = 4096;
/// The most lines that one line may have been broken into.
const MOST_PIECES: u8 = 8;
/// The names of syslog's envelopes, whose daemons print a newline inside a message as `#012`.
const SYSLOGS: &[&str] = &["syslog", "syslog (RFC 5424)"];

/// The names of envelopes that pasting adds, to every piece of a broken line.
const PASTES: &[&str] = &["quotation", "indented"];

/// A line as parsers see it.
pub(super) struct Logical<'a> {
    /// The number of the line it began on.
    pub(super) number: u64,
    /// How wide the line is in the log.
    columns: usize,
    /// Whether it wears no envelope.
    bare: bool,
    /// The line with its logger's head.
    pub(super) shown: Cow<'a, str>,
    /// Where the message begins in it.
    pub(super) body: usize,
    /// Its stamps.
    pub(super) stamps: Stamps,
    /// What the envelopes said.
    pub(super) origin: Origin,
    /// The logger's head.
    pub(super) logger: Option<Logger<'a>>,
}

/// The beginning of a line that a carrier split, and what it wore.
struct Part {
    number: u64,
    text: String,
    stamps: Stamps,
    origin: Origin,
}

/// Lines of which the end has not been seen, by container and stream.
#[derive(Default)]
pub(super) struct Wrapping {
    parts: BTreeMap<(Option<String>, Option<String>), Part>,
    /// A line that was broken perhaps, and of how many pieces it is.
    broken: Option<(Logical<'static>, u8)>,
}

impl<'a> Logical<'a> {
    /// A peeled line as it stands.
    pub(super) fn of(peeled: Peeled<'a>, number: u64) -> Self {
        let bare = peeled.names.iter().all(|name| PASTES.contains(name));
        let Peeled { shown, body, stamps, origin, logger, .. } = peeled;
        Self { number, columns: 0, bare, shown, body, stamps, origin, logger }
    }

    /// The same line, remembered.
    fn owned(self) -> Logical<'static> {
        let logger = self.logger.map(Logger::into_owned);
        Logical { shown: Cow::Owned(self.shown.into_owned()), logger, ..self }
    }
}

impl Wrapping {
    /// Whether the end of a split line is still to come.
    pub(super) fn waits(&self) -> bool {
        !self.parts.is_empty() || self.broken.is_some()
    }

    /// Whether a peeled line is one logical line as it stands, and has nothing to do with those around it: nearly all are.
    /// It holds the first literals of no other than these shapes of broken lines.
    pub(super) fn is_whole(&self, peeled: &Peeled<'_>, shapes: Shapes) -> bool {
        !self.waits()
            && !peeled.partial
            && !is_several(&peeled.shown, is_syslog(peeled))
            && !may_be_broken(&peeled.shown, shapes)
    }

    /// The logical lines of a peeled one, as far as they are complete; `columns` is how wide it is in the log.
    /// It holds the first literals of no other than these shapes of broken lines.
    pub(super) fn unwrap(
        &mut self,
        peeled: Peeled<'_>,
        number: u64,
        columns: usize,
        shapes: Shapes,
    ) -> Vec<Logical<'static>> {
        // The piece of a line that a carrier split holds not all that the line does.
        let shapes = if self.parts.is_empty() { shapes } else { ALL_SHAPES };
        let mut complete = Vec::new();
        for line in self.whole_lines(peeled, number) {
            self.mend(Logical { columns, ..line }.owned(), shapes, &mut complete);
        }
        complete
    }

    /// Puts a line that was broken together again, once it is seen whole.
    fn mend(&mut self, line: Logical<'static>, shapes: Shapes, complete: &mut Vec<Logical<'static>>) {
        if let Some((mut open, pieces)) = self.broken.take() {
            let joined = if continues(&open, &line) {
                broken::joined(&open.shown, &line.shown, open.columns)
            } else {
                None
            };
            if let Some(joined) = joined {
                open.shown = Cow::Owned(joined);
                open.columns = line.columns;
                self.hold(open, pieces + 1, ALL_SHAPES, complete);
                return;
            }
            complete.push(open);
        }
        self.hold(line, 1, shapes, complete);
    }

    /// Keeps a line back if it may go on.
    fn hold(
        &mut self,
        line: Logical<'static>,
        pieces: u8,
        shapes: Shapes,
        complete: &mut Vec<Logical<'static>>,
    ) {
        if pieces < MOST_PIECES && may_be_broken(&line.shown, shapes) {
            self.broken = Some((line, pieces));
        } else {
            complete.push(line);
        }
    }

    /// The logical lines of a peeled one; none of a carrier's piece of one.
    fn whole_lines<'a>(&mut self, peeled: Peeled<'a>, number: u64) -> Vec<Logical<'a>> {
        let key = || (peeled.origin.container_id.clone(), peeled.origin.stream.clone());
        if peeled.partial {
            let fresh = || Part {
                number,
                text: String::new(),
                stamps: peeled.stamps.clone(),
                origin: peeled.origin.clone(),
            };
            let part = self.parts.entry(key()).or_insert_with(fresh);
            if part.text.len() < LONGEST_JOINED {
                part.text.push_str(&peeled.shown);
            }
            return Vec::new();
        }
        if !self.parts.is_empty()
            && let Some(mut part) = self.parts.remove(&key())
        {
            part.text.push_str(&peeled.shown);
            return whole(part);
        }
        let syslog = is_syslog(&peeled);
        divided(Logical::of(peeled, number), syslog)
    }

    /// What is left of lines whose end never came: a killed process's last words.
    pub(super) fn finish(&mut self) -> Vec<Logical<'static>> {
        let broken = self.broken.take().map(|(line, _)| line);
        broken.into_iter().chain(std::mem::take(&mut self.parts).into_values().flat_map(whole)).collect()
    }
}

/// Whether a daemon of syslog's printed it.
fn is_syslog(peeled: &Peeled<'_>) -> bool {
    peeled.names.iter().any(|name| SYSLOGS.contains(name))
}

/// Whether a line may be the beginning of one that was broken in several.
fn may_be_broken(shown: &str, shapes: Shapes) -> bool {
    shown.len() < LONGEST_BROKEN && broken::may_go_on(shown.trim_end(), shapes)
}

/// Whether [`divided`] would find anything to divide.
fn is_several(shown: &str, syslog: bool) -> bool {
    is_record(shown, syslog) || glued_at(shown).is_some()
}

/// Whether a line holds several: what carriage returns wrote over each other, a record of several lines.
fn is_record(shown: &str, syslog: bool) -> bool {
    memchr::memchr2(b'\r', b'\n', shown.as_bytes()).is_some()
        || (syslog && memchr::memchr(b'#', shown.as_bytes()).is_some() && shown.contains("#012"))
}

/// Where a logger's head stands in the middle of a line: the kernel's last words had no newline and the server's next
/// line was glued to them. An anchored parser would miss exactly the line that tells of the death.
fn glued_at(shown: &str) -> Option<usize> {
    let mut brackets = memchr::memchr_iter(b'[', shown.as_bytes()).filter(|at| *at > 0);
    brackets.find(|at| shown.get(*at..).is_some_and(begins_with_head))
}

/// Whether a text begins with a logger's head: `[W 2026-11-30 15:22:30.902 ServerApp`, tornado's short date or none.
fn begins_with_head(text: &str) -> bool {
    let level = text.strip_prefix('[').and_then(|text| text.strip_prefix(['D', 'I', 'W', 'E', 'C']));
    let Some(dated) = level.and_then(|text| text.strip_prefix(' ')) else { return false };
    let timed = behind(dated, "0000-00-00 ").or_else(|| behind(dated, "000000 ")).unwrap_or(dated);
    let fraction = |c: char| c == '.' || c.is_ascii_digit();
    let named =
        behind(timed, "00:00:00").and_then(|text| text.trim_start_matches(fraction).strip_prefix(' '));
    let name = named.and_then(|text| text.strip_prefix(|c: char| c.is_ascii_uppercase()));
    name.is_some_and(|text| text.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// What stands behind some figures and marks; each `0` is any digit.
fn behind<'a>(text: &'a str, shape: &str) -> Option<&'a str> {
    let (begin, rest) = text.split_at_checked(shape.len())?;
    let fits = |(byte, mark): (u8, u8)| byte == mark || (mark == b'0' && byte.is_ascii_digit());
    begin.bytes().zip(shape.bytes()).all(fits).then_some(rest)
}

/// A joined line, peeled again: its logger's head was in the first piece.
fn whole(part: Part) -> Vec<Logical<'static>> {
    let inner = envelope::peel(&part.text);
    let mut line = Logical::of(inner, part.number).owned();
    line.stamps = part.stamps.into_iter().chain(line.stamps).collect();
    line.origin = part.origin;
    divided(line, false)
}

/// Whether a line can be the rest of a broken one: it has no stamp of its own, and nobody else's name.
fn continues(open: &Logical<'_>, line: &Logical<'_>) -> bool {
    line.bare
        && line.stamps.is_empty()
        && line.logger.is_none()
        && (line.origin == Origin::default() || line.origin == open.origin)
}

/// Divides what carriage returns wrote over each other inside an envelope, a record of several lines (`\n` in JSON,
/// `#012` of syslog), and what was glued together.
fn divided(line: Logical<'_>, syslog: bool) -> Vec<Logical<'_>> {
    if !is_record(&line.shown, syslog) {
        return unglued(line);
    }
    let shown = if syslog { line.shown.replace("#012", "\n") } else { line.shown.to_string() };
    let mut pieces = Vec::new();
    for piece in shown.split('\n').flat_map(segments) {
        let mut piece = inside(&line, piece);
        if pieces.is_empty() {
            // A head that the envelope carried beside the message.
            piece.logger = piece.logger.or_else(|| line.logger.clone());
        }
        pieces.extend(unglued(piece));
    }
    pieces
}

/// A piece of a line, which wears the same envelopes and may have a head of its own.
fn inside(line: &Logical<'_>, piece: &str) -> Logical<'static> {
    let mut inner = Logical::of(envelope::peel(piece), line.number).owned();
    inner.stamps = if inner.stamps.is_empty() {
        line.stamps.clone()
    } else {
        line.stamps.first().copied().into_iter().chain(inner.stamps).collect()
    };
    inner.origin = line.origin.clone();
    inner
}

/// Two lines where a logger's head stands in the middle of one.
fn unglued(mut line: Logical<'_>) -> Vec<Logical<'_>> {
    let Some(start) = glued_at(&line.shown) else { return vec![line] };
    let second = line.shown.to_mut().split_off(start);
    line.body = line.body.min(start);
    // Without an envelope a stamp in the line was the second one's.
    let outer = if line.logger.is_some() { Stamps::new() } else { std::mem::take(&mut line.stamps) };
    let mut second = Logical::of(envelope::peel(&second), line.number).owned();
    second.stamps = outer.iter().copied().chain(second.stamps).collect();
    second.origin = line.origin.clone();
    if line.logger.is_none() {
        line.stamps = outer;
    }
    vec![line, second]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_in_the_middle_of_a_line_is_seen() {
        for head in [
            "[W 2026-11-30 15:22:30.902 ServerApp] x",
            "[I 261130 15:22:30 JupyterHub] x",
            "[D 15:22:30.902 NotebookApp] x",
        ] {
            assert_eq!(glued_at(&format!("Killed{head}")), Some(6), "{head}");
            assert_eq!(glued_at(&format!("[1] é{head}{head}")), Some(6), "{head}");
            assert_eq!(glued_at(head), None, "{head}");
        }
    }

    #[test]
    fn other_brackets_are_no_heads() {
        for text in [
            "x[W 2026-11-30 15:22:30.902 serverapp] x",
            "x[W 2026-11-30 15:22:30.902 S] x",
            "x[X 2026-11-30 15:22:30.902 ServerApp] x",
            "x[W 2026-11-30 15:22 ServerApp] x",
            "x[W 2026-11-30T15:22:30 ServerApp] x",
            "x[",
        ] {
            assert_eq!(glued_at(text), None, "{text}");
        }
    }
}
