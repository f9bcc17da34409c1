//! `kubectl describe pod`: how its containers ended last, and why the pod failed.
//!
//! Only the last termination is kept: two restarts erase the first cause. The event table below is `table`'s, the
//! containers are `described`'s.

use super::{
    described::{Containers, Part},
    event::{container, end, resource},
};
use crate::{
    event::PodEnded,
    line::{Line, Mark},
    parse::{
        Claim, Found,
        linux::{leading_integer, some_text},
    },
    stamp::Stamp,
};

/// A description has at most so many lines.
const PATIENCE: u32 = 600;

/// The description at work.
#[derive(Default)]
pub(super) struct Describe {
    open: bool,
    lines: u32,
    pod: Option<String>,
    namespace: Option<String>,
    node: Option<String>,
    containers: Containers,
    /// The pod failed as a whole: its line, its reason.
    failed: Option<(Mark, String)>,
    /// A terminated state whose lines are being read, and their indent.
    state: Option<(Mark, PodEnded, usize)>,
    finished: Option<Stamp>,
}

impl Describe {
    /// Looks at one line; `None` if it says nothing here.
    pub(super) fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
        let text = line.text;
        let indent = text.len() - text.trim_start().len();
        let (key, value) = text.trim().split_once(':')?;
        let value = value.trim();
        if indent == 0 && key == "Name" {
            self.finish(found);
            *self = Self { open: true, pod: some_text(value), ..Self::default() };
            return Some(Claim::Mine);
        }
        self.lines += 1;
        if self.lines > PATIENCE && self.hungry() {
            self.finish(found);
        }
        if self.state.as_ref().is_some_and(|(_, _, outer)| indent <= *outer) {
            self.end_state();
        }
        if self.state.is_some() {
            return self.state_line(key, value, line);
        }
        if matches!(key, "State" | "Last State") && value == "Terminated" {
            self.state = Some((line.mark(), PodEnded::default(), indent));
            self.lines = if self.open { self.lines } else { 0 };
            return Some(Claim::Mine);
        }
        if self.hungry() && self.pod_line(indent, key, value, line, found) { Some(Claim::Mine) } else { None }
    }

    /// The pod described, and its namespace.
    pub(super) fn pod(&self) -> Option<(&str, Option<&str>)> {
        self.pod.as_deref().map(|pod| (pod, self.namespace.as_deref()))
    }

    /// Whether the description goes on.
    pub(super) fn hungry(&self) -> bool {
        self.open || self.state.is_some() || self.containers.wait()
    }

    /// Gives what is still open.
    pub(super) fn finish(&mut self, found: &mut Vec<Found>) {
        self.end_state();
        let pod = self.about();
        self.containers.give(&pod, found);
        self.open = false;
    }

    /// What every end in it says of the pod.
    fn about(&self) -> PodEnded {
        PodEnded {
            pod: self.pod.clone(),
            namespace: self.namespace.clone(),
            node: self.node.clone(),
            ..PodEnded::default()
        }
    }

    /// A line about the pod or one of its containers.
    fn pod_line(&mut self, indent: usize, key: &str, value: &str, line: &Line<'_>, found: &mut Vec<Found>) -> bool {
        match (indent, key) {
            (0, "Namespace") => self.namespace = some_text(value),
            // `node-07/10.1.4.17`
            (0, "Node") => self.node = value.split('/').next().and_then(some_text),
            (0, "Reason") => self.failed = Some((line.mark(), value.to_owned())),
            (0, "Message") => self.give_failed(value, found),
            (0, "Events") => self.finish(found),
            (0, "Init Containers") => self.containers.begin(Part::Init),
            (0, "Containers") => self.containers.begin(Part::Containers),
            (0, _) if value.is_empty() => self.containers.begin(Part::Other),
            _ => return self.containers.line(indent, key, value),
        }
        true
    }

    /// A line below `Last State: Terminated`.
    fn state_line(&mut self, key: &str, value: &str, line: &Line<'_>) -> Option<Claim> {
        let (mark, event, _) = self.state.as_mut()?;
        // The line to quote is the one that says how it ended; `Error` says less than its code.
        if key == "Reason" || (key == "Exit Code" && event.reason.as_deref() == Some("Error")) {
            let told = line.mark();
            (mark.number, mark.text) = (told.number, told.text);
        }
        match key {
            "Reason" => event.reason = some_text(value),
            "Message" => event.message = some_text(value),
            "Exit Code" => event.exit_code = leading_integer(value),
            "Signal" => event.signal = leading_integer(value),
            "Finished" => {
                self.finished = rfc1123(value);
                // A description has no stamps; the time of its end is this one's.
                mark.exact = self.finished.is_some();
                mark.stamps = self.finished.into_iter().collect();
            }
            "Started" => {}
            _ => return None,
        }
        Some(Claim::Mine)
    }

    /// A terminated state has been read.
    fn end_state(&mut self) {
        if let Some((mark, event, _)) = self.state.take() {
            self.containers.ended(mark, event);
        }
    }

    /// Gives the event of a pod that failed as a whole; its reason stands on the line before the message.
    fn give_failed(&mut self, message: &str, found: &mut Vec<Found>) {
        let Some((mark, reason)) = self.failed.take() else { return };
        let event = PodEnded {
            container_name: container(message),
            resource: resource(message).filter(|_| reason == "Evicted").map(str::to_owned),
            reason: Some(end(&reason, message).map_or(reason, str::to_owned)),
            message: some_text(message),
            ..self.about()
        };
        found.push(Found::at(&mark, event));
    }
}

/// `Mon, 29 Dec 2025 12:24:23 +0000`; year 1 means never.
fn rfc1123(text: &str) -> Option<Stamp> {
    let time = chrono::DateTime::parse_from_rfc2822(text).ok()?;
    let micros = time.timestamp_micros();
    (micros > 0).then(|| Stamp::new(crate::stamp::ClockKind::Zoned, micros))
}
