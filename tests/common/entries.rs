//! What a folder holds.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The entries of a folder, in the order of their names; none if there is no such folder.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
