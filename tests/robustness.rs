//! Hostile and damaged input, made on the spot beside a good case: the good case keeps its verdict, what is not read
//! is listed with its reason, nothing raw reaches a terminal. `docs/robustness.md` is the table of it.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use kerneldoc::report::Report;
use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{Read as _, Write as _},
    os::unix::{ffi::OsStrExt as _, fs::symlink},
    path::Path,
    process::{Command, Output, Stdio},
};

/// What a folder holds beside the good logs, and the reason that must be told for it, if any.
type Hostile = (&'static str, fn(&Path), Option<&'static str>);

/// Small enough for every run; `large` has the sizes that matter.
const SMALL: &[Hostile] = &[
    ("no newline", |at| fs::write(at.join("x.log"), vec![b'x'; 9 << 20]).unwrap(), None),
    ("a hole", |at| hole(at, 9 << 20), None),
    ("a deep folder", |at| deep(at, 300), None),
    ("many files", |at| many(at, 300), None),
    ("deep JSON", |at| fs::write(at.join("x.json"), "[".repeat(100_000)).unwrap(), None),
    (
        "a deep notebook",
        |at| fs::write(at.join("x.ipynb"), nested("{\"cells\":[{\"cell_type\":")).unwrap(),
        None,
    ),
    ("a deep docker line", |at| fs::write(at.join("x.log"), nested("{\"log\":")).unwrap(), None),
    ("a field of 10 MB", big_field, None),
    ("names that are no text", |at| odd_name(at, b"\xff\xfe.log"), None),
    ("names with escapes", |at| odd_name(at, b"a\x1b[31m\n\xe2\x80\xaeb.log"), None),
    ("a socket", |at| drop(std::os::unix::net::UnixListener::bind(at.join("s")).unwrap()), Some("a socket")),
    ("a device", |at| symlink("/dev/zero", at.join("zero")).unwrap(), Some("a link that leads outside")),
    ("links in a circle", circle, Some("a link that leads to itself")),
    ("an archive that climbs", climbing_tar, Some("a link in an archive")),
    (
        "an archive cut off",
        |at| fs::write(at.join("x.gz"), &gzip(b"hello\n".repeat(99).as_slice())[..30]).unwrap(),
        Some("cut off"),
    ),
    ("an archive in an archive, 12 times", nested_gzip, Some("packed in too many layers")),
    ("a bomb", |at| fs::write(at.join("x.gz"), gzip(&vec![b'\n'; 66 << 20])).unwrap(), None),
];

/// What takes long: `cargo test --release --test robustness -- --ignored`.
const LARGE: &[Hostile] = &[
    ("no newline", |at| stream(&at.join("x.log"), &[b'x'; 1 << 20], 1024), None),
    (
        "no newline, all needles",
        |at| stream(&at.join("x.log"), &b"Killed process 4 (python3) ".repeat(40_000), 1000),
        None,
    ),
    ("a hole", |at| hole(at, 1 << 30), None),
    ("a deep folder", |at| deep(at, 4000), Some("file name too long")),
    ("many files", |at| many(at, 100_000), None),
];

#[test]
fn what_is_good_keeps_its_verdict() {
    SMALL.iter().for_each(check);
}

#[test]
#[ignore = "writes gigabytes"]
fn what_is_good_keeps_its_verdict_beside_what_is_large() {
    LARGE.iter().for_each(check);
}

/// Analyses a good case with something hostile beside it.
fn check((name, make, reason): &Hostile) {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path());
    make(folder.path());
    let result = tempfile::NamedTempFile::new().unwrap();
    let json = format!("json={}", result.path().display());
    let output = kerneldoc(&["diagnose", "-v", "--color", "never", "-o", &json], folder.path());
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{name}: {text}");
    assert!(!text.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}'), "{name}: {text:?}");
    assert!(!text.contains("panicked"), "{name}: {text}");
    let report: Report = serde_json::from_slice(&fs::read(result.path()).unwrap()).unwrap();
    assert_eq!(verdicts(&report), ["container-memory-limit confirmed"], "{name}");
    if let Some(reason) = reason {
        let reasons = || report.inputs.skipped.iter().map(|skipped| skipped.reason.as_str().to_lowercase());
        let told = reasons().any(|told| told.starts_with(reason));
        assert!(told, "{name}: {:?}", reasons().collect::<Vec<_>>());
    }
}

/// The logs of one death, as they are.
const GOOD: &str = "fixtures/cases/container-memory-limit/logs";

fn good(folder: &Path) {
    for entry in fs::read_dir(GOOD).unwrap().flatten() {
        fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
}

fn kerneldoc(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kerneldoc")).args(arguments).arg(folder).output().unwrap()
}

fn verdicts(report: &Report) -> Vec<String> {
    report.deaths.iter().map(|death| format!("{} {}", death.cause, death.confidence)).collect()
}

fn stream(path: &Path, block: &[u8], times: usize) {
    let mut file = File::create(path).unwrap();
    (0..times).for_each(|_| file.write_all(block).unwrap());
}

fn hole(at: &Path, length: u64) {
    let mut file = File::create(at.join("hole.log")).unwrap();
    file.set_len(length).unwrap();
    std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)).unwrap();
    file.write_all(b"\nthe log goes on\n").unwrap();
}

/// Folders in folders; beyond what a path can hold `find` would fail, too.
fn deep(at: &Path, depth: usize) {
    let script =
        "n=$1; while [ $n -gt 0 ]; do mkdir d && cd -P d || exit 1; n=$((n - 1)); done; echo end > x.log";
    let status = Command::new("sh").args(["-c", script, "sh", &depth.to_string()]).current_dir(at).status();
    assert!(status.unwrap().success());
}

fn many(at: &Path, count: usize) {
    fs::create_dir(at.join("many")).unwrap();
    (0..count).for_each(|n| fs::write(at.join(format!("many/{n}.log")), "hello\n").unwrap());
}

fn nested(open: &str) -> String {
    open.to_owned() + &"{\"a\":".repeat(100_000)
}

fn big_field(at: &Path) {
    let line =
        "[E 2026-11-30 15:22:30.902 ServerApp] Uncaught exception ".to_owned() + &"A".repeat(10_000_000);
    fs::write(at.join("x.log"), line).unwrap();
}

fn odd_name(at: &Path, name: &[u8]) {
    fs::write(at.join(OsStr::from_bytes(name)), "[W 2026-11-30 15:22:30.902 ServerApp] hello\n").unwrap();
}

fn circle(at: &Path) {
    symlink("b", at.join("a")).unwrap();
    symlink("a", at.join("b")).unwrap();
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

fn nested_gzip(at: &Path) {
    let packed = (0..12).fold(b"hello\n".to_vec(), |inner, _| gzip(&inner));
    fs::write(at.join("x.gz"), packed).unwrap();
}

/// How a text is encoded, or its lines end.
type Form<'a> = &'a dyn Fn(&str) -> Vec<u8>;

fn climbing_tar(at: &Path) {
    let mut tar = tar::Builder::new(File::create(at.join("x.tar")).unwrap());
    for name in ["../../up.log", "/abs.log"] {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(6);
        header.set_cksum();
        tar.append(&header, &b"hello\n"[..]).unwrap();
    }
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    tar.append_link(&mut header, "link", "/etc/passwd").unwrap();
    tar.finish().unwrap();
}

#[test]
fn encodings_and_line_ends_change_nothing() {
    let text = fs::read_dir(GOOD)
        .unwrap()
        .flatten()
        .map(|entry| (entry.file_name(), fs::read_to_string(entry.path()).unwrap()));
    let logs: Vec<_> = text.collect();
    let units =
        |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> { text.encode_utf16().flat_map(bytes).collect() };
    let forms: [(&str, Form<'_>); 7] = [
        ("UTF-16LE", &|text| units(text, u16::to_le_bytes)),
        ("UTF-16BE", &|text| units(text, u16::to_be_bytes)),
        ("UTF-16LE with a mark", &|text| units(&format!("\u{feff}{text}"), u16::to_le_bytes)),
        ("UTF-8 with a mark", &|text| format!("\u{feff}{text}").into_bytes()),
        ("GB18030", &|text| encoding_rs::GB18030.encode(&format!("{text}# 内核死了\n")).0.into_owned()),
        ("mixed line ends", &|text| text.replacen('\n', "\r\n", 7).into_bytes()),
        ("no last newline", &|text| text.trim_end().as_bytes().to_vec()),
    ];
    for (name, encode) in forms {
        let folder = tempfile::tempdir().unwrap();
        for (file, text) in &logs {
            fs::write(folder.path().join(file), encode(text)).unwrap();
        }
        let output = kerneldoc(&["diagnose", "--format", "json"], folder.path());
        let report: Report = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(verdicts(&report), ["container-memory-limit confirmed"], "{name}");
    }
}

#[test]
fn a_log_that_grows_or_shrinks_while_it_is_read_is_read_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path());
    let path = folder.path().join("busy.log");
    stream(&path, &b"[I 2026-11-30 15:22:30.902 ServerApp] 200 GET /api\n".repeat(20_000), 8);
    let mut child = Command::new(env!("CARGO_BIN_EXE_kerneldoc"))
        .args(["diagnose", "--format", "json"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    (0..200).for_each(|_| file.write_all(b"more\n").unwrap());
    file.set_len(100).unwrap();
    fs::remove_file(&path).unwrap();
    let mut out = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let report: Report = serde_json::from_slice(&out).unwrap();
    assert_eq!(verdicts(&report), ["container-memory-limit confirmed"]);
}

#[test]
fn a_full_disk_is_an_error_with_help() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let to_stdout = Command::new(env!("CARGO_BIN_EXE_kerneldoc"))
        .args(["diagnose", GOOD])
        .stdout(full())
        .output()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    // A link, so that a mistake takes away the link and not the device.
    let link = folder.path().join("full.json");
    symlink("/dev/full", &link).unwrap();
    let to_file = kerneldoc(&["diagnose", "-o", &format!("json={}", link.display())], Path::new(GOOD));
    for output in [to_stdout, to_file] {
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("error: cannot write") && error.contains("help: the disk"), "{error}");
    }
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn a_result_takes_the_place_of_a_file_and_of_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("old.json"), "old").unwrap();
    symlink("old.json", at("link.json")).unwrap();
    let output =
        kerneldoc(&["diagnose", "-o", &format!("json={}", at("link.json").display())], Path::new(GOOD));
    assert_eq!(output.status.code(), Some(1));
    assert!(fs::symlink_metadata(at("link.json")).unwrap().is_symlink());
    serde_json::from_slice::<Report>(&fs::read(at("old.json")).unwrap()).unwrap();
    fs::create_dir(at("folder")).unwrap();
    let output = kerneldoc(&["diagnose", "-o", &format!("json={}", at("folder").display())], Path::new(GOOD));
    assert_eq!(output.status.code(), Some(2));
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    assert_eq!(names, ["folder", "link.json", "old.json"], "nothing half-written is left");
}

#[test]
fn whoever_stops_reading_or_interrupts_gets_no_panic() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kerneldoc"))
        .args(["diagnose", "--format", "html", GOOD])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "a broken pipe is no error");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");

    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_kerneldoc"))
        .args(["diagnose", "-", "-o"])
        .arg(format!("json={}", folder.path().join("x.json").display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // Two blocks: once the second is taken, the first is being read.
    input.write_all(&vec![b'\n'; 2 << 20]).unwrap();
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&output.status), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
