//! Replays `fixtures/fuzz/<target>/*`: inputs that once made the target of this name fail, and tries a few neighbours of
//! each target's seeds.
//!
//! `KERNELDOC_SEEDS=fuzz` writes seeds and a dictionary for the fuzzers instead (`docs/robustness.md`).

#![expect(clippy::unwrap_used, clippy::string_slice, reason = "a test may fail loudly")]

#[path = "common/events.rs"]
mod events;
#[path = "common/fuzz.rs"]
mod fuzz;
#[path = "common/logs.rs"]
mod logs;

use events::first_half;
use kerneldoc::{
    parse::PARSERS,
    pipeline::{Log, Settings, analyze},
    rule::RuleSet,
};
use libtest_mimic::{Arguments, Failed, Trial};
use logs::{entries::entries, logs};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
    sync::Arc,
};

/// The longest seed: a fuzzer gets no further with more.
const LONGEST: usize = 16 << 10;
/// How many neighbours of seeds each run tries a target with, unless `KERNELDOC_NEIGHBOURS` says.
const NEIGHBOURS: u32 = 24;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let seeds = Arc::new(seeds());
    if let Some(folder) = std::env::var_os("KERNELDOC_SEEDS") {
        return match write(Path::new(&folder), &seeds) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                let _ = writeln!(io::stderr(), "cannot write seeds: {error}");
                ExitCode::FAILURE
            }
        };
    }
    let mut trials = Vec::new();
    for (name, _) in fuzz::TARGETS {
        for path in entries(&Path::new("fixtures/fuzz").join(name)) {
            trials.push(Trial::test(path.display().to_string(), move || {
                fuzz::run(name, &fs::read(&path)?);
                Ok(())
            }));
        }
        let seeds = Arc::clone(&seeds);
        trials.push(Trial::test(format!("{name} near its seeds"), move || neighbours(name, &seeds[name])));
    }
    trials.push(Trial::test("what is forged elsewhere counts in the host's own log", host_logs_count));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Every forgery of `fixtures/fuzz/forge/` would make a verdict if it stood where it belongs: otherwise that it makes
/// none elsewhere would show nothing.
fn host_logs_count() -> Result<(), Failed> {
    let rules = RuleSet::builtin().map_err(|_| "the built-in rules load")?;
    for path in entries(Path::new("fixtures/fuzz/forge")) {
        let log = Log { path: "host.log".to_owned(), text: fs::read(&path)? };
        let report = analyze(&[log], &rules, &Settings::default());
        let mut verdicts = report.deaths.iter().chain(&report.findings);
        if !verdicts.any(|one| fuzz::rests_on_the_host(one, "host.log")) {
            return Err(format!("{} is no verdict even in the host's own log", path.display()).into());
        }
    }
    Ok(())
}

/// Changes, cuts and mixes seeds.
fn neighbours(target: &str, seeds: &[Vec<u8>]) -> Result<(), Failed> {
    let asked = std::env::var("KERNELDOC_NEIGHBOURS").ok().and_then(|cases| cases.parse().ok());
    let config =
        Config { cases: asked.unwrap_or(NEIGHBOURS), failure_persistence: None, ..Config::default() };
    let index = any::<prop::sample::Index>;
    let edits = proptest::collection::vec((index(), any::<u8>()), 0..8);
    TestRunner::new(config)
        .run(&(index(), index(), index(), edits), |(one, other, cut, edits)| {
            let (one, other) = (one.get(seeds), other.get(seeds));
            let mut bytes = one[..cut.index(one.len() + 1)].to_vec();
            bytes.extend_from_slice(&other[cut.index(other.len() + 1)..]);
            for (at, byte) in edits {
                if !bytes.is_empty() {
                    let at = at.index(bytes.len());
                    bytes[at] = byte;
                }
            }
            fuzz::run(target, &bytes);
            Ok(())
        })
        .map_err(|error| error.to_string().into())
}

/// Some logs as one input.
fn joined(logs: &[Log]) -> Vec<u8> {
    logs.iter()
        .flat_map(|log| [format!("{}{}\n", fuzz::BETWEEN, log.path).as_bytes(), &log.text, b"\n"].concat())
        .collect()
}

/// What each target begins with, by its name.
fn seeds() -> BTreeMap<&'static str, Vec<Vec<u8>>> {
    let cases = entries(Path::new("fixtures/cases"));
    let days = entries(Path::new("fixtures/healthy"));
    let cases: Vec<Vec<Log>> =
        cases.iter().map(|case| logs(&case.join("logs"))).chain(days.iter().map(|day| logs(day))).collect();
    let joined: Vec<Vec<u8>> = cases.iter().map(|logs| joined(logs)).collect();
    let lines: Vec<Vec<u8>> = cases.iter().flatten().map(|log| log.text.clone()).collect();
    let files =
        |folder: &str| -> Vec<Vec<u8>> { logs(Path::new(folder)).into_iter().map(|log| log.text).collect() };
    let bodies = files("fixtures/parsers");
    let halves = cases.iter().map(|logs| first_half(&logs.iter().collect::<Vec<_>>()).concat().into_bytes());
    let mut all = BTreeMap::from([
        ("open", packed(&lines)),
        ("envelope", bodies.clone()),
        ("parse", bodies.clone()),
        ("clock", vec![(0..=u8::MAX).cycle().map(|byte| byte.wrapping_mul(37)).take(320).collect()]),
        ("rule", files("rules")),
        ("analyze", [joined.clone(), bodies.clone()].concat()),
        ("render", joined),
        ("redact", [lines, bodies.clone()].concat()),
        ("convert", cases_reports(&entries(Path::new("fixtures/cases")))),
        ("exchange", halves.collect()),
        ("forge", bodies),
    ]);
    for seeds in all.values_mut() {
        for seed in seeds.iter_mut() {
            seed.truncate(LONGEST);
        }
        seeds.sort();
        seeds.dedup();
    }
    all
}

/// The reports beside the cases.
fn cases_reports(cases: &[std::path::PathBuf]) -> Vec<Vec<u8>> {
    let mut reports: Vec<Vec<u8>> =
        cases.iter().filter_map(|case| fs::read(case.join("report.json")).ok()).collect();
    reports.extend(fs::read("fixtures/reports/hostile.json").ok());
    reports
}

/// A few logs in each kind of wrapping that is opened.
fn packed(logs: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for log in logs.iter().filter(|log| log.len() < 4000).take(3) {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 0);
        let writers: [&mut dyn io::Write; 3] = [&mut gzip, &mut bzip2, &mut xz];
        for writer in writers {
            let _ = writer.write_all(log);
        }
        all.extend(gzip.finish());
        all.extend(bzip2.finish());
        all.extend(xz.finish());
        all.extend(zstd::encode_all(log.as_slice(), 1));
        let mut tar = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(log.len() as u64);
        header.set_cksum();
        let _ = tar.append_data(&mut header.clone(), "logs/a.log", log.as_slice());
        let _ = tar.append_link(&mut header, "link", "/etc/passwd");
        all.extend(tar.into_inner());
        let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        let _ = zip.start_file("../a.log", options).and_then(|()| Ok(zip.write_all(log)?));
        all.extend(zip.finish().map(io::Cursor::into_inner));
        let text = String::from_utf8_lossy(log);
        all.push(text.encode_utf16().flat_map(u16::to_le_bytes).collect());
        all.push([0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect());
        all.push(log.clone());
    }
    all
}

/// Writes the seeds, and every needle as a dictionary.
fn write(folder: &Path, all: &BTreeMap<&str, Vec<Vec<u8>>>) -> io::Result<()> {
    for (name, seeds) in all {
        let corpus = folder.join("corpus").join(name);
        fs::create_dir_all(&corpus)?;
        for (number, seed) in seeds.iter().enumerate() {
            fs::write(corpus.join(format!("seed-{number}")), seed)?;
        }
    }
    let needles: BTreeSet<&str> = PARSERS.iter().flat_map(|parser| parser.needles).copied().collect();
    // libFuzzer reads printable ASCII and `\xNN`.
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    let word = |needle: &&str| format!("\"{}\"\n", needle.bytes().map(escaped).collect::<String>());
    let words: String = needles.iter().map(word).collect();
    fs::write(folder.join("corpus/needles.dict"), words)
}
