//! The files that a CI platform collects.
//!
//! Their names do not change: pipelines know them.

use super::{Reports, Screen, output};
use crate::{
    error::Error,
    render::{Format, Options},
};
use std::{fs, path::Path};

/// Each format and its file.
const FILES: [(Format, &str); 6] = [
    (Format::Json, "kerneldoc.json"),
    (Format::Markdown, "kerneldoc.md"),
    (Format::Html, "kerneldoc.html"),
    (Format::Junit, "kerneldoc.junit.xml"),
    (Format::Sarif, "kerneldoc.sarif"),
    (Format::Gitlab, "gl-code-quality-report.json"),
];

/// Writes all of them into a folder, which is made if it is not there.
pub(super) fn write(reports: &Reports, screen: &Screen, folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder)
        .map_err(|source| Error::Output { path: folder.display().to_string(), source })?;
    for (format, name) in FILES {
        output::to_file(&folder.join(name), |out| reports.write(format, &Options::default(), screen, out))?;
    }
    Ok(())
}
