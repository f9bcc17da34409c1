//! The server's end: who asked for it, as far as the server knows, and what the kernels saw of it.
//!
//! A server killed by SIGKILL prints nothing; who sent a signal is in no server's log.

use crate::{
    event::{Event, KernelParentGone, ServerKernelsStopping, ServerStopping},
    line::{Line, Mark},
    parse::{Claim, Found, Parser, phrase, prim},
};

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "resuming operation",
    "nterrupted",
    "received signal ",
    "Shutdown confirmed",
    "Shutting down ",
    " seconds; shutting down.",
    "Parent appears to have exited",
];

/// Watches for the end. Holds a Ctrl-C on a terminal, which is only a question: without an answer the server goes on.
#[derive(Default)]
pub(super) struct Stopping(Option<Mark>);

impl Parser for Stopping {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if line.text.contains("resuming operation") {
            self.0 = None;
            return Claim::Mine;
        }
        if line.text.trim() == "interrupted" && line.logger.is_some() {
            self.finish(found);
            self.0 = Some(line.mark());
            return Claim::Mine;
        }
        let Some(event) = event(line) else { return Claim::NotMine };
        self.finish(found);
        found.push(Found::on(line, event));
        Claim::Mine
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        if let Some(mark) = self.0.take() {
            found.push(Found::at(&mark, stopping("interrupt", None, None)));
        }
    }
}

/// What a line says that needs no answer.
fn event(line: &Line<'_>) -> Option<Event> {
    signal(line.text)
        .or_else(|| asked(line))
        .or_else(|| idle(line.text))
        .or_else(|| kernels(line.text))
        .or_else(|| parent_gone(line.text))
}

/// `received signal 15, stopping`. The hub's `Received signal SIGTERM, initiating shutdown` is another program's.
fn signal(text: &str) -> Option<Event> {
    let (_, rest) = phrase::around(text, "received signal ")?;
    let (rest, number) = prim::integer(rest).ok()?;
    rest.contains("stopping").then(|| stopping("signal", Some(number), None))
}

/// The answer to Ctrl-C, Ctrl-C without a terminal (the hub stops servers so), and the shutdown button.
fn asked(line: &Line<'_>) -> Option<Event> {
    let by = match line.text.trim() {
        "Interrupted..." if line.logger.is_some() => "interrupt",
        text if text.contains("Shutdown confirmed") => "confirmed",
        text if text.contains("Shutting down on /api/shutdown request") => "request",
        _ => return None,
    };
    Some(stopping(by, None, None))
}

/// `No kernels for 240 seconds; shutting down.`, `No kernels or terminals for …`.
fn idle(text: &str) -> Option<Event> {
    let (before, _) = phrase::around(text, " seconds; shutting down.")?;
    let (_, rest) = phrase::around(before, "No kernels")?;
    let (_, seconds) = rest.rsplit_once("for ")?;
    Some(stopping("idle", None, seconds.trim().parse().ok()))
}

/// Makes the event.
fn stopping(by: &str, signal: Option<i64>, idle_seconds: Option<i64>) -> Event {
    ServerStopping { by: Some(by.to_owned()), signal, idle_seconds }.into()
}

/// `Shutting down 2 kernels`, `1 kernel`, and `Shutting down kernels` of old.
fn kernels(text: &str) -> Option<Event> {
    let (_, rest) = phrase::around(text, "Shutting down ")?;
    let (rest, kernel_count) = match prim::integer(rest) {
        Ok((rest, count)) => (rest.trim_start(), Some(count)),
        Err(_) => (rest, None),
    };
    let word = rest.split_whitespace().next()?;
    matches!(word, "kernel" | "kernels").then(|| ServerKernelsStopping { kernel_count }.into())
}

/// A kernel's farewell. Not a cause: it says that the server is gone.
fn parent_gone(text: &str) -> Option<Event> {
    text.contains("Parent appears to have exited").then(|| KernelParentGone::default().into())
}
