//! Keys: what has the same key belongs to the same machine, and is joined; what has another is not.
//!
//! A key is read off a path or off what a line's envelopes say. Nothing is opened to find it.

use crate::event::Record;

/// Names that lead to a folder's value, as tables in files are divided: `host=web1/boot=b7/dmesg.log`.
const HOST_NAMES: &[&str] = &["host", "hostname", "node", "instance"];
/// Folders that stand below a machine's root, two of them: what is above is the machine.
const ROOTS: &[(&str, &str)] = &[("var", "log"), ("var", "lib"), ("run", "log"), ("sys", "fs")];
/// Folders that hold one kind of log of a machine: the machine is the folder above.
const KINDS: &[&str] = &[
    "logs",
    "log",
    "host",
    "system",
    "syslog",
    "dmesg",
    "journal",
    "kernel",
    "kernels",
    "jupyter",
    "jupyterhub",
    "hub",
    "server",
    "notebook",
    "notebooks",
    "docker",
    "containerd",
    "kubernetes",
    "k8s",
    "slurm",
    "gpu",
    "nvidia",
    "cuda",
    "frontend",
    "browser",
    "memory",
    "metrics",
];
/// How long a container's whole id is.
const CONTAINER_ID: usize = 64;
/// How much of a container's id tells it from others.
const SHORT_ID: usize = 12;

/// The key of a path: of a file, an archive, or an address in an object store. Only its words count.
///
/// The first of these that fits: `host=NAME` in the path, with `boot=ID`; the folder above `var/log` and the like, which
/// is a machine's root; a pod or container that the path names; the archive; the folder, without those inside that hold
/// one kind of log.
pub fn of_path(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    // Members of an archive have its key, wherever in it they lie.
    let path = path.split('!').next().unwrap_or(path);
    let parts: Vec<&str> = path.split('/').collect();
    let (name, folders) = parts.split_last().map_or(("", &parts[..0]), |(name, folders)| (*name, folders));
    named_host(folders)
        .or_else(|| root(folders))
        .or_else(|| carrier(folders, name))
        .unwrap_or_else(|| if is_archive(name) { folder(&parts) } else { folder(without_kinds(folders)) })
}

/// The key of a record in a log at `path`: a host in the path, else the host and boot its envelopes name, else its
/// container or pod, else the path's key.
pub fn of_record(record: &Record, path: &str) -> String {
    let of_path = of_path(path);
    if of_path.starts_with("host:") {
        return of_path;
    }
    let origin = &record.origin;
    match (&origin.host, &origin.boot) {
        (Some(host), Some(boot)) => return format!("host:{host}/{boot}"),
        (Some(host), None) => return format!("host:{host}"),
        _ => {}
    }
    let id = origin.container_id.clone().or_else(|| record.event.text("container_id"));
    let pod = origin.pod.clone().or_else(|| record.event.text("pod"));
    id.map(|id| container(&id)).or_else(|| pod.map(|pod| format!("pod:{pod}"))).unwrap_or(of_path)
}

/// Whether the name is that of an archive: what machines' reports are sent in, one beside the other in a folder.
fn is_archive(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let stem = [".gz", ".xz", ".bz2", ".zst"].iter().find_map(|ending| name.strip_suffix(ending));
    let name = stem.unwrap_or(&name);
    [".tar", ".tgz", ".txz", ".tbz2", ".zip"].iter().any(|ending| name.ends_with(ending))
}

/// `host=web1/boot=b7`.
fn named_host(folders: &[&str]) -> Option<String> {
    let value = |names: &[&str]| {
        let pairs = folders.iter().filter_map(|folder| folder.split_once('='));
        pairs.filter(|(name, value)| names.contains(name) && !value.is_empty()).map(|(_, value)| value).next()
    };
    let host = value(HOST_NAMES)?;
    Some(match value(&["boot", "boot_id"]) {
        Some(boot) => format!("host:{host}/{boot}"),
        None => format!("host:{host}"),
    })
}

/// The machine whose files lie below a copy of its root.
fn root(folders: &[&str]) -> Option<String> {
    let at = folders.windows(2).position(|pair| matches!(pair, [one, two] if ROOTS.contains(&(one, two))))?;
    let above = folders.get(..at)?;
    // This machine's own `/var/log` has no other name than its root.
    Some(if above == [""] { "folder:/".to_owned() } else { folder(above) })
}

/// A pod or a container that kubelet or docker named the file or its folders after.
fn carrier(folders: &[&str], name: &str) -> Option<String> {
    let pairs = folders.iter().filter_map(|folder| folder.split_once('='));
    for (what, value) in pairs.filter(|(_, value)| !value.is_empty()) {
        match what {
            "pod" => return Some(format!("pod:{value}")),
            "container" | "container_id" => return Some(container(value)),
            _ => {}
        }
    }
    let id = name.strip_suffix("-json.log").filter(|id| is_container_id(id));
    id.map(container).or_else(|| pod_folder(folders)).or_else(|| pod_file(name))
}

/// kubelet's `pods/NAMESPACE_POD_UID/CONTAINER/0.log`.
fn pod_folder(folders: &[&str]) -> Option<String> {
    let at = folders.iter().position(|folder| *folder == "pods")?;
    let mut words = folders.get(at + 1)?.split('_');
    match (words.next(), words.next(), words.next(), words.next()) {
        (Some(_), Some(pod), Some(_), None) => Some(format!("pod:{pod}")),
        _ => None,
    }
}

/// kubelet's `containers/POD_NAMESPACE_CONTAINER-ID.log`.
fn pod_file(name: &str) -> Option<String> {
    let (words, id) = name.strip_suffix(".log")?.rsplit_once('-')?;
    let pod = words.split('_').next().filter(|_| words.matches('_').count() == 2)?;
    is_container_id(id).then(|| format!("pod:{pod}"))
}

/// The folders without the innermost ones that hold one kind of log.
fn without_kinds<'a, 'b>(folders: &'a [&'b str]) -> &'a [&'b str] {
    let kept = folders.iter().rposition(|folder| !KINDS.contains(&folder.to_ascii_lowercase().as_str()));
    kept.and_then(|last| folders.get(..=last)).unwrap_or_default()
}

fn folder(folders: &[&str]) -> String {
    let path = folders.join("/");
    format!("folder:{}", if path.is_empty() { "." } else { &path })
}

fn container(id: &str) -> String {
    format!("container:{}", id.get(..SHORT_ID).unwrap_or(id))
}

fn is_container_id(id: &str) -> bool {
    id.len() == CONTAINER_ID && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        event::Event,
        source::{Location, SourceId},
        stamp::Stamps,
    };
    use std::sync::Arc;

    #[test]
    fn paths_have_keys() {
        let id = "3f2a9c1b7d8e4f60".repeat(4);
        let cases = [
            ("dmesg.log", "folder:."),
            ("./logs/dmesg.log", "folder:."),
            ("a/b/dmesg.log", "folder:a/b"),
            ("web1/jupyter/server.log", "folder:web1"),
            ("web1/host/dmesg.txt.gz", "folder:web1"),
            ("s3://bucket/day/web1/logs/a.log", "folder:s3://bucket/day/web1"),
            ("day/host=web1/dmesg.log", "host:web1"),
            ("host=web1/boot=b7/log/dmesg.log", "host:web1/b7"),
            ("node=n3/var/log/pods/a_b_c/d/0.log", "host:n3"),
            ("day/web1/var/log/messages", "folder:day/web1"),
            ("day/web1/var/lib/docker/containers/x/x-json.log", "folder:day/web1"),
            ("var/log/messages", "folder:."),
            ("/var/log/messages", "folder:/"),
            ("/data/web1/var/log/messages", "folder:/data/web1"),
            ("pods/ml_jupyter-ana_0f1e/notebook/0.log", "pod:jupyter-ana"),
            ("pod=jupyter-ana/out.log", "pod:jupyter-ana"),
            ("host=/a.log", "folder:host="),
            ("", "folder:."),
            ("day/web1.tar.gz", "folder:day/web1.tar.gz"),
            ("day/web1.tar.gz!var/log/messages", "folder:day/web1.tar.gz"),
            ("day/dmesg.gz", "folder:day"),
            ("host=web1/sos.zip!a/b", "host:web1"),
        ];
        for (path, key) in cases {
            assert_eq!(of_path(path), key, "{path}");
        }
        assert_eq!(of_path(&format!("{id}/{id}-json.log")), "container:3f2a9c1b7d8e");
        assert_eq!(of_path(&format!("c/jupyter-ana_ml_notebook-{id}.log")), "pod:jupyter-ana");
    }

    #[test]
    fn what_the_lines_say_of_the_host_beats_the_folder_and_not_a_named_host() {
        let mut record = Record {
            event: Event::empty("host.boot").unwrap(),
            at: Location { source: SourceId(0), line: 1 },
            stamps: Stamps::new(),
            exact: false,
            last: None,
            count: 1,
            text: String::new(),
            origin: Arc::default(),
        };
        assert_eq!(of_record(&record, "a/b.log"), "folder:a");
        Arc::make_mut(&mut record.origin).pod = Some("p".to_owned());
        assert_eq!(of_record(&record, "a/b.log"), "pod:p");
        Arc::make_mut(&mut record.origin).host = Some("web1".to_owned());
        assert_eq!(of_record(&record, "a/b.log"), "host:web1");
        assert_eq!(of_record(&record, "host=web2/b.log"), "host:web2");
    }
}
