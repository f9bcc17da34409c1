//! What is known already: an older report, a file of known issues.
//!
//! It reads the two files; what they mean stands in `report`.

use super::convert;
use crate::{
    cli::TriageArgs,
    error::Error,
    report::{KnownIssues, Report, leave_out},
};
use std::fs;

/// Leaves out and marks what is known.
pub(super) fn apply(arguments: &TriageArgs, report: &mut Report) -> Result<(), Error> {
    if let Some(path) = &arguments.baseline {
        leave_out(report, &convert::report(path)?, arguments.only_new);
    }
    if let Some(path) = &arguments.known {
        let name = path.display().to_string();
        let text =
            fs::read_to_string(path).map_err(|source| Error::Unreadable { path: name.clone(), source })?;
        let issues = KnownIssues::parse(&text)
            .map_err(|fault| Error::Usage(format!("`{name}` is no file of known issues: {fault}")))?;
        issues.apply(report, arguments.today);
    }
    Ok(())
}
