//! What ends together with a death, and is no death of its own: the endings of containers, pods, units and servers that a
//! death takes with it, and the same told again by other logs.
//!
//! Ends of single processes are not among them: each is somebody's own. What a process said at its end belongs to the
//! death in whose log it stands.

use super::{finding::is_process, index::Index};
use crate::{
    event::Role,
    incident::{Incident, Link, Rest, Strength, ends_all},
    source::SourceId,
    stamp::SECOND,
    timeline::Moment,
};
use std::collections::BTreeSet;

/// What ends together with a server or container lies this close.
const TOGETHER: (i64, i64) = (-40 * SECOND, 40 * SECOND);
/// A process's last words stand at most so long before the line that tells of its end, and hardly after it.
const LAST_WORDS: (i64, i64) = (-600 * SECOND, 10 * SECOND);
/// Any time at all.
const ALWAYS: (i64, i64) = (i64::MIN / 4, i64::MAX / 4);

/// The endings that no death has taken with it yet.
pub(super) struct Echoes {
    words: Rest,
    servers: Rest,
    others: Rest,
}

impl Echoes {
    /// All endings of a timeline.
    pub(super) fn new(index: &Index<'_>) -> Self {
        let moments = index.timeline.moments.iter().enumerate();
        let shared = moments.filter(|(_, moment)| is_shared_ending(moment));
        let (words, ends): (Vec<_>, Vec<_>) =
            shared.partition(|(_, moment)| moment.record.event.is_last_words());
        let (servers, others): (Vec<_>, Vec<_>) =
            ends.into_iter().partition(|(_, moment)| ends_all(&moment.record.event));
        let rest = |some: Vec<(usize, &Moment)>| Rest::new(some.into_iter().map(|(at, _)| at));
        Self { words: rest(words), servers: rest(servers), others: rest(others) }
    }

    /// Those that a death takes with it, and no death before it.
    pub(super) fn of(&mut self, index: &Index<'_>, death: &Incident) -> Vec<usize> {
        // Where the server lives, a server's end is another's, unless a name says otherwise.
        let by_name = if death.is_restarted(index.timeline) { Link::SameContainer } else { Link::TimeOnly };
        let kinds = [
            (&mut self.words, LAST_WORDS, Link::TimeOnly),
            (&mut self.servers, TOGETHER, by_name),
            (&mut self.others, TOGETHER, Link::TimeOnly),
        ];
        let mut taken = Vec::new();
        for (rest, window, least) in kinds {
            let tied = |at: usize| index.incidents.link(index.timeline, death, at, window) >= Some(least);
            taken.extend(rest.take(index.timeline, index.incidents, death, (window, least), tied));
        }
        taken
    }
}

/// Whether a moment is the end of more than one process.
fn is_shared_ending(moment: &Moment) -> bool {
    moment.record.event.role() == Role::Ending && !is_process(&moment.record.event)
}

/// The same end told again by a log without times, a pod's status say: by the same name, as the same kind of event.
pub(super) fn repeats(index: &Index<'_>, known: &BTreeSet<usize>) -> Vec<usize> {
    let moments = &index.timeline.moments;
    let ending = |at: &&usize| moments.get(**at).is_some_and(is_shared_ending);
    let untimed = index.timeline.shelf.untimed().iter().filter(ending).filter(|at| !known.contains(at));
    let mut untimed = untimed.copied().peekable();
    if untimed.peek().is_none() {
        return Vec::new();
    }
    let told = index.incidents.kin(index.timeline, known.iter().filter(ending).copied());
    let is_told = |at: &usize| {
        let (Some(moment), Some(identity)) = (moments.get(*at), index.incidents.identities.get(*at)) else {
            return false;
        };
        let mut one = Incident::of_one(*at, moment, Strength::Survived, identity.clone());
        // Where in its log it stands does not matter.
        one.source = SourceId(usize::MAX);
        let seeker = index.incidents.seeker(&one);
        let again = |told: usize| tells_again(index, *at, told).then_some(Link::SameKernel);
        !told.nearest(index.timeline, &seeker, ALWAYS, (Link::SameOwner, 1), again).is_empty()
    };
    untimed.filter(is_told).collect()
}

/// Whether one ending is told by both of two moments.
fn tells_again(index: &Index<'_>, at: usize, told: usize) -> bool {
    let kind = |at: usize| index.timeline.moments.get(at).map(|moment| moment.record.event.kind());
    let identity = |at: usize| index.incidents.identities.get(at);
    let (Some(one), Some(other)) = (identity(at), identity(told)) else { return false };
    kind(at) == kind(told)
        && !one.contradicts(other)
        && (one.shared(other) >= Some(Link::SameContainer) || one.shares_job(other))
}
