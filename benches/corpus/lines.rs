//! The lines of a small hub's day.

use super::{Kind, random::Random};
use std::{fmt::Write, mem};

/// Users of the hub, of whom the first two have logs of their own.
const USERS: [&str; 6] = ["ada", "noor", "li", "tomas", "grace", "emil"];
/// What the frontend asks for all day.
const PATHS: [&str; 6] = [
    "/api/contents/work/train.ipynb?content=0&hash=0",
    "/api/kernels?1796052150902",
    "/api/terminals?1796052150903",
    "/api/sessions?1796052150904",
    "/lab/api/settings/@jupyterlab/notebook-extension:tracker",
    "/api/metrics/v1?1796052150905",
];
/// Microseconds of a day.
const DAY: u64 = 86_400_000_000;

/// Makes lines; time goes on with each.
pub(super) struct Lines {
    random: Random,
    /// Microseconds since the first of November 2026.
    now: u64,
    count: u64,
    pending: Vec<(usize, String)>,
}

impl Lines {
    /// Begins a day.
    pub(super) fn new(seed: u64) -> Self {
        Self { random: Random(seed), now: 8 * 3_600_000_000, count: 0, pending: Vec::new() }
    }

    /// What belongs to the line just given, in other files or behind it.
    pub(super) fn pending(&mut self) -> Vec<(usize, String)> {
        mem::take(&mut self.pending)
    }

    /// The next line of an ordinary day, and the number of its file.
    pub(super) fn next(&mut self, kind: Kind) -> (usize, String) {
        self.count += 1;
        self.now += if kind == Kind::Samples { 1_000_000 } else { 4_000 + self.random.below(8_000) };
        match kind {
            Kind::Hub => self.hub_or_host(),
            Kind::Docker => {
                let line = self.server();
                (0, self.json(&line))
            }
            Kind::OomReports => (0, self.oom_report()),
            Kind::Samples => (0, self.sample()),
            Kind::Half if self.count.is_multiple_of(2) => (0, self.server() + "\n"),
            Kind::Half => (0, self.interesting() + "\n"),
        }
    }

    /// A kernel dies: the restarter says so and Linux says why.
    pub(super) fn death(&mut self, kind: Kind) -> (usize, String) {
        let report = self.oom_report();
        self.now += 3_000_000;
        let (stamp, kernel) = (self.tornado(), self.random.kernel());
        let first = format!(
            "[I {stamp} ServerApp] AsyncIOLoopKernelRestarter: restarting kernel (1/5), keep random ports"
        );
        let second = format!("[W {stamp} ServerApp] kernel {kernel} restarted");
        match kind {
            Kind::Hub => {
                self.pending.extend([(2, first + "\n"), (2, second + "\n")]);
                (4, report)
            }
            Kind::Docker => {
                let second = self.json(&second);
                self.pending.push((0, second));
                (0, self.json(&first))
            }
            _ => {
                self.pending.push((0, second + "\n"));
                (0, first + "\n")
            }
        }
    }

    /// A line of one of the five logs, as often as each program speaks.
    fn hub_or_host(&mut self) -> (usize, String) {
        let (file, line) = match self.random.below(10) {
            0..4 => (0, self.hub()),
            4 => (1, self.proxy()),
            5..7 => (2, self.server()),
            7 => (3, self.server()),
            _ => (4, self.host()),
        };
        (file, line + "\n")
    }

    /// A line of `JupyterHub`.
    fn hub(&mut self) -> String {
        let (stamp, user, ms, address) =
            (self.tornado(), self.user(), self.random.below(90_000), self.random.below(250));
        let (whole, part) = (ms / 100, ms % 100);
        match self.random.below(50) {
            0 => format!("[I {stamp} JupyterHub base:1032] User logged in: {user}"),
            1 => {
                format!("[I {stamp} JupyterHub base:1126] User {user} took {}.078 seconds to start", ms % 40)
            }
            2 => format!("[W {stamp} JupyterHub base:1157] User {user} is slow to start (timeout=10)"),
            3 => format!(
                "[I {stamp} JupyterHub log:192] 302 GET /hub/spawn-pending/{user} -> /user/{user}/ ({user}@::ffff:10.0.0.{address}) 9.02ms"
            ),
            4..10 => format!(
                "[I {stamp} JupyterHub log:192] 200 GET /hub/api/user ({user}@::ffff:10.0.0.{address}) {whole}.{part:02}ms"
            ),
            _ => format!(
                "[I {stamp} JupyterHub log:192] 200 POST /hub/api/users/{user}/activity ({user}@10.42.3.{address}) {whole}.{part:02}ms"
            ),
        }
    }

    /// A line of the proxy.
    fn proxy(&mut self) -> String {
        let (stamp, user, port) = (self.iso(3), self.user(), 30_000 + self.random.below(30_000));
        match self.random.below(4) {
            0 => format!("{stamp} [ConfigProxy] info: Adding route /user/{user} -> http://127.0.0.1:{port}"),
            1 => format!("{stamp} [ConfigProxy] info: Removing route /user/{user}"),
            2 => format!("{stamp} [ConfigProxy] info: 204 DELETE /api/routes/user/{user}"),
            _ => format!("{stamp} [ConfigProxy] info: 200 GET /api/routes"),
        }
    }

    /// A line of a single-user server or of what runs in it. One in forty speaks of kernels and saves.
    fn server(&mut self) -> String {
        let (stamp, user, path) = (self.tornado(), self.user(), self.random.below(6));
        let path = PATHS.get(usize::try_from(path).unwrap_or(0)).copied().unwrap_or_default();
        let (number, large) = (self.random.below(1000), self.random.below(9_000_000));
        match self.random.below(40) {
            0 if number < 700 => format!("[I {stamp} ServerApp] Saving file at /work/train-{number}.ipynb"),
            0 => {
                let kernel = self.random.kernel();
                format!("[I {stamp} ServerApp] Kernel started: {kernel}")
            }
            1..8 => format!(
                "Epoch {number}/1000: loss={}.{large:07} accuracy=0.{number:03} lr=0.00031 step {large}",
                number % 3
            ),
            8..12 => format!(
                "{} INFO    trainer.py:{number} processed {large} rows in {}.{number:03} s, {number} batches left",
                self.iso(6),
                number % 60
            ),
            12 => format!("[D {stamp} ServerApp] Using contents: services/contents"),
            13 => format!(
                "/opt/conda/lib/python3.11/site-packages/sklearn/utils/validation.py:{number}: FutureWarning: is_sparse is deprecated"
            ),
            _ => format!(
                "[I {stamp} ServerApp] 200 GET /user/{user}{path} ({user}@10.42.3.{}) {}.{:02}ms",
                number % 250,
                number % 90,
                large % 100
            ),
        }
    }

    /// A line of the host's syslog.
    fn host(&mut self) -> String {
        let (stamp, user, pid, port) =
            (self.syslog(), self.user(), self.random.below(60_000), self.random.below(60_000));
        match self.random.below(20) {
            0 => format!("{stamp} hub1 systemd[1]: Started Session {pid} of User {user}."),
            1 => format!("{stamp} hub1 sshd[{pid}]: pam_unix(sshd:session): session closed for user {user}"),
            2..6 => format!(
                "{stamp} hub1 sshd[{pid}]: Failed password for invalid user admin from 203.0.113.{} port {port} ssh2",
                pid % 250
            ),
            6..10 => format!(
                "{stamp} hub1 CRON[{pid}]: (root) CMD (command -v debian-sa1 > /dev/null && debian-sa1 1 1)"
            ),
            10..14 => format!(
                "{stamp} hub1 kernel: [{}.{:06}] [UFW BLOCK] IN=eth0 OUT= MAC=52:54:00:12:34:56 SRC=203.0.113.{} DST=10.0.0.2 LEN=40 TTL=244 PROTO=TCP SPT={port} DPT=23",
                self.now / 1_000_000,
                self.now % 1_000_000,
                pid % 250
            ),
            _ => format!(
                "{stamp} hub1 dockerd[811]: time=\"{}\" level=info msg=\"ignoring event\" container={:016x} module=libcontainerd namespace=moby topic=/tasks/delete type=\"*events.TaskDelete\"",
                self.iso(9),
                self.random.next()
            ),
        }
    }

    /// A line that a parser claims.
    fn interesting(&mut self) -> String {
        let (stamp, kernel, number) = (self.tornado(), self.random.kernel(), self.random.below(5));
        match self.random.below(8) {
            0 => format!("[I {stamp} ServerApp] Kernel started: {kernel}"),
            1 => format!("[I {stamp} ServerApp] Connecting to kernel {kernel}."),
            2 => format!(
                "[I {stamp} ServerApp] Starting buffering for {kernel}:{:08x}-1b2c-4d5e-8f90-a1b2c3d4e5f6",
                self.random.next() >> 32
            ),
            3 => format!("[I {stamp} ServerApp] Saving file at /work/train-{number}.ipynb"),
            4 => format!("[W {stamp} ServerApp] IOPub message rate exceeded."),
            5 => format!(
                "[I {stamp} ServerApp] Adapting from protocol version 5.3 (kernel {kernel}) to 5.4 (client)."
            ),
            6 => format!("[I {stamp} ServerApp] Kernel restarted: {kernel}"),
            _ => format!("[W {stamp} ServerApp] WebSocket ping timeout after 9000{number} ms."),
        }
    }

    /// A sample of memory: what `nvidia-smi --query-gpu=timestamp,memory.used,memory.total --format=csv -l 1` prints.
    fn sample(&mut self) -> String {
        if self.count == 1 {
            return "timestamp, memory.used [MiB], memory.total [MiB]\n".to_owned();
        }
        let (day, seconds) = self.day_and_second();
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let used = 8_000 + self.random.below(400) + self.count % 3000;
        format!(
            "2026/11/{day:02} {hour:02}:{minute:02}:{second:02}.{:03}, {used} MiB, 16303 MiB\n",
            self.now / 1000 % 1000
        )
    }

    /// What Linux writes when it kills a process of a container that is over its limit.
    fn oom_report(&mut self) -> String {
        let head =
            format!("{} hub1 kernel: [{}.{:06}] ", self.syslog(), self.now / 1_000_000, self.now % 1_000_000);
        let (pid, container) = (1000 + self.random.below(60_000), self.random.next());
        let mut report = String::new();
        for line in [
            "python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0".to_owned(),
            format!("CPU: 1 PID: {pid} Comm: python3 Not tainted 6.18.44 #1"),
            "Call Trace:".to_owned(),
            " dump_stack_lvl+0x57/0x80".to_owned(),
            " oom_kill_process.cold+0x8/0x8a".to_owned(),
            " mem_cgroup_out_of_memory+0xc0/0x110".to_owned(),
            "memory: usage 389120kB, limit 389120kB, failcnt 1031".to_owned(),
            "Tasks state (memory values in pages):".to_owned(),
            "[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name".to_owned(),
            format!("[{pid:>7}]     0 {pid:>5}   255898    83421   815104        0             0 python3"),
            format!(
                "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset={container:016x},mems_allowed=0,oom_memcg=/docker/{container:016x},task_memcg=/docker/{container:016x},task=python3,pid={pid},uid=0"
            ),
            format!(
                "Memory cgroup out of memory: Killed process {pid} (python3) total-vm:1023592kB, anon-rss:317368kB, file-rss:16316kB, shmem-rss:0kB, UID:0 pgtables:796kB oom_score_adj:0"
            ),
        ] {
            let _ = writeln!(report, "{head}{line}");
        }
        report
    }

    /// A line in docker's JSON.
    fn json(&self, line: &str) -> String {
        let line = line.replace('\\', "\\\\").replace('"', "\\\"");
        format!("{{\"log\":\"{line}\\n\",\"stream\":\"stderr\",\"time\":\"{}\"}}\n", self.iso(9))
    }

    /// The day of the month and the second of the day. After four weeks the month begins anew.
    fn day_and_second(&self) -> (u64, u64) {
        (1 + self.now / DAY % 28, self.now % DAY / 1_000_000)
    }

    /// `2026-11-30 15:22:30.902`.
    fn tornado(&self) -> String {
        let (day, seconds) = self.day_and_second();
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        format!("2026-11-{day:02} {hour:02}:{minute:02}:{second:02}.{:03}", self.now / 1000 % 1000)
    }

    /// `2026-11-30T15:22:30.411378443Z`, with three, six or nine digits.
    fn iso(&self, digits: usize) -> String {
        let (day, seconds) = self.day_and_second();
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let fraction = format!("{:09}", self.now % 1_000_000 * 1000);
        format!(
            "2026-11-{day:02}T{hour:02}:{minute:02}:{second:02}.{}Z",
            fraction.get(..digits).unwrap_or(&fraction)
        )
    }

    /// `Nov 30 15:22:30`.
    fn syslog(&self) -> String {
        let (day, seconds) = self.day_and_second();
        format!("Nov {day:>2} {:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }

    /// A user's name.
    fn user(&mut self) -> &'static str {
        usize::try_from(self.random.below(6))
            .ok()
            .and_then(|index| USERS.get(index))
            .copied()
            .unwrap_or("ada")
    }
}
