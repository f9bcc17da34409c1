//! `kerneldoc convert`: a JSON report into another format, without a second analysis.
//!
//! It trusts the report to have been redacted when it was made.

use super::{output, read, reports::Reports, screen::Screen, tickets};
use crate::{
    cli::ConvertArgs,
    error::{EXIT_HEALTHY, Error},
    report::Report,
};
use std::{io::Read, path::Path};

/// The part of a schema's name before its version.
const FAMILY: &str = "kerneldoc.report/";

/// Runs the command.
pub(super) fn run(arguments: &ConvertArgs, screen: &Screen) -> Result<u8, Error> {
    let formats = arguments.outputs.iter().map(|(format, _)| *format).chain([arguments.to]);
    let mut reports = Reports::of(&report(&arguments.report)?, formats.clone(), screen)?;
    reports.triage(&arguments.triage)?;
    tickets::remark(formats, &arguments.tickets);
    let options = tickets::with_values(screen.options(), &arguments.tickets);
    output::to_stdout(|out| reports.write(arguments.to, &options, screen, out))?;
    let options = tickets::with_values(screen.file_options(), &arguments.tickets);
    for (format, path) in &arguments.outputs {
        output::to_file(path, |out| reports.write(*format, &options, screen, out))?;
    }
    Ok(EXIT_HEALTHY)
}

/// Reads a report from a file or standard input.
pub(super) fn report(path: &Path) -> Result<Report, Error> {
    let name = path.display().to_string();
    let mut text = String::new();
    read::reader(path)
        .and_then(|mut reader| reader.read_to_string(&mut text))
        .map_err(|source| Error::Unreadable { path: name.clone(), source })?;
    parse(&text).map_err(|reason| Error::NoReport { path: name, reason })
}

/// Reads a report of version 1.
fn parse(text: &str) -> Result<Report, String> {
    let value: serde_json::Value =
        serde_json::from_str(text).map_err(|error| format!("it is no JSON ({error})"))?;
    let schema = value.get("schema").and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
    match schema.strip_prefix(FAMILY) {
        Some("1") => serde_json::from_value(value).map_err(|error| error.to_string()),
        Some(other) => Err(format!("it is of version {other}, and this kerneldoc knows version 1")),
        None => Err("it does not say `\"schema\": \"kerneldoc.report/1\"`".to_owned()),
    }
}
