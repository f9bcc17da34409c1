//! `kerneldoc redact`: the same scrubber as a filter, line by line, so that a log can be shared.
//!
//! It keeps the number of lines and their ends.

use super::{output, read};
use crate::{
    cli::RedactArgs,
    error::{EXIT_HEALTHY, Error},
    redact::LineRedactor,
};
use std::io::{self, BufRead, BufReader, Read, Write};

/// The longest line that is taken at once; a longer one is redacted in pieces of this length.
const LONGEST: u64 = 1 << 20;

/// Runs the command.
pub(super) fn run(arguments: &RedactArgs) -> Result<u8, Error> {
    let path = arguments.file.display().to_string();
    let reader =
        read::reader(&arguments.file).map_err(|source| Error::Unreadable { path: path.clone(), source })?;
    let mut lines = LineRedactor::new(arguments.redact);
    let mut unreadable = None;
    output::to_stdout(|out| {
        let mut reader = BufReader::new(reader);
        let mut line = Vec::new();
        loop {
            match next_line(&mut reader, &mut line) {
                Ok(false) => return Ok(()),
                Ok(true) => write_line(&line, &mut lines, out)?,
                Err(error) => {
                    unreadable = Some(error);
                    return Ok(());
                }
            }
        }
    })?;
    unreadable.map_or(Ok(EXIT_HEALTHY), |source| Err(Error::Unreadable { path, source }))
}

/// Reads the next line; `false` at the end.
fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    Ok(reader.by_ref().take(LONGEST).read_until(b'\n', line)? > 0)
}

/// Writes a line without its secrets.
fn write_line(line: &[u8], lines: &mut LineRedactor, out: &mut dyn Write) -> io::Result<()> {
    let body = line.strip_suffix(b"\n").unwrap_or(line);
    let body = body.strip_suffix(b"\r").unwrap_or(body);
    let end = line.get(body.len()..).unwrap_or_default();
    out.write_all(lines.line(&String::from_utf8_lossy(body)).as_str().as_bytes())?;
    out.write_all(end)
}
