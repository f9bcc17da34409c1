//! The report for people: verdict, proof, fix, doubts, one screen a death; tables where a table reads better.
//!
//! Everything that came from a log passes through `safe` before it is written.

pub(super) mod curve;
pub(super) mod footer;
pub(super) mod group;
mod overview;
mod proof;
mod sheet;
pub(super) mod summary;
pub(super) mod verdict;
pub(super) mod words;

pub use sheet::{Sheet, Styles};

use super::{Detail, Options};
use crate::report::Report;
use std::io::{self, Write};

/// Writes the report as text.
pub(super) fn write(report: &Report, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let mut sheet = Sheet::new(options, out);
    let groups = group::groups(report);
    if options.detail == Detail::Brief && !groups.is_empty() {
        return groups.iter().try_for_each(|group| verdict::brief(group, &mut sheet));
    }
    overview::headline(report, &mut sheet)?;
    if options.detail == Detail::Brief {
        return Ok(());
    }
    let several = groups.len() > 1;
    if several {
        overview::table(&groups, &mut sheet)?;
    }
    for group in &groups {
        sheet.blank()?;
        verdict::write(group, several, &mut sheet)?;
    }
    footer::write(report, &mut sheet)
}
