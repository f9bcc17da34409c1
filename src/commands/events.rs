//! `kerneldoc events`: every event of the logs as one line of JSON, the first half of the pipeline.
//!
//! It joins and judges nothing.

use super::{listing, output, read, screen::Screen};
use crate::{
    cli::EventsArgs,
    error::{EXIT_HEALTHY, Error},
    exchange,
    redact::Redactor,
    render::write_json_line,
};
use std::collections::BTreeMap;

/// Runs the command.
pub(super) fn run(arguments: &EventsArgs, screen: &Screen) -> Result<u8, Error> {
    let keys = match &arguments.listing {
        Some(listing) => listing::read(listing)?.into_iter().map(|(key, path)| (path, key)).collect(),
        None => BTreeMap::new(),
    };
    let listed = arguments.listing.is_some();
    let logs = if listed {
        read::read_all(&keys.keys().map(Into::into).collect::<Vec<_>>(), screen)
    } else {
        read::read(&arguments.paths, screen)
    };
    let redactor = Redactor::new(arguments.redact);
    // What was not read is told to the second half too, even where there is nothing else to tell.
    output::to_stdout(|out| {
        exchange::lines(&logs.extracts, &logs.skipped, &keys, redactor, &mut |line| {
            write_json_line(line, out)
        })
    })?;
    for (path, reason) in &logs.skipped {
        output::remark(&format!("`{path}` was not read ({reason})"));
    }
    // A scheduler's empty share is no error.
    if !listed {
        logs.not_empty()?;
    }
    Ok(EXIT_HEALTHY)
}
