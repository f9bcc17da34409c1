//! A runner finds its kernel dead, or never gets an answer from it.
//!
//! One death is told on several lines, by nbclient's log and by the exception; each gives an event, and incidents
//! join them.

use super::context::Context;
use crate::{
    event::{RunnerKernelDied, ServerKernelStartFailed},
    line::shorten,
    parse::prim,
};

/// The messages, and when the kernel died.
const MESSAGES: &[(&str, &str)] = &[
    ("Kernel died while waiting for execute reply", "while running"),
    ("DeadKernelError: Kernel died", "while running"),
    ("Executing notebook failed: DeadKernelError", "while running"),
    ("Kernel died before replying to kernel_info", "while starting"),
];

/// A dead kernel.
pub(super) fn died(text: &str, context: &Context) -> Option<RunnerKernelDied> {
    let (_, phase) = MESSAGES.iter().find(|(literal, _)| spoken(text, literal))?;
    Some(RunnerKernelDied {
        runner: context.runner.clone().or_else(|| named(text)),
        notebook: context.notebook.clone(),
        cell: context.cell,
        phase: Some((*phase).to_owned()),
    })
}

/// Whether a line says something itself. A traceback quotes the source line `raise RuntimeError("Kernel died …")`, and a
/// notebook may be called so.
fn spoken(text: &str, literal: &str) -> bool {
    text.split_once(literal).is_some_and(|(before, behind)| {
        !before.ends_with("(\"") && !before.ends_with("('") && !behind.starts_with(".ipynb")
    })
}

/// The runner, by the exception's module: nbclient carries no runner's name, nbconvert before 6 did its own work.
fn named(text: &str) -> Option<String> {
    let name = ["nbconvert", "papermill", "testbook", "nbclient"];
    name.into_iter().find(|name| text.contains(&format!("{name}."))).map(str::to_owned)
}

/// `RuntimeError: Kernel didn't respond in 60 seconds`: slow or hung, perhaps alive.
pub(super) fn never_ready(text: &str) -> Option<ServerKernelStartFailed> {
    let (before, rest) = text.split_once(" respond in ")?;
    let at = before.rfind("Kernel didn")?;
    let quoted = before.get(..at)?.ends_with("(\"");
    if quoted || prim::integer(rest).is_err() {
        return None;
    }
    Some(ServerKernelStartFailed {
        kernel_id: None,
        kernel_name: None,
        what: Some("never-ready".to_owned()),
        message: Some(shorten(text.get(at..)?.trim())),
    })
}
