//! Confidence, in words that can be checked: computed from links, never written into a rule.

use crate::{
    incident::{Incident, Link},
    rule::Basis,
    timeline::Moment,
};

/// How sure a verdict is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Confidence {
    /// The cause is inferred from its effects or from silence.
    #[default]
    Possible,
    /// A record names the cause and only time and place tie it to this death.
    Probable,
    /// A record names the cause and an identity ties it to this death.
    Confirmed,
}

impl Confidence {
    /// All, the least sure first.
    pub const ALL: [Self; 3] = [Self::Possible, Self::Probable, Self::Confirmed];

    /// The word used in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Possible => "possible",
            Self::Probable => "probable",
            Self::Confirmed => "confirmed",
        }
    }

    /// The confidence of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|confidence| confidence.word() == word)
    }
}

/// What a rule's main record is worth.
pub(super) fn of(basis: Basis, link: Link, moment: &Moment, incident: &Incident) -> Confidence {
    if basis == Basis::Effect {
        return Confidence::Possible;
    }
    match link {
        Link::SameKernel | Link::SameProcess | Link::SameContainer | Link::SameOwner => Confidence::Confirmed,
        // What stands in a log of one kernel is that kernel's. With several, it may be a neighbour's.
        Link::SameFile if incident.alone => Confidence::Confirmed,
        // Tied by nothing but that there is no other death.
        Link::TimeOnly if moment.when.is_none() || incident.first.is_none() => Confidence::Possible,
        Link::SameFile | Link::TimeOnly => Confidence::Probable,
    }
}
