//! Of what a thing has only one, so that two identities that know different ones contradict each other.
//!
//! It mirrors [`Identity::contradicts`]: who does not share a name here, though both know one, contradicts there. The
//! reverse need not hold, so whoever is found by these names still has to be asked.

use super::{
    Identity, Link,
    identity::{SHORT_ID, pod_names},
    names::{Name, Of, asked, borne},
};
use std::collections::{BTreeMap, BTreeSet};

/// A name as a number.
pub(super) type Number = usize;

/// What a thing has only one of, the most telling first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Single {
    Kernel,
    Container,
    Pod,
    User,
    Job,
    /// Two places do not contradict each other where a kernel is shared; that is asked for first.
    Place,
    Host,
}

impl Single {
    const ALL: [Self; 7] =
        [Self::Kernel, Self::Container, Self::Pod, Self::User, Self::Job, Self::Place, Self::Host];
}

/// The single things that an identity knows, and their names. A name too short to be anybody's is left out: there the
/// thing is known and nobody shares it.
pub(super) type Singles = BTreeMap<Single, Vec<Number>>;

/// The names of some identities, numbered.
#[derive(Debug, Default)]
pub(super) struct Numbers(BTreeMap<Name, Number>);

impl Numbers {
    /// Numbers the names of some identities.
    pub(super) fn new<'i>(identities: impl Iterator<Item = &'i Identity>) -> Self {
        let mut numbers = BTreeMap::new();
        for identity in identities {
            let single = single_names(identity).into_iter().map(|(_, name)| name);
            for name in borne(identity).into_iter().chain(single) {
                let next = numbers.len();
                numbers.entry(name).or_insert(next);
            }
        }
        Self(numbers)
    }

    fn of(&self, name: &Name) -> Option<Number> {
        self.0.get(name).copied()
    }

    /// The names that tie an identity to others.
    pub(super) fn borne(&self, identity: &Identity) -> BTreeSet<Number> {
        borne(identity).iter().filter_map(|name| self.of(name)).collect()
    }

    /// The names under which those stand who share something with an identity, and the least that each is worth.
    pub(super) fn asked(&self, identity: &Identity) -> Vec<(Link, Number)> {
        let asked = asked(identity).into_iter();
        asked.filter_map(|(link, name)| Some((link, self.of(&name)?))).collect()
    }

    /// What contradicts those who have another.
    pub(super) fn singles(&self, identity: &Identity) -> Singles {
        let known = Single::ALL.into_iter().filter(|single| knows(identity, *single));
        let mut singles: Singles = known.map(|single| (single, Vec::new())).collect();
        for (single, name) in single_names(identity) {
            singles.entry(single).or_default().extend(self.of(&name));
        }
        singles
    }
}

/// Whether an identity knows one of what there is only one of.
fn knows(identity: &Identity, single: Single) -> bool {
    let owns = |kind: &str| identity.owners.iter().any(|owner| owner.starts_with(kind));
    match single {
        Single::Kernel => !identity.kernels.is_empty(),
        Single::Container => !identity.containers.is_empty(),
        Single::Pod => !pod_names(identity).is_empty(),
        Single::User => owns("user:"),
        Single::Job => owns("job:"),
        Single::Place => !identity.places.is_empty(),
        Single::Host => !identity.hosts.is_empty(),
    }
}

/// The names by which two identities are held against each other.
fn single_names(identity: &Identity) -> Vec<(Single, Name)> {
    let mut names = Vec::new();
    let sets = [
        (Single::Kernel, Of::Kernel, &identity.kernels),
        (Single::Place, Of::Place, &identity.places),
        (Single::Host, Of::Host, &identity.hosts),
    ];
    for (single, of, set) in sets {
        names.extend(set.iter().map(|name| (single, (of, name.clone()))));
    }
    for owner in &identity.owners {
        let of_one = [("user:", Single::User), ("job:", Single::Job)].into_iter();
        let single = of_one.filter(|(kind, _)| owner.starts_with(kind)).map(|(_, single)| single);
        names.extend(single.map(|single| (single, (Of::Owner, owner.clone()))));
    }
    let short = identity.containers.iter().filter_map(|id| id.get(..SHORT_ID));
    names.extend(short.map(|id| (Single::Container, (Of::Container, id.to_owned()))));
    let pods = pod_names(identity).into_iter();
    names.extend(pods.map(|pod| (Single::Pod, (Of::Pod, pod.to_owned()))));
    names
}
