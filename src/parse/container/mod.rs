//! `docker events` and `podman events`, text and JSON: a container started, met its limit, was killed, ended.
//!
//! Of an engine's own log it reads only that a container met its limit; it does not read what a container printed.

mod attributes;
mod json;
mod text;

use super::{Claim, Found, OneLine, Spec, linux};
use crate::{
    event::{ContainerDie, ContainerKill, ContainerOom, ContainerStarted, ContainerStop, Event},
    line::Line,
};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "docker events",
    needles: &[
        "timeNano",
        "TaskOOM event",
        "topic=/tasks/oom",
        "container create ",
        "container start ",
        "container restart ",
        "container unpause ",
        "container oom ",
        "container die ",
        "container died ",
        "container kill ",
        "container stop ",
        "container pause ",
        "container destroy ",
        "container remove ",
        ": (from ",
    ],
    parts: &[],
    make: || Box::new(OneLine(line)),
};

/// Looks at one line.
fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    if line.text.contains("timeNano") {
        return json::line(line, found);
    }
    if line.text.contains("TaskOOM event") || line.text.contains("topic=/tasks/oom") {
        return task_oom(line, found);
    }
    let (action, damage) = match text::read(line.text, line.exact) {
        text::Outcome::None => return Claim::NotMine,
        text::Outcome::Cut => return Claim::Damaged("a container id".to_owned()),
        text::Outcome::Event(action, damage) => (action, damage),
    };
    let Some(event) = action.event() else { return Claim::NotMine };
    found.push(Found::on(line, event));
    damage.map_or(Claim::Mine, |expected| Claim::Damaged(expected.to_owned()))
}

/// containerd's own word, in its log (`TaskOOM event container_id:\"c44d…\"`, before 1.7 `&TaskOOM{ContainerID:c44d…,`)
/// or dockerd's (`container=c44d… topic=/tasks/oom`, since 20.10).
fn task_oom(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let text = line.text;
    let rest = ["container_id:", "ContainerID:", "container="].iter().find_map(|mark| linux::after(text, mark));
    let id = rest.unwrap_or_default().trim_start_matches(['\\', '"', ' ']);
    let id = id.split(|c: char| !c.is_ascii_hexdigit()).next().filter(|id| id.len() >= 12);
    if id.is_none() && text.contains("topic=/tasks/oom") {
        // Older versions of dockerd do not say whose.
        return Claim::NotMine;
    }
    found.push(Found::on(line, ContainerOom { container_id: id.map(str::to_owned), ..ContainerOom::default() }));
    if id.is_some() { Claim::Mine } else { Claim::Damaged("a container id".to_owned()) }
}

/// What happened to a container, before it is an event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Action {
    verb: String,
    id: Option<String>,
    name: Option<String>,
    image: Option<String>,
    exit_code: Option<i64>,
    run_seconds: Option<i64>,
    signal: Option<i64>,
}

impl Action {
    /// The event; `None` for an action nobody asks for (`exec_create`, `health_status`, `attach` …).
    fn event(self) -> Option<Event> {
        let Self { verb, id: container_id, name: container_name, image, exit_code, run_seconds, signal } = self;
        Some(match verb.as_str() {
            "oom" => ContainerOom { container_id, container_name, image }.into(),
            "die" | "died" => ContainerDie { container_id, container_name, image, exit_code, run_seconds }.into(),
            "kill" => ContainerKill { container_id, container_name, image, signal }.into(),
            "create" | "start" | "restart" | "unpause" => {
                ContainerStarted { container_id, container_name, image, action: Some(verb) }.into()
            }
            "stop" | "destroy" | "remove" | "pause" => {
                ContainerStop { container_id, container_name, image, action: Some(verb) }.into()
            }
            _ => return None,
        })
    }
}
