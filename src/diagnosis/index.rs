//! Finds the records that fit a condition near an incident, without looking at all that lie around it.

use crate::{
    event::{Event, Kind},
    incident::{Incident, Incidents, Kin, Link, Seeker},
    rule::{Clause, Condition},
    timeline::{Moment, Shelf, Timeline},
};
use std::{
    cell::{OnceCell, RefCell},
    collections::BTreeMap,
    ptr,
    rc::Rc,
};

/// So few moments are looked at one by one; of more, only those that can be the nearest of their tie.
const FEW: usize = 32;
/// The most records of one condition that a rule shows as evidence.
const SHOWN: u64 = 3;

/// A record that speaks for a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Witness {
    /// The moment.
    pub moment: usize,
    /// What ties it to the incident.
    pub link: Link,
}

/// Which moments are looked at. Ten thousand kills of one second are ten thousand deaths', and each death need only look
/// at its own and at nobody's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Whose {
    /// All of them.
    Anyones,
    /// Those that are no death's own.
    Nobodys,
}

/// The moments that fit a condition.
struct Fitting {
    shelf: Shelf,
    kin: OnceCell<Kin>,
}

/// An incident that rules are held against.
pub(super) struct Scene<'a> {
    /// Its number among the deaths, if it is one.
    number: Option<usize>,
    /// The incident.
    pub(super) incident: &'a Incident,
    seeker: OnceCell<Seeker<'a>>,
}

impl<'a> Scene<'a> {
    /// The scene of an incident, which is the numbered death or none of them.
    pub(super) fn new(number: Option<usize>, incident: &'a Incident) -> Self {
        Self { number, incident, seeker: OnceCell::new() }
    }
}

/// Finds the records of a kind quickly.
pub struct Index<'t> {
    pub(super) timeline: &'t Timeline,
    pub(super) incidents: &'t Incidents,
    by_kind: BTreeMap<&'static str, Shelf>,
    /// The moments that fit a condition, by the condition's place in memory. Of ten thousand deaths all ask the same.
    by_condition: RefCell<BTreeMap<(Whose, *const Condition), Rc<Fitting>>>,
    /// The same by kind: many conditions fit the same moments.
    fitting: RefCell<BTreeMap<&'static str, Vec<Rc<Fitting>>>>,
}

impl<'t> Index<'t> {
    /// Sorts the moments of a timeline by kind.
    pub fn new(timeline: &'t Timeline, incidents: &'t Incidents) -> Self {
        let mut by_kind: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (index, moment) in timeline.moments.iter().enumerate() {
            by_kind.entry(moment.record.event.kind().name).or_default().push(index);
        }
        let shelf = |indices: Vec<usize>| Shelf::new(&timeline.moments, indices.into_iter());
        let by_kind = by_kind.into_iter().map(|(kind, indices)| (kind, shelf(indices))).collect();
        let (by_condition, fitting) = Default::default();
        Self { timeline, incidents, by_kind, by_condition, fitting }
    }

    /// Whether there is an event of a kind of which all clauses hold.
    pub(super) fn stands_anywhere(&self, kind: &Kind, clauses: &[Clause]) -> bool {
        let mut moments = self.by_kind.get(kind.name).into_iter().flat_map(Shelf::all);
        moments.any(|at| self.hold(clauses, at))
    }

    /// Whether a moment is the OOM killer's blow, and was given to this death.
    pub(super) fn is_kill_of(&self, at: usize, scene: &Scene<'_>) -> bool {
        let moment = self.timeline.moments.get(at);
        scene.number.is_some()
            && self.incidents.owner.get(&at).copied() == scene.number
            && moment.is_some_and(|moment| matches!(moment.record.event, Event::OomKill(_)))
    }

    /// The moments of a condition's kind whose fields fit it.
    pub fn fitting(&self, condition: &Condition) -> Vec<usize> {
        self.fits(Whose::Anyones, condition).shelf.all().collect()
    }

    /// The records that satisfy a condition and are no other death's, the best tied and nearest first. Of many it gives no
    /// more than anybody shows or counts.
    pub(super) fn find(&self, scene: &Scene<'_>, condition: &Condition) -> Vec<Witness> {
        if condition.with.iter().any(|other| self.find(scene, other).is_empty()) {
            return Vec::new();
        }
        let enough = condition.count.max(SHOWN);
        let mut found: Vec<(Link, i64, usize)> = Vec::new();
        for (at, link) in self.tied(Whose::Nobodys, scene, condition, enough) {
            let Some(moment) = self.timeline.moments.get(at) else { continue };
            found.push((link, scene.incident.distance(moment), at));
        }
        found.sort_by_key(|(link, distance, at)| (std::cmp::Reverse(*link), *distance, *at));
        found.into_iter().map(|(link, _, moment)| Witness { moment, link }).collect()
    }

    /// A record that satisfies a condition and is about the container of some witness: an engine's `oom` names the container
    /// whose limit `inspect` shows, and the server's log names none. Only what has no time of its own is asked for so.
    pub(super) fn beside(&self, condition: &Condition, witnesses: &[Witness]) -> Option<Witness> {
        let least = condition.link.max(Link::SameContainer);
        let fitting = self.fits(Whose::Nobodys, condition);
        let identity = |at: usize| self.incidents.identities.get(at);
        fitting.shelf.untimed().iter().find_map(|at| {
            let own = identity(*at)?;
            let named = witnesses.iter().filter_map(|witness| identity(witness.moment));
            let link =
                named.filter(|other| !own.contradicts(other)).filter_map(|other| own.shared(other)).max();
            let link = link.filter(|link| *link >= least)?;
            Some(Witness { moment: *at, link })
        })
    }

    /// Whether any record satisfies a condition, whosesoever it is.
    pub(super) fn stands(&self, scene: &Scene<'_>, condition: &Condition) -> bool {
        !self.tied(Whose::Anyones, scene, condition, 1).is_empty()
    }

    /// The records that satisfy a condition, and what ties them: all of few; of many, at least the best `enough`.
    fn tied(
        &self,
        whose: Whose,
        scene: &Scene<'_>,
        condition: &Condition,
        enough: u64,
    ) -> BTreeMap<usize, Link> {
        let fitting = self.fits(whose, condition);
        let link = |at: usize| self.tie(scene.incident, condition, at);
        let window = (condition.window.from, condition.window.to);
        let reach = scene.incident.reach(window);
        let mut tied = if let Some(few) = fitting.shelf.few(&self.timeline.moments, reach, FEW) {
            few.into_iter().filter_map(|at| Some((at, link(at)?))).collect()
        } else {
            let kin = fitting.kin.get_or_init(|| self.incidents.kin(self.timeline, fitting.shelf.all()));
            let seeker = scene.seeker.get_or_init(|| self.incidents.seeker(scene.incident));
            kin.nearest(self.timeline, seeker, window, (condition.link, enough), link)
        };
        let own = self.own(whose, scene, condition).filter_map(|at| Some((at, link(at)?)));
        tied.extend(own);
        tied
    }

    /// An incident's own signs and claims that fit a condition. What belongs to another death is no evidence for this one.
    fn own<'a>(
        &'a self,
        whose: Whose,
        scene: &'a Scene<'_>,
        condition: &'a Condition,
    ) -> impl Iterator<Item = usize> + 'a {
        let reach = scene.incident.reach((condition.window.from, condition.window.to));
        let near = move |moment: &Moment| match (reach, moment.when) {
            (Some((begin, end)), Some(when)) => when.latest >= begin && when.earliest <= end,
            _ => true,
        };
        let own = scene.incident.signs.iter().chain(&scene.incident.claimed).copied();
        own.filter(move |at| {
            let owner = self.incidents.owner.get(at).copied();
            let ours = owner.is_some() && owner == scene.number;
            let free = whose == Whose::Anyones || owner.is_none();
            let moment = self.timeline.moments.get(*at);
            moment.is_some_and(|moment| {
                moment.record.event.kind() == condition.event && (ours || free && near(moment))
            }) && self.satisfies(condition, *at)
        })
    }

    /// The moments that fit a condition.
    fn fits(&self, whose: Whose, condition: &Condition) -> Rc<Fitting> {
        let key = (whose, ptr::from_ref(condition));
        if let Some(known) = self.by_condition.borrow().get(&key) {
            return Rc::clone(known);
        }
        let wanted = |at: &usize| whose == Whose::Anyones || !self.incidents.owner.contains_key(at);
        let kind = self.by_kind.get(condition.event.name).into_iter().flat_map(Shelf::all);
        let indices = kind.filter(wanted).filter(|at| self.satisfies(condition, *at));
        let moments = Shelf::new(&self.timeline.moments, indices);
        let mut by_kind = self.fitting.borrow_mut();
        let alike = by_kind.entry(condition.event.name).or_default();
        let fitting = alike.iter().find(|known| known.shelf.all().eq(moments.all())).cloned();
        let fitting = fitting.unwrap_or_else(|| {
            let fitting = Rc::new(Fitting { shelf: moments, kin: OnceCell::new() });
            alike.push(Rc::clone(&fitting));
            fitting
        });
        self.by_condition.borrow_mut().insert(key, Rc::clone(&fitting));
        fitting
    }

    /// Whether a moment's fields fit a condition.
    fn satisfies(&self, condition: &Condition, at: usize) -> bool {
        self.hold(&condition.clauses, at)
    }

    fn hold(&self, clauses: &[Clause], at: usize) -> bool {
        let moment = self.timeline.moments.get(at);
        moment.is_some_and(|moment| clauses.iter().all(|clause| clause.holds(&moment.record.event)))
    }

    /// What ties a record to an incident, if it is enough for a condition. What is the end itself needs no tie to it.
    pub(super) fn tie(&self, incident: &Incident, condition: &Condition, at: usize) -> Option<Link> {
        let window = (condition.window.from, condition.window.to);
        let own = incident.signs.contains(&at);
        let link = self.incidents.link(self.timeline, incident, at, window);
        link.filter(|link| own || *link >= condition.link)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        extract::extract,
        incident::noise,
        rule::{Rule, RuleSet},
        source::SourceId,
        timeline::Overrides,
    };
    use std::{cmp::Reverse, collections::BTreeSet};

    /// What `find` gives, found by asking everybody.
    fn asked_everybody(index: &Index<'_>, scene: &Scene<'_>, condition: &Condition) -> Vec<Witness> {
        if condition.with.iter().any(|other| asked_everybody(index, scene, other).is_empty()) {
            return Vec::new();
        }
        let moments = 0..index.timeline.moments.len();
        let free = moments.filter(|at| {
            let owner = index.incidents.owner.get(at).copied();
            let of_kind = index.timeline.moments[*at].record.event.kind() == condition.event;
            of_kind && index.satisfies(condition, *at) && (owner.is_none() || owner == scene.number)
        });
        let mut found: Vec<_> = free
            .filter_map(|moment| {
                Some(Witness { moment, link: index.tie(scene.incident, condition, moment)? })
            })
            .collect();
        let distance = |at: usize| scene.incident.distance(&index.timeline.moments[at]);
        found.sort_by_key(|found| (Reverse(found.link), distance(found.moment), found.moment));
        found
    }

    fn conditions(rule: &Rule) -> impl Iterator<Item = &Condition> {
        rule.require.iter().chain(&rule.any).chain(&rule.refute).chain(&rule.support)
    }

    #[test]
    fn of_many_the_best_are_found() {
        let rules = RuleSet::builtin().unwrap();
        let (mut compared, mut links) = (0, BTreeSet::new());
        for seed in 0..3 {
            let logs = noise::logs(seed, 130);
            let extracts = logs
                .iter()
                .enumerate()
                .map(|(index, (path, text))| extract(path, SourceId(index), text.as_bytes()).unwrap());
            let timeline = Timeline::new(extracts.collect(), &Overrides::default());
            let incidents = Incidents::new(&timeline);
            let index = Index::new(&timeline, &incidents);
            let endings = incidents.endings(&timeline, &BTreeSet::new());
            let deaths = incidents.all.iter().enumerate().map(|(number, death)| (Some(number), death));
            let scenes = deaths.chain(endings.iter().map(|ending| (None, ending))).step_by(7);
            for (number, incident) in scenes {
                let scene = Scene::new(number, incident);
                for condition in rules.iter().flat_map(conditions) {
                    if index.fits(Whose::Nobodys, condition).shelf.all().count() <= FEW {
                        continue;
                    }
                    let best = |mut found: Vec<Witness>| {
                        found.truncate(usize::try_from(condition.count.max(SHOWN)).unwrap());
                        found
                    };
                    let (found, all) = (
                        best(index.find(&scene, condition)),
                        best(asked_everybody(&index, &scene, condition)),
                    );
                    assert_eq!(found, all, "seed {seed}, {:?}, {}", incident.signs, condition.text);
                    compared += found.len();
                    links.extend(found.iter().map(|witness| witness.link));
                }
            }
        }
        assert!(compared > 1000 && links.len() > 2, "{compared} compared, {links:?}");
    }
}
