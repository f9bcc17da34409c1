//! A folder as it is found on a real machine: good logs beside a binary, an empty file, a pipe, links that lead
//! nowhere or in circles, and a file that may not be read. The good logs are diagnosed, the rest is listed with its
//! reason, and the exit code is the verdict's.
#![cfg(unix)]

use kerneldoc::report::Report;
use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    process::Command,
};

#[test]
fn good_logs_are_diagnosed_and_the_rest_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for entry in fs::read_dir("fixtures/cases/container-memory-limit/logs").unwrap().flatten() {
        fs::copy(entry.path(), at(&entry.file_name().to_string_lossy())).unwrap();
    }
    fs::write(at("empty.log"), "").unwrap();
    fs::write(at("core.1234"), [0, 1, 2, 3, 255, 254, 7, 8].repeat(4000)).unwrap();
    symlink(".", at("loop")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    fs::write(at("locked.log"), "secret\n").unwrap();
    fs::set_permissions(at("locked.log"), fs::Permissions::from_mode(0o000)).unwrap();
    // Whoever runs the tests as root may read everything.
    let is_root = fs::read(at("locked.log")).is_ok();

    let output = Command::new(env!("CARGO_BIN_EXE_kerneldoc"))
        .args(["diagnose", "--format", "json"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report: Report = serde_json::from_slice(&output.stdout).unwrap();
    let verdicts: Vec<_> =
        report.deaths.iter().map(|death| (death.cause.as_str(), death.confidence.as_str())).collect();
    assert_eq!(verdicts, [("container-memory-limit", "confirmed")]);
    let reason = |name: &str| {
        let skipped = report.inputs.skipped.iter().find(|skipped| skipped.path.as_str().ends_with(name));
        skipped.map(|skipped| skipped.reason.as_str())
    };
    assert_eq!(reason("empty.log"), Some("empty"));
    assert_eq!(reason("core.1234"), Some("binary"));
    assert_eq!(reason("pipe"), Some("a pipe"));
    assert_eq!(reason("dangling"), Some("a link to nothing"));
    assert_eq!(reason("loop"), Some("a link to a folder above itself"));
    if !is_root {
        assert_eq!(reason("locked.log"), Some("permission denied"));
    }
}

#[test]
fn a_path_that_does_not_exist_is_nothing_to_analyse() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_kerneldoc")).args(["diagnose", "no/such/folder"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(output.stdout.is_empty());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("no/such/folder"), "{error}");
}
