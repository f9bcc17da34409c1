//! Something for each kind of event. The kinds of one log are few, and found by where they stand in the program.

use crate::event::Kind;
use std::ptr;

/// A value for each kind that has one.
#[derive(Debug)]
pub(super) struct ByKind<T>(Vec<(&'static Kind, T)>);

impl<T> ByKind<T> {
    /// No kind has one yet.
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    /// That of a kind.
    pub(super) fn get_mut(&mut self, kind: &'static Kind) -> Option<&mut T> {
        self.0.iter_mut().find(|(known, _)| ptr::eq(*known, kind)).map(|(_, value)| value)
    }

    /// Gives a kind another one.
    pub(super) fn insert(&mut self, kind: &'static Kind, value: T) {
        match self.get_mut(kind) {
            Some(known) => *known = value,
            None => self.0.push((kind, value)),
        }
    }

    /// Takes all away.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
