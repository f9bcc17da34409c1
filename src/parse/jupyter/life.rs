//! Messages about one kernel's life that somebody asked for: started, answered, restarted, interrupted, shut down,
//! asked for though it is gone.
//!
//! What happens to a kernel by itself is in `restart`.

use super::id::{kernel_in, with_id};
use crate::{
    event::{
        Event, ServerKernelInterrupted, ServerKernelReady, ServerKernelRestartedByUser, ServerKernelShutdown,
        ServerKernelStarted, ServerKernelUnknown, ServerNotebookSaved,
    },
    line::Line,
    parse::{Claim, Found, phrase, prim},
};

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "Kernel started: ",
    "Kernel restarted: ",
    "Kernel interrupted: ",
    "Signaled Kernel ",
    "Kernel shutdown: ",
    "Kernel does not exist: ",
    "Connecting to kernel ",
    "Adapting to protocol",
    "Adapting from protocol",
    "Starting the kernel at pid: ",
    "ernel launched on ",
    "/api/kernels/",
    "Saving file at ",
    " is not trusted",
];

/// Makes an event of a kernel id and the text behind it.
type Build = fn(Option<String>, &str) -> Event;

/// Messages with a kernel id right behind them. `Kernel restarted:`, with a capital and a colon, is a click or an API
/// call; `kernel … restarted` is a death. One letter and one colon separate the two.
const MESSAGES: &[(&str, Build)] = &[
    ("Kernel started: ", started),
    ("Kernel restarted: ", |kernel_id, _| ServerKernelRestartedByUser { kernel_id }.into()),
    ("Kernel interrupted: ", |kernel_id, _| ServerKernelInterrupted { kernel_id, signal: None }.into()),
    ("Signaled Kernel ", signalled),
    ("Kernel shutdown: ", |kernel_id, _| ServerKernelShutdown { kernel_id }.into()),
    ("Kernel does not exist: ", |kernel_id, _| ServerKernelUnknown { kernel_id }.into()),
    ("Connecting to kernel ", ready),
];

/// How the other lines begin that hold none of these messages.
const OTHERS: &[&str] = &["Saving file at ", "404 "];

/// Looks at one line. Nearly all begin with their message, and are not searched for those of others.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let begun = MESSAGES.iter().find_map(|(literal, build)| Some((line.text.strip_prefix(literal)?, *build)));
    let begins_otherwise = OTHERS.iter().any(|words| line.text.starts_with(words));
    if let Some((rest, build)) = begun.or_else(|| if begins_otherwise { None } else { message(line.text) }) {
        return with_id(line, rest, found, build);
    }
    let event = process(line.text).or_else(|| unknown(line.text)).or_else(|| saved(line.text));
    let Some(event) = event else { return Claim::NotMine };
    found.push(Found::on(line, event));
    Claim::Mine
}

/// The message that stands somewhere in a text: what stands behind it, where a kernel's id has to be, and its event.
fn message(text: &str) -> Option<(&str, Build)> {
    let known = MESSAGES.iter().find_map(|(literal, build)| Some((phrase::behind(text, literal)?, *build)));
    known.or_else(|| Some((adapting(text)?, ready as Build)))
}

/// `Kernel started: 5b24b502-…, name: python3`; the name only in Notebook 6.4.1 to 6.5.
fn started(kernel_id: Option<String>, rest: &str) -> Event {
    let name = rest.strip_prefix(", name: ").map(|name| name.trim_end_matches(['"', '\'']).trim().to_owned());
    ServerKernelStarted { kernel_id, kernel_name: name.filter(|name| !name.is_empty()), pid: None }.into()
}

/// `Signaled Kernel 5b24b502-… with 9`: a signal sent through the API.
fn signalled(kernel_id: Option<String>, rest: &str) -> Event {
    let signal = rest.trim().strip_prefix("with ").and_then(|number| prim::integer(number).ok());
    ServerKernelInterrupted { kernel_id, signal: signal.map(|(_, number)| number) }.into()
}

/// A sign of life. It comes when a browser connects, not when the process starts.
fn ready(kernel_id: Option<String>, _: &str) -> Event {
    ServerKernelReady { kernel_id, pid: None }.into()
}

/// What stands behind `kernel` in `Adapting from protocol version 5.3 (kernel <id>) to 5.4 (client).` and, up to
/// Notebook 5.7, `Adapting to protocol v5.1 for kernel <id>`.
fn adapting(text: &str) -> Option<&str> {
    let (_, rest) =
        phrase::around(text, "Adapting to protocol").or_else(|| phrase::around(text, "Adapting from protocol"))?;
    phrase::around(rest, "kernel ").map(|(_, id)| id)
}

/// The few lines that give a kernel's process id: ipykernel's own at INFO, and the Enterprise Gateway's.
fn process(text: &str) -> Option<Event> {
    if let Some((_, rest)) = phrase::around(text, "Starting the kernel at pid: ") {
        let (_, pid) = prim::integer(rest).ok()?;
        return Some(ServerKernelReady { kernel_id: None, pid: Some(pid) }.into());
    }
    let (_, rest) = phrase::around(text, "ernel launched on ")?;
    let kernel_id = kernel_in(rest, "KernelID: ").or_else(|| kernel_in(rest, ", ID: "))?;
    let pid = phrase::around(rest, "pid: ").and_then(|(_, pid)| prim::integer(pid).ok());
    Some(
        ServerKernelStarted { kernel_id: Some(kernel_id), kernel_name: None, pid: pid.map(|(_, pid)| pid) }
            .into(),
    )
}

/// `404 GET /api/kernels/<id>…`: an old tab asks for a kernel that is gone. The explanation may be missing.
fn unknown(text: &str) -> Option<Event> {
    let rest = text.trim_start().strip_prefix("404 ")?;
    let kernel_id = Some(kernel_in(rest, "/api/kernels/")?);
    Some(ServerKernelUnknown { kernel_id }.into())
}

/// `Saving file at /work/x.ipynb`, and `Notebook x.ipynb is not trusted` when one is opened: the two places where the
/// server names a notebook. The path is relative to the server's root folder, with or without a slash by the version
/// and the message; here always with one, so that the two name the same notebook.
fn saved(text: &str) -> Option<Event> {
    let opened = || phrase::around(text, " is not trusted")?.0.rsplit_once("Notebook ");
    let (_, path) = phrase::around(text, "Saving file at ").or_else(opened)?;
    let path = path.trim().trim_start_matches('/');
    (!path.is_empty()).then(|| ServerNotebookSaved { notebook: Some(["/", path].concat()) }.into())
}
