//! An event object of Kubernetes, whatever it was printed as, and what it means: an end, or something that went on.
//!
//! Reasons are many words for few things; here they become one word each. It reads no tables.

use super::container::role_of_name;
use crate::{
    envelope::prim::iso,
    event::{Event, PodEnded, PodEvent},
    line::{Line, shorten},
    parse::{
        Claim, Found,
        linux::{between, some_text},
    },
    stamp::Stamp,
};
use serde_json::Value;

/// What an event says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct KubernetesEvent {
    pub(crate) reason: String,
    pub(crate) message: String,
    /// `Pod`, `Node`, …
    pub(crate) object: String,
    pub(crate) name: Option<String>,
    pub(crate) namespace: Option<String>,
    pub(crate) uid: Option<String>,
    pub(crate) container: Option<String>,
    pub(crate) component: Option<String>,
    pub(crate) node: Option<String>,
    pub(crate) count: Option<i64>,
}

impl KubernetesEvent {
    /// The event of the catalogue.
    pub(crate) fn event(self) -> Event {
        let pod = self.object.eq_ignore_ascii_case("pod");
        match end(&self.reason, &self.message).filter(|_| pod) {
            Some(reason) => PodEnded {
                resource: (reason == "Evicted").then(|| resource(&self.message)).flatten().map(str::to_owned),
                container_role: self.role(reason),
                container_name: self.container.clone().or_else(|| container(&self.message)),
                pod: self.name,
                namespace: self.namespace,
                pod_uid: self.uid,
                reason: Some(reason.to_owned()),
                node: self.node,
                message: some_text(&shorten(&self.message)),
                ..PodEnded::default()
            }
            .into(),
            None => PodEvent {
                pod: self.name.filter(|_| pod),
                namespace: self.namespace,
                pod_uid: self.uid.filter(|_| pod),
                object: some_text(&self.object),
                reason: some_text(&self.reason),
                message: some_text(&shorten(&self.message)),
                component: self.component,
                count: self.count,
            }
            .into(),
        }
    }

    /// The role of the container that ended, where it is one container and not the pod.
    fn role(&self, reason: &str) -> Option<String> {
        let of_one = matches!(reason, "OOMKilled" | "LivenessProbe" | "StartupProbe");
        let name = self.container.clone().or_else(|| container(&self.message)).filter(|_| of_one);
        role_of_name(name.as_deref())
    }
}

/// The one word for an event that ends a pod or container.
pub(crate) fn end(reason: &str, message: &str) -> Option<&'static str> {
    match reason {
        // Karpenter: `Evicted pod: Underutilized`, before 1.0 only `Evicted pod`; the node goes, not its memory.
        "Evicted" if message.contains("SpotInterrupt") => Some("TerminationByPlatform"),
        "Evicted" if message.trim_start().starts_with("Evicted pod") => Some("ScaleDown"),
        "Evicted" => Some("Evicted"),
        "OOMKilled" => Some("OOMKilled"),
        "Preempted" | "Preempting" => Some("Preempted"),
        "ScaleDown" => Some("ScaleDown"),
        "DeadlineExceeded" => Some("DeadlineExceeded"),
        "NodeLost" => Some("NodeLost"),
        "NodeShutdown" => Some("NodeShutdown"),
        // The taint manager also says that it changed its mind.
        "TaintManagerEviction" if message.contains("Marking for deletion") => Some("NodeLost"),
        "Killing" if message.contains("liveness probe") => Some("LivenessProbe"),
        "Killing" if message.contains("startup probe") => Some("StartupProbe"),
        "Terminated" if message.contains("node shutdown") => Some("NodeShutdown"),
        _ => None,
    }
}

/// What an eviction says has run out.
pub(crate) fn resource(message: &str) -> Option<&'static str> {
    const WORDS: [(&str, &str); 11] = [
        ("low on resource: memory", "memory"),
        ("low on resource: ephemeral-storage", "ephemeral-storage"),
        ("low on resource: pids", "pids"),
        ("low on resource: inodes", "nodefs"),
        ("low on resource: ", "nodefs"),
        ("MemoryPressure", "memory"),
        ("DiskPressure", "nodefs"),
        ("PIDPressure", "pids"),
        ("EmptyDir", "ephemeral-storage"),
        ("ephemeral local storage", "ephemeral-storage"),
        ("local ephemeral storage", "ephemeral-storage"),
    ];
    WORDS.iter().find(|(words, _)| message.contains(words)).map(|(_, resource)| *resource)
}

/// The container that a message names: `Container notebook was using …`, `Container notebook failed liveness probe`,
/// before 1.14 `Killing container with id docker://notebook:Container failed …`.
pub(crate) fn container(message: &str) -> Option<String> {
    if let Some(name) = between(message, "docker://", ":") {
        return some_text(name);
    }
    let (_, rest) = message.split_once("ontainer ")?;
    let (name, rest) = rest.split_once(' ')?;
    let told = ["was using", "failed ", "exceeded "].iter().any(|verb| rest.starts_with(verb));
    told.then(|| name.to_owned())
}

/// An event as one line of JSON; `None` if the line is none.
pub(super) fn json_line(line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    let text = line.text.trim().trim_end_matches(',');
    if !text.starts_with('{') || !(text.contains("\"involvedObject\"") || text.contains("\"regarding\"")) {
        return None;
    }
    let Ok(object) = serde_json::from_str::<Value>(text) else {
        return Some(Claim::Damaged("the end of a JSON object".to_owned()));
    };
    let event = from_object(&object)?;
    let mut event = Found::on(line, event.event());
    if let Some(stamp) = time(&object) {
        event.mark.date(stamp);
    }
    found.push(event);
    Some(Claim::Mine)
}

/// Reads an event object (`v1` or `events.k8s.io/v1`).
pub(crate) fn from_object(object: &Value) -> Option<KubernetesEvent> {
    let about = object.get("involvedObject").or_else(|| object.get("regarding"))?;
    let source = object.get("source").or_else(|| object.get("deprecatedSource")).unwrap_or(&Value::Null);
    let count = object.get("count").or_else(|| object.get("series")?.get("count")).and_then(Value::as_i64);
    Some(KubernetesEvent {
        reason: text(object, "reason")?,
        message: text(object, "message").or_else(|| text(object, "note")).unwrap_or_default(),
        object: text(about, "kind").unwrap_or_default(),
        name: text(about, "name"),
        namespace: text(about, "namespace"),
        uid: text(about, "uid"),
        // `spec.containers{notebook}`
        container: text(about, "fieldPath").and_then(|path| between(&path, "{", "}").and_then(some_text)),
        component: text(object, "reportingComponent").or_else(|| text(source, "component")),
        node: text(source, "host"),
        count,
    })
}

/// When an event happened last.
pub(crate) fn time(object: &Value) -> Option<Stamp> {
    let series = object.get("series").and_then(|series| text(series, "lastObservedTime"));
    let own = || ["lastTimestamp", "eventTime", "firstTimestamp", "deprecatedLastTimestamp"].iter().find_map(|key| text(object, key));
    let printed = series.or_else(own)?;
    iso(&printed).ok().map(|(_, stamp)| stamp)
}

/// A text member that says something.
pub(crate) fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}
