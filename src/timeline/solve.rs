//! Finds each clock domain's offset from pairs of events that belong together.

use super::{
    Moment, Overrides, When,
    anchor::{ANCHORS, Anchor, same_identity},
    anchored::{AllAnchored, Anchored},
    civil,
    domain::{Certainty, Domain, Place, Places},
};
use crate::{
    event::{Event, Record},
    extract::Extract,
    source::SourceId,
    stamp::{ClockKind, DAY, SECOND},
};
use std::collections::{BTreeMap, BTreeSet};

/// Time zones are whole quarter-hours.
const QUARTER: i64 = 900 * SECOND;
/// How far two local clocks may lie apart, in quarter-hours: zones run from −12:00 to +14:00.
const ZONES: std::ops::RangeInclusive<i64> = -26 * 4..=26 * 4;

/// Places and offsets.
pub(super) struct Solved {
    places: Places,
    /// Whether the common clock has a real date.
    pub dated: bool,
}

/// Finds the offsets.
pub(super) fn solve(
    extracts: &[Extract],
    places: Places,
    machines: &[Option<String>],
    overrides: &Overrides,
) -> Solved {
    let anchored = AllAnchored::new(extracts, &places);
    let mut solver = Solver { extracts, places, anchored, machines };
    solver.given(overrides);
    let named = solver.places.domains.iter().any(|domain| solver.named(domain).is_some());
    let dated = named
        || solver.places.domains.iter().any(|domain| dates(domain.clock))
        || overrides.boot_time.is_some();
    solver.first();
    // Clocks that something speaks for come first, so that the others may follow them.
    for sure in [true, false] {
        for clock in [ClockKind::Local, ClockKind::YearLess, ClockKind::TimeOfDay, ClockKind::Boot] {
            solver.by_anchors(clock, sure);
        }
    }
    solver.by_anchors(ClockKind::Boot, false);
    Solved { places: solver.places, dated }
}

/// Whether a clock knows the date.
fn dates(clock: ClockKind) -> bool {
    matches!(clock, ClockKind::Zoned | ClockKind::Local)
}

/// The offsets that a pair of events allows.
struct Vote {
    least: i64,
    usual: i64,
    most: i64,
    weight: u32,
    /// The pair votes once, however many partners it has.
    pair: (usize, i64),
}

struct Solver<'a> {
    extracts: &'a [Extract],
    places: Places,
    anchored: AllAnchored<'a>,
    /// The machine each log is about, where that is known.
    machines: &'a [Option<String>],
}

impl Solver<'_> {
    /// What the logs or the user say outright.
    fn given(&mut self, overrides: &Overrides) {
        for index in 0..self.places.domains.len() {
            let Some(domain) = self.places.domains.get(index) else { continue };
            let said = match domain.clock {
                ClockKind::Zoned => Some((0, "the stamps name their zone".to_owned())),
                ClockKind::Boot => self.boot_given(domain, overrides),
                _ => self.zone_given(domain, overrides),
            };
            if let Some((offset, basis)) = said {
                self.set(index, offset, Certainty::Given, basis);
            }
        }
    }

    /// When the host booted, by the user, by both clocks on one line, or by Linux's own word.
    fn boot_given(&self, domain: &Domain, overrides: &Overrides) -> Option<(i64, String)> {
        if let Some(boot) = overrides.boot_time {
            return Some((boot, "--boot-time".to_owned()));
        }
        let extract = self.extracts.get(domain.source.0)?;
        let pair = extract.pairs.iter().find(|(outer, inner)| {
            outer.clock == ClockKind::Zoned && inner.clock == ClockKind::Boot && domain.segment == 0
        });
        if let Some((outer, inner)) = pair {
            return Some((outer.micros - inner.micros, "both clocks on one line".to_owned()));
        }
        let places = self.places.places.get(domain.source.0)?;
        extract.records.iter().zip(places).find_map(|(record, place)| {
            let Event::HostClockSet(set) = &record.event else { return None };
            let same =
                place.domain.and_then(|index| self.places.domains.get(index))?.segment == domain.segment;
            same.then_some((
                set.epoch_seconds? * SECOND - place.micros,
                format!("line {}: Linux set its clock", record.at.line),
            ))
        })
    }

    /// The zone, by the user or by an envelope with a zone around the same lines.
    fn zone_given(&self, domain: &Domain, overrides: &Overrides) -> Option<(i64, String)> {
        let extract = self.extracts.get(domain.source.0)?;
        let named = overrides.timezones.iter().find(|(pattern, _)| {
            pattern.as_deref().is_none_or(|pattern| matches_pattern(pattern, &extract.path))
        });
        if let Some((_, east)) = named.filter(|_| domain.clock == ClockKind::Local) {
            return Some((-east * SECOND, "--timezone".to_owned()));
        }
        let (outer, inner) = extract.pairs.iter().find(|(outer, inner)| {
            outer.clock == ClockKind::Zoned && inner.clock == domain.clock && domain.clock == ClockKind::Local
        })?;
        let offset = (outer.micros - inner.micros + QUARTER / 2).div_euclid(QUARTER) * QUARTER;
        Some((offset, "an envelope with a zone around the same lines".to_owned()))
    }

    /// Without any clock that is known, one has to be the common one.
    fn first(&mut self) {
        if self.places.domains.iter().any(|domain| domain.offset.is_some()) {
            return;
        }
        let best = (0..self.places.domains.len()).min_by_key(|index| {
            self.places
                .domains
                .get(*index)
                .map(|domain| (domain.clock, std::cmp::Reverse(self.size(*index)), *index))
        });
        if let Some(index) = best {
            let (offset, basis) = self.default_offset(index);
            self.set(index, offset, Certainty::Assumed, basis);
        }
    }

    /// How many records a domain has.
    fn size(&self, domain: usize) -> usize {
        self.places.places.iter().flatten().filter(|place| place.domain == Some(domain)).count()
    }

    fn set(&mut self, index: usize, offset: i64, certainty: Certainty, basis: String) {
        if let Some(domain) = self.places.domains.get_mut(index) {
            domain.offset = Some(offset);
            domain.certainty = certainty;
            domain.basis = basis;
        }
    }

    /// Solves every domain of a clock that is still open; in the first round only those that some pair speaks for.
    fn by_anchors(&mut self, clock: ClockKind, sure: bool) {
        for index in 0..self.places.domains.len() {
            let open = self
                .places
                .domains
                .get(index)
                .is_some_and(|domain| domain.clock == clock && domain.offset.is_none());
            if !open {
                continue;
            }
            let votes = self.votes(index);
            if sure && votes.is_empty() {
                continue;
            }
            if clock == ClockKind::Boot {
                self.solve_boot(index, &votes);
            } else {
                self.solve_zone(index, &votes);
            }
        }
    }

    /// What a local clock shows is right up to whole quarter-hours (and days, where it has no date).
    fn solve_zone(&mut self, index: usize, votes: &[Vote]) {
        let (default, reason) = self.default_offset(index);
        let days: BTreeSet<i64> = match self.places.domains.get(index).map(|domain| domain.clock) {
            Some(ClockKind::TimeOfDay) => {
                votes.iter().map(|vote| civil::day_start(vote.usual + DAY / 2)).chain([default]).collect()
            }
            _ => BTreeSet::from([default]),
        };
        let candidates = days.iter().flat_map(|day| ZONES.map(move |zone| day + zone * QUARTER));
        let scored = scored(votes, &candidates.collect());
        // Of equal scores the one nearest to the default wins: UTC, and the day the other logs speak of.
        let best = scored.into_iter().max_by_key(|(score, offset)| (*score, -(offset - default).abs()));
        match best {
            Some((score, offset)) if score > 0 => {
                let (certainty, basis) = standing(votes, offset);
                self.set(index, offset, certainty, basis);
            }
            _ => self.set(index, default, Certainty::Assumed, reason),
        }
    }

    /// The day in the name of a log whose own stamps have none.
    fn named(&self, domain: &Domain) -> Option<i64> {
        let extract = self.extracts.get(domain.source.0)?;
        civil::date_in_name(&extract.path).filter(|_| domain.clock != ClockKind::Boot)
    }

    /// The offset if nothing speaks for another.
    fn default_offset(&self, index: usize) -> (i64, String) {
        let Some(domain) = self.places.domains.get(index) else { return (0, String::new()) };
        if domain.clock != ClockKind::TimeOfDay {
            return self.zone_of_neighbours(domain);
        }
        let own = self.extracts.get(domain.source.0).into_iter().flat_map(|extract| &extract.spans);
        let own = own.filter(|(clock, _)| dates(**clock)).map(|(_, span)| span.earliest).next();
        let others = self
            .places
            .domains
            .iter()
            .filter(|other| dates(other.clock) || other.clock == ClockKind::YearLess);
        let other = others.filter_map(|other| Some(other.earliest? + other.offset.unwrap_or(0))).min();
        let first = domain.earliest.unwrap_or(0);
        match self.named(domain).or(own).or(other) {
            Some(date) => {
                let day = civil::day_start(date - first + DAY / 2);
                (day, "no date in the log: the day of its neighbours".to_owned())
            }
            None => (0, "no date in any log".to_owned()),
        }
    }

    /// Logs of one machine are mostly in one zone: that of a local clock already found, that in which another log prints its
    /// stamps, else UTC.
    fn zone_of_neighbours(&self, domain: &Domain) -> (i64, String) {
        let found = self.places.domains.iter().find(|other| {
            other.clock == ClockKind::Local
                && matches!(other.certainty, Certainty::OnePair | Certainty::Pairs)
        });
        match found.and_then(|other| other.offset).or_else(|| self.printed_zone(domain)) {
            Some(offset) => (offset, "no zone in the log: that of its neighbours".to_owned()),
            None => (0, "no zone in the log: taken as UTC".to_owned()),
        }
    }

    /// The offset of the one zone that the other logs of the machine name, if the log lies no farther from theirs in it than
    /// in UTC. A container's clock shows UTC, whatever the host's does.
    fn printed_zone(&self, domain: &Domain) -> Option<i64> {
        let own = self.extracts.get(domain.source.0)?;
        let machine = |index: usize| self.machines.get(index).and_then(Option::as_ref);
        let others =
            self.extracts.iter().enumerate().filter(|(index, _)| {
                *index != domain.source.0 && machine(*index) == machine(domain.source.0)
            });
        let named: Vec<(usize, i32)> =
            others.filter_map(|(index, other)| Some((index, other.east?))).collect();
        let (_, east) = *named.first()?;
        if named.iter().any(|(_, other)| *other != east) || own.records.iter().any(is_in_a_container) {
            return None;
        }
        let offset = -i64::from(east) * SECOND;
        let (first, last) = (domain.earliest?, domain.latest?);
        let away = |offset: i64| {
            let spans = named.iter().filter_map(|(index, _)| self.zoned_span(SourceId(*index)));
            spans.map(|(begin, end)| (begin - last - offset).max(first + offset - end).max(0)).min()
        };
        (away(offset) <= away(0)).then_some(offset)
    }

    /// What a log covers on its clock with a zone.
    fn zoned_span(&self, source: SourceId) -> Option<(i64, i64)> {
        let span = self.extracts.get(source.0)?.spans.get(&ClockKind::Zoned);
        span.map(|span| (span.earliest, span.latest)).or_else(|| {
            let mut domains = self.places.domains.iter();
            let zoned = domains.find(|one| one.source == source && one.clock == ClockKind::Zoned)?;
            Some((zoned.earliest?, zoned.latest?))
        })
    }

    /// A boot clock may be anywhere; the pairs say where.
    fn solve_boot(&mut self, index: usize, votes: &[Vote]) {
        let candidates: BTreeSet<i64> =
            votes.iter().flat_map(|vote| [vote.usual, vote.least, vote.most]).collect();
        let scored = scored(votes, &candidates);
        let Some(best) = scored.iter().map(|(score, _)| *score).max().filter(|score| *score > 0) else {
            return;
        };
        let winners: Vec<i64> =
            scored.iter().filter(|(score, _)| *score == best).map(|(_, offset)| *offset).collect();
        let (Some(low), Some(high)) = (winners.first(), winners.last()) else { return };
        // Two places that fit equally well and lie far apart: nothing is known.
        if high - low > 20 * SECOND {
            return;
        }
        let heaviest = votes
            .iter()
            .filter(|vote| vote.least <= *high && vote.most >= *low)
            .max_by_key(|vote| vote.weight);
        let offset = heaviest.map_or(*low, |vote| vote.usual.clamp(*low, *high));
        let (certainty, basis) = standing(votes, offset);
        self.set(index, offset, certainty, basis);
    }

    /// All offsets that pairs with domains already solved allow. Of each pair one event is the domain's own.
    fn votes(&self, index: usize) -> Vec<Vote> {
        let mut votes = Vec::new();
        for anchor in ANCHORS {
            let own_causes = self.anchored.of(anchor.cause, index);
            let own_effects = self.anchored.of(anchor.effect, index);
            if own_causes.is_empty() && own_effects.is_empty() {
                continue;
            }
            let causes = if own_effects.is_empty() { own_causes } else { self.anchored.all(anchor.cause) };
            for cause in causes {
                let effects =
                    if cause.domain == index { self.anchored.all(anchor.effect) } else { own_effects };
                votes.extend(effects.iter().filter_map(|effect| self.vote(index, anchor, cause, effect)));
            }
        }
        votes
    }

    /// What one pair says of a domain's offset.
    fn vote(
        &self,
        index: usize,
        anchor: &Anchor,
        cause: &Anchored<'_>,
        effect: &Anchored<'_>,
    ) -> Option<Vote> {
        let other = if cause.domain == index { effect.domain } else { cause.domain };
        let known = self.places.domains.get(other).filter(|_| other != index)?.offset?;
        // What happened on one machine says nothing of another's clock.
        if self.machine(cause.record) != self.machine(effect.record) {
            return None;
        }
        let twins = anchor.cause == anchor.effect;
        let identity = if twins {
            Some(cause.record.event == effect.record.event)
        } else {
            same_identity(&cause.about, &effect.about)
        };
        if identity == Some(false) || !may_anchor(cause.record) {
            return None;
        }
        let weight = if identity == Some(true) { 3 } else { 1 };
        let (least, usual, most) = (anchor.least * 1000, anchor.usual * 1000, anchor.most * 1000);
        Some(if cause.domain == index {
            let base = known + effect.micros - cause.micros;
            let pair = (cause.domain, cause.micros);
            Vote { least: base - most, usual: base - usual, most: base - least, weight, pair }
        } else {
            let base = known + cause.micros - effect.micros;
            let pair = (effect.domain, effect.micros);
            Vote { least: base + least, usual: base + usual, most: base + most, weight, pair }
        })
    }

    /// The machine a record's log is about.
    fn machine(&self, record: &Record) -> Option<&String> {
        self.machines.get(record.at.source.0).and_then(Option::as_ref)
    }
}

/// A stranger's or a sidecar's death says nothing of a kernel's restart, and of what was run only the last can have ended
/// it.
fn may_anchor(record: &Record) -> bool {
    let last = record.event.kind().name != "code.run" || record.event.text("last").is_some();
    last && !record.event.is_of_a_sidecar()
        && record.event.text("victim").is_none_or(|victim| victim != "stranger")
}

/// Whether a record's log is the output of a container, by its envelope or by the server's own words.
fn is_in_a_container(record: &Record) -> bool {
    let origin = &record.origin;
    origin.container_id.is_some()
        || origin.container_name.is_some()
        || origin.pod.is_some()
        || record.event.kind().name == "server.started" && record.event.text("container_id").is_some()
}

/// How much speaks for each of some offsets: each event of the domain counts once, by the weightiest of its votes that
/// allow the offset.
fn scored(votes: &[Vote], offsets: &BTreeSet<i64>) -> Vec<(u32, i64)> {
    let sorted = |bound: fn(&Vote) -> i64| {
        let mut sorted: Vec<&Vote> = votes.iter().collect();
        sorted.sort_by_key(|vote| bound(vote));
        sorted.into_iter().peekable()
    };
    let (mut begin, mut end) = (sorted(|vote| vote.least), sorted(|vote| vote.most));
    let mut heard: BTreeMap<(usize, i64), BTreeMap<u32, usize>> = BTreeMap::new();
    let mut score = 0;
    let mut change = |vote: &Vote, begins: bool| {
        let weights = heard.entry(vote.pair).or_default();
        let heaviest = |weights: &BTreeMap<u32, usize>| weights.keys().next_back().copied().unwrap_or(0);
        score -= heaviest(weights);
        let count = weights.entry(vote.weight).or_default();
        *count = if begins { *count + 1 } else { count.saturating_sub(1) };
        weights.retain(|_, count| *count > 0);
        score += heaviest(weights);
        score
    };
    let mut scored = Vec::with_capacity(offsets.len());
    let mut now = 0;
    for offset in offsets {
        while let Some(vote) = begin.next_if(|vote| vote.least <= *offset) {
            now = change(vote, true);
        }
        while let Some(vote) = end.next_if(|vote| vote.most < *offset) {
            now = change(vote, false);
        }
        scored.push((now, *offset));
    }
    scored
}

/// How sure an offset is, and in words why.
fn standing(votes: &[Vote], offset: i64) -> (Certainty, String) {
    let fitting: Vec<_> = votes.iter().filter(|vote| vote.least <= offset && offset <= vote.most).collect();
    let pairs: BTreeSet<_> = fitting.iter().map(|vote| vote.pair).collect();
    let named = fitting.iter().any(|vote| vote.weight > 1);
    let certainty = if named || pairs.len() > 1 { Certainty::Pairs } else { Certainty::OnePair };
    let events = if pairs.len() == 1 { "one event" } else { "several events" };
    let by = if named { "with the same id in another log" } else { "that fit another log" };
    (certainty, format!("{events} {by}"))
}

/// Whether a path matches a pattern with `*`.
fn matches_pattern(pattern: &str, path: &str) -> bool {
    let mut rest = path;
    let mut pieces = pattern.split('*').peekable();
    let mut first = true;
    while let Some(piece) = pieces.next() {
        let last = pieces.peek().is_none();
        let found = if last && !first { rest.rfind(piece) } else { rest.find(piece) };
        match found {
            Some(at) => rest = rest.get(at + piece.len()..).unwrap_or_default(),
            None => return false,
        }
        first = false;
        if last && !pattern.ends_with('*') && !rest.is_empty() {
            return false;
        }
    }
    true
}

impl Solved {
    /// A log's clocks, the best first.
    pub(super) fn domains_of(&self, source: SourceId) -> Vec<Domain> {
        let mut domains: Vec<Domain> =
            self.places.domains.iter().filter(|domain| domain.source == source).cloned().collect();
        domains.sort_by_key(|domain| (domain.clock, domain.segment));
        domains
    }

    /// A log's records on the common clock.
    pub(super) fn moments(&self, source: SourceId, extract: Extract) -> Vec<Moment> {
        let empty = Vec::new();
        let places = self.places.places.get(source.0).unwrap_or(&empty);
        let mut moments: Vec<Moment> =
            extract.records.into_iter().zip(places).map(|(r, p)| self.moment(r, *p)).collect();
        moments.sort_by_key(|moment| moment.position);
        bound(&mut moments);
        moments
    }

    /// One record on the common clock.
    fn moment(&self, record: Record, place: Place) -> Moment {
        let domain = place.domain.and_then(|index| self.places.domains.get(index));
        let at = domain.and_then(|domain| Some(place.micros + domain.offset?));
        let when = at.map(|at| When { earliest: at, latest: at });
        Moment { record, when, position: place.position }
    }
}

/// A line without a stamp happened between its stamped neighbours.
fn bound(moments: &mut [Moment]) {
    let mut next: Option<i64> = None;
    for moment in moments.iter_mut().rev() {
        match (&mut moment.when, moment.record.exact) {
            (Some(when), true) => next = Some(when.earliest),
            (Some(when), false) => when.latest = next.map_or(when.latest, |next| next.max(when.earliest)),
            (None, _) => {}
        }
    }
}
