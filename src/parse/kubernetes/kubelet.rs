//! kubelet's own log (klog): evictions and killed containers.
//!
//! It reads the message and its `key="value"` pairs; before 1.20 the same words stood without quotes.

use crate::{
    event::{PodEnded, PodEvent},
    line::{Line, shorten},
    parse::{
        Claim, Found,
        linux::{after, between, some_text},
    },
};

/// What the lines before said.
#[derive(Default)]
pub(super) struct Kubelet {
    /// The resource that ran out.
    resource: Option<String>,
}

impl Kubelet {
    /// Looks at one line; `None` if it is not kubelet's.
    pub(super) fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
        let text = line.text;
        if text.contains("must evict pod(s) to reclaim") || text.contains("attempting to reclaim") {
            let old = || after(text, "to reclaim ").filter(|_| !text.contains('"')).and_then(some_text);
            self.resource = value(text, "resourceName").map(str::to_owned).or_else(old);
            return Some(Claim::Mine);
        }
        if text.contains("is evicted successfully") {
            return Some(self.evicted(line, found));
        }
        if text.contains("liveness probe, will be restarted") || text.contains("startup probe, will be restarted") {
            return probe(line, found);
        }
        if text.contains("Killing container with a grace period") {
            found.push(Found::on(line, happened("Killing", text)));
            return Some(Claim::Mine);
        }
        // `prober.go:107] "Probe failed" probeType="Liveness" pod="ml/lab-0" … probeResult="failure" output="…"`, before 1.20
        // `prober.go:117] Liveness probe for "lab-0_ml(<uid>):notebook" failed (failure): …`.
        let failed = text.contains("\"Probe failed\" probeType=\"Liveness\"")
            || text.contains("prober.go") && text.contains("iveness probe for ") && text.contains(" failed ");
        if failed {
            let message = Some(format!("Liveness probe failed: {}", shorten(text)));
            found.push(Found::on(line, PodEvent { message, ..happened("Unhealthy", text) }));
            return Some(Claim::Mine);
        }
        None
    }

    /// `"Eviction manager: pod is evicted successfully" pod="default/nginx"`.
    fn evicted(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        let (namespace, pod) = pod(line.text);
        let complete = pod.is_some();
        let event = PodEnded {
            pod,
            namespace,
            reason: Some("Evicted".to_owned()),
            resource: self.resource.clone(),
            ..PodEnded::default()
        };
        found.push(Found::on(line, event));
        if complete { Claim::Mine } else { Claim::Damaged("a pod".to_owned()) }
    }
}

/// What happened to the pod that a line names.
fn happened(reason: &str, text: &str) -> PodEvent {
    let (namespace, pod) = pod(text);
    PodEvent {
        pod,
        namespace,
        pod_uid: value(text, "podUID").map(str::to_owned),
        object: Some("Pod".to_owned()),
        reason: Some(reason.to_owned()),
        message: Some(shorten(text)),
        component: Some("kubelet".to_owned()),
        count: None,
    }
}

/// `"Message for Container of pod" … containerMessage="Container notebook failed liveness probe, will be restarted"`.
fn probe(line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    let text = line.text;
    // The same words are an event's message, which the table reads.
    if !text.contains("kuberuntime") && !text.contains("containerMessage=") {
        return None;
    }
    let (namespace, pod) = pod(text);
    let reason = if text.contains("liveness") { "LivenessProbe" } else { "StartupProbe" };
    let event = PodEnded {
        pod,
        namespace,
        container_name: value(text, "containerName").or_else(|| between(text, "Container ", " failed")).and_then(some_text),
        container_id: between(text, "containerStatusID={", "}").and_then(|id| id.rsplit(['/', ' ']).next()).and_then(some_text),
        reason: Some(reason.to_owned()),
        ..PodEnded::default()
    };
    found.push(Found::on(line, event));
    Some(Claim::Mine)
}

/// The namespace and name of `pod="prod/jupyter-rosa"`; before 1.20 `pod prod/jupyter-rosa is evicted` or
/// `pod jupyter-rosa_prod(<uid>)`.
fn pod(text: &str) -> (Option<String>, Option<String>) {
    let old = || between(text, "pod ", " ").filter(|_| !text.contains('"'));
    let probed = || between(text, "iveness probe for \"", "\"");
    let named = value(text, "pod").or_else(old).or_else(probed);
    let Some(name) = named.map(|name| name.split('(').next().unwrap_or(name)) else { return (None, None) };
    match (name.split_once('/'), name.split_once('_')) {
        (Some((namespace, pod)), _) | (None, Some((pod, namespace))) => (some_text(namespace), some_text(pod)),
        (None, None) => (None, some_text(name)),
    }
}

/// The value of a key, which has quotes or not (`podUID`).
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = text.match_indices(key).find_map(|(at, _)| {
        let clean = text.get(..at)?.ends_with(' ');
        let rest = text.get(at + key.len()..)?.strip_prefix('=')?;
        clean.then_some((at, rest))
    })?;
    match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split_whitespace().next(),
    }
}
