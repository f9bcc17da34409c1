//! Containers and pods that an engine's or orchestrator's log mentions, and that have nothing to do with Jupyter.
//!
//! It judges by names and by who else mentions them; it knows no cause and no rule.

use super::{Identity, theirs::speaks_of_others};
use crate::{
    event::Event,
    source::SourceId,
    timeline::{Moment, Timeline},
};
use std::collections::{BTreeMap, BTreeSet};

/// What stands in the names or images of containers and pods in which notebooks run.
const TELLING: [&str; 8] = [
    "jupyter",
    "notebook",
    "singleuser",
    "ipykernel",
    "jhub",
    "workbench",
    "datascience",
    "enterprise-gateway",
];
/// Containers are named by the beginning of their id.
const SHORT_ID: usize = 12;

/// Which logs mention which containers and pods.
#[derive(Debug, Default)]
pub(super) struct Strangers {
    mentioned: BTreeMap<String, BTreeSet<SourceId>>,
    in_log: BTreeMap<SourceId, BTreeSet<String>>,
}

impl Strangers {
    /// Reads who is mentioned where.
    pub(super) fn new(timeline: &Timeline, identities: &[Identity]) -> Self {
        let mut strangers = Self::default();
        for (moment, identity) in timeline.moments.iter().zip(identities) {
            let source = moment.record.at.source;
            // That a database was killed in its container does not make the container Jupyter's.
            if is_kill_of_a_stranger(&moment.record.event) {
                continue;
            }
            for name in names(identity) {
                strangers.mentioned.entry(name.clone()).or_default().insert(source);
                strangers.in_log.entry(source).or_default().insert(name);
            }
            for name in &identity.likely_names {
                strangers.mentioned.entry(name.clone()).or_default().insert(source);
            }
        }
        strangers
    }

    /// Whether an ending is that of a container or pod that is none of Jupyter's: its log is about several, or a server
    /// lives on; no other log knows it, and neither its name nor its image speaks of notebooks.
    pub(super) fn include(&self, identity: &Identity, moment: &Moment, lives_on: bool) -> bool {
        if !matches!(
            moment.record.event,
            Event::ContainerDie(_)
                | Event::ContainerOom(_)
                | Event::ContainerState(_)
                | Event::PodEnded(_)
                | Event::PodEvent(_)
        ) {
            return false;
        }
        if speaks_of_others(identity, &moment.record.event) {
            return true;
        }
        let own = names(identity);
        let telling = speaks_of_notebooks(identity, &moment.record.event);
        let known = |name: &String| self.mentioned.get(name).is_some_and(|sources| sources.len() > 1);
        let others = self.in_log.get(&moment.record.at.source).is_some_and(|names| !names.is_subset(&own));
        let lives_on = lives_on && !matches!(moment.record.event, Event::ContainerOom(_));
        !own.is_empty()
            && identity.kernels.is_empty()
            && (others || lives_on)
            && !telling
            && !own.iter().any(known)
            && !identity.container_names.iter().any(known)
    }
}

/// Whether Linux killed a program that is neither kernel nor server.
pub(super) fn is_kill_of_a_stranger(event: &Event) -> bool {
    matches!(event, Event::OomKill(kill) if kill.victim.as_deref() == Some("stranger"))
}

/// Whether a container's name, its pod's or its image speaks of notebooks.
pub(super) fn speaks_of_notebooks(identity: &Identity, event: &Event) -> bool {
    let image = event.text("image");
    let spoken = identity.container_names.iter().chain(&identity.pods).chain(image.as_ref());
    spoken.map(|text| text.to_lowercase()).any(|text| TELLING.iter().any(|word| text.contains(word)))
}

/// The short ids of the containers of a record.
pub(super) fn containers(identity: &Identity) -> BTreeSet<String> {
    identity.containers.iter().map(|id| id.get(..SHORT_ID).unwrap_or(id).to_owned()).collect()
}

/// The names of the container and the pod of a record.
fn names(identity: &Identity) -> BTreeSet<String> {
    if identity.pods.is_empty() { containers(identity) } else { identity.pods.clone() }
}
