//! What a container engine says besides its events: refusals, as its command line, a spawner or the container's own
//! first word prints them, and the daemons' own logs (dockerd, containerd).
//!
//! At its usual level dockerd never logs that a limit was met; containerd does, and that is `container`'s.

use super::{Claim, Found, OneLine, Spec, linux};
use crate::{
    event::{ContainerDie, ContainerError, ContainerKill, Event, PodEnded},
    line::{Line, shorten},
};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "container engine",
    needles: &[
        "Error response from daemon:",
        "xec format error",
        "nvidia-container-cli: ",
        "using the force",
        "ShouldRestart failed",
        "TaskExit event",
        " returned error: ",
        " exited with code ",
        " OOMKilled ",
        "OutOfMemoryError: Container killed due to memory usage",
    ],
    parts: &[],
    make: || Box::new(OneLine(line)),
};

/// Looks at one line.
///
/// `docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].` (Docker 19.03
/// and later); `exec /usr/local/bin/start.sh: exec format error` (runc); before runc 1.0 `standard_init_linux.go:228:
/// exec user process caused: exec format error`.
fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let text = line.text.trim();
    let listed = || listed_pod(text).or_else(|| ecs(text)).map(Event::from);
    if let Some(event) = daemon(text).or_else(|| compose(text)).or_else(listed) {
        found.push(Found::on(line, event));
        return Claim::Mine;
    }
    // dockerd's own log of what it answered: `level=error msg="Handler for POST /v1.47/containers/…/start returned error: …"`
    let answered = || linux::after(text, " returned error: ").filter(|_| text.contains("msg=\"Handler for "));
    let message = linux::after(text, "Error response from daemon:").or_else(answered).map(|said| said.trim().trim_end_matches('"'));
    // Python's own exception is Python's; so is a traceback that a hub prints around the engine's words.
    let first_word = || text.starts_with("exec ") || text.contains("exec user process caused");
    let message = match message {
        Some("") => return Claim::Damaged("what the engine said".to_owned()),
        Some(message) => message,
        None if text.ends_with("exec format error") && first_word() => text,
        None if text.contains("nvidia-container-cli: ") && text.contains("rror") => text,
        None => return Claim::NotMine,
    };
    let image = linux::between(message, "No such image: ", " ").map(|image| image.trim_end_matches('.'));
    let event = ContainerError {
        image: image.and_then(linux::some_text),
        message: Some(shorten(message)),
        ..ContainerError::default()
    };
    found.push(Found::on(line, event));
    Claim::Mine
}

/// What the daemons log of a container's end.
///
/// `msg="Container failed to exit within 10s of signal 15 - using the force" container=d42f…` (dockerd), `msg="ShouldRestart
/// failed, …" container=4db4… execDuration=13.3s exitStatus="{137 …}"` (dockerd, when it stops), `msg="TaskExit event
/// container_id:\"86c8…\" id:\"86c8…\" pid:3915 exit_status:137 …"` (containerd 1.7; another `id` is that of an `exec`).
fn daemon(text: &str) -> Option<Event> {
    let id = |key: &str| linux::after(text, key).and_then(container);
    if text.contains("using the force") {
        return Some(ContainerKill { container_id: Some(id(" container=")?), signal: Some(9), ..ContainerKill::default() }.into());
    }
    if text.contains("ShouldRestart failed") {
        let run = linux::after(text, "execDuration=").and_then(linux::leading_integer).filter(|_| !text.contains("execDuration=0"));
        let die = ContainerDie {
            container_id: Some(id(" container=")?),
            exit_code: linux::integer_after(text, "exitStatus=\"{"),
            run_seconds: run,
            ..ContainerDie::default()
        };
        return Some(die.into());
    }
    let rest = linux::after(text, "TaskExit event")?;
    let container_id = linux::after(rest, "container_id:").and_then(container)?;
    let task = linux::after(rest, " id:").and_then(container);
    let exit_code = linux::integer_after(rest, "exit_status:").or(Some(0));
    let whole = task.is_none_or(|task| task == container_id);
    whole.then(|| ContainerDie { container_id: Some(container_id), exit_code, ..ContainerDie::default() }.into())
}

/// A container's id at the beginning of a text, behind quotes that may be escaped.
fn container(text: &str) -> Option<String> {
    let text = text.trim_start_matches(['\\', '"', ' ']);
    let id = text.split(|c: char| !c.is_ascii_hexdigit()).next()?;
    (id.len() >= 12).then(|| id.to_owned())
}

/// `lab-jupyter-1 exited with code 137` of compose; `(restarting)` may follow. Other programs end their sentences so too.
fn compose(text: &str) -> Option<Event> {
    let (name, rest) = text.split_once(" exited with code ")?;
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let replica = stem.len() < name.len() && stem.ends_with(['-', '_']) && !name.contains(char::is_whitespace);
    let exit_code = linux::leading_integer(rest);
    // A container that was given a name of its own has no number; then only an end by a signal counts.
    let single = !name.contains([' ', ':', '[']) && !name.is_empty() && exit_code.is_some_and(|code| (129..=192).contains(&code));
    (replica || single).then(|| ContainerDie { container_name: Some(name.to_owned()), exit_code, ..ContainerDie::default() }.into())
}

/// Amazon ECS says so of a task's container, in `aws ecs describe-tasks` and in its events: `"reason": "OutOfMemoryError:
/// Container killed due to memory usage"`. The code stands on another line, and is always this.
fn ecs(text: &str) -> Option<PodEnded> {
    let told = text.contains("OutOfMemoryError: Container killed due to memory usage");
    told.then(|| PodEnded {
        reason: Some("OOMKilled".to_owned()),
        exit_code: Some(137),
        message: Some(shorten(text)),
        ..PodEnded::default()
    })
}

/// A row of `kubectl get pods`: `jupyter-ada   0/1   OOMKilled   2 (41s ago)   3h`. Only a container's first process
/// shows so, and with another code than 0.
fn listed_pod(text: &str) -> Option<PodEnded> {
    let mut words = text.split_whitespace();
    let (name, ready, status) = (words.next()?, words.next()?, words.next()?);
    let (up, of) = ready.split_once('/')?;
    let counts = [up, of].iter().all(|count| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()));
    (counts && status == "OOMKilled").then(|| PodEnded {
        pod: Some(name.to_owned()),
        reason: Some("OOMKilled".to_owned()),
        exit_code: Some(137),
        message: linux::some_text(&shorten(text)),
        ..PodEnded::default()
    })
}
