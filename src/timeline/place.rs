//! Which logs may be about the same machine.
//!
//! Two hosts' folders side by side hold logs of the same kinds from the same minute; only the folders tell them apart.

use crate::extract::Extract;
use std::collections::{BTreeMap, BTreeSet};

/// Kinds of logs of which a machine, or a user's server, has one: two folders with the same are two places.
const ONE_PER_PLACE: &[&str] = &["jupyter", "docker events", "hub"];

/// The place of each log, where folders are places: the folder that holds it.
pub(super) fn places(extracts: &[Extract]) -> Vec<Option<String>> {
    let mut folders: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for extract in extracts {
        if let Some(folder) = folder(&extract.path) {
            folders.entry(folder).or_default().extend(kind(extract));
        }
    }
    let mut seen = BTreeSet::new();
    let repeated = folders.values().filter(|kinds| kinds.len() > 1).flatten().any(|kind| !seen.insert(*kind));
    if !repeated {
        return vec![None; extracts.len()];
    }
    extracts.iter().map(|extract| folder(&extract.path).map(str::to_owned)).collect()
}

/// What a log is, as far as it tells one place from another.
fn kind(extract: &Extract) -> Option<&str> {
    if extract.host_log {
        return Some("host log");
    }
    ONE_PER_PLACE.iter().copied().find(|kind| *kind == extract.kind)
}

/// The folder of a path; members of an archive have the archive before them.
fn folder(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(path: &str, kind: &str) -> Extract {
        Extract {
            path: path.to_owned(),
            kind: kind.to_owned(),
            host_log: kind == "dmesg",
            ..Extract::default()
        }
    }

    #[test]
    fn two_hosts_side_by_side_are_two_places() {
        let logs = [
            log("a/d.txt", "dmesg"),
            log("a/j.log", "jupyter"),
            log("b/d.txt", "dmesg"),
            log("b/j.log", "jupyter"),
        ];
        assert_eq!(places(&logs), ["a", "a", "b", "b"].map(|place| Some(place.to_owned())));
    }

    #[test]
    fn folders_by_kind_are_one_place() {
        let logs =
            [log("server/a.log", "jupyter"), log("server/b.log", "jupyter"), log("host/dmesg.txt", "dmesg")];
        assert_eq!(places(&logs), [None, None, None]);
    }
}
