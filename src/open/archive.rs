//! Walks through tar and zip archives, and delivers their members as streams.
//!
//! Links and devices are never followed, only reported; members' names are made safe by [`name`].

use super::{
    Walk,
    guard::{Failure, reason},
    name,
};
use std::{
    cell::Cell,
    io::{Cursor, Read, Seek},
    rc::Rc,
};
use tar::EntryType;

/// The longest extended header (a long name, pax attributes) that is read.
const EXTENDED: u64 = 64 << 10;
/// The largest zip archive that is held in memory to read its directory. Larger ones are read from front to back.
const ZIP_BUFFER: u64 = 32 << 20;
/// The most members of a zip archive whose directory is read; it takes far more memory than it takes place.
const MOST_LISTED: usize = 50_000;

/// Walks through a tar archive. `failure` is that of the stream it is read from.
///
/// The entries are read raw, because the tar crate reads extended headers whole, however long they say they are.
/// A pax header's size is therefore not seen: a member beyond 8 GiB in that format ends the walk as damaged.
pub(super) fn tar(walk: &mut Walk<'_>, path: &str, reader: &mut dyn Read, depth: usize, failure: &Failure) {
    let mut archive = tar::Archive::new(reader);
    let Ok(entries) = archive.entries() else { return };
    let mut long_name = None;
    for entry in entries.raw(true) {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                if failure.reason().is_none() {
                    walk.skip(path, &reason(&error));
                }
                return;
            }
        };
        let kind = entry.header().entry_type();
        match kind {
            EntryType::GNULongName | EntryType::XHeader => {
                long_name = extended_name(&mut entry, kind).or(long_name);
                continue;
            }
            EntryType::GNULongLink | EntryType::XGlobalHeader => continue,
            _ => {}
        }
        let stored = long_name.take().unwrap_or_else(|| entry.header().path_bytes().into_owned());
        if kind.is_dir() || (stored.ends_with(b"/") && !kind.is_file()) {
            continue;
        }
        if !may_go_on(walk, path) {
            return;
        }
        let inner = name::inner(path, &stored);
        if let Some(reason) = refusal(kind) {
            walk.skip(&inner, reason);
        } else {
            let size = Rc::new(Cell::new(entry.size()));
            walk.member(&inner, &mut entry, &size, depth);
        }
    }
}

/// Why a member is not read.
fn refusal(kind: EntryType) -> Option<&'static str> {
    match kind {
        EntryType::Regular | EntryType::Continuous => None,
        EntryType::Link | EntryType::Symlink => Some("a link in an archive"),
        EntryType::Char | EntryType::Block | EntryType::Fifo => Some("a device or pipe in an archive"),
        EntryType::GNUSparse => Some("a sparse file in an archive: unpack it first"),
        _ => Some("an unknown kind of archive member"),
    }
}

/// The name in a GNU or pax header before the member.
fn extended_name(entry: &mut impl Read, kind: EntryType) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    entry.take(EXTENDED).read_to_end(&mut bytes).ok()?;
    if kind == EntryType::GNULongName {
        return Some(bytes.into_iter().take_while(|byte| *byte != 0).collect());
    }
    let extensions = tar::PaxExtensions::new(&bytes);
    extensions
        .flatten()
        .find(|extension| extension.key_bytes() == b"path")
        .map(|path| path.value_bytes().to_vec())
}

/// Counts a member; `false`, with a report, if there are too many.
fn may_go_on(walk: &mut Walk<'_>, path: &str) -> bool {
    walk.entries += 1;
    let most = walk.limits.entries;
    if walk.entries == most + 1 {
        walk.skip(path, &format!("holds more than {most} files; the rest was left"));
    }
    walk.entries <= most
}

/// Walks through a zip archive: by its directory if it is small, else, or if the directory is gone or empty, as it comes.
pub(super) fn zip(walk: &mut Walk<'_>, path: &str, reader: &mut dyn Read, depth: usize) {
    let mut held = Vec::new();
    if let Err(error) = reader.take(ZIP_BUFFER).read_to_end(&mut held) {
        walk.skip(path, &reason(&error));
    }
    if (held.len() as u64) < ZIP_BUFFER
        && memchr::memmem::find_iter(&held, b"PK\x01\x02").count() <= MOST_LISTED
        && let Ok(archive) = ::zip::ZipArchive::new(Cursor::new(&held))
        && !archive.is_empty()
    {
        return listed(walk, path, archive, depth);
    }
    streamed(walk, path, &mut Cursor::new(held).chain(reader), depth);
}

/// Reads the members that a directory lists.
fn listed<R: Read + Seek>(walk: &mut Walk<'_>, path: &str, mut archive: ::zip::ZipArchive<R>, depth: usize) {
    for index in 0..archive.len() {
        if !may_go_on(walk, path) {
            return;
        }
        let stored = archive.name_for_index(index).map(|name| name.as_bytes().to_vec()).unwrap_or_default();
        match archive.by_index(index) {
            Ok(file) => zip_member(walk, path, file, depth),
            Err(error) => walk.skip(&name::inner(path, &stored), &format!("cannot be unpacked: {error}")),
        }
    }
}

/// Reads members as they come. A truncated archive gives what it still has.
fn streamed(walk: &mut Walk<'_>, path: &str, reader: &mut dyn Read, depth: usize) {
    let mut reader = reader;
    let mut seen = false;
    loop {
        match ::zip::read::read_zipfile_from_stream(&mut reader) {
            Ok(Some(file)) if may_go_on(walk, path) => zip_member(walk, path, file, depth),
            Ok(Some(_)) => return,
            Ok(None) if seen => return,
            Ok(None) => return walk.skip(path, "a zip archive without members"),
            Err(error) => {
                return walk.skip(path, &format!("the rest cannot be unpacked ({error}): unpack it first"));
            }
        }
        seen = true;
    }
}

/// Looks at one member of a zip archive.
fn zip_member(walk: &mut Walk<'_>, path: &str, file: ::zip::read::ZipFile<'_, impl Read>, depth: usize) {
    let inner = name::inner(path, file.name().as_bytes());
    if file.is_dir() {
        return;
    }
    if file.is_symlink() {
        return walk.skip(&inner, "a link in an archive");
    }
    let size = Rc::new(Cell::new(file.compressed_size()));
    walk.member(&inner, file, &size, depth);
}
