//! What engines and orchestrators tell of others than notebooks: databases, proxies, the hub's own pods.
//!
//! Names and images tell, and what Linux says of the same container. It knows no cause and no rule.

use super::{
    Identity,
    stranger::{containers, is_kill_of_a_stranger, speaks_of_notebooks},
};
use crate::{
    event::Event,
    stamp::SECOND,
    timeline::{Moment, Timeline},
};
use std::collections::{BTreeMap, BTreeSet};

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
/// How Zero to `JupyterHub` names the pods of its own in which no notebook runs. Placeholders are there to be pre-empted, and
/// users' pods outlive the hub's and the proxy's.
const HUBS_OWN: [&str; 4] = ["user-placeholder-", "user-scheduler-", "image-puller-", "hook-image-"];
/// The same, where only a name's beginning tells.
const HUBS_OWN_BEGIN: [&str; 3] = ["hub-", "proxy-", "autohttps-"];
/// An engine tells of an OOM kill up to some seconds after Linux, and their clocks differ a little.
const ENGINE_LAG: i64 = 10 * SECOND;

/// When Linux killed processes of a container.
#[derive(Debug, Default)]
struct Kills {
    strangers: BTreeSet<i64>,
    others: BTreeSet<i64>,
}

/// What happened to others than notebooks: whatever is told of a database's container or pod, and what engines call an OOM,
/// of which Linux says that it killed a process of the same container that is no kernel.
pub(super) fn theirs(timeline: &Timeline, identities: &[Identity]) -> BTreeSet<usize> {
    let kills = kills(timeline, identities);
    let moments = timeline.moments.iter().zip(identities).enumerate();
    let theirs = moments.filter(|(_, (moment, identity))| {
        let event = &moment.record.event;
        let oom = matches!(event, Event::ContainerOom(_)) && !speaks_of_notebooks(identity, event);
        speaks_of_others(identity, event) || oom && is_a_strangers(&kills, moment, identity)
    });
    theirs.map(|(index, _)| index).collect()
}

/// The kills of each container.
fn kills(timeline: &Timeline, identities: &[Identity]) -> BTreeMap<String, Kills> {
    let mut kills: BTreeMap<String, Kills> = BTreeMap::new();
    for (moment, identity) in timeline.moments.iter().zip(identities) {
        let (Event::OomKill(_), Some(when)) = (&moment.record.event, moment.when) else { continue };
        for name in containers(identity) {
            let known = kills.entry(name).or_default();
            let of_strangers = is_kill_of_a_stranger(&moment.record.event);
            let times = if of_strangers { &mut known.strangers } else { &mut known.others };
            times.insert(when.earliest);
        }
    }
    kills
}

/// Whether all that Linux killed in a container around a moment were strangers.
fn is_a_strangers(kills: &BTreeMap<String, Kills>, moment: &Moment, identity: &Identity) -> bool {
    let Some(when) = moment.when else { return false };
    let around = when.earliest.saturating_sub(ENGINE_LAG)..=when.latest.saturating_add(ENGINE_LAG);
    let names = containers(identity);
    let known: Vec<&Kills> = names.iter().filter_map(|name| kills.get(name)).collect();
    let any = |times: fn(&Kills) -> &BTreeSet<i64>| {
        known.iter().any(|kills| times(kills).range(around.clone()).next().is_some())
    };
    any(|kills| &kills.strangers) && !any(|kills| &kills.others)
}

/// Whether what an engine or orchestrator tells is about a database, a proxy, a part of the hub itself. A user's container
/// may be named after both.
pub(super) fn speaks_of_others(identity: &Identity, event: &Event) -> bool {
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
