//! Listings: the paths of a fleet's logs, one a line, with or without the keys of `kerneldoc plan`.
//!
//! `kerneldoc plan` opens none of them.

use super::{output, read};
use crate::{
    cli::PlanArgs,
    error::{EXIT_HEALTHY, Error},
    partition,
};
use std::{io::Read as _, path::Path};

/// Runs `kerneldoc plan`: each path of a listing with its key, `key<TAB>path`, in the listing's order.
pub(super) fn plan(arguments: &PlanArgs) -> Result<u8, Error> {
    let listed = read(&arguments.listing)?;
    output::to_stdout(|out| listed.iter().try_for_each(|(key, path)| writeln!(out, "{key}\t{path}")))?;
    Ok(EXIT_HEALTHY)
}

/// The keys and paths of a listing. A line is a path, or a key, a tab and a path; empty lines are no paths.
pub(super) fn read(listing: &Path) -> Result<Vec<(String, String)>, Error> {
    let name = listing.display().to_string();
    let mut text = String::new();
    read::reader(listing)
        .and_then(|mut reader| reader.read_to_string(&mut text))
        .map_err(|source| Error::Unreadable { path: name, source })?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    Ok(lines.map(line).collect())
}

/// A line's key and path.
fn line(line: &str) -> (String, String) {
    match line.split_once('\t') {
        Some((key, path)) if !key.is_empty() => (key.to_owned(), shown(path)),
        _ => (partition::of_path(line), shown(line)),
    }
}

/// The path as reports show it.
fn shown(path: &str) -> String {
    path.strip_prefix("./").unwrap_or(path).to_owned()
}
