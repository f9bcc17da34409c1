//! Signs of death, joined into one incident each, and what ties evidence to them.
//!
//! It knows events, times and identities; it knows no rule and names no cause. What the user asked for (a restart,
//! an interrupt, a shutdown) is no sign; neither is the restarter's last twitch while the server stops.

mod claim;
mod claimant;
mod empty;
mod ending;
mod identity;
mod kept;
mod kin;
mod late;
mod link;
mod names;
mod namesake;
#[cfg(test)]
pub(crate) mod noise;
mod sign;
mod single;
mod standing;
mod stranger;
mod survivor;
mod theirs;

pub(crate) use ending::ends_all;
pub use identity::Identity;
pub use kept::Groups;
pub use kin::{Kin, Rest, Seeker};
pub use link::Link;
use survivor::Survivors;

use crate::{
    event::{Channel, Event, Record, Role},
    source::SourceId,
    stamp::SECOND,
    timeline::{Moment, Timeline, When},
};
use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
};

/// How many events of a log without stamps may lie between a message and the sign of death it belongs to.
const UNSTAMPED_REACH: u64 = 400;

/// Whether an incident is a death by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// Something said that a kernel, or its server, is gone.
    Death,
    /// Something ended that kernels may have been part of: a death if a rule says so.
    Ending,
    /// Something ended, but a server's log covers the moment and shows its kernels alive: no death.
    Survived,
}

/// What may have been one death.
#[derive(Debug, Clone)]
pub struct Incident {
    /// Whether it is a death by itself.
    pub strength: Strength,
    /// Its signs: indices of moments, oldest first.
    pub signs: Vec<usize>,
    /// Kills and faults that were this death's and no other's.
    pub claimed: Vec<usize>,
    /// When its first sign stood in the log.
    pub first: Option<When>,
    /// When its last sign stood in the log.
    pub last: Option<When>,
    /// The log of its first sign.
    pub source: SourceId,
    /// The place of the last sign of the death before it in the same log.
    pub floor: Option<u64>,
    /// The place of its own first and last sign there.
    pub positions: (u64, u64),
    /// Whether its log knows only one kernel, so that what stands in it is this kernel's.
    pub alone: bool,
    /// Who it is about, by its signs and their log.
    pub own: Identity,
    /// Who it is about, by what was claimed.
    pub absorbed: Identity,
}

/// All incidents of a timeline, oldest first, and which moment is whose.
#[derive(Debug, Default)]
pub struct Incidents {
    /// The incidents.
    pub all: Vec<Incident>,
    /// For kills, faults and signs: the incident they belong to.
    pub owner: BTreeMap<usize, usize>,
    /// What every moment says of who it is about.
    pub identities: Vec<Identity>,
    strangers: stranger::Strangers,
    /// The ends that are nobody's whose server lives.
    strange: BTreeSet<usize>,
    /// What engines and orchestrators say of containers and pods that are none of Jupyter's.
    theirs: BTreeSet<usize>,
    /// Who lived on.
    pub(crate) survivors: Survivors,
    names: names::Names,
    numbers: OnceCell<single::Numbers>,
}

/// Whether a line is the output of another container than the one in whose output the death stands, by the names that
/// one log of both (docker compose's, kubectl's with prefixes) puts before its lines. Between logs names differ:
/// compose's `lab-1` is docker's `course-lab-1`.
fn is_of_another_service(incident: &Incident, moment: &Moment) -> bool {
    let names = &incident.own.container_names;
    moment.record.at.source == incident.source
        && moment.record.origin.channel == Channel::Process
        && !names.is_empty()
        && moment.record.origin.container_name.as_ref().is_some_and(|name| !names.contains(name))
}

impl Incidents {
    /// Finds the incidents of a timeline.
    pub fn new(timeline: &Timeline) -> Self {
        let mut identities: Vec<Identity> =
            timeline.moments.iter().map(|moment| identity(timeline, moment)).collect();
        namesake::resolve(&mut identities);
        namesake::resolve_kernels(&mut identities);
        let strangers = stranger::Strangers::new(timeline, &identities);
        let ends = timeline.moments.iter().zip(&identities).enumerate();
        let strange = ends.filter(|(_, (moment, identity))| {
            ends_all(&moment.record.event) && strangers.include(identity, moment, true)
        });
        let mut incidents = Self {
            all: sign::deaths(timeline, &identities),
            strange: strange.map(|(index, _)| index).collect(),
            names: names::Names::new(timeline, &identities),
            survivors: Survivors::new(timeline),
            theirs: theirs::theirs(timeline, &identities),
            strangers,
            identities,
            ..Self::default()
        };
        for (index, incident) in incidents.all.iter().enumerate() {
            incidents.owner.extend(incident.signs.iter().map(|sign| (*sign, index)));
        }
        claim::claim(timeline, &mut incidents, claim::FEW);
        incidents
    }

    /// Joins what ended and was not explained by any death into incidents of its own; `taken` are the moments that
    /// deaths already account for.
    pub fn endings(&self, timeline: &Timeline, taken: &BTreeSet<usize>) -> Vec<Incident> {
        let endings = ending::endings(timeline, self, taken);
        // Beside any dated word of an end, a list is only its echo.
        if endings.is_empty() && self.all.is_empty() { standing::standing(timeline, self) } else { endings }
    }

    /// What ties a moment to an incident, or `None` if it has nothing to do with it.
    ///
    /// `from` and `to` are the window around the incident, in microseconds.
    pub fn link(
        &self,
        timeline: &Timeline,
        incident: &Incident,
        at: usize,
        window: (i64, i64),
    ) -> Option<Link> {
        let moment = timeline.moments.get(at)?;
        let identity = self.identities.get(at)?;
        // A window that leaves the death itself out asks for something before or after it.
        if incident.signs.contains(&at) && window.0 <= 0 && window.1 >= 0 {
            return Some(self.link_of_sign(timeline, incident, at, identity));
        }
        if incident.own.contradicts(identity) || incident.absorbed.contradicts(identity) {
            return None;
        }
        if self.strange.contains(&at) && incident.is_restarted(timeline) {
            return None;
        }
        // No kernel ran in it, although the pod is the same.
        if moment.record.event.is_of_a_sidecar() {
            return None;
        }
        if is_of_another_service(incident, moment) {
            return None;
        }
        let own = incident.own.shared(identity);
        if own.is_none() && ends_a_container(&moment.record.event) && incident.is_told_after(timeline, moment)
        {
            return None;
        }
        if own.is_none() && self.theirs.contains(&at) {
            return None;
        }
        match incident.placement(moment, window) {
            Placement::Outside => return None,
            // What ended no kernel and has no time (a cell's output, a monitor's screen) is one user's case: what
            // lies beside it is about the same trouble.
            Placement::Unknown if incident.strength == Strength::Survived => {
                return Some(own.unwrap_or(Link::TimeOnly));
            }
            // Of a death, without a common clock only a name tells.
            Placement::Unknown => {
                let named =
                    own.filter(|link| *link >= Link::SameContainer || incident.own.shares_job(identity));
                let only = self.is_alone(incident)
                    && is_told_without_time(&moment.record.event)
                    && !self.strangers.include(identity, moment, false);
                return named.or_else(|| only.then_some(Link::TimeOnly));
            }
            Placement::Inside => {}
        }
        if own.is_some() {
            return own;
        }
        if incident.claimed.contains(&at) {
            return Some(self.corroborated(timeline, incident, at).unwrap_or(Link::TimeOnly));
        }
        if let Some(link) = incident.absorbed.shared(identity) {
            return Some(link);
        }
        Some(if moment.record.at.source == incident.source { Link::SameFile } else { Link::TimeOnly })
    }

    /// Whether a moment is what an engine or orchestrator says of a container or pod that is none of Jupyter's.
    pub(crate) fn is_theirs(&self, at: usize) -> bool {
        self.theirs.contains(&at)
    }

    /// Whether nothing else ended, so that what has no time can only be about this.
    fn is_alone(&self, incident: &Incident) -> bool {
        self.all.len() + usize::from(incident.strength == Strength::Ending) == 1
    }

    /// The names of all identities, numbered when they are first asked for: few logs hold so much that they are.
    fn numbers(&self) -> &single::Numbers {
        self.numbers.get_or_init(|| single::Numbers::new(self.identities.iter()))
    }

    /// A sign is the death itself; what an ending is worth depends on who else says so.
    fn link_of_sign(&self, timeline: &Timeline, incident: &Incident, at: usize, identity: &Identity) -> Link {
        if incident.strength != Strength::Death {
            return self.corroborated(timeline, incident, at).unwrap_or(Link::TimeOnly);
        }
        if identity.kernels.is_empty() { Link::SameFile } else { Link::SameKernel }
    }

    /// Whether another log names the same container, process or owner near the incident. A copy of the same record
    /// (dmesg, syslog and journal tell of one kill) is no second witness.
    fn corroborated(&self, timeline: &Timeline, incident: &Incident, at: usize) -> Option<Link> {
        let identity = self.identities.get(at)?;
        let Record { event, at: place, .. } = &timeline.moments.get(at)?.record;
        let is_copy = |other: &Event| {
            other.kind().name == event.kind().name && other.integer("pid") == event.integer("pid")
        };
        let reach = incident.reach((-30 * SECOND, 30 * SECOND))?;
        self.names.strongest(timeline, identity, place.source, reach, |index| {
            let other = timeline.moments.get(index).filter(|other| !is_copy(&other.record.event));
            let other = other.and_then(|_| self.identities.get(index));
            other.filter(|other| !other.contradicts(identity))?.shared(identity)
        })
    }
}

/// Whether a record is the end of a whole container or pod.
pub(crate) fn ends_a_container(event: &Event) -> bool {
    match event {
        Event::ContainerDie(_) => true,
        Event::PodEnded(end) => end.exit_code.is_none_or(|code| code != 0),
        _ => false,
    }
}

/// Whether a record without a common clock is about the one death there is: the code that a notebook shows to have run
/// last (notebooks seldom hold times), an end that was told without a time (`kubectl` prints ages, people paste lines
/// without stamps), or counters and figures that somebody looked at.
fn is_told_without_time(event: &Event) -> bool {
    event.role() == Role::Ending
        || matches!(
            event,
            Event::CodeRun(_)
                | Event::PodEvent(_)
                | Event::ContainerState(_)
                | Event::UnitOom(_)
                | Event::CgroupCounters(_)
                | Event::MemorySample(_)
        )
}

/// Whom a record is about, by its own words and by the name of its log.
fn identity(timeline: &Timeline, moment: &Moment) -> Identity {
    let mut identity = Identity::of(&moment.record);
    let source = timeline.source(moment.record.at.source);
    identity.places.extend(source.and_then(|source| source.place.clone()));
    identity.add_job_of(timeline.path(&moment.record));
    identity.add_name_of(timeline.path(&moment.record));
    if source.is_some_and(|source| source.server_log) {
        identity.add_container_of(timeline.path(&moment.record));
    }
    identity
}

/// Where a moment lies, seen from an incident.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Placement {
    Inside,
    Outside,
    Unknown,
}

impl Incident {
    /// What one record makes.
    pub(crate) fn of_one(index: usize, moment: &Moment, strength: Strength, own: Identity) -> Self {
        Self {
            strength,
            signs: vec![index],
            claimed: Vec::new(),
            first: moment.when,
            last: moment.when,
            source: moment.record.at.source,
            floor: None,
            positions: (moment.position, moment.position),
            alone: true,
            own,
            absorbed: Identity::default(),
        }
    }

    /// The events that are its signs.
    fn sign_events<'t>(&'t self, timeline: &'t Timeline) -> impl Iterator<Item = &'t Event> {
        self.signs.iter().filter_map(|sign| Some(&timeline.moments.get(*sign)?.record.event))
    }

    /// Whether a restarter tells of it: the server that runs the restarter lives.
    pub(crate) fn is_restarted(&self, timeline: &Timeline) -> bool {
        let restarter = |event: &Event| {
            matches!(event, Event::ServerKernelRestarting(_) | Event::ServerKernelRestarted(_))
        };
        self.sign_events(timeline).any(restarter)
    }

    /// Whether the server or the runner itself spoke after a moment: whatever ended whole then was not its container.
    fn is_told_after(&self, timeline: &Timeline, moment: &Moment) -> bool {
        let Some((first, when)) = self.first.zip(moment.when) else { return false };
        let spoke = |event: &Event| matches!(event, Event::RunnerKernelDied(_) | Event::ServerStopping(_));
        let restarted = when.latest < first.earliest && self.is_restarted(timeline);
        restarted || when.latest + SECOND < first.earliest && self.sign_events(timeline).any(spoke)
    }

    /// Takes another incident's log as the one in which it stands.
    pub(crate) fn stand_in_log_of(&mut self, other: &Self) {
        self.source = other.source;
        self.floor = other.floor;
        self.positions = other.positions;
        self.alone = other.alone;
    }

    /// Whether a moment lies in a window around this incident.
    fn placement(&self, moment: &Moment, (from, to): (i64, i64)) -> Placement {
        let same_log = moment.record.at.source == self.source;
        if same_log && self.floor.is_some_and(|floor| moment.position <= floor) {
            return Placement::Outside;
        }
        match (self.first, self.last, moment.when) {
            (Some(first), Some(last), Some(when)) => {
                let begins = first.earliest.saturating_add(from);
                let ends = last.latest.saturating_add(to);
                let before = same_log && moment.position < self.positions.0;
                // A line without a stamp stands somewhere between its neighbours; its place in the log decides.
                let overlaps = when.latest >= begins && when.earliest <= ends;
                let late =
                    same_log && !moment.record.exact && moment.position > self.positions.1 && to < SECOND;
                if overlaps && !late && (before || when.earliest <= ends) {
                    Placement::Inside
                } else {
                    Placement::Outside
                }
            }
            _ if same_log => {
                let reach = self.positions.0.saturating_sub(UNSTAMPED_REACH);
                let inside =
                    moment.position >= reach && (moment.position <= self.positions.1 || to >= SECOND);
                if inside { Placement::Inside } else { Placement::Outside }
            }
            _ => Placement::Unknown,
        }
    }

    /// The stretch of time that a window around this incident is, if the incident has a time.
    pub(crate) fn reach(&self, (from, to): (i64, i64)) -> Option<(i64, i64)> {
        Some((self.first?.earliest.saturating_add(from), self.last?.latest.saturating_add(to)))
    }

    /// The time of the death as well as it is known.
    pub fn time(&self) -> Option<i64> {
        self.first.map(|when| when.earliest)
    }

    /// Everybody it is about.
    pub fn everyone(&self) -> Identity {
        let mut everyone = self.own.clone();
        everyone.absorb(&self.absorbed);
        everyone
    }

    /// How far a moment lies from the incident, in microseconds, 0 if one of them has no time.
    pub fn distance(&self, moment: &Moment) -> i64 {
        match (self.first, moment.when) {
            (Some(first), Some(when)) => (first.earliest.saturating_sub(when.latest)).saturating_abs(),
            _ => 0,
        }
    }
}

/// What a log says of the one server it belongs to.
pub(crate) fn identity_of_source<'a>(records: impl Iterator<Item = &'a Record>) -> Identity {
    let mut identity = Identity::default();
    for record in records {
        if record.event.kind().name == "server.started" {
            identity.containers.extend(record.event.text("container_id"));
        }
        identity.containers.extend(record.origin.container_id.clone());
        identity.container_names.extend(record.origin.container_name.clone());
        identity.pods.extend(record.origin.pod.clone());
        identity.hosts.extend(record.origin.host.clone());
    }
    let single = |names: &BTreeSet<String>| names.len() == 1;
    if !single(&identity.containers) {
        identity.containers.clear();
    }
    if !single(&identity.container_names) {
        identity.container_names.clear();
    }
    if !single(&identity.pods) {
        identity.pods.clear();
    }
    // The system log of a site is of many hosts.
    if !single(&identity.hosts) {
        identity.hosts.clear();
    }
    identity
}
