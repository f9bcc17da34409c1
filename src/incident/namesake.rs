//! Logs named after containers and pods that other logs know: `jupyter-ada.log` beside an engine's `name=jupyter-ada`.
//!
//! What a log is likely to be named after is only a guess. Once somebody else speaks of a container or pod of that very
//! name, the log is that one's, and no other's end can be its end.

use super::{Identity, identity::pod_names};
use std::collections::{BTreeMap, BTreeSet};

/// The length of a kernel's id.
const UUID: usize = 36;

/// Gives pods and containers that are named after a kernel, as Enterprise Gateway names them (`mia-<kernel id>`), their
/// kernel. An id that nobody else calls a kernel's may be anything's.
pub(super) fn resolve_kernels(identities: &mut [Identity]) {
    let known: BTreeSet<String> =
        identities.iter().flat_map(|identity| identity.kernels.iter().cloned()).collect();
    if known.is_empty() {
        return;
    }
    for identity in identities.iter_mut().filter(|identity| identity.kernels.is_empty()) {
        let names = identity.pods.iter().chain(&identity.container_names);
        let ids = names.filter_map(|name| name.get(name.len().checked_sub(UUID)?..));
        identity.kernels = ids.filter(|id| known.contains(*id)).map(str::to_owned).collect();
    }
}

/// Gives the identities whose likely names are known what they are the names of.
pub(super) fn resolve(identities: &mut [Identity]) {
    let mut containers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut pods: BTreeSet<String> = BTreeSet::new();
    for identity in identities.iter() {
        if let (Some(name), Some(id), 1) =
            (identity.container_names.first(), identity.containers.first(), identity.containers.len())
        {
            containers.entry(name.clone()).or_default().insert(id.clone());
        }
        pods.extend(pod_names(identity).into_iter().map(str::to_owned));
    }
    if containers.is_empty() && pods.is_empty() {
        return;
    }
    for identity in identities {
        let names: Vec<String> = identity.likely_names.iter().cloned().collect();
        for name in names {
            if identity.containers.is_empty()
                && let Some(ids) = containers.get(&name)
            {
                identity.containers.extend(ids.iter().cloned());
            }
            if pod_names(identity).is_empty() && pods.contains(&name) {
                identity.pods.insert(name);
            }
        }
    }
}
