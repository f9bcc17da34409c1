//! Containers and pods that an engine's or orchestrator's log mentions, and that have nothing to do with Jupyter.
//!
//! It judges by names and by who else mentions them; it knows no cause and no rule.

use super::Identity;
use crate::{
    event::Event,
    source::SourceId,
    stamp::SECOND,
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
/// Programs that are no notebooks and run in containers beside them, as their images, containers and pods are named.
const OTHERS: [&str; 36] = [
    "alertmanager",
    "cadvisor",
    "clickhouse",
    "consul",
    "elasticsearch",
    "etcd",
    "fluentd",
    "gitea",
    "grafana",
    "haproxy",
    "influxdb",
    "kafka",
    "keycloak",
    "kibana",
    "logstash",
    "mariadb",
    "memcached",
    "minio",
    "mongo",
    "mongodb",
    "mysql",
    "nats",
    "nginx",
    "opensearch",
    "portainer",
    "postgres",
    "postgresql",
    "prometheus",
    "promtail",
    "rabbitmq",
    "redis",
    "registry",
    "traefik",
    "vault",
    "watchtower",
    "zookeeper",
];
/// How Zero to JupyterHub names the pods of its own in which no notebook runs. Placeholders are there to be pre-empted, and
/// users' pods outlive the hub's and the proxy's.
const HUBS_OWN: [&str; 4] = ["user-placeholder-", "user-scheduler-", "image-puller-", "hook-image-"];
/// The same, where only a name's beginning tells.
const HUBS_OWN_BEGIN: [&str; 3] = ["hub-", "proxy-", "autohttps-"];
/// Containers are named by the beginning of their id.
const SHORT_ID: usize = 12;
/// An engine tells of an OOM kill up to some seconds after Linux, and their clocks differ a little.
const ENGINE_LAG: i64 = 10 * SECOND;

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

/// What happened to others than notebooks: whatever engines and orchestrators tell of a database's container or pod, and
/// what engines call an OOM, of which Linux says that it killed a process of the same container that is no kernel.
pub(super) fn theirs(timeline: &Timeline, identities: &[Identity]) -> BTreeSet<usize> {
    let mut kills: BTreeMap<String, Vec<(i64, bool)>> = BTreeMap::new();
    for (moment, identity) in timeline.moments.iter().zip(identities) {
        if let (Event::OomKill(_), Some(when)) = (&moment.record.event, moment.when) {
            let foreign = is_kill_of_a_stranger(&moment.record.event);
            for name in containers(identity) {
                kills.entry(name).or_default().push((when.earliest, foreign));
            }
        }
    }
    let is_theirs = |moment: &Moment, identity: &Identity| {
        let Some(when) = moment.when else { return false };
        let names = containers(identity);
        let mut near = names
            .iter()
            .filter_map(|name| kills.get(name))
            .flatten()
            .filter(|(at, _)| at.abs_diff(when.earliest) <= ENGINE_LAG.unsigned_abs())
            .peekable();
        near.peek().is_some() && near.all(|(_, foreign)| *foreign)
    };
    let moments = timeline.moments.iter().zip(identities).enumerate();
    moments
        .filter(|(_, (moment, identity))| {
            let event = &moment.record.event;
            speaks_of_others(identity, event)
                || matches!(event, Event::ContainerOom(_))
                    && !speaks_of_notebooks(identity, event)
                    && is_theirs(moment, identity)
        })
        .map(|(index, _)| index)
        .collect()
}

/// Whether Linux killed a program that is neither kernel nor server.
pub(super) fn is_kill_of_a_stranger(event: &Event) -> bool {
    matches!(event, Event::OomKill(kill) if kill.victim.as_deref() == Some("stranger"))
}

/// Whether a container's name, its pod's or its image speaks of notebooks.
fn speaks_of_notebooks(identity: &Identity, event: &Event) -> bool {
    let image = event.text("image");
    let spoken = identity.container_names.iter().chain(&identity.pods).chain(image.as_ref());
    spoken.map(|text| text.to_lowercase()).any(|text| TELLING.iter().any(|word| text.contains(word)))
}

/// Whether what an engine or orchestrator tells is about a database, a proxy, a part of the hub itself. A user's container
/// may be named after both.
fn speaks_of_others(identity: &Identity, event: &Event) -> bool {
    let told = matches!(
        event,
        Event::ContainerDie(_)
            | Event::ContainerKill(_)
            | Event::ContainerOom(_)
            | Event::ContainerState(_)
            | Event::ContainerStop(_)
            | Event::PodEnded(_)
            | Event::PodEvent(_)
    );
    told && (identity.pods.iter().any(|pod| is_hubs_own(pod))
        || !speaks_of_notebooks(identity, event) && is_named_after_another(identity, event))
}

/// Whether a pod is a part of the hub itself.
fn is_hubs_own(pod: &str) -> bool {
    HUBS_OWN.iter().any(|part| pod.contains(part)) || HUBS_OWN_BEGIN.iter().any(|part| pod.starts_with(part))
}

/// Whether a container's name or image is that of another program, or its pod's where those are not told: of a pod's
/// containers only one may be the notebook's.
fn is_named_after_another(identity: &Identity, event: &Event) -> bool {
    let image = event.text("image").map(|image| image.rsplit('/').next().unwrap_or(&image).to_owned());
    let containers = image.iter().chain(&identity.container_names);
    let names: Vec<&String> = if containers.clone().next().is_some() {
        containers.collect()
    } else {
        identity.pods.iter().collect()
    };
    let mut words = names.iter().flat_map(|name| name.split(|c: char| !c.is_ascii_alphanumeric()));
    words.any(|word| OTHERS.binary_search(&word).is_ok())
}

/// The short ids of the containers of a record.
fn containers(identity: &Identity) -> BTreeSet<String> {
    identity.containers.iter().map(|id| id.get(..SHORT_ID).unwrap_or(id).to_owned()).collect()
}

/// The names of the container and the pod of a record.
fn names(identity: &Identity) -> BTreeSet<String> {
    if identity.pods.is_empty() { containers(identity) } else { identity.pods.clone() }
}
