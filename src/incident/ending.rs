//! Joins what ended, and was no death by itself, into incidents that a rule may call a death.

use super::{
    Identity, Incident, Incidents, Link, Strength, Survivors, empty, ends_a_container, identity_of_source,
    late::Stopped, stranger::is_kill_of_a_stranger, survivor::OUTLIVES,
};
use crate::{
    event::{Event, Role},
    source::SourceId,
    stamp::SECOND,
    timeline::{Moment, Timeline, When},
};
use std::collections::{BTreeMap, BTreeSet};

/// A panic and the boots that follow it at most this far apart are one end: `last` prints minutes, a server's
/// firmware takes its time, and some need two attempts.
const BOOT: i64 = 900 * SECOND;
/// Records of one ending lie at most this far apart: a grace period of 30 s lies between SIGTERM and SIGKILL.
const TOGETHER: i64 = 35 * SECOND;
/// Kills of different processes are different endings.
pub(super) const KILLS_TOGETHER: i64 = 10 * SECOND;

/// All endings that no death accounts for, oldest first.
pub(super) fn endings(timeline: &Timeline, incidents: &Incidents, taken: &BTreeSet<usize>) -> Vec<Incident> {
    let about = identities_of_sources(timeline);
    let survivors = &incidents.survivors;
    let restarts = restarts(timeline, incidents);
    let stopped = Stopped::new(timeline, &incidents.identities);
    let empty = empty::stops(timeline);
    let mut endings: Vec<Incident> = Vec::new();
    for (index, moment) in timeline.moments.iter().enumerate() {
        let ending = moment.record.event.role() == Role::Ending;
        if !ending
            || taken.contains(&index)
            || incidents.owner.contains_key(&index)
            || incidents.theirs.contains(&index)
            || survivors.come_after(moment)
            || stopped.tell_more(timeline, &incidents.identities, index)
            || empty.contains(&index)
        {
            continue;
        }
        let mut identity = incidents.identities.get(index).cloned().unwrap_or_default();
        let restarts_later = moment.when.is_some_and(|when| {
            restarts.range(when.earliest..=when.latest.saturating_add(OUTLIVES)).next().is_some()
        });
        let lives_on = restarts_later || moment.when.is_some() && survivors.live_on(timeline, index, moment);
        if incidents.strangers.include(&identity, moment, lives_on) {
            continue;
        }
        if let Some(about) = about.get(&moment.record.at.source) {
            identity.absorb(about);
        }
        let together =
            endings.iter_mut().rev().take(16).find(|known| belongs(timeline, known, moment, &identity));
        match together {
            Some(known) => {
                known.signs.push(index);
                known.own.absorb(&identity);
                known.last = known.last.max_by_latest(moment);
            }
            None => endings.push(begin(timeline, survivors, index, moment, identity)),
        }
    }
    join_undated(&mut endings);
    join_by_code(timeline, &mut endings);
    for ending in &mut endings {
        if only_engine_oom(timeline, ending) {
            ending.strength = Strength::Survived;
        }
    }
    endings
}

/// When servers restarted kernels.
fn restarts(timeline: &Timeline, incidents: &Incidents) -> BTreeSet<i64> {
    let restarted = incidents.all.iter().filter(|incident| incident.is_restarted(timeline));
    restarted.filter_map(|incident| incident.first).map(|first| first.earliest).collect()
}

/// An end told without a time (`kubectl` prints ages) is that of the only dated ending there is, unless names say
/// otherwise.
fn join_undated(endings: &mut Vec<Incident>) {
    let dated: Vec<usize> = (0..endings.len())
        .filter(|at| endings.get(*at).is_some_and(|ending| ending.first.is_some()))
        .collect();
    let [only] = dated.as_slice() else { return };
    let Some(mut known) = endings.get(*only).cloned() else { return };
    let joins = |known: &Incident, other: &Incident| {
        other.first.is_none()
            && other.source != known.source
            && other.strength == known.strength
            && !known.own.contradicts(&other.own)
    };
    endings.retain(|other| {
        let joined = joins(&known, other);
        if joined {
            known.signs.extend(&other.signs);
            known.own.absorb(&other.own);
        }
        !joined
    });
    if let Some(dated) = endings.iter_mut().find(|ending| ending.first.is_some()) {
        *dated = known;
    }
}

/// Joins what a process's log without times says of its end with the end of the one container whose exit code it is.
fn join_by_code(timeline: &Timeline, endings: &mut Vec<Incident>) {
    let code = |ending: &Incident, of_container: bool| {
        let mut codes = ending.signs.iter().filter_map(|sign| {
            let event = &timeline.moments.get(*sign)?.record.event;
            let container = matches!(event, Event::ContainerDie(_) | Event::PodEnded(_));
            let fits = container && of_container || matches!(event, Event::ProcessExit(_)) && !of_container;
            event.integer("exit_code").filter(|code| fits && *code > 128)
        });
        codes.next()
    };
    let mut by_code: BTreeMap<i64, BTreeSet<usize>> = BTreeMap::new();
    for (at, ending) in endings.iter().enumerate() {
        if let Some(code) = code(ending, true) {
            by_code.entry(code).or_default().insert(at);
        }
    }
    let untimed = (0..endings.len()).rev().filter(|at| {
        endings.get(*at).is_some_and(|ending| ending.last.is_none() && code(ending, false).is_some())
    });
    let mut gone = BTreeSet::new();
    for at in untimed.collect::<Vec<_>>() {
        let Some(words) = endings.get(at).cloned() else { continue };
        let fitting = code(&words, false).and_then(|said| by_code.get(&said)).into_iter().flatten();
        let mut others = fitting.copied().filter(|other| *other != at);
        if let (Some(other), None) = (others.next(), others.next())
            && let Some(known) = endings.get_mut(other)
        {
            known.signs.extend(&words.signs);
            known.own.absorb(&words.own);
            if let Some(same) = code(&words, true).and_then(|code| by_code.get_mut(&code)) {
                same.remove(&at);
            }
            gone.insert(at);
        }
    }
    let mut at = 0..;
    endings.retain(|_| at.next().is_none_or(|at| !gone.contains(&at)));
}

/// An engine's `oom` is about any process of the container. If nothing else ended, nobody knows that anything did.
fn only_engine_oom(timeline: &Timeline, ending: &Incident) -> bool {
    ending.signs.iter().all(|sign| {
        timeline
            .moments
            .get(*sign)
            .is_some_and(|moment| matches!(moment.record.event, Event::ContainerOom(_)))
    })
}

/// What each log says of whom it is about.
fn identities_of_sources(timeline: &Timeline) -> BTreeMap<SourceId, Identity> {
    let mut records: BTreeMap<SourceId, Vec<_>> = BTreeMap::new();
    for moment in &timeline.moments {
        records.entry(moment.record.at.source).or_default().push(&moment.record);
    }
    records.into_iter().map(|(source, records)| (source, identity_of_source(records.into_iter()))).collect()
}

/// An incident of one ending.
fn begin(
    timeline: &Timeline,
    survivors: &Survivors,
    index: usize,
    moment: &Moment,
    own: Identity,
) -> Incident {
    let event = &moment.record.event;
    let ends_servers = is_kill(event)
        || is_of_the_host(event)
        || event.is_last_words()
        || is_said_in_a_servers_log(timeline, moment)
        || matches!(event, Event::OomDaemonKill(_));
    let survived = (ends_servers && survivors.live_on(timeline, index, moment))
        || (is_kill(event) && survivors.tell_of_a_worker(timeline, moment));
    let strength = if survived { Strength::Survived } else { Strength::Ending };
    Incident::of_one(index, moment, strength, own)
}

/// Whether a server's log holds the word for a signal, of whomever: a worker's, if the server goes on and says nothing.
fn is_said_in_a_servers_log(timeline: &Timeline, moment: &Moment) -> bool {
    let nameless = matches!(&moment.record.event, Event::ProcessExit(exit) if exit.program.is_none());
    nameless && timeline.sources.get(moment.record.at.source.0).is_some_and(|source| source.server_log)
}

/// Whether a moment belongs to an ending before it.
fn belongs(timeline: &Timeline, known: &Incident, moment: &Moment, identity: &Identity) -> bool {
    if known.own.contradicts(identity) {
        return false;
    }
    if known.signs.iter().any(|sign| is_copy(timeline.moments.get(*sign), moment)) {
        return true;
    }
    if known.source == moment.record.at.source
        && known.last.is_none_or(|last| {
            moment.when.is_none_or(|when| when.earliest.saturating_sub(last.latest) <= TOGETHER)
        })
        && known.signs.iter().any(|sign| is_second_report(timeline.moments.get(*sign), moment))
    {
        return true;
    }
    let first = known.signs.first().and_then(|sign| timeline.moments.get(*sign));
    if known.signs.iter().any(|sign| speaks_after(timeline, *sign, moment))
        && known.own.shared(identity).is_none()
    {
        return false;
    }
    if known.own.shared(identity) < Some(Link::SameContainer) && !known.own.shares_job(identity) {
        // A browser was killed, or a worker whose server went on: what ends a server a moment later is another end.
        let strangers = first.is_some_and(|first| is_kill_of_a_stranger(&first.record.event));
        let survived = known.strength == Strength::Survived && ends_all(&moment.record.event);
        if strangers || survived || is_kill_of_a_stranger(&moment.record.event) {
            return false;
        }
    }
    let both_kill = is_kill(&moment.record.event) && first.is_some_and(|first| is_kill(&first.record.event));
    let same_kind = first.is_some_and(|first| first.record.event.kind() == moment.record.event.kind());
    let both_host = is_of_the_host(&moment.record.event)
        && first.is_some_and(|first| is_of_the_host(&first.record.event));
    let most = if both_kill {
        KILLS_TOGETHER
    } else if both_host {
        BOOT
    } else {
        TOGETHER
    };
    let near = match (known.last, moment.when) {
        (Some(last), Some(when)) => when.earliest.saturating_sub(last.latest) <= most,
        // Without a time a name ties what two logs say; within a log the place does.
        _ if known.source != moment.record.at.source => {
            let named = known.own.shared(identity).is_some_and(|link| link >= Link::SameContainer);
            named || known.own.shares_job(identity)
        }
        _ => moment.position - known.positions.1.min(moment.position) < 40,
    } || same_container_end(first, moment, known.own.shared(identity));
    let both_words = moment.record.event.is_last_words()
        && known.source == moment.record.at.source
        && first.is_some_and(|first| first.record.event.is_last_words());
    near && (!same_kind
        || both_host
        || both_words
        || both_exit(timeline, known, moment)
        || known.own.shared(identity).is_some())
}

/// Whether a server says that it stops after a container has ended: then it did not run in that one.
fn speaks_after(timeline: &Timeline, sign: usize, moment: &Moment) -> bool {
    if !matches!(moment.record.event, Event::ServerStopping(_)) {
        return false;
    }
    let Some(ended) = timeline.moments.get(sign) else { return false };
    let later = ended.when.zip(moment.when).is_some_and(|(end, word)| end.latest + SECOND < word.earliest);
    later && ends_a_container(&ended.record.event)
}

/// Whether an event is the end of a server, or of what it runs in.
pub(crate) fn ends_all(event: &Event) -> bool {
    matches!(
        event,
        Event::ContainerDie(_)
            | Event::ContainerStop(_)
            | Event::PodEnded(_)
            | Event::PodEvent(_)
            | Event::ServerStopping(_)
            | Event::UnitStopped(_)
            | Event::JobEnded(_)
            | Event::HubServerGone(_)
            | Event::HubServerCulled(_)
    )
}

/// Whether two logs are copies of each other at this line.
fn is_copy(known: Option<&Moment>, moment: &Moment) -> bool {
    known.is_some_and(|known| {
        let (one, other) = (&known.record, &moment.record);
        one.at.source != other.at.source
            && one.at.line == other.at.line
            && one.event == other.event
            && one.text == other.text
    })
}

/// Whether an end without a stamp of its own (`lab-1 exited with code 137` on a terminal) is the one that another log
/// gives with its time.
fn same_container_end(first: Option<&Moment>, moment: &Moment, shared: Option<Link>) -> bool {
    let Some(first) = first else { return false };
    let (Event::ContainerDie(one), Event::ContainerDie(other)) = (&first.record.event, &moment.record.event)
    else {
        return false;
    };
    let unstamped = first.record.exact != moment.record.exact;
    unstamped && one.exit_code == other.exit_code && shared.is_some_and(|link| link >= Link::SameContainer)
}

/// Whether two words of one log are about one end: a shell's and its runner's (`bash: … Killed`, then `exit code 137`),
/// or a job's of which not both have its number.
fn both_exit(timeline: &Timeline, known: &Incident, moment: &Moment) -> bool {
    let first =
        known.signs.first().and_then(|sign| timeline.moments.get(*sign)).map(|first| &first.record.event);
    let same = match (first, &moment.record.event) {
        (Some(Event::ProcessExit(first)), Event::ProcessExit(later)) => {
            first.signal == later.signal && first.reporter != later.reporter
        }
        // `srun: error: task 0: Out Of Memory` names no job, the step's own line does, or none does: a job's log is
        // one job's.
        (Some(Event::JobEnded(first)), Event::JobEnded(later)) => first.job.is_none() || later.job.is_none(),
        _ => false,
    };
    known.source == moment.record.at.source && same
}

/// Whether a CI runner passes on the exit code that the shell had put into words.
fn is_second_report(known: Option<&Moment>, moment: &Moment) -> bool {
    let (Some(Event::ProcessExit(one)), Event::ProcessExit(other)) =
        (known.map(|known| &known.record.event), &moment.record.event)
    else {
        return false;
    };
    one.reporter != other.reporter && one.exit_code.is_some() && one.exit_code == other.exit_code
}

/// A host boots once, however many logs say so.
fn is_of_the_host(event: &Event) -> bool {
    matches!(event, Event::HostBoot(_) | Event::HostPanic(_) | Event::HostShutdown(_))
}

/// Whether the event is the end of one process.
fn is_kill(event: &Event) -> bool {
    matches!(event, Event::OomKill(_) | Event::FaultSegfault(_) | Event::FaultTrap(_))
}

/// Keeps the later of two times.
trait MaxByLatest {
    fn max_by_latest(self, moment: &Moment) -> Self;
}

impl MaxByLatest for Option<When> {
    fn max_by_latest(self, moment: &Moment) -> Self {
        match (self, moment.when) {
            (Some(one), Some(other)) if one.latest >= other.latest => Some(one),
            (one, other) => other.or(one),
        }
    }
}
