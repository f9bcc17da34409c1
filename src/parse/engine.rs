//! A container engine's refusal, as its command line, a spawner or the container's own first word prints it.
//!
//! It reads no events of containers that ran.

use super::{Claim, Found, OneLine, Spec, linux};
use crate::{
    event::{ContainerDie, ContainerError, PodEnded},
    line::{Line, shorten},
};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "container engine",
    needles: &["Error response from daemon:", "xec format error", "nvidia-container-cli: ", " exited with code ", " Exited (", " OOMKilled "],
    make: || Box::new(OneLine(line)),
};

/// Looks at one line.
///
/// `docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].` (Docker 19.03
/// and later); `exec /usr/local/bin/start.sh: exec format error` (runc); before runc 1.0 `standard_init_linux.go:228:
/// exec user process caused: exec format error`.
fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let text = line.text.trim();
    if let Some(event) = compose_exit(text).or_else(|| listed_exit(text)) {
        found.push(Found::on(line, event));
        return Claim::Mine;
    }
    if let Some(event) = listed_pod(text) {
        found.push(Found::on(line, event));
        return Claim::Mine;
    }
    let message = linux::after(text, "Error response from daemon:").map(str::trim);
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

/// `docker compose up` of an end: `lab-1 exited with code 137`. Codes of orderly ends and of mere errors are left out.
fn compose_exit(text: &str) -> Option<ContainerDie> {
    let (name, code) = text.split_once(" exited with code ")?;
    // `docker compose` 2.30 and later add `(restarting)`.
    let code = code.split_whitespace().next()?.parse().ok().filter(|code| (129..=192).contains(code))?;
    let name = name.trim_start();
    let named = !name.is_empty() && !name.contains([' ', ':', '[']);
    named.then(|| ContainerDie { container_name: Some(name.to_owned()), exit_code: Some(code), ..ContainerDie::default() })
}

/// A row of `docker ps -a`: `5d3bb7e7f4ac   lab:2   "tini -g -- …"   3 hours ago   Exited (137) 2 minutes ago   lab`.
fn listed_exit(text: &str) -> Option<ContainerDie> {
    let (before, rest) = text.split_once(" Exited (")?;
    let (code, rest) = rest.split_once(')')?;
    let code = code.parse().ok().filter(|code| (129..=192).contains(code))?;
    let mut words = before.split_whitespace();
    let id = words.next().filter(|id| id.len() >= 12 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    Some(ContainerDie {
        container_id: Some(id.to_owned()),
        container_name: rest.split_whitespace().next_back().map(str::to_owned),
        image: words.next().map(str::to_owned),
        exit_code: Some(code),
        run_seconds: None,
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
