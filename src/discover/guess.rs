//! Guesses why a path that was given cannot be found, from the path and from what stands beside it.
//!
//! It opens nothing and repairs nothing.

use super::plainly;
use std::{ffi::OsString, fs, io, path::Path};
use strsim::levenshtein as distance;

/// Guesses why a path cannot be found.
pub(super) fn cause(path: &Path, error: &io::Error) -> String {
    let text = path.to_string_lossy();
    if error.kind() != io::ErrorKind::NotFound {
        return plainly(error);
    }
    if text.is_empty() {
        return "an empty path; a variable may be unset".to_owned();
    }
    if fs::symlink_metadata(path).is_ok() {
        return "a link to nothing".to_owned();
    }
    if text.starts_with('~') {
        return "no such file or folder; the shell did not replace the `~` (remove the quotes)".to_owned();
    }
    if text.contains(['*', '?']) {
        return "no such file or folder; the pattern matched nothing".to_owned();
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match fs::read_dir(parent) {
        Ok(entries) => {
            match nearest(path, entries.flatten().take(MOST_SIBLINGS).map(|entry| entry.file_name())) {
                Some(name) => {
                    format!("no such file or folder; did you mean {}?", parent.join(name).display())
                }
                None => "no such file or folder".to_owned(),
            }
        }
        Err(_) => format!("no such file or folder, nor a folder {}", parent.display()),
    }
}

/// How many neighbours are compared with a missing name.
const MOST_SIBLINGS: usize = 5_000;

/// The neighbour whose name differs least, if by little: in case, in its extension, or in two letters.
fn nearest(path: &Path, names: impl Iterator<Item = OsString>) -> Option<String> {
    let wanted = path.file_name()?.to_string_lossy().to_lowercase();
    let candidates = names.filter_map(|name| {
        let name = name.to_string_lossy().into_owned();
        let lower = name.to_lowercase();
        let same_stem = lower.strip_prefix(&wanted).is_some_and(|rest| rest.starts_with('.'))
            || wanted.strip_prefix(&lower).is_some_and(|rest| rest.starts_with('.'));
        let distance = if same_stem { 1 } else { distance(&wanted, &lower) };
        (distance <= 2 && distance < wanted.chars().count()).then_some((distance, name))
    });
    candidates.min().map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances() {
        let pairs = [("dmesg", "dmesg"), ("dmesg", "dmseg"), ("", "ab"), ("kitten", "sitting")];
        assert_eq!(pairs.map(|(one, other)| distance(one, other)), [0, 2, 2, 3]);
    }
}
