//! Disks and file systems that are full, failing or stalled, in Linux's words and in those of the process that hit it.
//!
//! A full disk leaves no line of Linux's; the write that failed tells.

use crate::{
    event::{Channel, StorageError},
    line::{Line, shorten},
    parse::{
        Claim, Found,
        linux::{after, between, integer_after, some_text},
        prim,
    },
};

/// Looks at one line; `None` if it says nothing of this.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    let event = failed_call(line.text).or_else(|| linux(line).filter(|_| line.origin.channel != Channel::Process))?;
    found.push(Found::on(line, StorageError { message: Some(shorten(line.text.trim())), ..event }));
    Some(Claim::Mine)
}

/// A call that failed: `OSError: [Errno 28] No space left on device: '/home/a/x'`, `tee: x: No space left on device`.
fn failed_call(text: &str) -> Option<StorageError> {
    const WORDS: [(&str, &str, i64); 8] = [
        ("No space left on device", "full", 28),
        ("no space left on device", "full", 28),
        ("database or disk is full", "full", 28),
        ("Disk quota exceeded", "quota", 122),
        ("Read-only file system", "read-only", 30),
        ("Input/output error", "io", 5),
        ("No locks available", "lock", 37),
        ("Stale file handle", "nfs-stalled", 116),
    ];
    let (words, what, errno) = WORDS.iter().find(|(words, ..)| text.contains(words))?;
    // Too many watched files are reported with the same number, and no disk is full.
    if text.contains("inotify") {
        return None;
    }
    let (before, rest) = text.split_once(words)?;
    // An error's words end there or go on with a mark; in a sentence another word follows.
    if rest.strip_prefix(' ').is_some_and(|rest| rest.starts_with(char::is_lowercase)) {
        return None;
    }
    let printed = integer_after(before, "[Errno ");
    Some(StorageError {
        what: Some((*what).to_owned()),
        path: path(before, rest),
        errno: printed.or_else(|| rest.contains("os error").then_some(*errno)),
        message: None,
    })
}

/// The path of a failed call: Python quotes it behind the message, shell tools print it before, `PyTorch` in brackets.
fn path(before: &str, rest: &str) -> Option<String> {
    if let Some((_, name)) = before.rsplit_once(" <").filter(|_| before.contains("unable to ")) {
        return bracketed(name.split_once('>')?.0);
    }
    if let Some(quoted) = rest.strip_prefix(": ") {
        return prim::quoted(quoted).ok().and_then(|(_, path)| some_text(path));
    }
    let word = before.trim_end().strip_suffix(':')?.split_whitespace().next_back()?;
    let path = word.trim_matches(['\'', '"', '‘', '’', '`']);
    (path.starts_with('/') && path.len() > 1).then(|| path.to_owned())
}

/// `PyTorch`'s `unable to write to file </torch_287_2714559211_8>: …`: a name with one slash, in front, is one that
/// `shm_open` takes, and the C library keeps those in /dev/shm.
fn bracketed(name: &str) -> Option<String> {
    let shared = name.strip_prefix("/torch_").is_some_and(|rest| !rest.contains('/'));
    some_text(&if shared { format!("/dev/shm{name}") } else { name.to_owned() })
}

/// What Linux says.
fn linux(line: &Line<'_>) -> Option<StorageError> {
    let text = line.text;
    let error = |what: &str, path: Option<&str>| {
        Some(StorageError { what: Some(what.to_owned()), path: path.and_then(some_text), ..StorageError::default() })
    };
    // `EXT4-fs (sda1): …`, `XFS (dm-3): …`, `BTRFS error (device sda1): …`
    let device = between(text, "(", ")").map(|device| device.trim_start_matches("device "));
    if text.contains("emounting filesystem read-only") || text.contains("forced readonly") {
        return error("read-only", device);
    }
    if text.contains("EXT4-fs error") || text.contains("Metadata corruption detected") || text.contains("Shutting down filesystem") {
        return error("io", device);
    }
    // A delayed write that had no room: `… with max blocks 10 with error 28`, `BTRFS: error (…) in …: errno=-28 No space left`.
    if text.contains("out-of-data-space") {
        return error("full", None);
    }
    if text.ends_with("with error 28") || text.contains("errno=-28") {
        return error("full", device);
    }
    if text.contains("Data will be lost") {
        return error("io", device);
    }
    let gone = ["timeout, reset controller", "timeout, aborting", "Device not ready; aborting reset"];
    if text.starts_with("nvme") && gone.iter().any(|words| text.contains(words)) {
        return error("io", text.split([':', ' ']).nth(1));
    }
    // `md/raid1:md0: Disk failure on sdb1, disabling device.`
    if let Some(rest) = after(text, "Disk failure on ") {
        return error("io", rest.split([',', '.', ' ']).next());
    }
    if let Some(rest) = after(text, "I/O error") {
        let device = ["dev ", "device "].iter().find_map(|mark| after(rest, mark));
        return error("io", device?.split([',', ' ']).next());
    }
    if let Some((before, _)) = text.split_once(" not responding, ") {
        return error("nfs-stalled", Some(after(before, "nfs: server ")?));
    }
    // CIFS: `CIFS: VFS: \\\\fs01 has not responded in 180 seconds. Reconnecting...`
    let stalled = text.contains("ceph: mds0 hung") || text.contains("ceph: mds0 caps stale") || (text.contains("CIFS") && text.contains("has not responded in "));
    if stalled { error("nfs-stalled", None) } else { None }
}
