//! The containers of a pod that `kubectl describe pod` shows, and how they ended: what stands below an end (the limits) and
//! beside it (the other containers) belongs to it, so that ends are given when the pod has been read.

use super::container::{Container, quantity};
use crate::{
    event::PodEnded,
    line::Mark,
    parse::{Found, linux::some_text},
};

/// A part of a description that lists containers, and what stands elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Part {
    /// Containers that run before the others.
    Init,
    /// The pod's own containers, or nobody said.
    #[default]
    Containers,
    /// Conditions, volumes …
    Other,
}

/// A container, and its ends.
#[derive(Default)]
struct Described {
    container: Container,
    id: Option<String>,
    ends: Vec<(Mark, PodEnded)>,
}

/// The containers read so far.
#[derive(Default)]
pub(super) struct Containers {
    part: Part,
    /// Those before the one at work.
    before: Vec<Described>,
    /// The one that was named last; of a pasted part of a description, one without a name.
    last: Described,
    /// The indent of `Limits:`, while its lines are read.
    limits: Option<usize>,
}

impl Containers {
    /// Another part of the description begins.
    pub(super) fn begin(&mut self, part: Part) {
        self.part = part;
        self.limits = None;
    }

    /// Whether an end waits for what stands below it.
    pub(super) fn wait(&self) -> bool {
        self.before.iter().chain([&self.last]).any(|described| !described.ends.is_empty())
    }

    /// A line about a container; `false` if it says nothing of one.
    pub(super) fn line(&mut self, indent: usize, key: &str, value: &str) -> bool {
        if self.limits.is_some_and(|outer| indent <= outer) {
            self.limits = None;
        }
        if self.part == Part::Other {
            return false;
        }
        match (indent, key) {
            (1..=3, name) if value.is_empty() => self.another(name),
            // `docker://8b73…`
            (_, "Container ID") => self.last.id = value.rsplit('/').next().and_then(some_text),
            (_, "Image") => self.last.container.image = some_text(value),
            (_, "Limits") if value.is_empty() => self.limits = Some(indent),
            (_, "memory") if self.limits.is_some() => self.last.container.memory_limit_bytes = quantity(value),
            _ => return false,
        }
        true
    }

    /// An end of the container that was named last.
    pub(super) fn ended(&mut self, mark: Mark, event: PodEnded) {
        self.last.ends.push((mark, event));
    }

    /// Gives the ends, each with what is known of its container.
    pub(super) fn give(&mut self, pod: &PodEnded, found: &mut Vec<Found>) {
        let Self { before, last, .. } = std::mem::take(self);
        let described: Vec<_> = before.into_iter().chain([last]).collect();
        let named = described.iter().filter(|one| one.container.name.is_some());
        let all: Vec<Container> = named.map(|one| one.container.clone()).collect();
        for Described { container, id, ends } in described {
            for (mark, event) in ends {
                let event = PodEnded {
                    pod: pod.pod.clone(),
                    namespace: pod.namespace.clone(),
                    node: pod.node.clone(),
                    container_id: id.clone(),
                    ..event
                };
                found.push(Found::at(&mark, container.end(&all, event)));
            }
        }
    }

    /// Another container's name.
    fn another(&mut self, name: &str) {
        let container = Container { name: some_text(name), init: self.part == Part::Init, ..Container::default() };
        let next = Described { container, ..Described::default() };
        self.before.push(std::mem::replace(&mut self.last, next));
    }
}
