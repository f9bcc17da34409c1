//! Moments by the names they bear: who shares a name with a record is found without asking everybody.
//!
//! It mirrors [`Identity::shared`]: whatever that calls shared stands under a name here.

use super::{Identity, Link, identity::SHORT_ID};
use crate::{
    event::Role,
    source::SourceId,
    timeline::{Shelf, Timeline},
};
use std::{cmp::Reverse, collections::BTreeMap};

/// What kind of thing a name is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Of {
    Kernel,
    HostProcess,
    OwnProcess,
    Container,
    ContainerName,
    Pod,
    LikelyName,
    SpawnedName,
    Owner,
    /// These two tie nothing, but two of them contradict each other.
    Place,
    Host,
}

/// A name that an identity holds.
pub(super) type Name = (Of, String);

/// For each name and log, the moments that bear it, context left out.
#[derive(Debug, Default)]
pub(super) struct Names {
    bearers: BTreeMap<(Name, SourceId), Shelf>,
}

impl Names {
    /// Sorts the moments of a timeline by the names they bear.
    pub(super) fn new(timeline: &Timeline, identities: &[Identity]) -> Self {
        let mut bearers: BTreeMap<(Name, SourceId), Vec<usize>> = BTreeMap::new();
        for (index, (moment, identity)) in timeline.moments.iter().zip(identities).enumerate() {
            if moment.record.event.role() == Role::Context {
                continue;
            }
            for name in borne(identity) {
                bearers.entry((name, moment.record.at.source)).or_default().push(index);
            }
        }
        let shelf = |indices: Vec<usize>| Shelf::new(&timeline.moments, indices.into_iter());
        Self { bearers: bearers.into_iter().map(|(key, indices)| (key, shelf(indices))).collect() }
    }

    /// The strongest link with which `shared` ties any moment of another log between two times, asked of those alone
    /// that share a name, and of no more once a link can no longer be beaten.
    pub(super) fn strongest(
        &self,
        timeline: &Timeline,
        identity: &Identity,
        own: SourceId,
        (begin, end): (i64, i64),
        shared: impl Fn(usize) -> Option<Link>,
    ) -> Option<Link> {
        let mut best = None;
        for (least, name) in asked(identity) {
            let shelves = self.bearers.range((name.clone(), SourceId(0))..=(name, SourceId(usize::MAX)));
            for (_, shelf) in shelves.filter(|((_, source), _)| *source != own) {
                if best >= Some(least) {
                    break;
                }
                let links = shelf.iter_within(&timeline.moments, begin, end).filter_map(&shared);
                // Under a name nobody is tied by less than it is worth.
                best = best.max(at_least(links, least));
            }
        }
        best
    }
}

/// The strongest of some links, of which the first that reaches `enough` will do.
fn at_least(links: impl Iterator<Item = Link>, enough: Link) -> Option<Link> {
    let mut best = None;
    for link in links {
        best = best.max(Some(link));
        if link >= enough {
            break;
        }
    }
    best
}

/// The names that an identity stands under.
pub(super) fn borne(identity: &Identity) -> Vec<Name> {
    let mut names = Vec::new();
    let texts = [
        (Of::Kernel, &identity.kernels),
        (Of::ContainerName, &identity.container_names),
        (Of::Pod, &identity.pods),
        (Of::LikelyName, &identity.likely_names),
        (Of::SpawnedName, &identity.spawned_names),
        (Of::Owner, &identity.owners),
    ];
    for (of, set) in texts {
        names.extend(set.iter().map(|name| (of, name.clone())));
    }
    for (of, set) in [(Of::HostProcess, &identity.host_pids), (Of::OwnProcess, &identity.own_pids)] {
        names.extend(set.iter().map(|pid| (of, pid.to_string())));
    }
    let short = identity.containers.iter().filter_map(|id| id.get(..SHORT_ID));
    names.extend(short.map(|id| (Of::Container, id.to_owned())));
    names
}

/// The names under which those stand who share something with an identity, and what each is worth, the best first.
pub(super) fn asked(identity: &Identity) -> Vec<(Link, Name)> {
    let mut names = borne(identity);
    for likely in &identity.likely_names {
        names.extend([Of::ContainerName, Of::Pod, Of::SpawnedName].map(|of| (of, likely.clone())));
    }
    for name in identity.container_names.iter().chain(&identity.pods).chain(&identity.spawned_names) {
        names.push((Of::LikelyName, name.clone()));
    }
    let worth = |of: Of| match of {
        Of::Kernel => Link::SameKernel,
        Of::HostProcess | Of::OwnProcess => Link::SameProcess,
        Of::Container | Of::ContainerName | Of::Pod | Of::LikelyName => Link::SameContainer,
        // Two records of one user's server share its name, and no more than their user.
        Of::Owner | Of::SpawnedName => Link::SameOwner,
        Of::Place | Of::Host => Link::TimeOnly,
    };
    let mut asked: Vec<_> = names.into_iter().map(|name| (worth(name.0), name)).collect();
    asked.sort_by_key(|(link, _)| Reverse(*link));
    asked
}
