//! nohang: a record of many lines, from the state of the memory over the victim to the corrective action.
//!
//! A warning window on the desktop, which it also can send, is no kill.

use super::earlyoom::kernel_id;
use crate::{
    event::OomDaemonKill,
    line::Line,
    parse::{
        Claim, Found,
        cgroup::Cgroup,
        linux::{after, between, integer_after, some_text},
    },
};

/// How many lines a record may have.
const PATIENCE: u32 = 120;

/// The record at work.
#[derive(Default)]
pub(super) struct Nohang {
    open: Option<OomDaemonKill>,
    lines: u32,
}

impl Nohang {
    /// Looks at one line; `None` if it is not nohang's.
    pub(super) fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
        let text = line.text;
        if text.contains("Memory status that requires corrective actions") || text.contains("Victim status") {
            self.lines = 0;
            self.open.get_or_insert_default();
            return Some(Claim::Mine);
        }
        let record = self.open.as_mut()?;
        self.lines += 1;
        if let Some(signal) = between(text, "Sending SIG", " to the victim") {
            let mut event = self.open.take()?;
            event.daemon = Some("nohang".to_owned());
            event.signal = Some(format!("SIG{}", signal.trim()));
            found.push(Found::on(line, event));
            return Some(Claim::Mine);
        }
        let own = take(record, text);
        if self.lines > PATIENCE {
            self.open = None;
        }
        own.then_some(Claim::Mine)
    }

    /// Whether a record is open.
    pub(super) fn hungry(&self) -> bool {
        self.open.is_some()
    }
}

/// Takes one line of the victim's description.
fn take(record: &mut OomDaemonKill, text: &str) -> bool {
    let text = text.trim();
    if text.contains("MemAvailable [") {
        record.available_percent = between(text, ", ", " %").and_then(|percent| percent.trim().parse().ok());
        record.reason = some_text(text);
    } else if let Some(pid) = integer_after(text, "PID:").filter(|_| !text.starts_with("PPID")) {
        record.pid = Some(pid);
    } else if let Some(name) = after(text, "Name:") {
        record.process = name.split(',').next().and_then(some_text);
    } else if let Some(rest) = text.strip_prefix("Cmdline:") {
        record.kernel_id = kernel_id(rest);
    } else if let Some(path) = after(text, "Cgroup").and_then(|rest| rest.find('/').and_then(|at| rest.get(at..))) {
        record.cgroup = some_text(path);
        record.unit = Cgroup::of(path).unit;
    } else if let Some(size) = integer_after(text, "VmRSS:") {
        record.rss_bytes = size.checked_mul(1 << 20);
    } else {
        return false;
    }
    true
}
