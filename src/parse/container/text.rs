//! The text form: `container die <id> (execDuration=26, exitCode=137, image=base, name=c1)` behind a stamp.
//!
//! Docker up to 1.9 printed `<id>: (from <image>) die` instead. Nothing in a line is escaped.

use super::{Action, attributes::Attributes};
use crate::parse::linux::leading_integer;

/// What a line is.
pub(super) enum Outcome {
    /// Nothing of ours.
    None,
    /// An event whose container is cut off.
    Cut,
    /// An event, and what is missing at its end.
    Event(Action, Option<&'static str>),
}

/// Reads a line; `stamped` says whether an envelope took a stamp off it.
pub(super) fn read(text: &str, stamped: bool) -> Outcome {
    if let Some(action) = before_1_10(text) {
        return Outcome::Event(action, None);
    }
    let Some((stamp, rest)) = text.split_once("container ") else { return Outcome::None };
    if !is_stamp(stamp) {
        return Outcome::None;
    }
    let (verb, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    if !verb.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Outcome::None;
    }
    let printed = rest.split_whitespace().next().unwrap_or_default();
    // People shorten ids when they paste: `6515c10d…`.
    let id = printed.trim_end_matches(['…', '.']);
    let shortened = id.len() < printed.len() && id.len() >= 6 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_id(id) && !shortened {
        // Without a stamp it may be prose: "container stop requested".
        let cut = (stamped || !stamp.trim().is_empty()) && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        return if cut { Outcome::Cut } else { Outcome::None };
    }
    let block = rest.get(printed.len()..).unwrap_or_default().trim();
    let (inside, damage) = match block.strip_prefix('(').map(|inside| (inside, inside.rfind(')'))) {
        None => ("", None),
        Some((inside, Some(end))) => (inside.get(..end).unwrap_or(inside), None),
        Some((inside, None)) => (inside, Some("a closing bracket")),
    };
    Outcome::Event(action(verb, id, &Attributes::read(inside)), damage)
}

/// The action with the attributes that this verb has; a label may bear the name of another verb's attribute.
fn action(verb: &str, id: &str, attributes: &Attributes<'_>) -> Action {
    let number = |wanted: &[&str], key: &str| wanted.contains(&verb).then(|| attributes.get(key).and_then(leading_integer)).flatten();
    Action {
        verb: verb.to_owned(),
        // Less than twelve digits name nobody.
        id: (id.len() >= 12).then(|| id.to_owned()),
        name: attributes.get("name").map(str::to_owned),
        image: attributes.get("image").map(str::to_owned),
        exit_code: number(&["die", "died"], "exitCode"),
        run_seconds: number(&["die", "died"], "execDuration"),
        signal: number(&["kill"], "signal"),
    }
}

/// Whether what stands before `container` can be the rest of a stamp: podman prints
/// `2026-11-30 23:57:44.17 +0800 CST m=+8.76`.
fn is_stamp(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || (text.starts_with(|c: char| c.is_ascii_digit()) && text.len() <= 80 && text.split_whitespace().count() <= 5)
}

/// A container's id, whole or its first twelve digits.
fn is_id(text: &str) -> bool {
    (12..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// `2015-09-11T20:24:23.123456789+08:00 <id>: (from <image>) oom`.
fn before_1_10(text: &str) -> Option<Action> {
    let (before, rest) = text.split_once(": (from ")?;
    let id = before.split_whitespace().next_back().filter(|id| is_id(id))?;
    let (image, verb) = rest.rsplit_once(") ")?;
    let verb = verb.trim().to_owned();
    Some(Action { verb, id: Some(id.to_owned()), image: Some(image.to_owned()), ..Action::default() })
}
