//! Where a kernel's process stands: `ps` with a `WCHAN` column, and the main thread of `py-spy dump --native`.
//!
//! Both are taken by hand while something hangs, and nothing else tells a kernel that waits for ever from one that
//! computes. Only processes whose command names a kernel are read.

use super::{
    Claim, Found, Parser, Spec,
    jupyter::kernel_in,
    linux::{leading_integer, some_text},
};
use crate::{
    event::ProcessWaiting,
    line::{Line, Mark},
};

/// The parser.
pub const PARSER: Spec =
    Spec { name: "ps", needles: &["WCHAN", "-m ipykernel_launcher"], parts: &[], make: || Box::new(Waiting::default()) };

/// The most columns of a header.
const MOST_COLUMNS: usize = 24;

/// The table or dump being read.
#[derive(Default)]
struct Waiting {
    columns: Vec<String>,
    dump: Option<Dump>,
}

/// A row of the table.
enum Row {
    /// A kernel's process.
    Kernel(ProcessWaiting),
    /// Somebody else's.
    Other,
}

/// A dump whose main thread has not been seen yet.
struct Dump {
    mark: Mark,
    event: ProcessWaiting,
    in_main_thread: bool,
}

impl Parser for Waiting {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if let Some(event) = dump_head(line.text) {
            self.dump = Some(Dump { mark: line.mark(), event, in_main_thread: false });
            return Claim::Mine;
        }
        if self.dump.is_some() {
            return self.dump_line(line.text, found);
        }
        let words: Vec<&str> = line.text.split_whitespace().collect();
        if is_header(&words) {
            self.columns = words.into_iter().take(MOST_COLUMNS).map(str::to_owned).collect();
            return Claim::Mine;
        }
        let Some(row) = self.row(&words) else {
            self.columns.clear();
            return Claim::NotMine;
        };
        if let Row::Kernel(event) = row {
            found.push(Found::on(line, event));
        }
        Claim::Mine
    }

    fn hungry(&self) -> bool {
        !self.columns.is_empty() || self.dump.is_some()
    }
}

impl Waiting {
    /// A row under the header.
    fn row(&self, words: &[&str]) -> Option<Row> {
        let cell = |name: &str| {
            let index = self.columns.iter().position(|column| column == name)?;
            words.get(index).copied()
        };
        let pid = cell("PID")?.parse().ok()?;
        let place = cell("WCHAN").and_then(some_text)?;
        let command = words.get(self.columns.len().checked_sub(1)?..)?.join(" ");
        if !names_a_kernel(&command) {
            return Some(Row::Other);
        }
        let state = cell("STAT").or_else(|| cell("S")).and_then(|word| word.get(..1));
        Some(Row::Kernel(ProcessWaiting {
            pid: Some(pid),
            kernel_id: kernel_in(&command, "kernel-"),
            state: state.map(str::to_owned),
            place: Some(place),
        }))
    }

    /// A line of a dump: the first frame below the main thread's head is where it stands.
    fn dump_line(&mut self, text: &str, found: &mut Vec<Found>) -> Claim {
        let Some(dump) = &mut self.dump else { return Claim::NotMine };
        let first_frame = dump.in_main_thread && text.starts_with(' ');
        if first_frame {
            dump.event.place = some_text(text.trim());
            found.push(Found::at(&dump.mark, dump.event.clone()));
        }
        dump.in_main_thread = text.starts_with("Thread ") && text.contains("\"MainThread\"");
        let goes_on = text.is_empty() || text.starts_with(' ') || text.starts_with("Thread ") || text.starts_with("Python v");
        if first_frame || !goes_on {
            self.dump = None;
        }
        if goes_on { Claim::Mine } else { Claim::NotMine }
    }
}

/// Whether these are the names of a table that says where processes wait.
fn is_header(words: &[&str]) -> bool {
    let has = |name: &str| words.contains(&name);
    has("PID") && has("WCHAN") && matches!(words.last(), Some(&"COMMAND" | &"CMD"))
}

/// `Process 2778: /opt/venv/bin/python -m ipykernel_launcher -f /run/kernel-….json`: the head of a dump (py-spy 0.4).
fn dump_head(text: &str) -> Option<ProcessWaiting> {
    let (pid, command) = text.strip_prefix("Process ")?.split_once(": ")?;
    let pid = leading_integer(pid).filter(|_| pid.bytes().all(|byte| byte.is_ascii_digit()))?;
    names_a_kernel(command).then(|| ProcessWaiting {
        pid: Some(pid),
        kernel_id: kernel_in(command, "kernel-"),
        ..ProcessWaiting::default()
    })
}

/// Whether a command line starts a kernel: its module, or the connection file that only kernels get.
fn names_a_kernel(command: &str) -> bool {
    command.contains("ipykernel") || kernel_in(command, "kernel-").is_some()
}
