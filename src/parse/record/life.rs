//! Records of kernels and processes that start and end.

use super::{Members, integer, number, status::Status, text, yes_or_no};
use crate::event::{
    Event, KernelDied, ProcessChildExit, ProcessExit, ServerKernelCulled, ServerKernelInterrupted,
    ServerKernelRestartedByUser, ServerKernelShutdown, ServerKernelStarted,
};

/// The event of a record, if its kind is known and says something.
pub(super) fn event(kind: &str, record: &Members) -> Option<Event> {
    let kernel_id = text(record, "kernel_id");
    match kind {
        "kernel.start" => Some(
            ServerKernelStarted {
                kernel_id,
                kernel_name: text(record, "kernel_name"),
                pid: integer(record, "pid"),
            }
            .into(),
        ),
        "kernel.died" => Some(died(record).into()),
        // The one that follows a death is no news.
        "kernel.restart" if text(record, "by").as_deref() != Some("restarter") => {
            Some(ServerKernelRestartedByUser { kernel_id }.into())
        }
        "kernel.interrupt" => Some(ServerKernelInterrupted { kernel_id, signal: None }.into()),
        "kernel.shutdown" if text(record, "by").as_deref() == Some("culler") => {
            Some(ServerKernelCulled { kernel_id, ..ServerKernelCulled::default() }.into())
        }
        "kernel.shutdown" => Some(ServerKernelShutdown { kernel_id }.into()),
        "process.exit" => process(record),
        "child.exit" => child(record),
        _ => None,
    }
}

/// A kernel that nobody had asked to end.
fn died(record: &Members) -> KernelDied {
    let Status { exit_code, signal } = Status::of(record);
    KernelDied {
        kernel_id: text(record, "kernel_id"),
        kernel_name: text(record, "kernel_name"),
        pid: integer(record, "pid"),
        host_pid: integer(record, "host_pid"),
        exit_code,
        signal,
        core_dumped: yes_or_no(record, "core_dumped"),
        attempt: integer(record, "attempt"),
        gave_up: yes_or_no(record, "gave_up"),
        notebook: text(record, "notebook"),
        uptime_seconds: number(record, "uptime_seconds"),
        busy: yes_or_no(record, "busy"),
    }
}

/// The recorded command's own end. A program that fails with a code of its own is nobody's death, unless it is a kernel;
/// a signal that the recorder passed on was somebody's wish.
fn process(record: &Members) -> Option<Event> {
    let status = Status::of(record);
    let asked = record.contains_key("sent_by_us");
    let of_its_own = status.exit_code.is_some_and(|code| (1..=255).contains(&code));
    let kernel = record.contains_key("kernel_id");
    if kernel && status.is_success() {
        // Asked or not: if a server found it dead, nobody had asked.
        return Some(left(record, status).into());
    }
    if asked || status.is_success() || (status.signal.is_none() && of_its_own && !kernel) {
        return None;
    }
    Some(ended(record, status).into())
}

/// A descendant's end. Only a fault is an end by itself: runners end their kernels with SIGTERM and SIGKILL, also when
/// all is well.
fn child(record: &Members) -> Option<Event> {
    const FAULTS: [&str; 9] =
        ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP", "SIGSYS", "SIGXCPU", "SIGXFSZ"];
    let status = Status::of(record);
    if status.is_success() || status == Status::default() {
        return None;
    }
    let fault = status.signal.as_deref().is_some_and(|signal| FAULTS.contains(&signal));
    if fault && record.contains_key("kernel_id") {
        return Some(ended(record, status).into());
    }
    Some(left(record, status).into())
}

/// A process whose end means nothing by itself.
fn left(record: &Members, status: Status) -> ProcessChildExit {
    ProcessChildExit {
        program: text(record, "program"),
        pid: integer(record, "pid"),
        exit_code: status.exit_code,
        signal: status.signal,
        kernel_id: text(record, "kernel_id"),
        notebook: text(record, "notebook"),
        max_rss_bytes: integer(record, "max_rss_bytes"),
    }
}

/// A process that ended.
fn ended(record: &Members, Status { exit_code, signal }: Status) -> ProcessExit {
    let kernel_id = text(record, "kernel_id");
    ProcessExit {
        // What runs a kernel is one, whatever its interpreter is called.
        program: kernel_id.as_ref().map(|_| "kernel".to_owned()).or_else(|| text(record, "program")),
        exit_code,
        signal,
        pid: integer(record, "pid"),
        reporter: Some("kerneldoc".to_owned()),
        kernel_id,
        notebook: text(record, "notebook"),
        core_dumped: yes_or_no(record, "core_dumped"),
        max_rss_bytes: integer(record, "max_rss_bytes"),
        uptime_seconds: number(record, "uptime_seconds"),
    }
}
