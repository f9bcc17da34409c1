//! Ends of users' servers as the hub sees them: gone by themselves, stopped on request, culled.
//!
//! It does not decode exit codes; a spawner's `1` may mean no more than "no status".

use crate::{
    event::{Event, HubServerCulled, HubServerGone, HubServerStopped, HubStopRequested},
    line::Line,
    parse::{Claim, Found, prim},
};

/// Looks at one line.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    if let Some((event, complete)) = gone(line.text) {
        found.push(Found::on(line, event));
        return if complete { Claim::Mine } else { Claim::Damaged("an exit code".to_owned()) };
    }
    let event = gone_meanwhile(line.text).or_else(|| stopped(line.text)).or_else(|| culled(line.text));
    let event = event.or_else(|| requested(line.text));
    let Some(event) = event else { return Claim::NotMine };
    found.push(Found::on(line, event));
    Claim::Mine
}

/// `User alice server stopped, with exit code: -9`, without the comma after a hub's restart; `false` if nothing
/// stands behind the colon.
fn gone(text: &str) -> Option<(HubServerGone, bool)> {
    let (before, rest) = text.split_once(" server stopped")?;
    let (_, user) = before.rsplit_once("User ")?;
    let (_, status) = rest.split_once("with exit code")?;
    let status = status.trim_start_matches(':').trim();
    let event = HubServerGone {
        user: Some(user.to_owned()),
        exit_code: exit_code(status),
        status: Some(status.to_owned()).filter(|status| !status.is_empty()),
    };
    Some((event, !status.is_empty()))
}

/// The dialects: a plain number (local processes, Kubernetes), `DockerSpawner`'s
/// `ExitCode=137, Error='', FinishedAt=…`, and `unknown`.
fn exit_code(status: &str) -> Option<i64> {
    prim::value_of(status, "ExitCode").unwrap_or(status).parse().ok()
}

/// `alice appears to have stopped while the Hub was down`.
fn gone_meanwhile(text: &str) -> Option<Event> {
    let (before, _) = text.split_once(" appears to have stopped while the Hub was down")?;
    Some(
        HubServerGone {
            user: Some(last_word(before)?.to_owned()),
            exit_code: None,
            status: Some("stopped while the Hub was down".to_owned()),
        }
        .into(),
    )
}

/// `User alice server took 1.284 seconds to stop`: it was asked to.
fn stopped(text: &str) -> Option<Event> {
    let (before, _) = text.split_once(" seconds to stop")?;
    let (before, _) = before.rsplit_once(" server took ")?;
    let (_, user) = before.rsplit_once("User ")?;
    Some(HubServerStopped { user: Some(user.to_owned()) }.into())
}

/// `204 DELETE /hub/api/users/alice/server (root@10.0.0.7) 12.12ms`, of a named server `…/servers/big`. Only what the hub
/// did (202, 204) counts.
fn requested(text: &str) -> Option<Event> {
    let (status, rest) = text.split_once(" DELETE ")?;
    let (_, rest) = rest.split_once("/hub/api/users/")?;
    let (user, rest) = rest.split_once("/server")?;
    let (_, asked) = rest.split_once(" (")?;
    let (requester, _) = asked.split_once('@')?;
    if user.contains('/') || !(status.ends_with("202") || status.ends_with("204")) {
        return None;
    }
    let who = match requester {
        _ if requester == user => "owner",
        _ if requester.contains("cull") => "culler",
        _ => "another",
    };
    let (user, requester, who) = (Some(user.to_owned()), Some(requester.to_owned()), Some(who.to_owned()));
    Some(HubStopRequested { user, requester, who }.into())
}

/// `Culling server alice (inactive for 01:00:05)`. jupyterhub-idle-culler adds `age: …` when it was the age that
/// decided; a server that was never used has the same age and idleness, and is idle.
fn culled(text: &str) -> Option<Event> {
    let (_, rest) = text.split_once("Culling server ")?;
    let (user, reason) = rest.split_once('(').unwrap_or((rest, ""));
    let inactive_seconds = reason.split_once("inactive for ").and_then(|(_, text)| duration(text));
    let age_seconds = reason.split_once("age: ").and_then(|(_, text)| duration(text));
    let by_age = age_seconds.is_some_and(|age| inactive_seconds.is_none_or(|inactive| inactive < age));
    Some(
        HubServerCulled {
            user: Some(user.trim().to_owned()).filter(|user| !user.is_empty()),
            what: Some(if by_age { "max-age" } else { "idle" }.to_owned()),
            inactive_seconds,
            age_seconds,
            pod: None,
        }
        .into(),
    )
}

/// `01:00:05`, `72:03:11`, `3 days, 0:03:11`, with a fraction: whole seconds.
fn duration(text: &str) -> Option<i64> {
    let (rest, first) = prim::integer(text).ok()?;
    let (days, clock) = match rest.trim_start().strip_prefix("day") {
        Some(rest) => (first, rest.trim_start_matches(['s', ',', ' '])),
        None => (0, text),
    };
    let clock = clock.split(|c: char| !c.is_ascii_digit() && c != ':').next().unwrap_or_default();
    let mut seconds: i64 = 0;
    for part in clock.split(':').filter(|part| !part.is_empty()) {
        seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    days.checked_mul(86_400)?.checked_add(seconds)
}

/// The last word of a text.
fn last_word(text: &str) -> Option<&str> {
    text.split_whitespace().next_back()
}
