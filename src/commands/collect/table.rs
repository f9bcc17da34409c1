//! What is gathered, and how: one table.
//!
//! Words of commands may hold `{since}` and `{now}` (seconds since the epoch) and, where there is a line for each
//! notebook container, `{container}`. Of several commands for one file the first that works is taken.

/// One file of the archive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    /// Its name in the archive.
    pub(super) file: &'static str,
    /// The commands that print it, in the order in which they are tried.
    pub(super) commands: &'static [&'static str],
    /// How long each may take, in seconds.
    pub(super) seconds: u64,
    /// The engine whose notebook containers it is wanted of, one file each.
    pub(super) each: Option<&'static str>,
}

/// A file that one command prints.
const fn one(file: &'static str, commands: &'static [&'static str], seconds: u64) -> Item {
    Item { file, commands, seconds, each: None }
}

/// A file for each notebook container of an engine.
const fn each(engine: &'static str, file: &'static str, commands: &'static [&'static str]) -> Item {
    Item { file, commands, seconds: 20, each: Some(engine) }
}

/// Everything that is asked of programs. None needs root; some tell more to it.
pub(super) const ITEMS: &[Item] = &[
    one("host/dmesg.log", &["dmesg --time-format iso", "dmesg", "sudo -n dmesg --time-format iso"], 15),
    one(
        "host/journal-kernel.log",
        &["journalctl -k --no-pager -q -o short-iso-precise --since @{since}"],
        30,
    ),
    one(
        "host/journal-jupyter.log",
        &["journalctl --no-pager -q -o short-iso-precise --since @{since} -u jupyter* -u jupyterhub*"],
        30,
    ),
    one(
        "host/journal-memory-daemons.log",
        &[
            "journalctl --no-pager -q -o short-iso-precise --since @{since} -u systemd-oomd -u earlyoom -u nohang",
        ],
        20,
    ),
    one("host/boots.txt", &["journalctl --list-boots --no-pager", "last -x -F -n 40 reboot shutdown"], 15),
    one("host/core-dumps.txt", &["coredumpctl list --no-pager --since @{since}"], 15),
    one("host/memory.txt", &["free -b"], 5),
    one("host/processes.txt", &["ps -eo pid,ppid,user,rss,etime,comm --sort=-rss"], 5),
    one("host/disks.txt", &["df -h"], 10),
    one("docker/events.jsonl", &["docker events --since {since} --until {now} --format {{json .}}"], 20),
    one("docker/containers.txt", &["docker ps -a --no-trunc"], 15),
    each("docker", "docker/inspect-{container}.json", &["docker inspect {container}"]),
    each("docker", "docker/log-{container}.log", &["docker logs -t --since {since} {container}"]),
    one(
        "podman/events.jsonl",
        &["podman events --stream=false --since {since} --until {now} --format json"],
        20,
    ),
    one("podman/containers.txt", &["podman ps -a --no-trunc"], 15),
    each("podman", "podman/inspect-{container}.json", &["podman inspect {container}"]),
    each("podman", "podman/log-{container}.log", &["podman logs -t --since {since} {container}"]),
    one(
        "kubernetes/events.json",
        &[
            "kubectl get events -A -o json --request-timeout=15s",
            "kubectl get events -o json --request-timeout=15s",
        ],
        40,
    ),
    one(
        "kubernetes/pods.json",
        &[
            "kubectl get pods -A -o json --request-timeout=15s",
            "kubectl get pods -o json --request-timeout=15s",
        ],
        40,
    ),
    one(
        "slurm/jobs.txt",
        &["sacct -P --format=JobID,JobName,State,ExitCode,Elapsed,Timelimit,MaxRSS,ReqMem,End"],
        20,
    ),
    one("gpu/nvidia-smi.txt", &["nvidia-smi"], 20),
    one("gpu/nvidia-smi-query.txt", &["nvidia-smi -q"], 30),
    one("gpu/rocm-smi.txt", &["rocm-smi"], 20),
    one("versions/linux.txt", &["uname -a"], 5),
    one("versions/python.txt", &["python3 --version", "python --version"], 10),
    one("versions/jupyter.txt", &["jupyter --version"], 30),
    one("versions/packages.txt", &["python3 -m pip list --format=freeze --disable-pip-version-check"], 40),
    one("versions/kernels.txt", &["jupyter kernelspec list"], 30),
];

/// How an engine lists its containers: id, name, image, divided by tabs.
pub(super) const LIST_CONTAINERS: &str = "{engine} ps -a --format {{.ID}}\t{{.Names}}\t{{.Image}}";

/// What stands in the names or images of containers in which notebooks run.
pub(super) const TELLING: &[&str] =
    &["jupyter", "notebook", "singleuser", "kernel", "jhub", "workbench", "datascience", "papermill"];

/// Files that are taken as they are: a folder, a beginning and an end of names. `~` is the home folder.
pub(super) const FILES: &[(&str, &str, &str)] = &[
    ("/proc", "meminfo", ""),
    ("/proc/pressure", "memory", ""),
    ("/proc/self", "cgroup", ""),
    ("/proc/sys/kernel/random", "boot_id", ""),
    ("/var/log", "kern", ".log"),
    ("/var/log", "jupyter", ".log"),
    ("/var/log/jupyter", "", ".log"),
    ("/var/log/jupyterhub", "", ".log"),
    ("~", "jupyter", ".log"),
    ("~", "nohup", ".out"),
    ("~", "kernel-crash", ".log"),
    ("~/.jupyter", "", ".log"),
    ("~/.local/share/jupyter", "", ".log"),
    ("~/.local/share/jupyter/kerneldoc", "", ""),
    ("$KERNELDOC_RECORDS_DIR", "", ""),
    ("~/.local/state/kerneldoc", "", ".ndjson"),
    ("~/.local/state/kerneldoc/*", "record", ".ndjson"),
    ("./kerneldoc-run-*", "record", ".ndjson"),
    ("/tmp", "kernel-crash", ".log"),
];

/// Files of cgroups that hold counters.
pub(super) const COUNTERS: &[&str] = &[
    "memory.events",
    "memory.max",
    "memory.current",
    "memory.peak",
    "pids.events",
    "memory.oom_control",
    "memory.failcnt",
    "memory.limit_in_bytes",
    "memory.max_usage_in_bytes",
];
