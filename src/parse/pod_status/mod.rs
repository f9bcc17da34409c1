//! A pod's status or a list of events as a whole document, JSON or YAML (`kubectl get pod -o yaml`).
//!
//! Lines of Kubernetes are `kubernetes`'s; a container's `inspect` is `inspect`'s.

mod spec;
mod yaml;

use super::{
    Claim, Document, Found,
    kubernetes::event::{container, end, from_object, resource, text, time},
};
use crate::{
    envelope::prim::iso,
    event::{Event, PodEnded},
    line::{Mark, shorten},
    stamp::{ClockKind, Stamp},
};
use serde_json::Value;

/// The format.
pub const DOCUMENT: Document = Document { name: "kubernetes object", recognise, read };

/// Whether a file is an object of Kubernetes.
fn recognise(head: &str) -> bool {
    let start = head.trim_start();
    if start.starts_with('{') {
        return ["\"containerStatuses\"", "\"involvedObject\"", "\"phase\""].iter().any(|key| head.contains(key));
    }
    let has = |key: &str| head.lines().any(|line| line.trim_start().trim_start_matches("- ").starts_with(key));
    (has("status:") || has("kind:")) && (has("phase:") || has("containerStatuses:") || has("involvedObject:"))
}

/// Reads the document.
fn read(source: &str, found: &mut Vec<Found>) -> Claim {
    let start = source.trim_start();
    let documents = if start.starts_with('{') {
        match serde_json::from_str::<Value>(start) {
            Ok(value) => vec![value],
            // Events, an object a line, are lines.
            Err(error) if error.to_string().starts_with("trailing characters") => return Claim::NotMine,
            Err(_) => return broken(source, start, found),
        }
    } else {
        yaml::documents(source)
    };
    let mut places = Places::of(source);
    for document in &documents {
        object(document, &mut places, found);
    }
    if found.is_empty() && documents.iter().all(|document| !document.is_object()) { Claim::NotMine } else { Claim::Mine }
}

/// Reads the items of a list that breaks off, as far as they are whole.
fn broken(source: &str, json: &str, found: &mut Vec<Found>) -> Claim {
    let mut places = Places::of(source);
    let mut rest = json.split_once("\"items\"").and_then(|(_, items)| items.split_once('[')).map_or("", |(_, items)| items);
    loop {
        rest = rest.trim_start_matches([',', ' ', '\n', '\r', '\t']);
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let Some(Ok(value)) = values.next() else { break };
        single(&value, &mut places, found);
        rest = rest.get(values.byte_offset()..).unwrap_or_default();
    }
    Claim::Damaged("valid JSON".to_owned())
}

/// Reads one object, or each of a list.
fn object(object: &Value, places: &mut Places<'_>, found: &mut Vec<Found>) {
    if let Some(items) = object.get("items").and_then(Value::as_array) {
        for item in items {
            single(item, places, found);
        }
    } else {
        single(object, places, found);
    }
}

/// An event or a pod.
fn single(object: &Value, places: &mut Places<'_>, found: &mut Vec<Found>) {
    if let Some(event) = from_object(object) {
        let mark = places.mark("reason", &event.reason.clone(), time(object));
        found.push(Found::at(&mark, event.event()));
    } else if let Some(status) = object.get("status") {
        pod(object, status, places, found);
    }
}

/// A pod: its own end and those of its containers.
fn pod(object: &Value, status: &Value, places: &mut Places<'_>, found: &mut Vec<Found>) {
    let meta = object.get("metadata").unwrap_or(&Value::Null);
    let base = PodEnded {
        pod: text(meta, "name"),
        namespace: text(meta, "namespace"),
        pod_uid: text(meta, "uid"),
        node: object.get("spec").and_then(|spec| text(spec, "nodeName")),
        ..PodEnded::default()
    };
    let containers = spec::containers(object, status);
    for container in status.get("containerStatuses").and_then(Value::as_array).into_iter().flatten() {
        let base = spec::about(&base, text(container, "name").as_deref(), &containers);
        for state in ["lastState", "state"] {
            if let Some(ended) = container.get(state).and_then(|state| state.get("terminated")).filter(|ended| ended.is_object()) {
                terminated(container, ended, &base, places, found);
            }
        }
    }
    if let Some(reason) = text(status, "reason") {
        let message = text(status, "message").unwrap_or_default();
        let event = PodEnded {
            resource: resource(&message).filter(|_| reason == "Evicted").map(str::to_owned),
            container_name: container(&message),
            message: Some(shorten(&message)).filter(|message| !message.is_empty()),
            reason: Some(end(&reason, &message).map_or(reason.clone(), str::to_owned)),
            ..base.clone()
        };
        let mark = places.mark("reason", &reason, None);
        found.push(Found::at(&mark, event));
    }
}

/// A container that has ended.
fn terminated(container: &Value, ended: &Value, base: &PodEnded, places: &mut Places<'_>, found: &mut Vec<Found>) {
    let id = text(ended, "containerID").or_else(|| text(container, "containerID"));
    let event = PodEnded {
        container_id: id.and_then(|id| id.rsplit('/').next().map(str::to_owned)),
        reason: text(ended, "reason"),
        exit_code: ended.get("exitCode").and_then(Value::as_i64),
        signal: ended.get("signal").and_then(Value::as_i64),
        message: text(ended, "message").map(|message| shorten(&message)),
        ..base.clone()
    };
    let stamp = text(ended, "finishedAt").and_then(|printed| iso(&printed).ok().map(|(_, stamp)| stamp));
    let mark = places.mark("exitCode", &event.exit_code.map(|code| code.to_string()).unwrap_or_default(), stamp);
    found.push(Found::at(&mark, Event::from(event)));
}

/// The document's lines, to name the place of what was found.
struct Places<'a> {
    lines: Vec<(u64, &'a str)>,
    next: usize,
}

impl<'a> Places<'a> {
    /// How far ahead a line is looked for.
    const AHEAD: usize = 2000;

    /// The lines of a document.
    fn of(source: &'a str) -> Self {
        Self { lines: (1..).zip(source.lines()).collect(), next: 0 }
    }

    /// The next line that has this key and value; where there is none, the line where the last one was found.
    fn mark(&mut self, key: &str, value: &str, stamp: Option<Stamp>) -> Mark {
        let fits = |line: &str| line.split_once(key).is_some_and(|(_, rest)| rest.contains(value));
        let ahead = self.lines.iter().enumerate().skip(self.next).take(Self::AHEAD);
        let index = ahead.map(|(index, (_, line))| (index, line)).find(|(_, line)| fits(line)).map(|(index, _)| index);
        let (number, line) = self.lines.get(index.unwrap_or(self.next)).copied().unwrap_or((1, ""));
        // A document on one line has everything there.
        self.next = index.map_or(self.next, |index| (index + 1).min(self.lines.len().saturating_sub(1)));
        let stamp = stamp.filter(|stamp| stamp.clock == ClockKind::Zoned);
        Mark { number, stamps: stamp.into_iter().collect(), exact: stamp.is_some(), text: shorten(line.trim()), ..Mark::default() }
    }
}
