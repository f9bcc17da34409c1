//! `Seeker`: an incident, and by what its kin is found.

use super::{Clock, Slice, Tie};
use crate::incident::{
    Incident, Incidents, Link, Strength,
    single::{Number, Singles},
};
use std::collections::BTreeSet;

/// An incident, prepared to be looked for.
pub struct Seeker<'a> {
    pub(super) incident: &'a Incident,
    asked: Vec<(Link, Number)>,
    pub(super) own: Singles,
    pub(super) absorbed: Singles,
    /// Whether what has no common clock may be tied without a name.
    takes_untimed: Option<Tie>,
}

impl Incidents {
    /// Prepares to look for the kin of an incident.
    pub fn seeker<'a>(&self, incident: &'a Incident) -> Seeker<'a> {
        let mut asked = self.numbers().asked(&incident.own);
        asked.extend(self.numbers().asked(&incident.absorbed));
        let takes_untimed = if incident.strength == Strength::Survived {
            Some(Tie::Time)
        } else {
            self.is_alone(incident).then_some(Tie::Untimed)
        };
        Seeker {
            incident,
            asked,
            own: self.numbers().singles(&incident.own),
            absorbed: self.numbers().singles(&incident.absorbed),
            takes_untimed,
        }
    }
}

impl Seeker<'_> {
    /// What ties to look for, and what each is worth.
    pub(super) fn ties(&self, least: Link) -> Vec<(Link, Tie)> {
        let mut ties: Vec<(Link, Tie)> =
            self.asked.iter().map(|(link, name)| (*link, Tie::Name(*name))).collect();
        ties.push((Link::SameFile, Tie::Log(self.incident.source)));
        ties.extend([(Link::TimeOnly, Tie::Time), (Link::TimeOnly, Tie::Untimed)]);
        ties.retain(|(link, _)| *link >= least);
        let mut seen = BTreeSet::new();
        ties.retain(|(_, tie)| seen.insert(*tie));
        ties
    }

    /// Whether moments may be tied: what has no common clock with the incident is, without a name, only where nothing
    /// else died.
    pub(super) fn may_take(&self, tie: Tie, slice: &Slice) -> bool {
        let timed = self.incident.reach((0, 0)).is_some() && slice.clock != Clock::Untimed;
        match tie {
            Tie::Time => timed || self.takes_untimed == Some(Tie::Time),
            Tie::Untimed => !timed && self.takes_untimed == Some(Tie::Untimed),
            Tie::Log(_) | Tie::Name(_) => true,
        }
    }
}
