//! The logs of a case.

#[path = "entries.rs"]
pub(crate) mod entries;

use entries::entries;
use kerneldoc::pipeline::Log;
use std::{fs, path::Path};

/// All files below a folder as logs, in order, with paths relative to it.
pub(crate) fn logs(folder: &Path) -> Vec<Log> {
    let name =
        |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut all = Vec::new();
    for path in entries(folder) {
        if path.is_dir() {
            let inside = |log: Log| Log { path: format!("{}/{}", name(&path), log.path), ..log };
            all.extend(logs(&path).into_iter().map(inside));
        } else {
            all.push(Log { path: name(&path), text: fs::read(&path).expect("a log can be read") });
        }
    }
    all
}
