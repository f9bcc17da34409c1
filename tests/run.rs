//! `kerneldoc run`: whatever way a command ends, its exit status, output, input and signals pass through unchanged, and
//! the record says how it ended. `kerneldoc collect`: what it gathers, `diagnose` reads.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]
#![expect(clippy::print_stderr, reason = "a skipped test says why")]

use serde_json::Value;
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::Path,
    process::{Child, Command, Output, Stdio},
};

const KERNELDOC: &str = env!("CARGO_BIN_EXE_kerneldoc");

/// `kerneldoc run` of a command, its record in a folder.
fn recorded(folder: &Path, command: &[&str]) -> Command {
    let mut run = Command::new(KERNELDOC);
    run.args(["run", "--dir"]).arg(folder).arg("--").args(command);
    run
}

/// The records of a kind in the one run below a folder.
fn records(folder: &Path, kind: &str) -> Vec<Value> {
    let runs: Vec<_> = fs::read_dir(folder).unwrap().flatten().collect();
    assert_eq!(runs.len(), 1, "one run, one folder");
    let text = fs::read_to_string(runs[0].path().join("record.ndjson")).unwrap();
    let all = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    all.filter(|record| record["kind"] == kind).collect()
}

/// Every way of ending: the shell's command, the status that must come out, and what the record must hold.
const ENDS: &[(&str, i32, &str, &str)] = &[
    ("exit 0", 0, "exit_code", "0"),
    ("exit 1", 1, "exit_code", "1"),
    ("exit 3", 3, "exit_code", "3"),
    ("exit 138", 138, "exit_code", "138"),
    ("exit 255", 255, "exit_code", "255"),
    ("kill -HUP $$", 129, "signal", "\"SIGHUP\""),
    ("kill -INT $$", 130, "signal", "\"SIGINT\""),
    ("kill -ILL $$", 132, "signal", "\"SIGILL\""),
    ("kill -ABRT $$", 134, "signal", "\"SIGABRT\""),
    ("kill -BUS $$", 135, "signal", "\"SIGBUS\""),
    ("kill -FPE $$", 136, "signal", "\"SIGFPE\""),
    ("kill -KILL $$", 137, "signal", "\"SIGKILL\""),
    ("kill -SEGV $$", 139, "signal", "\"SIGSEGV\""),
    ("kill -PIPE $$", 141, "signal", "\"SIGPIPE\""),
    ("kill -TERM $$", 143, "signal", "\"SIGTERM\""),
];

#[test]
fn every_way_of_ending_passes_through_and_is_recorded() {
    for (command, status, key, value) in ENDS {
        let folder = tempfile::tempdir().unwrap();
        let done = recorded(folder.path(), &["sh", "-c", command]).output().unwrap();
        assert_eq!(done.status.code(), Some(*status), "{command}");
        let exits = records(folder.path(), "process.exit");
        assert_eq!(exits.len(), 1, "{command}");
        assert_eq!(exits[0][key].to_string(), *value, "{command}");
        let counters = records(folder.path(), "counters");
        let at: Vec<_> = counters.iter().map(|record| record["at"].as_str().unwrap()).collect();
        assert_eq!((at.first(), at.last()), (Some(&"before"), Some(&"after")), "{command}");
    }
}

#[test]
fn what_cannot_be_run_is_told_as_a_shell_does() {
    for (command, status) in [("/no/such/program", 127), ("/etc/passwd", 126)] {
        let folder = tempfile::tempdir().unwrap();
        let done = recorded(folder.path(), &[command]).output().unwrap();
        assert_eq!(done.status.code(), Some(status), "{command}");
    }
}

#[test]
fn bytes_pass_through_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let input: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
    let mut child = recorded(folder.path(), &["sh", "-c", "tee /dev/stderr"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let fed = input.clone();
    let feeder = std::thread::spawn(move || stdin.write_all(&fed).unwrap());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    assert!(status.success());
    assert!(stdout == input && stderr == input, "{} and {} bytes came out", stdout.len(), stderr.len());
}

/// A command that counts the signals it gets until it is told to stop by its input's end.
const COUNTER: &str = r#"
n=0
trap 'n=$((n+1)); echo "got $n"' INT TERM
echo ready
while read -r line; do :; done
"#;

/// Starts a command in a process group of its own that says when it is ready.
fn ready(folder: &Path, script: &str) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut run = recorded(folder, &["sh", "-c", script]);
    let mut child = run
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    (child, lines)
}

/// Sends a signal to a process, or with `-` before it to a group.
fn send(signal: &str, whom: &str) {
    assert!(Command::new("kill").args([signal, "--", whom]).status().unwrap().success());
}

#[test]
fn a_signal_reaches_the_command_once_whoever_it_was_sent_to() {
    for signal in ["-INT", "-TERM"] {
        for group in ["", "-"] {
            let folder = tempfile::tempdir().unwrap();
            let (mut child, mut lines) = ready(folder.path(), COUNTER);
            send(signal, &format!("{group}{}", child.id()));
            let mut line = String::new();
            lines.read_line(&mut line).unwrap();
            assert_eq!(line, "got 1\n", "{signal} to {group}");
            // A second one would be told before the end.
            std::thread::sleep(std::time::Duration::from_millis(300));
            drop(child.stdin.take());
            line.clear();
            lines.read_line(&mut line).unwrap();
            assert_eq!(line, "", "{signal} to {group}");
            child.wait().unwrap();
            assert_eq!(records(folder.path(), "signal.passed").len(), 1);
        }
    }
}

#[test]
fn an_end_that_was_asked_for_is_recorded_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, _lines) = ready(folder.path(), "echo ready; exec sleep 60");
    send("-TERM", &child.id().to_string());
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert_eq!(records(folder.path(), "process.exit")[0]["sent_by_us"], "SIGTERM");
}

#[test]
fn the_command_dies_with_its_recorder() {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, mut lines) = ready(folder.path(), "echo ready; exec sleep 61");
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    // Its output ends: nobody holds the pipe any more.
    let mut rest = String::new();
    lines.read_line(&mut rest).unwrap();
    assert_eq!(rest, "");
    let pid = records(folder.path(), "process.start")[0]["pid"].to_string();
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    assert!(!stat.contains(") S "), "{stat}");
}

#[test]
fn how_a_descendant_ended_is_seen_before_its_parent_looks() {
    let folder = tempfile::tempdir().unwrap();
    // What becomes of the shell never asks for its children; runners ask once a second.
    let script = "sleep 9 & victim=$!; (sleep 1; kill -SEGV $victim) & exec sleep 3";
    let done = recorded(folder.path(), &["sh", "-c", script]).output().unwrap();
    assert_eq!(done.status.code(), Some(0));
    let ends = records(folder.path(), "child.exit");
    assert_eq!(ends.len(), 1, "{ends:?}");
    assert_eq!((&ends[0]["signal"], &ends[0]["program"]), (&"SIGSEGV".into(), &"sleep".into()));
}

/// A cgroup with a memory limit, removed at the end; none where it cannot be made.
struct Limited(std::path::PathBuf);

impl Limited {
    fn make(name: &str, bytes: u64) -> Result<Self, std::io::Error> {
        let first = Path::new("/sys/fs/cgroup/memory");
        let (root, limit, swap) = if first.is_dir() {
            (first, "memory.limit_in_bytes", "memory.memsw.limit_in_bytes")
        } else {
            (Path::new("/sys/fs/cgroup"), "memory.max", "memory.swap.max")
        };
        let group = Self(root.join(format!("{name}-{}", std::process::id())));
        fs::create_dir(&group.0)?;
        fs::write(group.0.join(limit), bytes.to_string())?;
        // Where swap is counted, it must not help.
        let swapped = if first.is_dir() { bytes } else { 0 };
        let _ = fs::write(group.0.join(swap), swapped.to_string());
        Ok(group)
    }
}

impl Drop for Limited {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
fn a_death_at_a_cgroups_limit_is_confirmed() {
    let group = match Limited::make("kerneldoc-run-test", 96 << 20) {
        Ok(group) => group,
        Err(error) => {
            eprintln!("skipped: no cgroup with a memory limit can be made here ({error})");
            return;
        }
    };
    let folder = tempfile::tempdir().unwrap();
    // `tail` keeps the last line of a file that is one endless line.
    let script = r#"echo $$ > "$1/cgroup.procs" && exec "$2" run --dir "$3" -- tail /dev/zero"#;
    let done = Command::new("sh")
        .args(["-c", script, "sh"])
        .args([&group.0, Path::new(KERNELDOC), folder.path()])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(137), "{told}");
    let report =
        Command::new(KERNELDOC).args(["diagnose", "-f", "json"]).arg(folder.path()).output().unwrap();
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    let death = &report["deaths"][0];
    assert_eq!(
        (&death["cause"], &death["confidence"]),
        (&"container-memory-limit".into(), &"confirmed".into()),
        "{told}"
    );
}

#[test]
fn collect_gathers_what_diagnose_reads() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("kernel.log");
    fs::write(
        &log,
        "2026-11-30T15:22:30.411Z [I ServerApp] token=abcdefghijklmnopqrstuvwxyz0123456789abcdefghijkl\n\
         [I 2026-11-30 15:20:07.331 ServerApp] Kernel started: 5c1e8d0a-7a3f-4c55-9be1-2f60d1f7a9c4\n\
         [I 2026-11-30 15:22:53.902 ServerApp] AsyncIOLoopKernelRestarter: restarting kernel (1/5), keep random ports\n",
    )
    .unwrap();
    let archive = folder.path().join("all.tar.gz");
    // Without programs only files are gathered, and the manifest says what is missing.
    let done = Command::new(KERNELDOC)
        .args(["collect", "--since", "1m", "-o"])
        .arg(&archive)
        .arg(&log)
        .env("PATH", folder.path())
        .env("HOME", folder.path())
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(
        String::from_utf8_lossy(&done.stderr)
            .contains("not had: nvidia-smi: nvidia-smi is not installed here")
    );
    let report = Command::new(KERNELDOC).args(["diagnose", "-f", "json"]).arg(&archive).output().unwrap();
    assert_eq!(report.status.code(), Some(1), "{}", String::from_utf8_lossy(&report.stderr));
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!(report["deaths"][0]["kernel"]["id"], "5c1e8d0a-7a3f-4c55-9be1-2f60d1f7a9c4");
    assert!(!report.to_string().contains("abcdefghijklmnopqrstuvwxyz0123456789"), "secrets are out");
}

#[test]
fn collect_can_print_instead() {
    let done = Command::new(KERNELDOC).args(["collect", "--print", "--since", "2h"]).output().unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    for command in ["dmesg", "docker events --since", "kubectl get events -A", "nvidia-smi", "journalctl -k"]
    {
        assert!(text.contains(command), "{command} is printed");
    }
}
