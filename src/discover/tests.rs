//! Folders with everything in them that is no log.

use super::discover;
use std::{
    fs,
    os::unix::{ffi::OsStrExt as _, fs::symlink},
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// A folder with files of these names; a name may have folders in it.
fn folder(files: &[&str]) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    for file in files {
        let path = folder.path().join(file);
        let above = path.parent().unwrap_or(folder.path());
        fs::create_dir_all(above).and_then(|()| fs::write(&path, "x\n")).expect("a file in it");
    }
    folder
}

/// Files and skipped things below a folder, relative to it.
fn found(folder: &Path) -> (Vec<String>, Vec<String>) {
    let discovery = discover(&[folder.to_path_buf()]);
    let below = |text: String| text.replace(&format!("{}/", folder.display()), "");
    let files = discovery.files.iter().map(|file| below(file.display().to_string())).collect();
    let skipped =
        discovery.skipped.into_iter().map(|(path, reason)| below(format!("{path}: {reason}"))).collect();
    (files, skipped)
}

#[test]
fn sorted_and_without_version_control() {
    let folder = folder(&["b.log", "a.log", "sub/c.log", ".git/HEAD", ".hidden.log", "a.log.1"]);
    assert_eq!(
        found(folder.path()),
        (
            vec![".hidden.log".into(), "a.log".into(), "a.log.1".into(), "b.log".into(), "sub/c.log".into()],
            vec![]
        )
    );
}

#[test]
fn pipes_sockets_and_devices_are_not_opened() {
    let folder = folder(&["a.log"]);
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
    let (files, skipped) = found(folder.path());
    assert_eq!(
        (files, skipped),
        (vec!["a.log".into()], vec!["pipe: a pipe".into(), "socket: a socket".into()])
    );
    let named = discover(&[folder.path().join("pipe"), "/dev/null".into()]);
    assert_eq!(
        named.skipped.iter().map(|(_, reason)| reason.as_str()).collect::<Vec<_>>(),
        ["a pipe", "a device"]
    );
}

#[test]
fn links() {
    let outside = folder(&["secret.log"]);
    let folder = folder(&["sub/a.log", ".git/config"]);
    let at = |name: &str| folder.path().join(name);
    symlink("sub/a.log", at("again.log")).unwrap();
    symlink(".git/config", at("config")).unwrap();
    symlink("sub", at("sub2")).unwrap();
    symlink("..", at("sub/up")).unwrap();
    symlink("self", at("self")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    symlink(outside.path().join("secret.log"), at("out")).unwrap();
    let (files, skipped) = found(folder.path());
    assert_eq!(files, ["sub/a.log", "config"]);
    let outward = format!(
        "out: a link that leads outside, to {}: name it to read it",
        outside.path().canonicalize().unwrap().join("secret.log").display()
    );
    let expected = [
        "dangling: a link to nothing",
        &outward,
        "self: a link that leads to itself",
        "sub/up: a link to a folder above itself",
        "again.log: the same file as sub/a.log",
    ];
    assert_eq!(skipped, expected);
    assert_eq!(discover(&[at("out")]).files, [at("out")]);
}

#[test]
fn a_file_named_twice_is_read_once() {
    let folder = folder(&["a.log"]);
    let paths = [folder.path().join("a.log"), folder.path().to_path_buf(), folder.path().join("./a.log")];
    assert_eq!(discover(&paths).files, [folder.path().join("a.log")]);
}

#[test]
fn standard_input_is_passed_through() {
    assert_eq!(discover(&["-".into()]).files, [PathBuf::from("-")]);
}

#[test]
fn what_is_missing_gets_a_guess() {
    let folder = folder(&["dmesg.log", "jupyter.log.gz"]);
    let cause = |name: &str| discover(&[folder.path().join(name)]).missing.remove(0).cause;
    let did_you_mean =
        |name: &str| format!("no such file or folder; did you mean {}?", folder.path().join(name).display());
    assert_eq!(cause("dmseg.log"), did_you_mean("dmesg.log"));
    assert_eq!(cause("jupyter.log"), did_you_mean("jupyter.log.gz"));
    assert_eq!(cause("other"), "no such file or folder");
    assert_eq!(cause("*.txt"), "no such file or folder; the pattern matched nothing");
    assert!(cause("no/where").contains("nor a folder"));
    assert!(discover(&["~/logs".into()]).missing[0].cause.contains('~'));
    assert!(discover(&["".into()]).missing[0].cause.contains("empty path"));
}

#[test]
fn names_that_are_no_utf_8_are_shown_lossily() {
    let folder = folder(&[]);
    let name = folder.path().join(std::ffi::OsStr::from_bytes(b"a\xff.log"));
    symlink("nowhere", name).unwrap();
    assert_eq!(found(folder.path()).1, ["a\u{fffd}.log: a link to nothing"]);
}
