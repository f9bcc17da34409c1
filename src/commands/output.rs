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

/// Writes a file, so that it is there whole or not at all.
pub(super) fn to_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Error> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let beside = path.with_file_name(format!(".{name}.{}.part", process::id()));
    let result = fs::File::create(&beside).and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()
    });
    result.and_then(|()| fs::rename(&beside, path)).map_err(|source| {
        let _ = fs::remove_file(&beside);
        Error::Output { path: path.display().to_string(), source }
    })
}

/// Tells something that is no result and no error.
pub(super) fn remark(text: &str) {
    let _ = writeln!(io::stderr().lock(), "note: {}", crate::render::safe(text));
}
