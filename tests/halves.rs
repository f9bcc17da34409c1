//! The two halves of the pipeline, run apart, say what they say together: any split of a host's files over any number of
//! `events` processes, their lines in any order and some of them twice, gives byte for byte the report of `diagnose`.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

#[path = "common/events.rs"]
mod events;
#[path = "common/logs.rs"]
mod logs;

use events::first_half;
use kerneldoc::{
    exchange::Gathering,
    partition,
    pipeline::{Log, Settings, analyze, judge},
    render::{Format, Options, render},
    report::Report,
    rule::RuleSet,
};
use logs::{entries::entries, logs};
use proptest::prelude::*;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::LazyLock,
};

static RULES: LazyLock<RuleSet> = LazyLock::new(|| RuleSet::builtin().expect("the built-in rules load"));

/// The folders of every fixture case and ordinary day.
fn folders() -> Vec<PathBuf> {
    let cases = entries(Path::new("fixtures/cases")).into_iter().map(|case| case.join("logs"));
    cases.chain(entries(Path::new("fixtures/healthy"))).filter(|folder| folder.is_dir()).collect()
}

static HOSTS: LazyLock<Vec<Vec<Log>>> =
    LazyLock::new(|| folders().iter().map(|folder| logs(folder)).filter(|logs| !logs.is_empty()).collect());

fn bytes(report: &Report) -> String {
    let mut out = Vec::new();
    render(report, Format::Json, &Options::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// What `diagnose --events` says of lines.
fn second_half(lines: &[String]) -> String {
    let mut gathering = Gathering::new(false);
    for (number, line) in lines.iter().enumerate() {
        gathering.line("events", number as u64 + 1, line.as_bytes());
    }
    let (mut parts, notes) = gathering.finish();
    assert!(notes.is_empty(), "{notes:?}");
    let part = parts.pop().unwrap_or_default();
    bytes(&judge(part.extracts, &part.skipped, &RULES, &Settings::default()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_split_gives_the_same_report(
        host in any::<prop::sample::Index>(),
        processes in 1_usize..6,
        shares in proptest::collection::vec(any::<prop::sample::Index>(), 64),
        order in any::<u64>(),
        twice in any::<prop::sample::Index>(),
    ) {
        let host = &HOSTS[host.index(HOSTS.len())];
        let mut split: Vec<Vec<&Log>> = vec![Vec::new(); processes];
        for (log, share) in host.iter().zip(shares.iter().cycle()) {
            split[share.index(processes)].push(log);
        }
        let mut printed: Vec<String> = split.iter().flat_map(|logs| first_half(logs)).collect();
        let again = printed[twice.index(printed.len())].clone();
        printed.push(again);
        // An engine's shuffle: sorted by something that has nothing to do with the lines' order.
        printed.sort_by_cached_key(|line| {
            line.bytes().fold(order | 1, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
        });
        prop_assert_eq!(second_half(&printed), bytes(&analyze(host, &RULES, &Settings::default())));
    }

    #[test]
    fn no_damage_makes_it_panic(
        host in any::<prop::sample::Index>(),
        cuts in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let host: Vec<&Log> = HOSTS[host.index(HOSTS.len())].iter().collect();
        let mut printed: Vec<Vec<u8>> = first_half(&host).into_iter().map(String::into_bytes).collect();
        for (line, at, byte) in cuts {
            let line = line.index(printed.len());
            let at = at.index(printed[line].len());
            printed[line][at] = byte;
        }
        let mut gathering = Gathering::new(true);
        printed.iter().enumerate().for_each(|(number, line)| gathering.line("events", number as u64, line));
        for part in gathering.finish().0 {
            judge(part.extracts, &part.skipped, &RULES, &Settings::default());
        }
    }
}

fn kerneldoc(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kerneldoc")).args(arguments).output().unwrap()
}

/// The files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let inside = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    entries(folder).into_iter().flat_map(inside).collect()
}

#[test]
fn a_process_a_file_and_one_for_all_agree_over_every_case() {
    let scratch = tempfile::tempdir().unwrap();
    for folder in folders() {
        let whole = kerneldoc(&["diagnose", "-f", "json", &folder.display().to_string()]);
        let mut parts =
            vec!["diagnose".to_owned(), "-f".to_owned(), "json".to_owned(), "--events".to_owned()];
        for (index, file) in files(&folder).iter().enumerate().rev() {
            let part = scratch.path().join(format!("{index}.ndjson"));
            fs::write(&part, kerneldoc(&["events", &file.display().to_string()]).stdout).unwrap();
            parts.push(part.display().to_string());
        }
        let arguments: Vec<&str> = parts.iter().map(String::as_str).collect();
        let apart = kerneldoc(&arguments);
        let text = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(text(&apart), text(&whole), "{}", folder.display());
        assert_eq!(apart.status.code(), whole.status.code(), "{}", folder.display());
    }
}

#[test]
fn every_line_obeys_the_schema() {
    let schema = serde_json::from_str(&fs::read_to_string("docs/event.schema.json").unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for host in HOSTS.iter() {
        for line in first_half(&host.iter().collect::<Vec<_>>()) {
            let value = serde_json::from_str(&line).unwrap();
            assert!(validator.is_valid(&value), "{line}");
        }
    }
    assert!(!validator.is_valid(&serde_json::json!({"schema": "kerneldoc.event/1", "line": "three"})));
}

/// Three hosts' logs as a fleet has them.
fn fleet() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut listing = String::new();
    for host in ["web1", "web2", "web3"] {
        for file in files(Path::new("fixtures/cases/container-memory-limit/logs")) {
            let path = folder.path().join(format!("host={host}")).join(file.file_name().unwrap());
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::copy(file, &path).unwrap();
            listing = format!("{}\n{listing}", path.display());
        }
    }
    let path = folder.path().join("listing.txt");
    fs::write(&path, listing).unwrap();
    let name = path.display().to_string();
    (folder, name)
}

#[test]
fn a_fleet_is_joined_a_key_at_a_time() {
    let (folder, listing) = fleet();
    let planned = String::from_utf8(kerneldoc(&["plan", &listing]).stdout).unwrap();
    for line in planned.lines() {
        let (key, path) = line.split_once('\t').unwrap();
        assert_eq!(key, partition::of_path(path));
        assert!(path.contains(&format!("host={}", key.strip_prefix("host:").unwrap())), "{line}");
    }
    let plan = folder.path().join("plan.txt");
    fs::write(&plan, &planned).unwrap();
    let events = kerneldoc(&["events", "--listing", &plan.display().to_string()]);
    let (file, empty) = (folder.path().join("events.ndjson"), folder.path().join("empty.ndjson"));
    fs::write(&file, events.stdout).unwrap();
    fs::write(&empty, "").unwrap();
    let all = ["diagnose", "--events", "--each-key", "-f", "ndjson", "--exit-zero"];
    let run = |path: &Path| kerneldoc(&[&all[..], &[&path.display().to_string()]].concat());
    let reports = run(&file);
    assert!(reports.status.success());
    let deaths: Vec<serde_json::Value> = String::from_utf8(reports.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let keys: Vec<_> = deaths.iter().map(|death| death["partition"].as_str().unwrap()).collect();
    assert_eq!(keys, ["host:web1", "host:web2", "host:web3"]);
    for death in &deaths {
        let host = death["partition"].as_str().unwrap().replace(':', "=");
        assert_eq!(death["cause"], "container-memory-limit");
        assert!(
            death["evidence"]
                .as_array()
                .unwrap()
                .iter()
                .all(|line| line["path"].as_str().unwrap().contains(&host))
        );
    }
    assert!(run(&empty).status.success() && run(&empty).stdout.is_empty(), "an empty share is no error");
    assert_eq!(kerneldoc(&["diagnose", "--events", &empty.display().to_string()]).status.code(), Some(3));
    let text = kerneldoc(&["diagnose", "--events", "--each-key", &file.display().to_string()]);
    assert_eq!(text.status.code(), Some(2), "text cannot hold many reports");
}
