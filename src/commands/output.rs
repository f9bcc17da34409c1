//! Writes results: to standard output through one buffer, to files beside and then renamed.
//!
//! A closed pipe is no error: whoever reads has seen enough.

use crate::error::Error;
use std::{
    fs,
    io::{self, BufWriter, Write},
    path::Path,
    process,
};

/// Writes to standard output.
pub(super) fn to_stdout(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    let mut out = BufWriter::new(io::stdout().lock());
    let result = write(&mut out).and_then(|()| out.flush());
    match result {
        Err(source) if source.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::Output { path: "standard output".to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// Writes a text to standard output.
pub(super) fn text(text: &str) -> Result<(), Error> {
    to_stdout(|out| out.write_all(text.as_bytes()))
}

/// Writes a file, so that it is there whole or not at all. A link is followed; a device or a pipe is written into,
/// because a file put in its place would take it away.
pub(super) fn to_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Error> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let special = fs::metadata(&target).is_ok_and(|there| !there.is_file() && !there.is_dir());
    let result = if special { into(&target, write) } else { beside(&target, write) };
    result.map_err(|source| Error::Output { path: path.display().to_string(), source })
}

/// Writes into what is there.
fn into(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    through(fs::OpenOptions::new().write(true).open(path)?, write)
}

/// Writes beside a file, then takes its place.
fn beside(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let part = path.with_file_name(format!(".{name}.{}.part", process::id()));
    // In a folder that others write to, a link of this name could lead anywhere.
    let file = fs::OpenOptions::new().write(true).create_new(true).open(&part)?;
    let result = through(file, write).and_then(|()| fs::rename(&part, path));
    if result.is_err() {
        let _ = fs::remove_file(&part);
    }
    result
}

/// Writes through a buffer.
fn through(file: fs::File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    out.flush()
}

/// Tells something that is no result and no error.
pub(super) fn remark(text: &str) {
    let _ = writeln!(io::stderr().lock(), "note: {}", crate::render::safe(text));
}
