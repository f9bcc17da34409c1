//! `kerneldoc ci` as each platform runs it: what it prints, which files it leaves, that a log's words are not obeyed.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

/// Variables that would tell the platform this test itself runs on.
const PLATFORMS: [&str; 5] = ["GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "BUILDKITE", "JENKINS_URL"];

/// Runs `ci` on a platform, in a folder of its own.
fn ci(folder: &Path, logs: &Path, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kerneldoc"));
    for name in PLATFORMS.iter().chain(&["GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"]) {
        command.env_remove(name);
    }
    command.env("KERNELDOC_LANG", "en");
    command.args(["ci", "--out-dir", "report"]).arg(logs).envs(variables.iter().copied());
    command.current_dir(folder).output().unwrap()
}

fn logs() -> std::path::PathBuf {
    fs::canonicalize("fixtures/cases/container-memory-limit/logs").unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn github_gets_annotations_a_summary_and_outputs() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("summary.md"), "before\n").unwrap();
    let variables =
        [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", "summary.md"), ("GITHUB_OUTPUT", "outputs")];
    let output = ci(folder.path(), &logs(), &variables);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = out(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("::group::kerneldoc: 1 kernel death"), "{text}");
    let token = lines[1].strip_prefix("::stop-commands::").unwrap();
    let resumed = lines.iter().position(|line| *line == format!("::{token}::")).unwrap();
    assert_eq!(lines[resumed + 1], "::endgroup::");
    assert!(lines[resumed + 2].starts_with("::error file="), "{text}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("summary.md").starts_with("before\n# 1 kernel death"));
    let outputs = read("outputs");
    assert!(
        outputs.starts_with("deaths=1\nfindings=0\nlayer=host\ncause=container-memory-limit\n"),
        "{outputs}"
    );
    for name in ["json", "md", "html", "junit.xml", "sarif"]
        .map(|end| format!("kerneldoc.{end}"))
        .iter()
        .map(String::as_str)
    {
        assert!(!read(&format!("report/{name}")).is_empty(), "{name}");
    }
    assert!(read("report/gl-code-quality-report.json").contains("\"severity\": \"critical\""));
}

#[test]
fn each_platform_folds_in_its_own_way() {
    let folder = tempfile::tempdir().unwrap();
    for (variable, begins, holds) in [
        ("GITLAB_CI", "\u{1b}[0Ksection_start:0:kerneldoc\r", "section_end:0:kerneldoc"),
        ("TF_BUILD", "##[group]kerneldoc: ", "##vso[task.logissue type=error]"),
        ("BUILDKITE", "+++ kerneldoc: ", "buildkite-agent annotate"),
        ("JENKINS_URL", "kerneldoc: 1 kernel death", "The reports are in report"),
        ("NOTHING_KNOWN", "kerneldoc: 1 kernel death", "The reports are in report"),
    ] {
        let output = ci(folder.path(), &logs(), &[(variable, "true")]);
        let text = out(&output);
        assert!(text.starts_with(begins) && text.contains(holds), "{variable}: {text}");
        assert!(folder.path().join("report/kerneldoc.html").exists());
    }
}

#[test]
fn a_log_gives_no_commands() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[I 2026-11-30 18:13:46.232 ServerApp] AsyncIOLoopKernelRestarter: restarting kernel (1/5), new random \
                ports ##vso[task.complete result=Succeeded] %0A::error::x ##[group]y\n::add-mask::e\n";
    fs::write(folder.path().join("jupyter.log"), text).unwrap();
    for variable in PLATFORMS {
        let output = ci(folder.path(), Path::new("jupyter.log"), &[(variable, "true")]);
        let printed = out(&output);
        let obeyed = printed.lines().any(|line| {
            line.contains("##vso[task.complete")
                || line.trim_start().starts_with("::add-mask")
                || line.contains("##[group]y")
        });
        // GitHub's annotations carry the words escaped, within one command.
        assert!(
            !obeyed || variable == "GITHUB_ACTIONS" && !printed.contains("\n::add-mask"),
            "{variable}: {printed}"
        );
    }
}

#[test]
fn nothing_to_analyse_leaves_no_report_that_says_all_is_well() {
    let folder = tempfile::tempdir().unwrap();
    let output = ci(folder.path(), Path::new("no-such-folder"), &[]);
    assert_eq!(output.status.code(), Some(3));
    assert!(!folder.path().join("report").exists());
}

#[test]
fn known_issues_and_a_baseline_keep_a_job_green() {
    let folder = tempfile::tempdir().unwrap();
    ci(folder.path(), &logs(), &[]);
    let file = "[[known]]\ncause = 'container-memory-limit'\nreason = 'the pool grows in December'\nuntil = '2026-12-31'\n";
    fs::write(folder.path().join("known.toml"), file).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kerneldoc"));
        command.arg("diagnose").arg(logs()).args(arguments).current_dir(folder.path()).output().unwrap()
    };
    let known = run(&["--known", "known.toml"]);
    assert_eq!(known.status.code(), Some(0), "{known:?}");
    assert!(
        out(&known).contains("known issue: the pool grows in December (until 2026-12-31)"),
        "{}",
        out(&known)
    );
    assert_eq!(run(&["--known", "known.toml", "--today", "2027-01-01"]).status.code(), Some(1));
    assert_eq!(run(&["--baseline", "report/kerneldoc.json"]).status.code(), Some(0));
    assert_eq!(run(&["--baseline", "report/kerneldoc.json", "--only-new"]).status.code(), Some(0));
    assert_eq!(run(&["--only-new"]).status.code(), Some(2));
}
