//! Takes secrets out of text before it reaches a report.
//!
//! Correlation happens on raw text; a string is redacted when it enters a shape that is serialised. It does not make
//! text safe to show on a terminal; renderers do.

mod accept;
mod classes;
mod lines;

pub use lines::LineRedactor;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use classes::{CLASSES, Class, class};
use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, fmt, ops::Range, sync::LazyLock};

/// What stands where a secret stood.
pub const MARK: &str = "[redacted]";
/// A replacement may join what a secret had kept apart into a new secret's shape; this many rounds settle any text.
const MOST_ROUNDS: usize = 8;

/// Text that may be shown: it went through a [`Redactor`], or it is ours.
///
/// Reports hold only this type, so that forgetting to redact does not compile.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Redacted(String);

impl Redacted {
    /// A text of the program itself.
    pub fn plain(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// A text composed by the program from its own words and figures, with nothing in it that a log said.
    pub fn ours(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How much is taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Mode {
    /// Nothing.
    Off,
    /// Tokens, keys, passwords, cookies.
    #[default]
    Secrets,
    /// Those, and email addresses and user names in home folders and hub addresses.
    Strict,
}

impl Mode {
    /// The word used on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Secrets => "secrets",
            Self::Strict => "strict",
        }
    }
}

/// Takes secrets out of text. Redacting twice changes nothing more.
#[derive(Debug, Clone, Copy, Default)]
pub struct Redactor {
    mode: Mode,
}

/// Short words of which one stands in every text that holds a secret of their class: most texts are done after this
/// search.
struct Triggers {
    search: AhoCorasick,
    /// The class of each word.
    classes: Vec<usize>,
}

static TRIGGERS: LazyLock<Option<Triggers>> = LazyLock::new(|| {
    let words = CLASSES.iter().flat_map(|class| class.triggers.iter().copied());
    let numbers = CLASSES.iter().enumerate();
    let classes = numbers.flat_map(|(at, class)| class.triggers.iter().map(move |_| at)).collect();
    // Quicker to make than a table of all steps, and hardly slower to ask.
    let kind = Some(AhoCorasickKind::ContiguousNFA);
    let mut search = AhoCorasick::builder();
    let search =
        search.ascii_case_insensitive(true).match_kind(MatchKind::Standard).kind(kind).build(words).ok()?;
    Some(Triggers { search, classes })
});

/// The classes of which a text may hold a secret.
fn triggered(text: &str) -> BTreeSet<usize> {
    let Some(triggers) = TRIGGERS.as_ref() else { return (0..CLASSES.len()).collect() };
    let found = triggers.search.find_overlapping_iter(text);
    let classes = found.filter_map(|found| triggers.classes.get(found.pattern().as_usize()).copied());
    classes.filter(|at| CLASSES.get(*at).is_some_and(|class| text.contains(class.needs))).collect()
}

impl Redactor {
    /// A redactor of this mode.
    pub fn new(mode: Mode) -> Self {
        Self { mode }
    }

    /// The text without its secrets.
    pub fn redact(&self, text: &str) -> Redacted {
        Redacted(self.apply(text))
    }

    /// A name of a person, which only the strict mode takes out.
    pub fn person(&self, name: &str) -> Redacted {
        if self.mode == Mode::Strict { Redacted::plain(MARK) } else { self.redact(name) }
    }

    /// Replaces until nothing changes any more.
    fn apply(self, text: &str) -> String {
        let mut text = text.to_owned();
        for _ in 0..MOST_ROUNDS {
            match self.round(&text) {
                Some(changed) => text = changed,
                None => break,
            }
        }
        text
    }

    /// Replaces what each class finds; `None` if nothing changed.
    fn round(self, text: &str) -> Option<String> {
        if self.mode == Mode::Off {
            return None;
        }
        let mut spans: Vec<Range<usize>> = Vec::new();
        for at in triggered(text) {
            let wanted = CLASSES.get(at).is_some_and(|class| !class.strict || self.mode == Mode::Strict);
            if let Some((class, regex)) = wanted.then(|| class(at)).flatten() {
                find(class, regex, text, &mut spans);
            }
        }
        if spans.is_empty() { None } else { Some(replace(text, spans)) }
    }
}

/// Finds the secrets of one class: the last group that took part in a match, or the match.
fn find(class: &Class, regex: &Regex, text: &str, spans: &mut Vec<Range<usize>>) {
    for captures in regex.captures_iter(text) {
        let (Some(whole), Some(secret)) = (captures.get(0), captures.iter().flatten().last()) else {
            continue;
        };
        let (before, rest) = text.split_at(secret.start());
        let head = before.get(..whole.start()).unwrap_or_default();
        let gap = before.get(whole.start()..).unwrap_or_default();
        let secret = rest.get(..secret.len()).unwrap_or_default();
        let secret = accept::trimmed(secret);
        if !accept::already(secret) && (class.accept)(head, gap, secret) {
            spans.push(before.len()..before.len() + secret.len());
        }
    }
}

/// Puts the mark in the place of the spans, of which some may overlap.
fn replace(text: &str, mut spans: Vec<Range<usize>>) -> String {
    spans.sort_by_key(|span| (span.start, span.end));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for span in spans {
        if span.start >= at {
            out.push_str(text.get(at..span.start).unwrap_or_default());
            out.push_str(MARK);
        }
        at = at.max(span.end);
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}
