//! The program as a user meets it: help, exit codes, what goes to which stream.
//!
//! `KERNELDOC_BLESS=1` rewrites the help texts in `fixtures/cli/`.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    env, fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

/// Runs the program without the caller's colour settings.
fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kerneldoc"))
        .args(arguments)
        .env("KERNELDOC_LANG", "en")
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("FORCE_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[track_caller]
fn fails(arguments: &[&str], code: i32, says: &str) {
    let output = run(arguments, b"");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", err(&output));
    assert!(err(&output).contains(says), "{arguments:?}: {}", err(&output));
    assert!(output.stdout.is_empty(), "{arguments:?}: {}", out(&output));
}

/// A log that holds one event, in a folder of its own.
fn a_log() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("jupyter.log");
    let line =
        "[W 2026-11-30 15:22:30.902 ServerApp] kernel b273fb86-d5a8-48b8-8771-f8f6010cdf71 restarted\n";
    fs::write(&path, line).unwrap();
    let name = path.display().to_string();
    (folder, name)
}

#[test]
fn help_is_as_it_was() {
    for command in [
        "",
        "diagnose",
        "events",
        "plan",
        "explain",
        "convert",
        "summary",
        "ci",
        "rules",
        "redact",
        "schema",
        "completions",
        "man",
    ] {
        let arguments: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let output = run(&arguments, b"");
        assert!(output.status.success() && output.stderr.is_empty());
        let path =
            format!("fixtures/cli/{}.help.txt", if command.is_empty() { "kerneldoc" } else { command });
        if env::var_os("KERNELDOC_BLESS").is_some() {
            fs::create_dir_all("fixtures/cli").unwrap();
            fs::write(&path, out(&output)).unwrap();
        }
        let expected = fs::read_to_string(Path::new(&path)).unwrap_or_default();
        snapbox::assert_data_eq!(out(&output), snapbox::Data::from(expected).raw());
    }
}

/// Runs the program with the language variables of a shell, and only those.
fn run_in(variables: &[(&str, &str)], arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kerneldoc"));
    for name in ["KERNELDOC_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "FORCE_COLOR"] {
        command.env_remove(name);
    }
    out(&command.args(arguments).envs(variables.iter().copied()).output().unwrap())
}

#[test]
fn the_language_is_the_users_for_people_and_english_for_programs() {
    let (_folder, log) = a_log();
    let (chinese, english) = ("次内核死亡", "kernel death");
    let both = [("LC_ALL", "zh_CN.UTF-8"), ("LANG", "en_US.UTF-8")];
    for (variables, arguments, expected) in [
        (&both[..], vec!["diagnose", &log], chinese),
        (&both[1..], vec!["diagnose", &log], english),
        (&[("LANG", "zh_CN.UTF-8")], vec!["diagnose", &log, "-f", "markdown"], chinese),
        (&[("LC_ALL", ""), ("LANG", "zh_CN.UTF-8")], vec!["diagnose", &log, "-f", "html"], chinese),
        (&[("KERNELDOC_LANG", "en"), ("LC_ALL", "zh_CN.UTF-8")], vec!["diagnose", &log], english),
        (&both[..], vec!["--lang", "en", "diagnose", &log], english),
        (&[], vec!["--lang", "zh", "diagnose", &log], chinese),
    ] {
        let text = run_in(variables, &arguments);
        assert!(text.contains(expected), "{variables:?} {arguments:?}: {text}");
    }
    let title = |text: &str| {
        serde_json::from_str::<serde_json::Value>(text).unwrap()["deaths"][0]["title"].to_string()
    };
    assert!(title(&run_in(&both, &["diagnose", &log, "-f", "json"])).is_ascii());
    assert!(!title(&run_in(&[], &["diagnose", &log, "-f", "json", "--lang", "zh"])).is_ascii());
    assert!(run_in(&both, &["explain", "silent-exit"]).contains("怎么处理"));
    assert!(run_in(&both, &["rules", "list"]).contains("内核"));
}

#[test]
fn one_run_writes_each_format_in_its_own_language() {
    let (folder, log) = a_log();
    let json = folder.path().join("report.json");
    let output = format!("json={}", json.display());
    let text = run_in(&[("LC_ALL", "zh_CN.UTF-8")], &["diagnose", &log, "-o", &output]);
    assert!(text.contains("次内核死亡"), "{text}");
    let report: serde_json::Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    assert!(report["deaths"][0]["title"].as_str().unwrap().is_ascii());
}

#[test]
fn an_english_report_is_converted_into_a_chinese_page() {
    let logs = "fixtures/cases/culled-while-idle/logs";
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("report.json").display().to_string();
    let there = run_in(&[], &["diagnose", logs, "-f", "markdown", "--lang", "zh"]);
    run_in(&[], &["diagnose", logs, "-o", &format!("json={json}")]);
    assert_eq!(run_in(&[], &["convert", &json, "--to", "markdown", "--lang", "zh"]), there);
}

/// The same line as people paste it.
#[test]
fn pasted_lines_are_diagnosed() {
    let kill = "Out of memory: Killed process 31843 (python3) total-vm:9438104kB, anon-rss:8123456kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:16000kB oom_score_adj:0";
    for wrapped in [
        kill.to_owned(),
        format!("[12345.678901] {kill}"),
        format!("Nov 30 09:14:28 gpu-7 kernel: {kill}"),
        format!("2026-11-30T09:14:28.123456+08:00 gpu-7 kernel: {kill}"),
        format!("> Nov 30 09:14:28 gpu-7 kernel: {kill}"),
        format!(
            "{{\"MESSAGE\":\"{kill}\",\"SYSLOG_IDENTIFIER\":\"kernel\",\"_TRANSPORT\":\"kernel\",\"__REALTIME_TIMESTAMP\":\"1764494068000000\",\"_HOSTNAME\":\"gpu-7\"}}"
        ),
        format!("```\n[Mon Nov 30 09:14:28 2026] {kill}\n```"),
        format!("$ dmesg -T | tail -1\r\n[Mon Nov 30 09:14:28 2026] {kill}\r\n"),
        format!("    <4>[12345.678901] {kill}"),
    ] {
        let output = run(&["diagnose", "--line", &wrapped], b"");
        assert!(out(&output).contains("host-memory-exhausted"), "{wrapped}: {}", out(&output));
        assert!(out(&output).contains("pasted:"), "{}", out(&output));
    }
    let two = [
        "--line",
        "[I 2026-11-30 15:22:29.411 ServerApp] AsyncIOLoopKernelRestarter: restarting kernel (1/5), keep random ports",
        "--line",
        "[W 2026-11-30 15:22:29.902 ServerApp] kernel b273fb86-d5a8-48b8-8771-f8f6010cdf71 restarted",
    ];
    let output = run(&two, b"");
    assert!(out(&output).contains("1 kernel death in 1 file (2 lines"), "{}", out(&output));
    assert_eq!(output.status.code(), Some(1));
    fails(&["diagnose", "--line", "-v", "--no-such"], 2, "--no-such");
    assert!(out(&run(&["--line", "nothing of note"], b"")).contains("No kernel death"));
}

#[test]
fn files_become_links_where_they_are_asked_for() {
    let (_folder, log) = a_log();
    let linked = out(&run(&["diagnose", &log, "--hyperlinks", "always"], b""));
    assert!(linked.contains(&format!("\u{1b}]8;;file://{log}#1\u{1b}\\")), "{linked}");
    assert!(!out(&run(&["diagnose", &log], b"")).contains('\u{1b}'));
    let file = format!("{log}.txt");
    run(&["diagnose", &log, "--hyperlinks", "always", "-o", &format!("text={file}")], b"");
    assert!(!fs::read_to_string(file).unwrap().contains('\u{1b}'));
}

#[test]
fn wrong_usage_is_2_with_a_next_step() {
    let (_folder, log) = a_log();
    fails(&["--no-such-option"], 2, "--no-such-option");
    fails(&["diagnose", "--format", "yaml", &log], 2, "possible values: text, json, ndjson");
    fails(&["diagnose", "--timezone", "Asia/Shanghai", &log], 2, "such as +08:00");
    fails(&["diagnose", "--since", "yesterday", &log], 2, "2026-11-30T15:14:10Z");
    fails(&["diagnose", "-o", "json", &log], 2, "FORMAT=FILE");
    fails(&["diagnose", "--select", "hots", &log], 2, "did you mean `host`?");
    fails(&["diagnose", "--rules", "/no/such/folder", &log], 2, "cannot read rules");
    fails(&["explain", "SIGKIL"], 2, "did you mean `SIGKILL`?");
    fails(&["rules", "show", "no-such-rule"], 2, "no cause is called `no-such-rule`");
    fails(&["rules", "new", "host", "Not An Id"], 2, "lower-case words joined by dashes");
    fails(&["convert", "Cargo.toml", "--to", "text"], 2, "no kerneldoc report");
}

#[test]
fn nothing_to_analyse_is_3() {
    let empty = tempfile::tempdir().unwrap();
    let empty = empty.path().display().to_string();
    fails(&["diagnose", &empty], 3, "nothing to analyse");
    fails(&["diagnose", "no-such-file.log"], 3, "no-such-file.log");
    fails(&["no-such-file.log"], 3, "is the path right?");
    fails(&["events", &empty], 3, "nothing to analyse");
    fails(&["convert", "no-such-report.json", "--to", "text"], 3, "cannot read");
    let output = run(&["diagnose", "--format", "json", &empty], b"");
    assert_eq!(output.status.code(), Some(3));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["inputs"]["files"], 0);
}

#[test]
fn diagnose_is_the_default_and_reads_standard_input() {
    let (_folder, log) = a_log();
    let short = run(&[&log], b"");
    let whole = run(&["diagnose", &log], b"");
    assert_eq!((out(&short), short.status), (out(&whole), whole.status));
    let piped = run(&["-"], &fs::read(&log).unwrap());
    assert!(out(&piped).contains("1 file"), "{}", out(&piped));
}

#[test]
fn reports_go_to_files_too_whole_or_not_at_all() {
    let (folder, log) = a_log();
    let json = folder.path().join("report.json").display().to_string();
    let output = run(&["diagnose", &log, "-o", &format!("json={json}"), "--exit-zero"], b"");
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let converted = run(&["convert", &json, "--to", "json"], b"");
    assert_eq!(out(&converted), fs::read_to_string(&json).unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    let output = run(&["diagnose", &log, "-o", "json=/no/such/folder/r.json"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("the folder must exist already"));
}

#[test]
fn events_keep_their_clock_and_lose_their_secrets() {
    let (folder, log) = a_log();
    let output = run(&["events", &log], b"");
    let event: serde_json::Value = serde_json::from_str(out(&output).lines().next().unwrap()).unwrap();
    assert_eq!(event["kind"], "server.kernel_restarted");
    assert_eq!(event["stamps"][0]["clock"], "local");
    assert_eq!(event["line"], 1);
    assert!(event.get("time").is_none());
    assert_eq!(event["key"], format!("folder:{}", folder.path().display()));
}

#[test]
fn redact_is_a_filter() {
    let output = run(&["redact"], b"GET /lab?token=sekret123 a\r\nb\xff\nlast password=x9");
    assert_eq!(out(&output), "GET /lab?token=[redacted] a\r\nb\u{fffd}\nlast password=[redacted]");
    assert!(output.status.success());
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kerneldoc"))
        .args(["schema", "report"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), err(&output)), (Some(0), String::new()));
}

#[test]
fn colour_obeys_flag_and_environment() {
    let coloured = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kerneldoc"));
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR"] {
            command.env_remove(name);
        }
        let convert = ["convert", "fixtures/reports/memory.json", "--to", "text"];
        let output = command.args(convert).args(arguments).envs(variables.iter().copied()).output().unwrap();
        output.stdout.contains(&0x1b)
    };
    assert!(!coloured(&[], &[]));
    assert!(coloured(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(coloured(&[], &[("FORCE_COLOR", "1")]));
    assert!(coloured(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[], &[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]));
    assert!(!coloured(&["--color=never"], &[("FORCE_COLOR", "1")]));
}

#[test]
fn packages_get_completions_and_a_page() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(out(&run(&["completions", shell], b"")).contains("kerneldoc"));
    }
    assert!(out(&run(&["man"], b"")).contains(".TH kerneldoc"));
}
