//! What a record, an incident or a log says of who it is about.

use super::Link;
use crate::event::{Channel, Record};
use std::collections::BTreeSet;

/// A set of names for one thing. Empty sets say nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// Kernel ids.
    pub kernels: BTreeSet<String>,
    /// Process ids in the host's numbering.
    pub host_pids: BTreeSet<i64>,
    /// Process ids as the process itself or its container counts.
    pub own_pids: BTreeSet<i64>,
    /// Container ids, whole or shortened.
    pub containers: BTreeSet<String>,
    /// Container names.
    pub container_names: BTreeSet<String>,
    /// Pod names and uids.
    pub pods: BTreeSet<String>,
    /// Users, units, jobs and notebooks.
    pub owners: BTreeSet<String>,
    /// Hosts.
    pub hosts: BTreeSet<String>,
}

/// The shortest beginning of a container id that names it.
const SHORT_ID: usize = 12;

impl Identity {
    /// What a record says.
    pub fn of(record: &Record) -> Self {
        let text = |field: &str| record.event.text(field).filter(|text| !text.is_empty());
        let mut identity = Self::default();
        identity.kernels.extend(text("kernel_id"));
        identity.containers.extend(text("container_id"));
        identity.container_names.extend(text("container_name"));
        identity.pods.extend(text("pod"));
        identity.pods.extend(text("pod_uid"));
        for owner in ["user", "unit", "job", "notebook"] {
            identity.owners.extend(text(owner).map(|name| format!("{owner}:{name}")));
        }
        if let Some(pid) = record.event.integer("pid") {
            let host =
                record.origin.channel == Channel::RingBuffer || record.event.kind().name.starts_with("oom.");
            if host {
                identity.host_pids.insert(pid)
            } else {
                identity.own_pids.insert(pid)
            };
        }
        identity.containers.extend(record.origin.container_id.clone());
        identity.container_names.extend(record.origin.container_name.clone());
        identity.pods.extend(record.origin.pod.clone());
        identity.hosts.extend(record.origin.host.clone());
        identity
    }

    /// Adds another's names.
    pub fn absorb(&mut self, other: &Self) {
        self.kernels.extend(other.kernels.iter().cloned());
        self.host_pids.extend(&other.host_pids);
        self.own_pids.extend(&other.own_pids);
        self.containers.extend(other.containers.iter().cloned());
        self.container_names.extend(other.container_names.iter().cloned());
        self.pods.extend(other.pods.iter().cloned());
        self.owners.extend(other.owners.iter().cloned());
        self.hosts.extend(other.hosts.iter().cloned());
    }

    /// Whether names of the same kind are known on both sides and none is shared.
    pub fn contradicts(&self, other: &Self) -> bool {
        disjoint(&self.kernels, &other.kernels)
            || (!self.containers.is_empty() && !other.containers.is_empty() && !shares_container(self, other))
            || disjoint(&self.hosts, &other.hosts)
            || kinds_of_owner().any(|kind| disjoint(&owners(self, kind), &owners(other, kind)))
    }

    /// The strongest name shared.
    pub fn shared(&self, other: &Self) -> Option<Link> {
        let process =
            !self.host_pids.is_disjoint(&other.host_pids) || !self.own_pids.is_disjoint(&other.own_pids);
        if !self.kernels.is_disjoint(&other.kernels) {
            Some(Link::SameKernel)
        } else if process {
            Some(Link::SameProcess)
        } else if shares_container(self, other)
            || !self.container_names.is_disjoint(&other.container_names)
            || !self.pods.is_disjoint(&other.pods)
        {
            Some(Link::SameContainer)
        } else if !self.owners.is_disjoint(&other.owners) {
            Some(Link::SameOwner)
        } else {
            None
        }
    }
}

/// The kinds of owners of which a thing has only one.
fn kinds_of_owner() -> impl Iterator<Item = &'static str> {
    ["user:", "job:"].into_iter()
}

/// The owners of a kind.
fn owners(identity: &Identity, kind: &str) -> BTreeSet<String> {
    identity.owners.iter().filter(|owner| owner.starts_with(kind)).cloned().collect()
}

/// Whether both are known and none is shared.
fn disjoint<T: Ord>(one: &BTreeSet<T>, other: &BTreeSet<T>) -> bool {
    !one.is_empty() && !other.is_empty() && one.is_disjoint(other)
}

/// Whether a container id of one is the beginning of one of the other.
fn shares_container(one: &Identity, other: &Identity) -> bool {
    one.containers.iter().any(|one| {
        other.containers.iter().any(|other| {
            let length = one.len().min(other.len());
            length >= SHORT_ID && one.get(..length) == other.get(..length)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn container(id: &str) -> Identity {
        Identity { containers: BTreeSet::from([id.to_owned()]), ..Identity::default() }
    }

    #[test]
    fn a_shortened_container_id_is_the_same_container() {
        let long = container("3135e7ba134cd358e809d6a3d567c4409e23fe50e4f8c64c7db39b8052544f7e");
        let short = container("3135e7ba134c");
        assert_eq!(long.shared(&short), Some(Link::SameContainer));
        assert!(!long.contradicts(&short));
        assert!(long.contradicts(&container("4135e7ba134c")));
    }

    #[test]
    fn one_user_is_not_another() {
        let owner =
            |name: &str| Identity { owners: BTreeSet::from([format!("user:{name}")]), ..Identity::default() };
        assert!(owner("ada").contradicts(&owner("grace")));
        assert!(!owner("ada").contradicts(&Identity::default()));
    }
}
