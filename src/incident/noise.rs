//! Logs for tests: many deaths at once, told by everybody, with and without names and times, in a fixed disorder.

use std::fmt::Write as _;

/// Paths and texts of logs with so many deaths within a few seconds.
pub(crate) fn logs(seed: u64, deaths: u64) -> Vec<(String, String)> {
    let mut random = seed;
    let mut below = move |bound: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % bound
    };
    let names =
        ["jupyter.log", "hub.log", "docker-events.log", "syslog", "train.log", "terminal.log", "compose.log"];
    let mut logs: Vec<(String, String)> =
        names.iter().map(|name| ((*name).to_owned(), String::new())).collect();
    let mut write = |name: &str, line: &str| {
        for (_, text) in logs.iter_mut().filter(|(path, _)| path == name) {
            let _ = writeln!(text, "{line}");
        }
    };
    let mut now = 0;
    for number in 0..deaths {
        now += below(120);
        let clock = format!("10:{:02}:{:02}", now / 60_000, now / 1000 % 60);
        let (millis, user) = (now % 1000, below(deaths / 4 + 1));
        let tornado = format!("2026-11-03 {clock}.{millis:03}");
        let iso = format!("2026-11-03T{clock}.{millis:03}");
        let container = format!("{:064x}", (u128::from(user) + 7) << 100);
        let kernel = format!("{number:08x}-1b2c-4d5e-8f90-{user:012x}");
        if below(3) > 0 {
            let app = "ServerApp] AsyncIOLoopKernelRestarter: restarting kernel (1/5), keep random ports";
            write("jupyter.log", &format!("[I {tornado} {app}"));
            write("jupyter.log", &format!("[W {tornado} ServerApp] kernel {kernel} restarted"));
        }
        if below(2) == 0 {
            write("jupyter.log", "Traceback (most recent call last):");
            write("jupyter.log", "  File \"/work/train.py\", line 7, in step");
            write("jupyter.log", "MemoryError: Unable to allocate 9.00 GiB for an array");
        }
        if below(3) == 0 {
            let stopped = format!("JupyterHub user:1011] User u{user} server stopped, with exit code: 137");
            write("hub.log", &format!("[W {tornado} {stopped}"));
        }
        let about = format!("{container} (exitCode=137, image=jupyter/base-notebook, name=jupyter-u{user})");
        for happening in ["oom", "die"].iter().filter(|_| below(3) > 0) {
            write("docker-events.log", &format!("{iso}000000Z container {happening} {about}"));
        }
        let pid = 1000 + number;
        let of = if below(2) == 0 { format!("/docker/{container}") } else { "/user.slice".to_owned() };
        let kill = format!(
            "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg={of},task_memcg={of},task=python3,pid={pid},uid=0"
        );
        let killed = format!(
            "Memory cgroup out of memory: Killed process {pid} (python3) total-vm:2039556kB, anon-rss:386504kB, file-rss:8192kB, shmem-rss:0kB, UID:1000 pgtables:1000kB oom_score_adj:0"
        );
        match below(4) {
            0 => {}
            1 => write(
                "syslog",
                &format!(
                    "{iso}+00:00 node{} kernel: python3[{pid}]: segfault at 0 ip 00007f5b12345678 sp 00007ffd12345678 error 4 in _native.so[7f5b12300000+80000]",
                    user % 2
                ),
            ),
            _ => {
                write("syslog", &format!("{iso}+00:00 node{} kernel: {kill}", user % 2));
                write("syslog", &format!("{iso}+00:00 node{} kernel: {killed}", user % 2));
            }
        }
        if below(3) == 0 {
            write("train.log", &format!("{tornado} ERROR trainer: step {number}"));
            write(
                "train.log",
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 15.77 GiB of which 1.07 GiB is free.",
            );
        }
        if below(3) == 0 {
            write(
                "terminal.log",
                &format!("bash: line {number}: {pid} Killed                  python3 train.py"),
            );
        }
        if below(3) == 0 {
            write("compose.log", &format!("lab-{} exited with code 137", user % 5));
        }
    }
    logs
}
