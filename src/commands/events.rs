//! `kerneldoc events`: every event of the logs as one line of JSON, the first half of the pipeline.
//!
//! It joins and judges nothing.

use super::{EventLine, output, read, screen::Screen};
use crate::{
    cli::EventsArgs,
    error::{EXIT_HEALTHY, Error},
    redact::Redactor,
    render::write_json_line,
};

/// Runs the command.
pub(super) fn run(arguments: &EventsArgs, screen: &Screen) -> Result<u8, Error> {
    let logs = read::read(&arguments.paths, screen);
    logs.not_empty()?;
    let redactor = Redactor::new(arguments.redact);
    output::to_stdout(|out| {
        for extract in &logs.extracts {
            for record in &extract.records {
                write_json_line(&EventLine::new(record, &extract.path, &extract.kind, redactor), out)?;
            }
        }
        Ok(())
    })?;
    for (path, reason) in &logs.skipped {
        output::remark(&format!("`{path}` was not read ({reason})"));
    }
    Ok(EXIT_HEALTHY)
}
