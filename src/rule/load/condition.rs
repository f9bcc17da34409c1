//! Conditions: the event, its clauses, window, link and count.

use super::Loader;
use crate::{
    event::{Kind, kind_named},
    incident::Link,
    rule::{
        Clause, Condition, Window,
        expression::unknown_event,
        fault::Problem,
        raw::{RawCondition, Text},
    },
};
use toml::Spanned;

impl Loader<'_> {
    /// The conditions of one list. A condition with a mistake is left out, and the mistake noted.
    pub(super) fn conditions(&mut self, list: &[Spanned<RawCondition>]) -> Vec<Condition> {
        list.iter().filter_map(|raw| self.condition(raw)).collect()
    }

    fn condition(&mut self, raw: &Spanned<RawCondition>) -> Option<Condition> {
        let span = raw.span();
        let raw = raw.get_ref();
        let window = raw.window.as_ref().map(|text| self.noted_window(text));
        let link = raw
            .link
            .as_ref()
            .map(|text| self.word(text, "link", &Link::ALL.map(|link| (link.words(), link))));
        let basis = raw.basis.as_ref().map(|text| self.basis(Some(text)));
        let count = raw.count.as_ref().map_or(1, |count| *count.get_ref());
        if let Some(zero) = raw.count.as_ref().filter(|_| count == 0) {
            self.fault(
                zero.span(),
                "a count is at least 1",
                Some("what must not be there stands in [[refute]]".to_owned()),
            );
        }
        let event = self.needed(raw.event.as_ref(), "event", span)?;
        let kind = kind_named(event.get_ref());
        let Some(kind) = kind else {
            self.problem(event, unknown_event(event.get_ref(), 0..event.get_ref().len()));
            return None;
        };
        let clauses: Vec<_> = raw.clauses.iter().filter_map(|text| self.clause(text, kind)).collect();
        Some(Condition {
            event: kind,
            text: written(kind, &clauses),
            clauses,
            window: window.unwrap_or(Some(Window::default()))?,
            link: link.unwrap_or(Some(Link::TimeOnly))?,
            basis: basis.unwrap_or_default(),
            count,
            with: self.conditions(&raw.with),
        })
    }

    fn clause(&mut self, text: &Text, kind: &'static Kind) -> Option<Clause> {
        if !self.readable(text) {
            return None;
        }
        let read = if self.trusted { Clause::trusted } else { Clause::parse };
        self.noted(text, read(text.get_ref(), kind))
    }

    fn noted_window(&mut self, text: &Text) -> Option<Window> {
        let read: Result<Window, Problem> = Window::parse(text.get_ref());
        self.noted(text, read)
    }
}

/// The condition as it is quoted in messages: `oom.kill where scope == 'memcg', victim == 'kernel'`.
fn written(kind: &Kind, clauses: &[Clause]) -> String {
    let clauses: Vec<_> = clauses.iter().map(ToString::to_string).collect();
    if clauses.is_empty() {
        kind.name.to_owned()
    } else {
        format!("{} where {}", kind.name, clauses.join(", "))
    }
}
