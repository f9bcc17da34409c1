//! Editors that watch a kernel: VS Code's Jupyter output, Spyder and qtconsole; and what a browser shows, which people
//! copy into their tickets.
//!
//! VS Code is the one Jupyter client that logs exit codes. Its `Reason` is only the last text on the kernel's stderr
//! and is not judged here.

use super::{Claim, Found, Parser, Spec, prim};
use crate::{
    event::{EditorKernelDied, ServerKernelStartFailed},
    line::{Line, Mark},
};
use std::collections::BTreeSet;

/// The most lines of a reason that are kept.
const REASON_LINES: usize = 20;
/// The lines within which the extension tells the same death again.
const NEAR_LINES: u64 = 20;
/// The most characters of a reason that are kept.
const REASON_CHARACTERS: usize = 2000;

/// The parser.
pub const PARSER: Spec = Spec {
    name: "editor",
    needles: &[
        "kernel process died ExitCode",
        "kernel process exited code",
        "KernelProcess Exited",
        "Dispose Kernel process",
        "Starting Kernel ",
        "The Kernel crashed while executing code",
        "Cannot run cells, as the kernel",
        "appears to have died. It will restart",
        "the automatic restart has failed",
        "session crashed for an unknown reason",
        "crashed after using all available RAM",
        "allocate more memory than is available",
        "Kernel died, restarting",
        "kernel died, restarting",
        "the kernel died unexpectedly",
        "ocurred while starting the kernel",
    ],
    parts: &[],
    make: || Box::new(Editor::default()),
};

/// What tells of a death and of nothing else, and who says it.
const BARE: [(&str, &str); 7] = [
    ("ernel died, restarting", "spyder"),
    ("the kernel died unexpectedly", "spyder"),
    ("The Kernel crashed while executing code", "vscode"),
    ("Cannot run cells, as the kernel", "vscode"),
    // `The kernel for train.ipynb appears …` in JupyterLab 1 and later, `The kernel appears …` in the classic notebook.
    ("appears to have died. It will restart", "jupyter"),
    ("kernel has died, and the automatic restart has failed", "jupyter"),
    ("session crashed for an unknown reason", "colab"),
];

/// A death whose reason or process id may still follow, and the notebook that VS Code works on.
#[derive(Default)]
struct Editor {
    open: Option<Open>,
    notebook: Option<String>,
    /// The processes that the extension ended itself, for a restart or because the notebook was closed: it says so
    /// before they end, and after the end of one that died.
    disposed: BTreeSet<i64>,
    /// Whether kernels of several notebooks were started, so that a death cannot be told to be of one of them.
    several: bool,
}

/// A death under way.
struct Open {
    mark: Mark,
    event: EditorKernelDied,
    /// How many lines of the reason may still follow.
    left: usize,
}

impl Parser for Editor {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if self.continues(line) {
            return Claim::Mine;
        }
        if let Some(notebook) = starting(line.text) {
            self.finish(found);
            self.several |= self.notebook.as_ref().is_some_and(|known| *known != notebook);
            self.notebook = Some(notebook);
            return Claim::Mine;
        }
        if let Some(pid) = disposed(line.text) {
            match &mut self.open {
                Some(open) => open.event.pid = open.event.pid.or(Some(pid)),
                None => drop(self.disposed.insert(pid)),
            }
            self.finish(found);
            return Claim::Mine;
        }
        if let Some((event, left)) = died(line.text) {
            if event.pid.is_some_and(|pid| self.disposed.contains(&pid)) {
                return Claim::Mine;
            }
            if !self.merge(line.number, &event) {
                self.finish(found);
                let notebook = self.notebook.clone().filter(|_| !self.several);
                self.open =
                    Some(Open { mark: line.mark(), event: EditorKernelDied { notebook, ..event }, left });
            }
            let cut = line.text.ends_with(':') && left == 0;
            return if cut { Claim::Damaged("an exit code".to_owned()) } else { Claim::Mine };
        }
        one_line(line, found)
    }

    fn hungry(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.left > 0)
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        if let Some(open) = self.open.take() {
            found.push(Found::at(&open.mark, open.event));
        }
    }
}

impl Editor {
    /// Adds a second line about the death that is open: the extension tells one death up to three times. Whether it
    /// did.
    fn merge(&mut self, number: u64, event: &EditorKernelDied) -> bool {
        let Some(open) = &mut self.open else { return false };
        let known = &mut open.event;
        let same = |a: Option<i64>, b: Option<i64>| a.is_none() || b.is_none() || a == b;
        let near = number <= open.mark.number + NEAR_LINES + REASON_LINES as u64;
        if !near
            || event.reason.is_some()
            || !same(known.exit_code, event.exit_code)
            || !same(known.pid, event.pid)
        {
            return false;
        }
        known.exit_code = known.exit_code.or(event.exit_code);
        known.pid = known.pid.or(event.pid);
        true
    }

    /// Takes a further line of an open reason; the extension's next own line ends it.
    fn continues(&mut self, line: &Line<'_>) -> bool {
        let text = line.text;
        let Some(open) = self.open.as_mut().filter(|open| open.left > 0) else { return false };
        if is_own(line) {
            open.left = 0;
            return false;
        }
        open.left -= 1;
        let reason = open.event.reason.get_or_insert_default();
        if reason.len() + text.len() < REASON_CHARACTERS {
            if !reason.is_empty() {
                reason.push('\n');
            }
            reason.push_str(text.trim_end());
        }
        true
    }
}

/// Whether a line has the extension's own head (`17:16:49.309 [info] …`), which names a level and no logger.
fn is_own(line: &Line<'_>) -> bool {
    line.exact && line.logger.is_some_and(|logger| logger.name.is_empty() && logger.level.is_some())
}

/// A death, and how many lines of its reason may follow.
fn died(text: &str) -> Option<(EditorKernelDied, usize)> {
    let editor = Some("vscode".to_owned());
    if let Some((_, rest)) = text.split_once("kernel process died ExitCode:") {
        let (code, reason) =
            rest.split_once(", Reason:").map_or((rest, None), |(code, reason)| (code, Some(reason)));
        let reason = reason.map(|reason| reason.trim().chars().take(REASON_CHARACTERS).collect());
        let left = if reason.is_some() { REASON_LINES } else { 0 };
        let reason = reason.filter(|reason: &String| !reason.is_empty());
        return Some((
            EditorKernelDied { editor, exit_code: exit_code(code), reason, ..Default::default() },
            left,
        ));
    }
    if let Some((_, rest)) = text.split_once("kernel process exited code:") {
        return Some((EditorKernelDied { editor, exit_code: exit_code(rest), ..Default::default() }, 0));
    }
    let (_, rest) = text.split_once("KernelProcess Exited ")?;
    let (pid, code) = rest.split_once(", Exit Code - ")?;
    let pid = pid.trim().parse().ok();
    Some((EditorKernelDied { editor, exit_code: exit_code(code), pid, ..Default::default() }, 0))
}

/// `3221225725`; `undefined` and `null` mean a signal or 0: the extension drops Node's `signal` argument.
fn exit_code(text: &str) -> Option<i64> {
    prim::integer(text.trim()).ok().map(|(_, code)| code)
}

/// `Dispose Kernel process 9904.`
fn disposed(text: &str) -> Option<i64> {
    let (_, rest) = text.split_once("Dispose Kernel process ")?;
    prim::integer(rest).ok().map(|(_, pid)| pid)
}

/// The notebook of `Starting Kernel (Python Path: …) for '~/x.ipynb' (disableUI=true)`.
fn starting(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("Starting Kernel ")?;
    let (_, notebook) = rest.split_once(" for '")?;
    notebook.split_once('\'').map(|(notebook, _)| notebook.to_owned())
}

/// Messages that one line tells completely: VS Code's words in the notebook, Spyder's and qtconsole's consoles.
fn one_line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let text = line.text;
    if text.contains("ocurred while starting the kernel") {
        // The spelling is Spyder's.
        let (what, message) = (Some("exception".to_owned()), Some(crate::line::shorten(text.trim())));
        found.push(Found::on(line, ServerKernelStartFailed { what, message, ..Default::default() }));
        return Claim::Mine;
    }
    let hosted = [
        ("crashed after using all available RAM", "colab"),
        ("tried to allocate more memory than is available", "kaggle"),
    ];
    if let Some((_, platform)) = hosted.iter().find(|(words, _)| text.contains(words)) {
        let (editor, reason) = (Some((*platform).to_owned()), Some(crate::line::shorten(text.trim())));
        found.push(Found::on(line, EditorKernelDied { editor, reason, ..Default::default() }));
        return Claim::Mine;
    }
    let Some((_, editor)) = BARE.iter().find(|(words, _)| text.contains(words)) else { return Claim::NotMine };
    found.push(Found::on(line, EditorKernelDied { editor: Some((*editor).to_owned()), ..Default::default() }));
    Claim::Mine
}
