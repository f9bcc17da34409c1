//! Errors that the server reports of itself: ports, configuration, permissions, databases, gateways.
//!
//! Tracebacks are Python's.

use crate::{
    event::ServerError,
    line::{Line, shorten},
    parse::{Claim, Found, phrase, prim},
};

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "could not be started because",
    " is already in use",
    "XSRF cookie does not match",
    "argument missing from",
    "Permission to listen on port",
    "Running as root is not recommended",
    "Bad config encountered",
    "Exception while loading config file",
    "extension failed loading",
    "error linking extension",
    "Error loading server extension",
    "Permissions assignment failed",
    "Failed to write server-info",
    "Failed to open SQLite history",
    "history saving thread hit",
    "Failed to load history too many times",
    "database is locked",
    "Lost connection to Gateway",
    "culled on Gateway server",
    "Config option ",
    "Permission denied: ",
];

/// What the error is about, and a literal of its message.
const MESSAGES: &[(&str, &str)] = &[
    ("port", "server could not be started because"),
    ("port", "Permission to listen on port"),
    ("root", "Running as root is not recommended"),
    ("config", "Bad config encountered"),
    ("config", "Exception while loading config file"),
    ("package", "extension failed loading"),
    ("package", "error linking extension"),
    ("package", "Error loading server extension"),
    ("permissions", "Permissions assignment failed"),
    ("permissions", "Failed to write server-info"),
    ("database", "Failed to open SQLite history"),
    ("database", "history saving thread hit"),
    ("database", "Failed to load history too many times"),
    ("database", "database is locked"),
    ("gateway", "Lost connection to Gateway"),
    ("gateway", "culled on Gateway server"),
];

/// Folders of which a server says `Permission denied` when they belong to somebody else (`sudo`, a wrong uid).
const RUNTIME_FOLDERS: &[&str] =
    &["/jupyter/runtime", "/run/user/", "/.local/share/jupyter", "/Library/Jupyter", "cookie_secret", "\\jupyter\\runtime", "\\\\jupyter\\\\runtime"];

/// Looks at one line.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let event = port_taken(line).or_else(|| xsrf(line.text)).or_else(|| other(line.text));
    let Some(event) = event else { return Claim::NotMine };
    found.push(Found::on(line, event));
    Claim::Mine
}

/// `The port 9905 is already in use.`; with `, trying another port` the server helps itself.
fn port_taken(line: &Line<'_>) -> Option<ServerError> {
    let text = line.text;
    if text.contains("could not be started because") {
        let port = phrase::around(text, "because port ").and_then(|(_, rest)| prim::integer(rest).ok());
        let told = port.is_some() || text.contains("no available port");
        return told.then(|| error("port", port.map(|(_, port)| port), text));
    }
    let (before, rest) = phrase::around(text, " is already in use")?;
    let (_, port) = before.rsplit_once("The port ")?;
    if rest.contains("trying another") {
        return None;
    }
    Some(error("port", port.trim().parse().ok(), text))
}

/// `403 POST /api/sessions (127.0.0.1): '_xsrf' argument missing from POST`. One refusal prints it twice; the message
/// is cut to the common part so that the two are one event.
fn xsrf(text: &str) -> Option<ServerError> {
    if text.contains("XSRF cookie does not match") {
        return Some(error("xsrf", None, "XSRF cookie does not match POST argument"));
    }
    let (before, rest) = phrase::around(text, "argument missing from")?;
    let method = rest.split_whitespace().next().unwrap_or("POST").trim_matches(['"', '\'']);
    before.contains("_xsrf").then(|| error("xsrf", None, &format!("'_xsrf' argument missing from {method}")))
}

/// The rest, by their literals.
fn other(text: &str) -> Option<ServerError> {
    let known = MESSAGES.iter().find(|(_, literal)| text.contains(literal)).map(|(what, _)| *what);
    let what = known.or_else(|| option_unknown(text)).or_else(|| runtime_denied(text))?;
    let port = phrase::around(text, "port ").and_then(|(_, rest)| prim::integer(rest).ok());
    Some(error(what, port.map(|(_, port)| port).filter(|_| what == "port"), text))
}

/// traitlets: ``Config option `x` not recognized by `ServerApp`.`` `template_path` is not the user's: `nbconvert`'s old
/// settings come with packages, and every Lab prints it.
fn option_unknown(text: &str) -> Option<&'static str> {
    let (_, option) = phrase::around(text, "Config option ")?;
    let noise = option.trim_start_matches('`').starts_with("template_path");
    (option.contains("not recognized by") && !noise).then_some("config")
}

/// `PermissionError: [Errno 13] Permission denied: '/run/user/1000/jupyter…'`.
fn runtime_denied(text: &str) -> Option<&'static str> {
    let (_, path) = phrase::around(text, "Permission denied: ")?;
    RUNTIME_FOLDERS.iter().any(|folder| path.contains(folder)).then_some("permissions")
}

/// Makes the event.
fn error(what: &str, port: Option<i64>, message: &str) -> ServerError {
    ServerError { what: Some(what.to_owned()), port, message: Some(shorten(message.trim())) }
}
