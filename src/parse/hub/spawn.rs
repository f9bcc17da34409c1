//! Users' servers that did not come up.
//!
//! The reason often stands in the server's own log; the hub then only knows that it waited in vain.

use crate::{
    event::HubSpawnFailed,
    line::{Line, shorten},
    parse::{Claim, Found, prim},
};

/// What went wrong, by the words of the error. The first that fits; `timeout` last of the named, for it is what the
/// hub says when it knows nothing better.
const REASONS: &[(&str, &[&str])] = &[
    (
        "image",
        &["No such image", "ImagePullBackOff", "ErrImagePull", "manifest unknown", "pull access denied"],
    ),
    (
        "volume",
        &["Multi-Attach", "FailedAttachVolume", "FailedMount", "unbound immediate PersistentVolumeClaims"],
    ),
    ("unschedulable", &["FailedScheduling", "nodes are available", "Insufficient "]),
    ("package", &["jupyterhub-singleuser", "executable file not found", "No module named", "[Errno 2]"]),
    ("timeout", &["failed to start in", "never showed up", "respond in ", "did not start in", "Timeout"]),
];

/// Looks at one line.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let event = hub_line(line).or_else(|| missing_command(line.text));
    let Some(event) = event else { return Claim::NotMine };
    found.push(Found::on(line, event));
    Claim::Mine
}

/// A failure in the hub's own words. Each of the forms gives the user, or an empty text if it does not name one.
fn hub_line(line: &Line<'_>) -> Option<HubSpawnFailed> {
    let text = line.text;
    let user = possessive(text, "'s server failed to start in")
        .or_else(|| possessive(text, "'s server never showed up"))
        .or_else(|| unhandled(text))
        .or_else(|| no_answer(text))
        .or_else(|| pod(text))
        .or_else(|| quoted_event(line))?;
    let what = reason(text);
    Some(HubSpawnFailed {
        user: Some(user.to_owned()).filter(|user| !user.is_empty()),
        what: Some(what.to_owned()),
        image: text.split_once("No such image: ").and_then(|(_, image)| name(image)),
        module: text.split_once("No module named ").and_then(|(_, module)| name(module)),
        seconds: seconds(text),
        message: Some(shorten(text.trim())),
    })
}

/// What went wrong.
fn reason(text: &str) -> &'static str {
    REASONS
        .iter()
        .find(|(_, words)| words.iter().any(|word| text.contains(word)))
        .map_or("exception", |(what, _)| what)
}

/// The user of `alice's server never showed up …`.
fn possessive<'a>(text: &'a str, literal: &str) -> Option<&'a str> {
    let (before, _) = text.split_once(literal)?;
    Some(before.split_whitespace().next_back().unwrap_or_default())
}

/// The user of `Unhandled error starting alice's server: …` and `Spawner failed to start [status=1]. The logs for
/// alice may contain details.`
fn unhandled(text: &str) -> Option<&str> {
    if let Some((_, rest)) = text.split_once("Unhandled error starting ") {
        return Some(rest.split_once("'s server").map_or("", |(user, _)| user));
    }
    let (_, rest) = text.split_once("Spawner failed to start")?;
    let user = rest.split_once("The logs for ").and_then(|(_, rest)| rest.split_whitespace().next());
    Some(user.unwrap_or_default())
}

/// The user of `Server at http://10.0.0.4:8888/user/alice/api didn't respond in 30 seconds`.
fn no_answer(text: &str) -> Option<&str> {
    let (before, _) = text.split_once("respond in ")?;
    let (_, url) = before.rsplit_once("Server at ")?;
    Some(url.split_once("/user/").and_then(|(_, rest)| rest.split(['/', ' ']).next()).unwrap_or_default())
}

/// `pod jhub/jupyter-alice did not start in 300 seconds!`. The pod's name holds the user's only in an escaped form.
fn pod(text: &str) -> Option<&str> {
    let (before, _) = text.split_once(" did not start in ")?;
    before.contains("pod ").then_some("")
}

/// The orchestrator's or engine's words in the hub's own log.
fn quoted_event<'a>(line: &Line<'a>) -> Option<&'a str> {
    const WORDS: [&str; 8] = [
        "Multi-Attach error", "nodes are available", "No such image", "FailedMount", "FailedAttachVolume",
        "ErrImagePull", "ImagePullBackOff", "Failed to pull image",
    ];
    let words = WORDS;
    // KubeSpawner shows the pod's events on the page of the spawn: `2024-10-01T13:00:02Z [Warning] 0/12 nodes …`.
    let shown = line.text.trim_start().split_once("[Warning] ").is_some_and(|(before, _)| before.len() <= 40);
    let spoken = shown || line.logger_name() == "JupyterHub" || line.text.starts_with("docker.errors.");
    (spoken && words.iter().any(|word| line.text.contains(word))).then_some("")
}

/// `sh: 1: jupyterhub-singleuser: not found`, `exec: "jupyterhub-singleuser": executable file not found in $PATH`: the
/// image lacks the package.
fn missing_command(text: &str) -> Option<HubSpawnFailed> {
    let (_, rest) = text.split_once("jupyterhub-singleuser")?;
    let missing = ["not found", "No such file or directory"].iter().any(|word| rest.contains(word));
    missing.then(|| HubSpawnFailed {
        what: Some("package".to_owned()),
        module: Some("jupyterhub-singleuser".to_owned()),
        message: Some(shorten(text.trim())),
        ..HubSpawnFailed::default()
    })
}

/// The first `N seconds` of a message.
fn seconds(text: &str) -> Option<f64> {
    let (before, _) = text.split_once(" seconds")?;
    prim::number(before.split_whitespace().next_back()?).ok().map(|(_, number)| number)
}

/// A name up to the quote, bracket or blank that ends it.
fn name(text: &str) -> Option<String> {
    let text = text.trim_start_matches(['\'', '"', '\\']);
    let name = text.split(|c: char| c.is_whitespace() || "'\")\\,".contains(c)).next()?;
    Some(name.to_owned()).filter(|name| !name.is_empty())
}
