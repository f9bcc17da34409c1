//! Files that are taken as they are: logs in known places, and the counters of cgroups.

use super::table::{COUNTERS, FILES};
use std::{
    env, fs,
    io::Read,
    path::{Path, PathBuf},
    time::SystemTime,
};
use walkdir::WalkDir;

/// The most that is taken of one file.
const MOST_BYTES: u64 = 64 << 20;
/// The most cgroups that are looked at.
const MOST_CGROUPS: usize = 4000;

/// The files of the table that are here and were written since, in a fixed order.
pub(super) fn files(since: SystemTime) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for (folder, begins, ends) in FILES {
        for folder in folders(folder) {
            let Ok(entries) = fs::read_dir(folder) else { continue };
            let fits = |path: &PathBuf| {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                name.starts_with(begins)
                    && name.ends_with(ends)
                    && (!ends.is_empty() || !begins.is_empty() || is_log(&name))
            };
            let fresh = |path: &PathBuf| {
                let written = path.metadata().and_then(|meta| meta.modified());
                path.is_file() && (path.starts_with("/proc") || written.is_ok_and(|written| written >= since))
            };
            let mut paths: Vec<_> =
                entries.flatten().map(|entry| entry.path()).filter(fits).filter(fresh).collect();
            paths.sort();
            found.extend(paths);
        }
    }
    found.dedup();
    found
}

/// Names that a log or a record may have.
fn is_log(name: &str) -> bool {
    [".log", ".ndjson", ".jsonl"].iter().any(|end| name.ends_with(end))
}

/// The folders of a pattern: `~` is the home folder, `$NAME` one that a variable names, a last part with `*` stands for several.
fn folders(pattern: &str) -> Vec<PathBuf> {
    let home = env::var_os("HOME").map(PathBuf::from);
    let named = pattern.strip_prefix('$').map(|name| env::var_os(name).unwrap_or_default());
    let path = match (pattern.strip_prefix('~'), home) {
        _ if named.is_some() => named.map(PathBuf::from).unwrap_or_default(),
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches('/')),
        (Some(_), None) => return Vec::new(),
        _ => PathBuf::from(pattern),
    };
    let last = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (Some(begin), Some(parent)) = (last.strip_suffix('*'), path.parent()) else { return vec![path] };
    let Ok(entries) = fs::read_dir(parent) else { return Vec::new() };
    let mut found: Vec<_> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(begin))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

/// A file's text; what is no text is left out.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(|error| error.to_string())?;
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// The counters of the cgroups in which something happened, each file under its path.
pub(super) fn counters() -> Vec<u8> {
    let mut text = String::new();
    let folders = WalkDir::new("/sys/fs/cgroup").sort_by_file_name().into_iter().flatten();
    for folder in folders.filter(|entry| entry.file_type().is_dir()).take(MOST_CGROUPS) {
        let read = |name: &'static str| Some((name, fs::read_to_string(folder.path().join(name)).ok()?));
        let files: Vec<_> = COUNTERS.iter().filter_map(|name| read(name)).collect();
        if !files.iter().any(|(name, text)| tells(name, text)) {
            continue;
        }
        for (name, content) in files {
            let path = folder.path().join(name).display().to_string();
            text.extend(["==> ", &path, " <==\n", content.trim_end(), "\n"]);
        }
        text.push('\n');
    }
    text.into_bytes()
}

/// Whether a file of a cgroup tells of a kill or a refusal.
fn tells(name: &str, text: &str) -> bool {
    let counts = |key: &str| {
        text.lines().any(|line| {
            line.strip_prefix(key)
                .is_some_and(|count| count.trim().parse::<u64>().is_ok_and(|count| count > 0))
        })
    };
    match name {
        "memory.events" => counts("oom_kill ") || counts("oom "),
        "memory.oom_control" => counts("oom_kill "),
        "pids.events" => counts("max "),
        _ => false,
    }
}
