//! Kernels that could not be started at all: no kernelspec, no interpreter, no gateway.
//!
//! A kernel that started and died at once is the restarter's.

use super::id::kernel_in;
use crate::{
    event::ServerKernelStartFailed,
    line::{Line, Mark, shorten},
    parse::{Claim, Found, Parser, prim},
};

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "No such kernel",
    "Kernel not found: ",
    "Kernelspec name ",
    "Native kernel (",
    "Exception restarting kernel",
    "launch timeout due to",
    "occurred during launch of KernelID",
    "Error starting kernel container",
    "YARN resources unavailable after",
    "unexpectedly found in state",
    "has been denied via EG_",
];

/// The same of [`FailedCommand`].
pub(super) const COMMAND_WORDS: &[&str] = &["Failed to run command:"];

/// The lines of a `Failed to run command` block that are looked through for the command.
const BLOCK_LINES: usize = 4;

/// Messages that end with a kernelspec's name.
const MISSING: &[&str] = &[
    "No such kernel named ",
    "No such kernel: ",
    "Kernel not found: ",
    "Kernelspec name ",
    "Native kernel (",
];

/// Messages without one, and what went wrong. All but the first are the Enterprise Gateway's (3.3).
const FAILURES: &[(&str, &str)] = &[
    ("Exception restarting kernel", "exception"),
    ("launch timeout due to", "timeout"),
    ("occurred during launch of KernelID", "exception"),
    ("Error starting kernel container", "exception"),
    ("YARN resources unavailable after", "timeout"),
    ("unexpectedly found in state", "exception"),
    ("has been denied via EG_", "exception"),
];

/// Looks at one line.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let event = missing(line.text).or_else(|| failed(line.text));
    let Some(event) = event else { return Claim::NotMine };
    found.push(Found::on(line, event));
    Claim::Mine
}

/// `jupyter_client.kernelspec.NoSuchKernel: No such kernel named nosuch`, printed twice; `Kernel not found: nosuch`.
fn missing(text: &str) -> Option<ServerKernelStartFailed> {
    let literal = MISSING.iter().find(|literal| text.contains(**literal))?;
    let start = text.find(literal)?;
    let message = text.get(start..)?.trim_end();
    let name = message.strip_prefix(literal)?;
    let name = name.split(|c: char| c.is_whitespace() || ")\"".contains(c)).next().unwrap_or_default();
    // `Kernel not found: <id>` of other tools names a kernel, not a kernelspec.
    if prim::uuid(name).is_ok() || (*literal == "Kernelspec name " && !message.contains("cannot be found")) {
        return None;
    }
    let name = name.trim_matches(['\'', '.', ',', '!']);
    Some(ServerKernelStartFailed {
        kernel_id: None,
        kernel_name: Some(name.to_owned()).filter(|name| !name.is_empty()),
        what: Some("no-such-kernel".to_owned()),
        message: Some(shorten(message.trim_end_matches(['"', '\'']))),
    })
}

/// One of the messages without a name.
fn failed(text: &str) -> Option<ServerKernelStartFailed> {
    let (_, what) = FAILURES.iter().find(|(literal, _)| text.contains(literal))?;
    Some(ServerKernelStartFailed {
        kernel_id: kernel_in(text, "KernelID: '").or_else(|| kernel_in(text, "KernelID: ")),
        kernel_name: None,
        what: Some((*what).to_owned()),
        message: Some(shorten(text.trim())),
    })
}

/// `Failed to run command:` and the block below it, which shows the command.
#[derive(Default)]
pub(super) struct FailedCommand(Option<(Mark, usize)>);

impl FailedCommand {
    /// Gives the open block with what is known of its command.
    fn give(&mut self, command: Option<&str>, kernel_id: Option<String>, found: &mut Vec<Found>) {
        let Some((mark, _)) = self.0.take() else { return };
        let message = match command {
            Some(command) => format!("Failed to run command: {command}"),
            None => "Failed to run command".to_owned(),
        };
        let what = Some("command".to_owned());
        let event = ServerKernelStartFailed { kernel_id, kernel_name: None, what, message: Some(message) };
        found.push(Found::at(&mark, event));
    }
}

impl Parser for FailedCommand {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if line.text.contains("Failed to run command:") {
            self.give(None, None, found);
            self.0 = Some((line.mark(), BLOCK_LINES));
            return Claim::Mine;
        }
        let Some((_, left)) = &mut self.0 else { return Claim::NotMine };
        // `    ['/opt/gone/bin/python', '-m', 'ipykernel_launcher', '-f', '…/kernel-<id>.json']`
        if let Some(arguments) = line.text.trim_start().strip_prefix('[')
            && let Ok((_, command)) = prim::quoted(arguments)
        {
            self.give(Some(command), kernel_in(arguments, "kernel-"), found);
            return Claim::Mine;
        }
        *left -= 1;
        if *left == 0 || line.logger.is_some() {
            self.give(None, None, found);
        }
        Claim::NotMine
    }

    fn hungry(&self) -> bool {
        self.0.is_some()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        self.give(None, None, found);
    }
}
