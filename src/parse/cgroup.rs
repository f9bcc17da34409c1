//! Reads a cgroup's path: which container, pod, unit or job it belongs to, and what kind of thing its limit is.
//!
//! Paths nest (docker in LXC, a node in a container), so they are read from the right. It knows no log line.

/// What a cgroup's path says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Cgroup {
    /// The container's id, lower-case hexadecimal.
    pub(super) container_id: Option<String>,
    /// The same, where Docker made the cgroup and for no pod.
    pub(super) docker_container: Option<String>,
    /// The pod's uid, with dashes.
    pub(super) pod_uid: Option<String>,
    /// The systemd unit, when the path is neither a container's nor a job's.
    pub(super) unit: Option<String>,
    /// The batch job's number.
    pub(super) job: Option<String>,
}

impl Cgroup {
    /// Reads a path.
    pub(super) fn of(path: &str) -> Self {
        let parts: Vec<&str> = components(path).collect();
        let container_id = container_at(&parts).map(|(_, id)| id.to_owned());
        let pod_uid = parts.iter().rev().find_map(|part| pod_uid(part));
        let job = job(&parts).map(str::to_owned);
        let docker_container = docker_container(&parts).filter(|_| pod_uid.is_none()).map(str::to_owned);
        let unit = parts.iter().rev().find(|part| is_unit(part)).map(|part| (*part).to_owned());
        let unit = unit.filter(|_| container_id.is_none() && job.is_none() && pod_uid.is_none());
        Self { container_id, docker_container, pod_uid, unit, job }
    }

    /// What this path leaves open, from another (the limit's cgroup first, then the victim's).
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            container_id: self.container_id.or(other.container_id),
            docker_container: self.docker_container.or(other.docker_container),
            pod_uid: self.pod_uid.or(other.pod_uid),
            unit: self.unit.or(other.unit),
            job: self.job.or(other.job),
        }
    }
}

/// Whose limit a cgroup's is: `container`, `pod`, `node`, `user`, `unit`, `job`, `guest` or `other`.
pub(super) fn limit_owner(path: &str) -> &'static str {
    let parts: Vec<&str> = components(path).collect();
    let Some(last) = parts.last() else { return "other" };
    if let Some((index, _)) = container_at(&parts)
        // CRI-O and podman put the processes into a cgroup `container` below the scope.
        && parts.iter().skip(index + 1).all(|part| *part == "container")
    {
        "container"
    } else if pod_uid(last).is_some() {
        "pod"
    } else if is_node(&parts) {
        "node"
    } else if job(&parts).is_some() {
        "job"
    } else if is_guest(&parts) {
        "guest"
    } else if is_user_slice(last) {
        "user"
    } else if is_unit(last) {
        "unit"
    } else {
        "other"
    }
}

/// The parts of a path.
fn components(path: &str) -> impl Iterator<Item = &str> {
    path.trim_end_matches('…').split('/').filter(|part| !part.is_empty())
}

/// The rightmost part that names a container, and the id in it.
fn container_at<'a>(parts: &[&'a str]) -> Option<(usize, &'a str)> {
    (0..parts.len()).rev().find_map(|index| {
        let part = parts.get(index)?;
        let parent = index.checked_sub(1).and_then(|before| parts.get(before)).copied().unwrap_or_default();
        container_id(part, parent).map(|id| (index, id))
    })
}

/// The container of a path, if it is Docker's (`docker-<id>.scope`, `docker/<id>`), in the twelve digits that Docker
/// shows.
fn docker_container<'a>(parts: &[&'a str]) -> Option<&'a str> {
    let (index, id) = container_at(parts)?;
    let parent = index.checked_sub(1).and_then(|before| parts.get(before));
    (parts.get(index)?.starts_with("docker-") || parent == Some(&"docker")).then_some(id.get(..12)?)
}

/// The container id in one part of a path; an id cut short by a pager counts where the part says it is one.
fn container_id<'a>(part: &'a str, parent: &str) -> Option<&'a str> {
    const RUNTIMES: [&str; 6] = ["docker", "libpod", "cri-containerd", "crio", "nerdctl", "containerd"];
    let part = part.strip_suffix(".scope").unwrap_or(part);
    let (prefix, id) = part.rsplit_once(['-', ':']).unwrap_or(("", part));
    if !id.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
        || prefix.contains("conmon")
    {
        return None;
    }
    let prefix = prefix.rsplit(':').next().unwrap_or(prefix);
    let named = RUNTIMES.contains(&prefix) || (prefix.is_empty() && parent == "docker");
    let whole = id.len() == 64 && (prefix.is_empty() || named);
    (whole || (named && (12..64).contains(&id.len()))).then_some(id)
}

/// The pod's uid in one part of a path: `pod<uid>`, `kubepods-burstable-pod<uid with underscores>.slice`.
/// Static pods have 32 digits without separators.
fn pod_uid(part: &str) -> Option<String> {
    let start = part.rfind("pod")? + 3;
    let uid = part.get(start..)?;
    let uid = uid.split(['.', ':']).next().unwrap_or(uid);
    let fits =
        uid.chars().all(|c| c.is_ascii_hexdigit() || c == '-' || c == '_') && matches!(uid.len(), 32 | 36);
    fits.then(|| uid.replace('_', "-"))
}

/// The job's number: Slurm's `job_42`, PBS's `jobid/42.server`.
fn job<'a>(parts: &[&'a str]) -> Option<&'a str> {
    parts.iter().enumerate().rev().find_map(|(index, part)| {
        if *part == "jobid" {
            return parts.get(index + 1).copied();
        }
        part.strip_prefix("job_")
            .filter(|job| !job.is_empty() && job.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

/// `/kubepods`, `/kubepods.slice` or one of its classes of service: all pods of the node together.
fn is_node(parts: &[&str]) -> bool {
    const CLASSES: [&str; 7] = [
        "kubepods",
        "kubepods.slice",
        "burstable",
        "besteffort",
        "kubepods-burstable.slice",
        "kubepods-besteffort.slice",
        "kubepods-guaranteed.slice",
    ];
    parts.last().is_some_and(|last| CLASSES.contains(last))
        && parts.iter().any(|part| part.starts_with("kubepods"))
}

/// `/lxc/39004`, `/lxc.payload.name`, with the `ns` that Proxmox puts below.
fn is_guest(parts: &[&str]) -> bool {
    let parts = parts.strip_suffix(&["ns"]).unwrap_or(parts);
    match parts {
        [.., "lxc", _] => true,
        [.., last] => last.starts_with("lxc.payload.") || last.starts_with("machine-"),
        [] => false,
    }
}

/// `user-1000.slice`, or the slice of all users.
fn is_user_slice(part: &str) -> bool {
    part == "user.slice" || part.strip_prefix("user-").is_some_and(|uid| uid.strip_suffix(".slice").is_some())
}

/// A systemd service or scope.
#[expect(clippy::case_sensitive_file_extension_comparisons, reason = "a systemd unit is no file name")]
fn is_unit(part: &str) -> bool {
    part.ends_with(".service") || part.ends_with(".scope")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "6515c10db0d8b36a9c2cd981b6fecc1a37ae27dc573c45cfbc05a97fd2e32dd5";

    #[track_caller]
    fn check(path: &str, owner: &str, expected: [Option<&str>; 4]) {
        let path = path.replace("ID", ID);
        let read = Cgroup::of(&path);
        let got = [&read.container_id, &read.pod_uid, &read.unit, &read.job].map(|field| field.as_deref());
        assert_eq!((limit_owner(&path), got), (owner, expected), "{path}");
    }

    #[test]
    fn containers() {
        for path in [
            "/docker/ID",
            "/system.slice/docker-ID.scope",
            "/lxc/39004/ns/system.slice/docker-ID.scope",
            "/machine.slice/libpod-ID.scope/container",
            "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-ID.scope/container",
            "/custom.parent/ID",
        ] {
            check(path, "container", [Some(ID), None, None, None]);
        }
        check("/docker/6515c10db0d8b3", "container", [Some("6515c10db0d8b3"), None, None, None]);
        check(
            "/machine.slice/libpod-conmon-ID.scope",
            "unit",
            [None, None, Some(&format!("libpod-conmon-{ID}.scope")), None],
        );
    }

    #[test]
    fn dockers_own() {
        let docker = |path: &str| Cgroup::of(path).docker_container;
        assert_eq!(docker("/docker/6515c10db0d8b3").as_deref(), Some("6515c10db0d8"));
        assert_eq!(docker("/system.slice/docker-6515c10db0d8b3.scope").as_deref(), Some("6515c10db0d8"));
        let pod = "/kubepods/burstable/poda8b8a570-9d92-4702-aac3-9264b667146c/docker-6515c10db0d8b3.scope";
        assert_eq!(docker(pod), None);
        assert_eq!(docker("/machine.slice/libpod-6515c10db0d8b3.scope"), None);
    }

    #[test]
    fn pods() {
        let uid = "a8b8a570-9d92-4702-aac3-9264b667146c";
        check(
            "/kubepods/burstable/poda8b8a570-9d92-4702-aac3-9264b667146c/ID",
            "container",
            [Some(ID), Some(uid), None, None],
        );
        let slice = "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-poda8b8a570_9d92_4702_aac3_9264b667146c.slice";
        check(slice, "pod", [None, Some(uid), None, None]);
        check(&format!("{slice}/cri-containerd-ID.scope"), "container", [Some(ID), Some(uid), None, None]);
        check(
            "/system.slice/containerd.service/kubepods-burstable-poda8b8a570_9d92_4702_aac3_9264b667146c.slice:cri-containerd:ID",
            "container",
            [Some(ID), Some(uid), None, None],
        );
        for path in [
            "/kubepods",
            "/kubepods.slice",
            "/kubepods.slice/kubepods-burstable.slice",
            "/kubepods/besteffort",
        ] {
            check(path, "node", [None; 4]);
        }
    }

    #[test]
    fn users_units_jobs_guests() {
        check("/user.slice/user-1000.slice", "user", [None; 4]);
        check("/system.slice/jupyter-ana.service", "unit", [None, None, Some("jupyter-ana.service"), None]);
        check("/slurm/uid_1000/job_42/step_0/task_0", "job", [None, None, None, Some("42")]);
        check(
            "/system.slice/gn2_slurmstepd.scope/job_42/step_batch/user/task_0",
            "job",
            [None, None, None, Some("42")],
        );
        check("/lxc/39004", "guest", [None; 4]);
        check("/lxc.payload.web/ns", "guest", [None; 4]);
        check("/", "other", [None; 4]);
    }
}
