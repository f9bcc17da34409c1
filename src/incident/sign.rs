//! Joins the lines that tell of one death: a restart loop is one, two restarts with work between them are two.

use super::{Identity, Incident, Strength, identity_of_source};
use crate::{
    event::{Event, Role},
    source::SourceId,
    stamp::SECOND,
    timeline::{Moment, Timeline, When},
};
use std::collections::{BTreeMap, BTreeSet};

/// Restarts of one loop follow each other by one poll of the restarter (3 s, `jupyter_client`'s `time_to_dead`), or
/// two when the new process takes a while to fail. A kernel that ran longer died again, although the restarter counts on
/// until one has lived ten seconds (`stable_start_time`): a user can kill two in that time.
const LOOP: i64 = 13 * SECOND / 2;
/// The attempts after which a restarter gives up, if nobody changed it.
const ATTEMPTS: i64 = 5;
/// The restarter's line and its companions, one per connected browser, stand this close together.
const COMPANION: i64 = 3 * SECOND / 2;
/// How many deaths back a sign may belong to: as many kernels may die at once.
const RECENT: usize = 64;
/// Lines of one traceback of a runner without stamps.
const TRACEBACK_LINES: u64 = 300;
/// A restarter that speaks this soon after a shutdown has not been told of it (`jupyter_client` issue 606).
const SHUTDOWN_RACE: i64 = 5 * SECOND;

/// All deaths by themselves, oldest first.
pub(super) fn deaths(timeline: &Timeline, identities: &[Identity]) -> Vec<Incident> {
    let mut by_source: BTreeMap<SourceId, Vec<usize>> = BTreeMap::new();
    for (index, moment) in timeline.moments.iter().enumerate() {
        by_source.entry(moment.record.at.source).or_default().push(index);
    }
    let mut deaths = Vec::new();
    for (source, mut indices) in by_source {
        indices.sort_by_key(|index| timeline.moments.get(*index).map(|moment| moment.position));
        let mut walk = Walk::new(timeline, identities);
        for index in &indices {
            walk.moment(*index);
        }
        let records =
            indices.iter().filter_map(|index| timeline.moments.get(*index)).map(|moment| &moment.record);
        let about = identity_of_source(records);
        deaths.extend(walk.finish(source, &about));
    }
    deaths.sort_by_key(|death| (death.time().unwrap_or(i64::MAX), death.source, death.positions));
    merge_across_logs(timeline, deaths)
}

/// Signs that belong together.
#[derive(Debug, Clone)]
struct Group {
    family: &'static str,
    signs: Vec<usize>,
    kernel: Option<String>,
    notebook: Option<String>,
    /// Whether the notebook was begun anew behind it.
    over: bool,
    attempt: Option<i64>,
    last: Option<When>,
    last_line: u64,
    position: u64,
}

/// When a log last said something, if it did; a log without stamps says it without a time.
#[derive(Clone, Copy)]
enum Said {
    Never,
    At(Option<When>),
}

impl Said {
    /// Whether it was said at most so long from a time.
    fn near(self, when: Option<When>, most: i64) -> bool {
        match self {
            Self::Never => false,
            Self::At(at) => within(at, when, most),
        }
    }
}

/// A walk through one log.
struct Walk<'a> {
    timeline: &'a Timeline,
    identities: &'a [Identity],
    groups: Vec<Group>,
    alive: BTreeSet<String>,
    known: BTreeSet<String>,
    stopping: Said,
    shutdown: Said,
}

impl<'a> Walk<'a> {
    fn new(timeline: &'a Timeline, identities: &'a [Identity]) -> Self {
        Self {
            timeline,
            identities,
            groups: Vec::new(),
            alive: BTreeSet::new(),
            known: BTreeSet::new(),
            stopping: Said::Never,
            shutdown: Said::Never,
        }
    }

    /// Takes the next event of the log.
    fn moment(&mut self, index: usize) {
        let Some(moment) = self.timeline.moments.get(index) else { return };
        self.known.extend(moment.record.event.text("kernel_id"));
        match &moment.record.event {
            Event::ServerKernelStarted(started) => self.alive.extend(started.kernel_id.clone()),
            Event::ServerKernelShutdown(shutdown) => {
                if let Some(id) = &shutdown.kernel_id {
                    self.alive.remove(id);
                }
                self.shutdown = Said::At(moment.when);
            }
            Event::ServerStopping(_) | Event::ServerKernelsStopping(_) => {
                self.stopping = Said::At(moment.when);
            }
            Event::ServerStarted(_) => self.stopping = Said::Never,
            Event::RunnerStarted(started) => self.begun(started.notebook.as_deref()),
            event if event.role() == Role::Death => self.sign(index, moment),
            _ => {}
        }
    }

    /// A runner begins a notebook: what it says of a death from now on is none of before.
    fn begun(&mut self, notebook: Option<&str>) {
        for group in self.groups.iter_mut().rev().take(RECENT) {
            group.over |= notebook.is_some() && group.notebook.as_deref() == notebook;
        }
    }

    /// Takes a sign of death.
    fn sign(&mut self, index: usize, moment: &Moment) {
        if ended_by_itself(&moment.record.event) {
            return;
        }
        let family = family(&moment.record.event);
        let restarter = family == "restart";
        let race = self.shutdown.near(moment.when, SHUTDOWN_RACE);
        let has_companion = moment.record.event.text("kernel_id").is_some();
        if restarter
            && (self.stopping.near(moment.when, 2 * SHUTDOWN_RACE)
                || (race && !has_companion && self.alive.is_empty()))
        {
            return;
        }
        let kernel = moment.record.event.text("kernel_id");
        let recent = self.groups.iter_mut().rev().take(RECENT);
        match recent.into_iter().find(|group| joins(group, moment, family, kernel.as_deref())) {
            Some(group) => {
                group.signs.push(index);
                group.kernel = group.kernel.take().or(kernel);
                group.notebook = group.notebook.take().or_else(|| moment.record.event.text("notebook"));
                group.attempt = moment.record.event.integer("attempt").or(group.attempt);
                group.last = moment.when;
                group.last_line = moment.record.at.line;
                group.position = moment.position;
            }
            None => self.groups.push(Group {
                family,
                signs: vec![index],
                kernel,
                notebook: moment.record.event.text("notebook"),
                over: false,
                attempt: moment.record.event.integer("attempt"),
                last: moment.when,
                last_line: moment.record.at.line,
                position: moment.position,
            }),
        }
    }

    /// Whether a group is a dialog's bare words beside what the same log tells of a death: a ticket quotes both.
    fn is_echo(&self, group: &Group) -> bool {
        let mut signs = group.signs.iter().filter_map(|sign| self.timeline.moments.get(*sign));
        let bare = signs.all(|sign| {
            let Event::EditorKernelDied(died) = &sign.record.event else { return false };
            died.exit_code.is_none() && died.reason.is_none() && died.pid.is_none() && !sign.record.exact
        });
        bare && self.groups.iter().any(|other| other.family != group.family)
    }

    /// The deaths of the log.
    fn finish(self, source: SourceId, about: &Identity) -> Vec<Incident> {
        let alone = self.known.len() <= 1;
        let mut floor = None;
        let mut deaths = Vec::new();
        for group in self.groups.iter().filter(|group| !self.is_echo(group)) {
            let mut own = about.clone();
            for sign in &group.signs {
                own.absorb(self.identities.get(*sign).unwrap_or(&Identity::default()));
            }
            // The restarter's own line has no id. If the log knows only one kernel, it was that one.
            if own.kernels.is_empty() && group.family == "restart" && alone {
                own.kernels.extend(self.known.iter().cloned());
            }
            let moments: Vec<&Moment> =
                group.signs.iter().filter_map(|sign| self.timeline.moments.get(*sign)).collect();
            let position = |moment: &&Moment| moment.position;
            let positions = (
                moments.iter().map(position).min().unwrap_or(0),
                moments.iter().map(position).max().unwrap_or(0),
            );
            deaths.push(Incident {
                strength: Strength::Death,
                signs: group.signs.clone(),
                claimed: Vec::new(),
                first: moments.first().and_then(|moment| moment.when),
                last: moments.last().and_then(|moment| moment.when),
                source,
                floor,
                positions,
                alone,
                own,
                absorbed: Identity::default(),
            });
            floor = Some(positions.1);
        }
        deaths
    }
}

/// Whether a hub found a server gone that had ended in good order: somebody chose Shut Down in it, or it was idle.
fn ended_by_itself(event: &Event) -> bool {
    matches!(event, Event::HubServerGone(gone) if gone.exit_code == Some(0))
}

/// Signs of different families never tell of one death within a log.
fn family(event: &Event) -> &'static str {
    match event.kind().name {
        "server.kernel_culled" => "culled",
        "hub.server_gone" => "hub",
        "runner.kernel_died" => "runner",
        "editor.kernel_died" => "editor",
        _ => "restart",
    }
}

/// Whether a sign tells of the same death as a group before it.
fn joins(group: &Group, moment: &Moment, family: &str, kernel: Option<&str>) -> bool {
    if group.family != family {
        return false;
    }
    let other_kernel = matches!((group.kernel.as_deref(), kernel), (Some(one), Some(other)) if one != other);
    if other_kernel || family == "culled" && kernel != group.kernel.as_deref() {
        return false;
    }
    let gap = |most| within(group.last, moment.when, most);
    match &moment.record.event {
        Event::ServerKernelRestarting(sign) => {
            // A new loop begins at 1 again; whoever pasted the log may have left out attempts between.
            let polls = group.attempt.zip(sign.attempt).map_or(0, |(before, now)| now - before);
            (polls > 0 && gap(polls.saturating_mul(LOOP))) || (group.attempt.is_none() && gap(COMPANION))
        }
        Event::ServerKernelRestarted(_) => gap(COMPANION),
        Event::RunnerKernelDied(died) => {
            moment.record.at.line.saturating_sub(group.last_line) <= TRACEBACK_LINES
                && gap(2 * LOOP)
                && !group.over
                && may_be_one(group.notebook.as_deref(), died.notebook.as_deref())
        }
        Event::HubServerGone(_) => false,
        // The restarter gives up behind the last attempt, however many of them were left out of the log.
        _ => {
            gap(LOOP)
                || (group.attempt.is_some() && gap(ATTEMPTS * LOOP) && kernel == group.kernel.as_deref())
        }
    }
}

/// Whether two names can be of one notebook: a runner gives its whole path, pytest's summary what stands behind the root.
fn may_be_one(one: Option<&str>, other: Option<&str>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return true };
    let (long, short) = if one.len() < other.len() { (other, one) } else { (one, other) };
    long.strip_suffix(short.trim_start_matches("./"))
        .is_some_and(|root| root.is_empty() || root.ends_with('/'))
}

/// Whether two times lie at most so far apart. Without times, neighbours in a log count as near.
fn within(one: Option<When>, other: Option<When>, most: i64) -> bool {
    match (one, other) {
        // Of a line without a stamp the earliest time counts: it follows its stamped neighbour closely.
        (Some(one), Some(other)) => (other.earliest.saturating_sub(one.earliest)).saturating_abs() <= most,
        _ => true,
    }
}

/// The same death told by two logs (a server's log and the container's copy of it) is one.
fn merge_across_logs(timeline: &Timeline, deaths: Vec<Incident>) -> Vec<Incident> {
    let mut merged: Vec<Incident> = Vec::new();
    for death in deaths {
        let twin = merged.iter_mut().rev().take(16).find(|known| {
            known.source != death.source
                && (same_death(timeline, known, &death) || same_line(timeline, known, &death))
        });
        match twin {
            Some(known) => {
                if only_recorded(timeline, known) && !only_recorded(timeline, &death) {
                    known.stand_in_log_of(&death);
                }
                known.signs.extend(&death.signs);
                known.own.absorb(&death.own);
            }
            None => merged.push(death),
        }
    }
    take_messages(timeline, &mut merged);
    merged
}

/// What a user copied out of a dialogue ("The Kernel crashed …") has no time and names no kernel, and neither does what
/// nbconvert and papermill print. Beside the one death that another log tells of, it is the same death and not a second
/// one; a runner's word only beside the recorder's, of a kernel that nothing restarts: a server's would be another.
fn take_messages(timeline: &Timeline, deaths: &mut Vec<Incident>) {
    let all = |death: &Incident, wanted: &str| {
        let mut signs = death.signs.iter().filter_map(|sign| timeline.moments.get(*sign));
        signs.all(|moment| family(&moment.record.event) == wanted)
    };
    let is_message = |death: &Incident| {
        death.first.is_none()
            && death.own.kernels.is_empty()
            && (all(death, "editor") || all(death, "runner"))
    };
    let (messages, mut told): (Vec<Incident>, Vec<Incident>) =
        std::mem::take(deaths).into_iter().partition(|death| is_message(death));
    let belong = |only: &Incident| {
        let recorded = only.signs.iter().filter_map(|sign| timeline.moments.get(*sign)).any(|moment| {
            matches!(&moment.record.event, Event::KernelDied(died) if died.gave_up.as_deref() == Some("yes"))
        });
        messages.iter().all(|one| one.source != only.source && (recorded || all(one, "editor")))
    };
    match told.as_mut_slice() {
        [only] if belong(only) => {
            for message in messages {
                only.signs.extend(&message.signs);
            }
            *deaths = told;
        }
        _ => {
            *deaths = messages;
            deaths.extend(told);
            deaths.sort_by_key(|death| (death.time().unwrap_or(i64::MAX), death.source, death.positions));
        }
    }
}

/// Whether two logs tell of the same kernel's death at the same time. A server's log may not name the kernel; of deaths
/// that kerneldoc's recorder and the restarter tell in one breath, each takes one.
fn same_death(timeline: &Timeline, known: &Incident, death: &Incident) -> bool {
    let anonymous = |incident: &Incident| {
        incident.own.kernels.is_empty() && holds(timeline, incident, "server.kernel_restarting")
    };
    let recorded = |incident: &Incident| holds(timeline, incident, "kernel.died");
    if (anonymous(known) && recorded(death)) || (anonymous(death) && recorded(known)) {
        return known.first.is_some() && death.first.is_some() && within(known.first, death.first, COMPANION);
    }
    let named = !known.own.kernels.is_disjoint(&death.own.kernels);
    let near = |one: Option<When>, other: Option<When>, most| {
        one.is_some() && other.is_some() && within(one, other, most)
    };
    // A loop of restarts that both tell of begins at once in both, however long it goes on.
    named && (near(known.last, death.first, LOOP) || near(known.first, death.first, COMPANION))
}

/// Whether a death has a sign of a kind.
fn holds(timeline: &Timeline, incident: &Incident, kind: &str) -> bool {
    incident.sign_events(timeline).any(|sign| sign.kind().name == kind)
}

/// Whether only kerneldoc's recorder tells of a death so far. Its records hold no output of the kernel, so the log of
/// the server is the one in which the last words stand, whichever of the two was a millisecond earlier.
fn only_recorded(timeline: &Timeline, incident: &Incident) -> bool {
    incident.sign_events(timeline).all(|sign| sign.kind().name == "kernel.died")
}

/// Whether two logs are copies: the same first sign on the same line.
fn same_line(timeline: &Timeline, known: &Incident, death: &Incident) -> bool {
    let first = |incident: &Incident| incident.signs.first().and_then(|sign| timeline.moments.get(*sign));
    let (Some(one), Some(other)) = (first(known), first(death)) else { return false };
    let (one, other) = (&one.record, &other.record);
    one.event == other.event
        && one.at.line == other.at.line
        && one.text == other.text
        && one.stamps == other.stamps
}
