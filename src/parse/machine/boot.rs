//! The host's life: it started, set its clock, was told to stop, panicked.
//!
//! `Linux version` also stands in `/proc/version`, pasted into many a report; only a stamped line is a boot.

use crate::{
    event::{Channel, HostBoot, HostClockSet, HostPanic, HostShutdown, HostSuspended, HostUncleanStop},
    line::Line,
    parse::{
        Claim, Found,
        linux::{after, leading_integer, some_text},
    },
    stamp::{ClockKind, SECOND, Stamp},
};

/// Looks at one line; `None` if it says nothing of this.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    let text = line.text;
    if let Some(message) = after(text, "Kernel panic - not syncing") {
        let message = some_text(message.trim_start_matches(':'));
        let complete = message.is_some();
        found.push(Found::on(line, HostPanic { message }));
        return Some(if complete { Claim::Mine } else { Claim::Damaged("the reason".to_owned()) });
    }
    if let Some(rest) = after(text, "setting system clock to ") {
        let epoch = rest.rsplit_once('(').and_then(|(_, epoch)| leading_integer(epoch));
        found.push(Found::on(line, HostClockSet { epoch_seconds: epoch }));
        return Some(if epoch.is_some() { Claim::Mine } else { Claim::Damaged("seconds since the epoch".to_owned()) });
    }
    if let Some(kernel_version) = version(line) {
        found.push(Found::on(line, HostBoot { kernel_version: Some(kernel_version) }));
        return Some(Claim::Mine);
    }
    suspend(line, found).or_else(|| last(line, found))
}

/// What a start finds that was not closed: a file system whose journal is played back, journald's own files.
pub(super) fn unclean(line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    let text = line.text;
    let linux = line.origin.channel != Channel::Process;
    let played_back = linux && ["): recovery complete", "): Starting recovery"].iter().any(|words| text.contains(words));
    let journald = linux || line.origin.program.as_deref() == Some("systemd-journald");
    (played_back || (journald && text.contains("uncleanly shut down"))).then(|| {
        found.push(Found::on(line, HostUncleanStop { message: some_text(text) }));
        Claim::Mine
    })
}

/// Windows' event log, as Event Viewer and `Get-WinEvent` export it: Kernel-General 12 tells the time of the start in
/// UTC, User32 1074 who asked for a restart.
pub(super) fn windows(line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    if let Some(time) = after(line.text, "operating system started at system time") {
        // Event Viewer puts marks of writing direction around the time.
        let time = time.trim_start_matches(|c: char| !c.is_ascii() || c == ' ');
        let time: String = time.chars().take_while(|c| !c.is_whitespace()).filter(char::is_ascii).collect();
        let Ok((_, stamp)) = crate::envelope::prim::iso(&time) else {
            return Some(Claim::Damaged("a time".to_owned()));
        };
        let mut event = Found::on(line, HostBoot::default());
        event.mark.date(stamp);
        found.push(event);
        return Some(Claim::Mine);
    }
    line.text.contains("has initiated the restart of computer").then(|| {
        found.push(Found::on(line, HostShutdown { message: some_text(line.text) }));
        Claim::Mine
    })
}

/// Linux's words of going to sleep and of waking: `PM: suspend entry (deep)`, `PM: hibernation: hibernation exit`,
/// before 5.0 only ACPI's `Waking up from system sleep state S3`.
fn suspend(line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    let words = ["PM: suspend e", "PM: hibernation: hibernation e", "PM: hibernation e", "Waking up from system sleep state"];
    let fits = line.origin.channel != Channel::Process && words.iter().any(|words| line.text.contains(words));
    fits.then(|| {
        found.push(Found::on(line, HostSuspended { message: some_text(line.text) }));
        Claim::Mine
    })
}

/// Whether a line is `journalctl`'s mark between two boots: `-- Boot 5083aa9e… --`, before 232 `-- Reboot --`.
pub(super) fn is_mark(text: &str) -> bool {
    let text = text.trim();
    text == "-- Reboot --" || (text.starts_with("-- Boot ") && text.ends_with("--"))
}

/// The version in the first line of a boot.
pub(super) fn version(line: &Line<'_>) -> Option<String> {
    let (before, rest) = line.text.trim().split_once("Linux version ")?;
    let stamped = line.exact || line.origin.channel == Channel::RingBuffer;
    (stamped && (before.is_empty() || before.ends_with("kernel: "))).then_some(())?;
    rest.split_whitespace().next().map(str::to_owned)
}

/// `last -x`: `reboot   system boot  5.8.0-63-generic Mon Aug 23 08:57   still running`.
fn last(line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    let text = line.text;
    let boot = text.starts_with("reboot ") && text.contains("system boot");
    let down = text.starts_with("shutdown ") && text.contains("system down");
    if !boot && !down {
        return None;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut event = if boot {
        let version = words.get(3).filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        Found::on(line, HostBoot { kernel_version: version.map(|version| (*version).to_owned()) })
    } else {
        Found::on(line, HostShutdown { message: some_text(text) })
    };
    if let Some(stamp) = last_stamp(&words) {
        event.mark.date(stamp);
    }
    found.push(event);
    Some(Claim::Mine)
}

/// `Mon Aug 23 08:57`, with `-F` `Mon Aug 23 08:57:11 2021`.
fn last_stamp(words: &[&str]) -> Option<Stamp> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let at = words.iter().position(|word| MONTHS.contains(word))?;
    let month = u32::try_from(MONTHS.iter().position(|month| words.get(at) == Some(month))? + 1).ok()?;
    let day = words.get(at + 1)?.parse().ok()?;
    let mut clock = words.get(at + 2)?.split(':').map(|part| part.parse::<i64>().ok());
    let (hour, minute) = (clock.next()??, clock.next()??);
    let second = clock.next().flatten();
    let year: Option<i32> = second.and_then(|_| words.get(at + 3)?.parse().ok());
    // A stamp without a year counts in the leap year 2000.
    let date = chrono::NaiveDate::from_ymd_opt(year.unwrap_or(2000), month, day)?;
    let seconds = hour * 3600 + minute * 60 + second.unwrap_or(0);
    let kind = if year.is_some() { ClockKind::Local } else { ClockKind::YearLess };
    let micros = crate::envelope::prim::local_micros(date, seconds.checked_mul(SECOND)?)?;
    (0..86_400).contains(&seconds).then(|| Stamp::new(kind, micros))
}

/// The words of an orderly end; each is a needle too.
pub(super) const SHUTDOWN: [&str; 20] = [
    "Power key pressed",
    "System is powering down",
    "System is rebooting",
    "The system will power off",
    "The system will reboot",
    "The system will halt",
    "system is going down",
    "Reached target Shutdown",
    "Reached target Power-Off",
    "Reached target Reboot",
    "SIGTERM to remaining processes",
    "reboot: Restarting system",
    "reboot: Power down",
    "Reached target System Shutdown",
    "Reached target System Power Off",
    "Reached target System Reboot",
    "reboot: machine restart",
    "Starting new kernel",
    "system sleep state S5",
    "critical temperature reached",
];

/// An orderly end: Linux's words, or in a journal those of systemd and its kin.
pub(super) fn shutdown(line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    let program = line.origin.program.as_deref().unwrap_or_default();
    let kin = ["systemd", "shutdown", "init"].iter().any(|name| program.starts_with(name));
    if line.origin.channel == Channel::Process && !kin {
        return None;
    }
    SHUTDOWN.iter().any(|words| line.text.contains(words)).then(|| {
        found.push(Found::on(line, HostShutdown { message: some_text(line.text) }));
        Claim::Mine
    })
}
