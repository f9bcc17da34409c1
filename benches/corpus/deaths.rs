//! Logs of nothing but deaths, told in all the ways in which ten thousand of them may lie: over a day, in one second, on
//! clocks that jump, by engines, by hubs, by Linux alone.

use crate::corpus::random::Random;
use std::{collections::BTreeMap, fmt::Write as _, fs, io, path::Path};

/// How deaths are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// By a server and by Linux, over a day.
    OverADay,
    /// By a server and by Linux, within a second.
    InASecond,
    /// By a server whose stamps jump over decades.
    OnJumpingClocks,
    /// By a server in docker's JSON lines, beside an engine that tells of as many containers, within a second.
    ByContainers,
    /// By a hub and by an engine, within a second.
    ByAHub,
    /// By Linux alone: reports of the OOM killer, ten milliseconds apart.
    ByLinux,
}

impl Told {
    /// All ways, and their names in the table.
    pub(crate) const ALL: [(Self, &'static str); 6] = [
        (Self::OverADay, "over a day"),
        (Self::InASecond, "within a second"),
        (Self::OnJumpingClocks, "on jumping clocks"),
        (Self::ByContainers, "in JSON lines, with docker's events"),
        (Self::ByAHub, "by a hub, with docker's events"),
        (Self::ByLinux, "OOM reports 10 ms apart"),
    ];
}

/// Microseconds of a second and of a day.
const SECOND: u64 = 1_000_000;
const DAY: u64 = 86_400 * SECOND;
/// The second of the day at which it begins.
const MORNING: u64 = 36_000 * SECOND;
/// The years that a jumping clock shows.
const YEARS: [u64; 8] = [1971, 2001, 2026, 2038, 1985, 2015, 2049, 1999];

/// Writes the logs of so many deaths into a folder.
///
/// # Errors
/// Those of the disk.
pub(crate) fn write(told: Told, deaths: u64, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut logs = Logs { random: Random(7), folder, files: BTreeMap::new() };
    for number in 0..deaths {
        let within = |stretch: u64| MORNING + number * stretch / deaths;
        match told {
            Told::OverADay => logs.server_and_linux(number, within(DAY)),
            Told::InASecond => logs.server_and_linux(number, within(SECOND)),
            Told::OnJumpingClocks => {
                let year = YEARS[usize::try_from(number % 8).unwrap_or(0)];
                let (first, second) = logs.restart(year, MORNING + number * SECOND);
                logs.line("jupyter.log", &first);
                logs.line("jupyter.log", &second);
            }
            Told::ByContainers => logs.json_and_engine(number, within(SECOND)),
            Told::ByAHub => {
                let at = within(SECOND);
                let line = format!(
                    "[W {} JupyterHub user:1011] User u{number} server stopped, with exit code: 137",
                    tornado(2026, at)
                );
                logs.line("hub.log", &line);
                logs.engine(number, at - 5 * SECOND, &["die"]);
            }
            Told::ByLinux => logs.report(number, MORNING + number * 10_000),
        }
    }
    logs.flush()
}

/// Logs that grow line by line.
struct Logs<'a> {
    random: Random,
    folder: &'a Path,
    files: BTreeMap<&'static str, String>,
}

impl Logs<'_> {
    fn line(&mut self, file: &'static str, line: &str) {
        let text = self.files.entry(file).or_default();
        let _ = writeln!(text, "{line}");
    }

    fn flush(self) -> io::Result<()> {
        self.files.iter().try_for_each(|(name, text)| fs::write(self.folder.join(name), text))
    }

    /// A container's id.
    fn container(&mut self) -> String {
        let random = &mut self.random;
        format!("{:016x}{:016x}{:016x}{:016x}", random.next(), random.next(), random.next(), random.next())
    }

    /// The two lines of a restarter.
    fn restart(&mut self, year: u64, at: u64) -> (String, String) {
        let stamp = tornado(year, at);
        let kernel = self.random.kernel();
        (
            format!(
                "[I {stamp} ServerApp] AsyncIOLoopKernelRestarter: restarting kernel (1/5), keep random ports"
            ),
            format!("[W {stamp} ServerApp] kernel {kernel} restarted"),
        )
    }

    fn server_and_linux(&mut self, number: u64, at: u64) {
        let (first, second) = self.restart(2026, at);
        self.line("jupyter.log", &first);
        self.line("jupyter.log", &second);
        let head = format!("{} hub1 kernel: ", iso(at - SECOND, "+00:00"));
        for line in kill(number, None) {
            self.line("syslog", &format!("{head}{line}"));
        }
    }

    fn json_and_engine(&mut self, number: u64, at: u64) {
        let (first, second) = self.restart(2026, at);
        for line in [first, second] {
            let json =
                format!("{{\"log\":\"{line}\\n\",\"stream\":\"stderr\",\"time\":\"{}\"}}", iso(at, "Z"));
            self.line("ada-json.log", &json);
        }
        self.engine(number, at, &["oom", "die"]);
    }

    /// What docker tells of a container.
    fn engine(&mut self, number: u64, at: u64, happenings: &[&str]) {
        let container = self.container();
        for happening in happenings {
            let exit = if *happening == "die" { "execDuration=100, exitCode=137, " } else { "" };
            let line = format!(
                "{} container {happening} {container} ({exit}image=jupyter/scipy-notebook, name=jupyter-u{number})",
                iso(at, "Z")
            );
            self.line("docker-events.log", &line);
        }
    }

    fn report(&mut self, number: u64, at: u64) {
        let head = format!("{} hub1 kernel: ", iso(at, "+00:00"));
        let container = self.container();
        for line in kill(number, Some(&container)) {
            self.line("syslog", &format!("{head}{line}"));
        }
    }
}

/// What Linux writes when it kills a process that is over its container's limit.
fn kill(number: u64, container: Option<&str>) -> Vec<String> {
    let pid = 1000 + number;
    let mut lines = vec![
        "python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0".to_owned(),
        "memory: usage 389120kB, limit 389120kB, failcnt 1031".to_owned(),
    ];
    lines.extend(container.map(|container| {
        format!(
            "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset={container},mems_allowed=0,oom_memcg=/docker/{container},task_memcg=/docker/{container},task=python3,pid={pid},uid=0"
        )
    }));
    lines.push(format!(
        "Memory cgroup out of memory: Killed process {pid} (python3) total-vm:1023592kB, anon-rss:317368kB, file-rss:16316kB, shmem-rss:0kB, UID:0 pgtables:796kB oom_score_adj:0"
    ));
    lines
}

/// The day of November and the time of day of microseconds since its third.
fn clock(at: u64) -> (u64, u64, u64, u64, u64) {
    let (day, rest) = (3 + at / DAY, at % DAY);
    let seconds = rest / SECOND;
    (day, seconds / 3600, seconds / 60 % 60, seconds % 60, rest % SECOND)
}

/// `2026-11-30 15:22:30.902`.
fn tornado(year: u64, at: u64) -> String {
    let (day, hour, minute, second, micros) = clock(at);
    format!("{year}-11-{day:02} {hour:02}:{minute:02}:{second:02}.{:03}", micros / 1000)
}

/// `2026-11-30T15:22:30.411378Z`.
fn iso(at: u64, zone: &str) -> String {
    let (day, hour, minute, second, micros) = clock(at);
    format!("2026-11-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}{zone}")
}
