//! Killers that say all in one line: Talos Linux' OOM controller, Android's `lowmemorykiller` and `lmkd`, and those of
//! macOS, which are in its kernel and have no other record.
//!
//! Talos' controller looks at pressure, not at limits, and kills whole cgroups, those without requests first.

use crate::{
    event::OomDaemonKill,
    line::Line,
    parse::{
        Claim, Found,
        cgroup::Cgroup,
        linux::{between, integer_after, kilobytes_after, leading_integer, some_text},
    },
};

/// Looks at one line; `None` if it is not of these.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    let event = talos(line.text).or_else(|| android(line.text)).or_else(|| macos(line.text))?;
    let complete = event.cgroup.is_some() || event.pid.is_some();
    found.push(Found::on(line, event));
    Some(if complete { Claim::Mine } else { Claim::Damaged("a cgroup".to_owned()) })
}

/// `[talos] Sending SIGKILL to cgroup {"controller": "runtime.OOMController", "cgroup": "/sys/fs/cgroup/kubepods/…"}`
/// (Talos ≥ 1.12).
fn talos(text: &str) -> Option<OomDaemonKill> {
    let (_, rest) = text.split_once("Sending SIGKILL to cgroup")?;
    if !text.contains("[talos]") && !rest.contains("OOMController") {
        return None;
    }
    let path = between(rest, "\"cgroup\": \"", "\"").map(|path| path.trim_start_matches("/sys/fs/cgroup"));
    let reason = path.and_then(|path| Cgroup::of(path).pod_uid).map(|uid| format!("memory pressure; pod {uid}"));
    Some(OomDaemonKill { cgroup: path.and_then(some_text), reason, ..kill("talos") })
}

/// `lowmemorykiller: Killing 'python3' (4242) (tgid 4242), adj 900,` of Linux until 4.12, `lowmemorykiller: Kill
/// 'python3' (4242), uid 10001, oom_score_adj 900 to free 12345kB rss, …` of `lmkd`.
fn android(text: &str) -> Option<OomDaemonKill> {
    let (_, rest) = text.split_once("lowmemorykiller: Kill")?;
    let (_, behind) = rest.split_once("' (")?;
    Some(OomDaemonKill {
        process: between(rest, "'", "'").and_then(some_text),
        pid: leading_integer(behind),
        rss_bytes: kilobytes_after(behind, "to free "),
        reason: integer_after(behind, "adj ").map(|adj| format!("oom_score_adj {adj}")),
        ..kill("lowmemorykiller")
    })
}

/// `memorystatus: killing_specific_process pid 4141 [python3.11] (vm-compressor-space-shortage 3) 8388608KB - …` and, when
/// the disk has no room for swap, `low swap: killing largest compressed process with pid 4141 (python3.11) and size 20482
/// MB` (xnu's `kern_memorystatus.c` and `kern_proc.c`).
fn macos(text: &str) -> Option<OomDaemonKill> {
    if let Some((_, rest)) = text.split_once("low swap: killing largest compressed process with pid ") {
        return Some(OomDaemonKill {
            pid: leading_integer(rest),
            process: between(rest, "(", ")").and_then(some_text),
            rss_bytes: integer_after(rest, "and size ").and_then(|mebibytes| mebibytes.checked_mul(1 << 20)),
            reason: some_text("no room for swap"),
            ..kill("macOS")
        });
    }
    let (_, rest) = text.split_once("memorystatus: killing_")?;
    let (_, behind) = rest.split_once("] (")?;
    let held = behind.split_once(") ").and_then(|(_, held)| leading_integer(held).filter(|_| held.contains("KB")));
    Some(OomDaemonKill {
        pid: integer_after(rest, " pid "),
        process: between(rest, "[", "]").and_then(some_text),
        rss_bytes: held.and_then(|kibibytes| kibibytes.checked_mul(1 << 10)),
        reason: behind.split_whitespace().next().and_then(some_text),
        ..kill("macOS")
    })
}

/// A kill by SIGKILL.
fn kill(daemon: &str) -> OomDaemonKill {
    OomDaemonKill { daemon: Some(daemon.to_owned()), signal: Some("SIGKILL".to_owned()), ..OomDaemonKill::default() }
}
