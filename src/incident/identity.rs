//! What a record, an incident or a log says of who it is about.

use super::Link;
use crate::event::{Channel, Record};
use std::collections::BTreeSet;

/// A set of names for one thing. Empty sets say nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// Kernel ids.
    pub kernels: BTreeSet<String>,
    /// Process ids in the host's numbering.
    pub host_pids: BTreeSet<i64>,
    /// Process ids as the process itself or its container counts.
    pub own_pids: BTreeSet<i64>,
    /// Container ids, whole or shortened.
    pub containers: BTreeSet<String>,
    /// Container names.
    pub container_names: BTreeSet<String>,
    /// Pod names and uids.
    pub pods: BTreeSet<String>,
    /// Users, units, jobs and notebooks.
    pub owners: BTreeSet<String>,
    /// Hosts.
    pub hosts: BTreeSet<String>,
    /// The machines that folders stand for, where two hosts' logs lie side by side.
    pub places: BTreeSet<String>,
    /// Names that a hub gives a user's pod or container unless told otherwise. They tie, but contradict nothing.
    pub likely_names: BTreeSet<String>,
    /// Names that a hub gives what it starts for a user of whom it speaks: a log named so is that user's server's.
    pub spawned_names: BTreeSet<String>,
}

/// The shortest beginning of a container id that names it.
pub(super) const SHORT_ID: usize = 12;
/// The length of a whole container id.
const WHOLE_ID: usize = 64;

impl Identity {
    /// What a record says.
    pub fn of(record: &Record) -> Self {
        let text = |field: &str| record.event.text(field).filter(|text| !text.is_empty());
        let mut identity = Self::default();
        identity.kernels.extend(text("kernel_id"));
        identity.containers.extend(text("container_id"));
        identity.container_names.extend(text("container_name"));
        identity.pods.extend(text("pod"));
        identity.pods.extend(text("pod_uid"));
        for owner in ["user", "unit", "job", "notebook"] {
            identity.owners.extend(text(owner).map(|name| format!("{owner}:{name}")));
        }
        if let Some(pid) = record.event.integer("pid") {
            let host =
                record.origin.channel == Channel::RingBuffer || record.event.kind().name.starts_with("oom.");
            if host {
                identity.host_pids.insert(pid)
            } else {
                identity.own_pids.insert(pid)
            };
        }
        identity.host_pids.extend(record.event.integer("host_pid"));
        identity.containers.extend(record.origin.container_id.clone());
        identity.container_names.extend(record.origin.container_name.clone());
        identity.pods.extend(record.origin.pod.clone());
        identity.hosts.extend(record.origin.host.clone());
        if record.event.kind().name.starts_with("hub.") {
            let names: Vec<String> = text("user").iter().flat_map(|user| names_of_user(user)).collect();
            identity.spawned_names.extend(names.iter().cloned());
            identity.likely_names.extend(names);
        }
        identity
    }

    /// Adds the batch job whose output a log is, by the name that schedulers give such files, to a record that names
    /// no job: `slurm-5121.out`, `fit.o77812`, `fit.e77812`.
    pub(super) fn add_job_of(&mut self, path: &str) {
        if owners(self, "job:").is_empty() {
            self.owners.extend(job_of_path(path).map(|job| format!("job:{job}")));
        }
    }

    /// Adds the name of a pod or container that a log is likely to be named after: `kubectl logs jupyter-ada >
    /// jupyter-ada.log`, `jupyter-ada-previous.log`.
    pub(super) fn add_name_of(&mut self, path: &str) {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let stem = name.split('.').next().unwrap_or(name);
        let ends = ["-previous", "_previous", "-prev", "-logs", "_logs", "-log", "-stdout", "-stderr"];
        let stem = ends.iter().find_map(|end| stem.strip_suffix(end)).unwrap_or(stem);
        if stem.len() >= 6 && stem.contains(['-', '_']) {
            self.likely_names.insert(stem.to_owned());
        }
    }

    /// Adds the container, and the pod, whose output a log is, where an engine named it: docker's `ID-json.log`, kubelet's
    /// `POD_NAMESPACE_CONTAINER-ID.log`.
    pub(super) fn add_container_of(&mut self, path: &str) {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let stem = name.strip_suffix("-json.log").or_else(|| name.strip_suffix(".log")).unwrap_or(name);
        let (before, id) = stem.rsplit_once('-').unwrap_or(("", stem));
        let is_id = id.len() == WHOLE_ID && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !self.containers.is_empty() || !is_id {
            return;
        }
        self.containers.insert(id.to_owned());
        let mut words = before.split('_');
        if let (Some(pod), Some(_), Some(_), None) = (words.next(), words.next(), words.next(), words.next())
        {
            self.pods.insert(pod.to_owned());
        }
    }

    /// Whether both belong to one batch job.
    pub(crate) fn shares_job(&self, other: &Self) -> bool {
        !owners(self, "job:").is_disjoint(&owners(other, "job:"))
    }

    /// Adds another's names.
    pub fn absorb(&mut self, other: &Self) {
        self.kernels.extend(other.kernels.iter().cloned());
        self.host_pids.extend(&other.host_pids);
        self.own_pids.extend(&other.own_pids);
        self.containers.extend(other.containers.iter().cloned());
        self.container_names.extend(other.container_names.iter().cloned());
        self.pods.extend(other.pods.iter().cloned());
        self.owners.extend(other.owners.iter().cloned());
        self.hosts.extend(other.hosts.iter().cloned());
        self.places.extend(other.places.iter().cloned());
        self.likely_names.extend(other.likely_names.iter().cloned());
        self.spawned_names.extend(other.spawned_names.iter().cloned());
    }

    /// Whether names of the same kind are known on both sides and none is shared.
    pub fn contradicts(&self, other: &Self) -> bool {
        disjoint(&self.kernels, &other.kernels)
            || (!self.containers.is_empty() && !other.containers.is_empty() && !shares_container(self, other))
            || disjoint(&self.hosts, &other.hosts)
            || (disjoint(&self.places, &other.places) && self.kernels.is_disjoint(&other.kernels))
            || disjoint(&pod_names(self), &pod_names(other))
            || kinds_of_owner().any(|kind| disjoint(&owners(self, kind), &owners(other, kind)))
            || is_another_users(self, other)
            || is_another_users(other, self)
    }

    /// The strongest name shared.
    pub fn shared(&self, other: &Self) -> Option<Link> {
        let process =
            !self.host_pids.is_disjoint(&other.host_pids) || !self.own_pids.is_disjoint(&other.own_pids);
        if !self.kernels.is_disjoint(&other.kernels) {
            Some(Link::SameKernel)
        } else if process {
            Some(Link::SameProcess)
        } else if shares_container(self, other)
            || !self.container_names.is_disjoint(&other.container_names)
            || !self.pods.is_disjoint(&other.pods)
            || is_likely(self, other)
            || is_likely(other, self)
        {
            Some(Link::SameContainer)
        } else if !self.owners.is_disjoint(&other.owners) {
            Some(Link::SameOwner)
        } else {
            None
        }
    }
}

/// The names of pods, without their uids: a pod has one name.
pub(super) fn pod_names(identity: &Identity) -> BTreeSet<&str> {
    let is_uid =
        |name: &str| matches!(name.len(), 32 | 36) && name.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    identity.pods.iter().map(String::as_str).filter(|name| !is_uid(name)).collect()
}

/// Whether a name that a hub is likely to have given is among another's.
fn is_likely(one: &Identity, other: &Identity) -> bool {
    let others = [&other.pods, &other.container_names, &other.spawned_names];
    // Of two records of a hub's both are spoken of, and neither is the server's.
    let spoken_of = !one.spawned_names.is_empty() && !other.spawned_names.is_empty();
    others.into_iter().take(if spoken_of { 2 } else { 3 }).any(|names| !one.likely_names.is_disjoint(names))
}

/// What stands in names of containers that are not made of a user's name alone.
const WORDS_OF_SPAWNERS: [&str; 7] = ["lab", "notebook", "server", "user", "hub", "gateway", "scipy"];

/// Whether one is about a user of a hub, and the other about pods or containers that a hub has named after others. Spawners
/// escape names in ways of their own, so only how a user's begins is looked for.
fn is_another_users(one: &Identity, other: &Identity) -> bool {
    // Names are compared for every pair of ten thousand deaths: most have none of a hub's.
    if one.likely_names.is_empty() || (other.pods.is_empty() && other.container_names.is_empty()) {
        return false;
    }
    let users = owners(one, "user:");
    let users = users.iter().filter_map(|owner| owner.strip_prefix("user:"));
    let users: Vec<String> =
        users.filter(|user| one.likely_names.contains(&format!("jupyter-{user}"))).map(beginning).collect();
    let names = other.pods.iter().chain(&other.container_names);
    let names: Vec<String> =
        names.filter_map(|name| name.strip_prefix("jupyter-")).map(str::to_lowercase).collect();
    let is_anothers =
        |user: &String| !user.is_empty() && names.iter().all(|name| is_somebody_elses(name, user));
    !users.is_empty() && !names.is_empty() && users.iter().all(is_anothers)
}

/// Whether what stands behind `jupyter-` names a user, and not this one. A spawner's template may put words of its own
/// before the user's name (`jupyter-lab-ada`), and `jupyter-notebook-1` is nobody's.
fn is_somebody_elses(name: &str, user: &str) -> bool {
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    !letters.is_empty()
        && !letters.contains(user)
        && !user.starts_with(&letters)
        && !WORDS_OF_SPAWNERS.iter().any(|word| letters.contains(word))
}

/// The first letters and digits of a name.
fn beginning(name: &str) -> String {
    name.to_lowercase()
        .chars()
        .take_while(char::is_ascii)
        .filter(char::is_ascii_alphanumeric)
        .take(3)
        .collect()
}

/// `jupyter-<user>`, as `DockerSpawner` and `KubeSpawner` name containers and pods; `KubeSpawner` writes what a DNS label
/// cannot hold as `-` and the byte in hexadecimal (`geo-lab` becomes `geo-2dlab`).
fn names_of_user(user: &str) -> [String; 2] {
    let escaped: String = user
        .to_lowercase()
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'0'..=b'9' => char::from(byte).to_string(),
            other => format!("-{other:02x}"),
        })
        .collect();
    [format!("jupyter-{user}"), format!("jupyter-{escaped}")]
}

/// The job in the name of a log.
fn job_of_path(path: &str) -> Option<&str> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let slurm = || name.strip_prefix("slurm-")?.split(['.', '_']).next();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (_, end) = name.rsplit_once('.')?;
    let other = end.strip_prefix(['o', 'e']).filter(|job| digits(job));
    other.or_else(|| slurm().filter(|job| digits(job)))
}

/// The kinds of owners of which a thing has only one.
fn kinds_of_owner() -> impl Iterator<Item = &'static str> {
    ["user:", "job:"].into_iter()
}

/// The owners of a kind.
fn owners(identity: &Identity, kind: &str) -> BTreeSet<String> {
    identity.owners.iter().filter(|owner| owner.starts_with(kind)).cloned().collect()
}

/// Whether both are known and none is shared.
fn disjoint<T: Ord>(one: &BTreeSet<T>, other: &BTreeSet<T>) -> bool {
    !one.is_empty() && !other.is_empty() && one.is_disjoint(other)
}

/// Whether a container id of one is the beginning of one of the other.
fn shares_container(one: &Identity, other: &Identity) -> bool {
    one.containers.iter().any(|one| {
        other.containers.iter().any(|other| {
            let length = one.len().min(other.len());
            length >= SHORT_ID && one.get(..length) == other.get(..length)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn container(id: &str) -> Identity {
        Identity { containers: BTreeSet::from([id.to_owned()]), ..Identity::default() }
    }

    #[test]
    fn a_shortened_container_id_is_the_same_container() {
        let long = container("3135e7ba134cd358e809d6a3d567c4409e23fe50e4f8c64c7db39b8052544f7e");
        let short = container("3135e7ba134c");
        assert_eq!(long.shared(&short), Some(Link::SameContainer));
        assert!(!long.contradicts(&short));
        assert!(long.contradicts(&container("4135e7ba134c")));
    }

    #[test]
    fn a_hub_names_pods_after_users() {
        let user = Identity { likely_names: BTreeSet::from(names_of_user("Geo-lab")), ..Identity::default() };
        let pod = |name: &str| Identity { pods: BTreeSet::from([name.to_owned()]), ..Identity::default() };
        assert_eq!(pod("jupyter-geo-2dlab").shared(&user), Some(Link::SameContainer));
        assert_eq!(user.shared(&pod("jupyter-other")), None);
        assert!(!user.contradicts(&pod("jupyter-other")));
        let hub = Identity { spawned_names: user.likely_names.clone(), ..user.clone() };
        let mut log = Identity::default();
        log.add_name_of("logs/jupyter-geo-2dlab-previous.log");
        assert_eq!(
            [log.shared(&hub), hub.shared(&log), hub.shared(&hub)],
            [Some(Link::SameContainer), Some(Link::SameContainer), None]
        );
        assert!(pod("jupyter-geo").contradicts(&pod("jupyter-other")));
        assert!(!pod("jupyter-geo").contradicts(&pod("a8b8a570-9d92-4702-aac3-9264b667146c")));
    }

    #[test]
    fn a_pod_of_one_user_is_not_anothers() {
        let user = |name: &str| Identity {
            owners: BTreeSet::from([format!("user:{name}")]),
            likely_names: BTreeSet::from(names_of_user(name)),
            ..Identity::default()
        };
        let pod = |name: &str| Identity { pods: BTreeSet::from([name.to_owned()]), ..Identity::default() };
        assert!(user("ada").contradicts(&pod("jupyter-grace")));
        assert!(pod("jupyter-grace").contradicts(&user("ada")));
        for name in [
            "jupyter-ada",
            "jupyter-ada--gpu",
            "jupyter-ada---1b2c3d4e",
            "jupyter-team1-ada",
            "jupyter-lab-1",
            "lab-0",
            "jupyter-",
        ] {
            assert!(!user("Ada.L@example.org").contradicts(&pod(name)), "{name}");
        }
        let login = Identity { owners: BTreeSet::from(["user:jovyan".to_owned()]), ..Identity::default() };
        assert!(!login.contradicts(&pod("jupyter-grace")));
    }

    #[test]
    fn schedulers_name_outputs_after_jobs() {
        for (path, job) in [
            ("a/slurm-5121.out", Some("5121")),
            ("slurm-5121_4.out", Some("5121")),
            ("fit.o77812", Some("77812")),
            ("logs\\fit.e77812", Some("77812")),
            ("fit.old", None),
            ("slurm-.out", None),
            ("jupyter.log", None),
        ] {
            assert_eq!(job_of_path(path), job, "{path}");
        }
    }

    #[test]
    fn one_user_is_not_another() {
        let owner =
            |name: &str| Identity { owners: BTreeSet::from([format!("user:{name}")]), ..Identity::default() };
        assert!(owner("ada").contradicts(&owner("grace")));
        assert!(!owner("ada").contradicts(&Identity::default()));
    }
}
