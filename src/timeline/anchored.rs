//! The events that may anchor a clock, by kind and clock.

use super::{
    anchor::{ANCHORS, About, about},
    domain::Places,
};
use crate::{event::Record, extract::Extract};
use std::collections::{BTreeMap, BTreeSet};

/// The most events of one kind that are tried as anchors, per log clock.
const MOST_ANCHORS: usize = 120;

/// An event that may anchor a clock: its domain, reading and record.
#[derive(Clone)]
pub(super) struct Anchored<'a> {
    pub domain: usize,
    pub micros: i64,
    pub record: &'a Record,
    pub about: About,
}

/// All of them, in the order of logs and records.
pub(super) struct AllAnchored<'a> {
    by_kind: BTreeMap<&'static str, Vec<Anchored<'a>>>,
    by_domain: BTreeMap<(&'static str, usize), Vec<Anchored<'a>>>,
}

impl<'a> AllAnchored<'a> {
    /// Gathers the events of all kinds that pairs speak of.
    pub(super) fn new(extracts: &'a [Extract], places: &Places) -> Self {
        let kinds: BTreeSet<_> = ANCHORS.iter().flat_map(|anchor| [anchor.cause, anchor.effect]).collect();
        let mut all = Self { by_kind: BTreeMap::new(), by_domain: BTreeMap::new() };
        for (extract, places) in extracts.iter().zip(&places.places) {
            let mut tried: BTreeMap<&str, usize> = BTreeMap::new();
            for (record, place) in extract.records.iter().zip(places) {
                let kind = record.event.kind().name;
                // A statement in a history has the time that stands above it.
                if !kinds.contains(kind) || !(record.exact || kind == "code.run") {
                    continue;
                }
                let tried = tried.entry(kind).or_default();
                *tried += 1;
                if let Some(domain) = place.domain.filter(|_| *tried <= MOST_ANCHORS) {
                    let anchored = Anchored { domain, micros: place.micros, record, about: about(record) };
                    all.by_kind.entry(kind).or_default().push(anchored.clone());
                    all.by_domain.entry((kind, domain)).or_default().push(anchored);
                }
            }
        }
        all
    }

    /// Those of a kind.
    pub(super) fn all(&self, kind: &str) -> &[Anchored<'a>] {
        self.by_kind.get(kind).map_or(&[], Vec::as_slice)
    }

    /// Those of a kind on one clock.
    pub(super) fn of(&self, kind: &'static str, domain: usize) -> &[Anchored<'a>] {
        self.by_domain.get(&(kind, domain)).map_or(&[], Vec::as_slice)
    }
}
