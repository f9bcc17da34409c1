//! Finds the files to read below the paths that were given, in an order that does not depend on the disk.
//!
//! It opens no file. Whether one can be read, and what is in it, `open` finds out.

mod guess;

use std::{
    collections::{BTreeMap, btree_map::Entry},
    fmt, fs, io,
    path::{Path, PathBuf},
};
use walkdir::{DirEntry, WalkDir};

/// The path that stands for standard input.
pub const STANDARD_INPUT: &str = "-";
/// Folders of version control, which hold no logs but much text.
const VERSION_CONTROL: &[&str] = &[".git", ".hg", ".svn", ".bzr", ".jj"];

/// What was found.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The files, in the order of the paths given and by name below each; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// What is left out: the path, and why.
    pub skipped: Vec<(String, String)>,
    /// Paths that do not exist.
    pub missing: Vec<Missing>,
}

/// A path that was given and does not exist, and what may have gone wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The path, as given.
    pub path: PathBuf,
    /// The likely cause, one sentence without a full stop.
    pub cause: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.cause)
    }
}

impl std::error::Error for Missing {}

/// Finds the files below the paths. The same file is given once, however many ways lead to it.
pub fn discover(paths: &[PathBuf]) -> Discovery {
    let mut search = Search::default();
    for path in paths {
        search.path(path);
    }
    search.finish()
}

/// The search while it runs.
#[derive(Default)]
struct Search {
    found: Discovery,
    /// Every file by its real path, with the name under which it is read.
    real: BTreeMap<PathBuf, PathBuf>,
    /// Links to files, which count only if nothing else leads there: the link, the real path.
    links: Vec<(PathBuf, PathBuf)>,
}

impl Search {
    /// Searches one path that was given. A link that was named is followed: naming it is asking for it.
    fn path(&mut self, path: &Path) {
        if path.as_os_str() == STANDARD_INPUT {
            return self.file(path, path.to_path_buf());
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.folder(path),
            Ok(metadata) if metadata.is_file() || is_descriptor(path) => self.file(path, real(path)),
            Ok(metadata) => self.skip(path, special(metadata.file_type())),
            Err(error) => {
                let cause = guess::cause(path, &error);
                self.found.missing.push(Missing { path: path.to_path_buf(), cause });
            }
        }
    }

    /// Searches a folder.
    fn folder(&mut self, root: &Path) {
        let inside = real(root);
        let entries = WalkDir::new(root)
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|entry| !is_version_control(entry));
        for entry in entries {
            match entry {
                Ok(entry) => self.entry(&entry, &inside),
                Err(error) => {
                    let path = error.path().unwrap_or(root).to_path_buf();
                    self.skip(&path, &error.io_error().map_or_else(|| error.to_string(), plainly));
                }
            }
        }
    }

    /// Looks at one entry below a folder whose real path is `inside`.
    fn entry(&mut self, entry: &DirEntry, inside: &Path) {
        let path = without_dot(entry.path());
        let kind = entry.file_type();
        if kind.is_file() {
            self.file(path, real(entry.path()));
        } else if kind.is_symlink() && entry.depth() > 0 {
            self.link(path, entry.path(), inside);
        } else if !kind.is_dir() && !kind.is_symlink() {
            self.skip(path, special(kind));
        }
    }

    /// Looks at a link below a folder. Links to folders inside need no following: the folder is found anyway.
    fn link(&mut self, path: &Path, link: &Path, inside: &Path) {
        let target = match fs::canonicalize(link) {
            Ok(target) => target,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return self.skip(path, "a link to nothing");
            }
            // ELOOP has no kind of its own in the oldest supported toolchain.
            Err(error) if error.raw_os_error() == Some(LOOP) => {
                return self.skip(path, "a link that leads to itself");
            }
            Err(error) => return self.skip(path, &plainly(&error)),
        };
        let place = link.parent().map(real).unwrap_or_default();
        if place.starts_with(&target) {
            self.skip(path, "a link to a folder above itself");
        } else if !target.starts_with(inside) {
            self.skip(
                path,
                &format!("a link that leads outside, to {}: name it to read it", target.display()),
            );
        } else if target.is_file() {
            self.links.push((path.to_path_buf(), target));
        } else if !target.is_dir() {
            self.skip(path, "a link to something that is no file");
        }
    }

    /// Keeps a file, unless it was found already.
    fn file(&mut self, path: &Path, real: PathBuf) {
        if let Entry::Vacant(place) = self.real.entry(real) {
            place.insert(path.to_path_buf());
            self.found.files.push(path.to_path_buf());
        }
    }

    /// Leaves something out.
    fn skip(&mut self, path: &Path, reason: &str) {
        self.found.skipped.push((path.to_string_lossy().into_owned(), reason.to_owned()));
    }

    /// Adds those links that lead to files not found otherwise.
    fn finish(mut self) -> Discovery {
        for (link, target) in std::mem::take(&mut self.links) {
            match self.real.get(&target) {
                Some(name) => {
                    let reason = format!("the same file as {}", name.display());
                    self.skip(&link, &reason);
                }
                None => self.file(&link, target),
            }
        }
        self.found
    }
}

/// Linux's number for "too many levels of symbolic links"; other systems report theirs in words.
const LOOP: i32 = 40;

/// Whether an entry below a folder belongs to version control.
fn is_version_control(entry: &DirEntry) -> bool {
    entry.depth() > 0
        && entry.file_type().is_dir()
        && entry.file_name().to_str().is_some_and(|name| VERSION_CONTROL.contains(&name))
}

/// Whether a path is one of this process's own descriptors, as the shell's `<(…)` and `/dev/stdin` are. Only such
/// pipes are read; opening any other could wait forever for a writer.
fn is_descriptor(path: &Path) -> bool {
    path == Path::new("/dev/stdin") || path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd")
}

/// The path without links, or as it is where that cannot be found out.
fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

/// `logs/a.log` for `./logs/a.log`, which is how the user would name it.
fn without_dot(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
}

/// The words for a file that is none.
#[cfg(unix)]
fn special(kind: fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_block_device() || kind.is_char_device() {
        "a device"
    } else {
        "no regular file"
    }
}

/// The words for a file that is none.
#[cfg(not(unix))]
fn special(_: fs::FileType) -> &'static str {
    "no regular file"
}

/// An error of the system in words.
fn plainly(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::NotFound => "it is gone".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(all(test, unix))]
mod tests;
