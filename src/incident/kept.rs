//! Where somebody is kept, so that those who contradict him need not be looked at.

use super::{
    Identity,
    single::{Number, Numbers, Single, Singles},
};
use std::collections::{BTreeMap, BTreeSet};

/// Those who know certain single things, and of them the ones of a name, or all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Kept {
    /// The single things, a bit each.
    known: u8,
    name: Option<(Single, Number)>,
}

impl Kept {
    /// Everywhere an identity is kept.
    pub(super) fn of(singles: &Singles) -> Vec<Self> {
        let known = singles.keys().fold(0, |known, single| known | 1 << *single as u8);
        let names = singles.iter().flat_map(|(single, names)| names.iter().map(|name| (*single, *name)));
        [None].into_iter().chain(names.map(Some)).map(|name| Self { known, name }).collect()
    }

    /// All who know certain single things.
    pub(super) fn all(known: u8) -> Self {
        Self { known, name: None }
    }

    /// The single things that they know.
    pub(super) fn known(&self) -> u8 {
        self.known
    }

    /// Where those who know certain single things, and contradict none of some identities, are kept: under the names of
    /// the most telling of what both know, or anywhere if that is nothing.
    pub(super) fn by_those(known: u8, singles: &[&Singles]) -> Vec<Self> {
        let both =
            singles.iter().flat_map(|own| own.keys()).filter(|single| known & 1 << **single as u8 != 0);
        let Some(single) = both.min() else { return vec![Self::all(known)] };
        let names = singles.iter().find_map(|own| own.get(single)).into_iter().flatten();
        names.map(|name| Self { known, name: Some((*single, *name)) }).collect()
    }
}

/// Things by whom they are about.
#[derive(Debug)]
pub struct Groups<T> {
    numbers: Numbers,
    things: BTreeMap<Kept, Vec<T>>,
}

impl<T: Clone> Groups<T> {
    /// Sorts things by whom they are about.
    pub fn new<'i>(things: impl Iterator<Item = (&'i Identity, T)> + Clone) -> Self {
        let numbers = Numbers::new(things.clone().map(|(identity, _)| identity));
        let mut sorted: BTreeMap<Kept, Vec<T>> = BTreeMap::new();
        for (identity, thing) in things {
            for kept in Kept::of(&numbers.singles(identity)) {
                sorted.entry(kept).or_default().push(thing.clone());
            }
        }
        Self { numbers, things: sorted }
    }

    /// Every group, to be put in order.
    pub fn all(&mut self) -> impl Iterator<Item = &mut Vec<T>> {
        self.things.values_mut()
    }

    /// The groups of all who do not contradict somebody. Some who do may be among them.
    pub fn of(&self, identity: &Identity) -> impl Iterator<Item = &[T]> {
        let singles = self.numbers.singles(identity);
        let known: BTreeSet<u8> = self.things.keys().map(Kept::known).collect();
        let kept = known.into_iter().flat_map(move |known| Kept::by_those(known, &[&singles]));
        kept.filter_map(|kept| self.things.get(&kept).map(Vec::as_slice))
    }
}
