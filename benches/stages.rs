//! The stages one by one, over logs in memory: `cargo bench --bench stages`.

mod corpus;

use corpus::{Kind, Size};
use divan::{Bencher, counter::BytesCount};
use kerneldoc::{
    envelope::peel,
    extract::extract,
    pipeline::{Log, Settings, analyze},
    rule::RuleSet,
    source::SourceId,
};
use std::fs;

fn main() {
    divan::main();
}

/// Four megabytes of a kind, a log a file.
fn logs(kind: Kind) -> Vec<Log> {
    let folder = std::env::temp_dir().join(format!("kerneldoc-stages-{}", std::process::id()));
    corpus::write(kind, Size { bytes: 4 << 20, deaths: 4 }, &folder).expect("the folder can be written");
    let files = fs::read_dir(&folder).expect("the folder was made");
    let logs = files.flatten().map(|entry| Log {
        path: entry.file_name().to_string_lossy().into_owned(),
        text: fs::read(entry.path()).expect("the file was made"),
    });
    let logs = logs.collect();
    fs::remove_dir_all(&folder).expect("the folder can be removed");
    logs
}

fn bytes(logs: &[Log]) -> BytesCount {
    BytesCount::new(logs.iter().map(|log| log.text.len()).sum::<usize>())
}

/// Reading: the search for needles where hardly a line matters, peeling and the parsers where many do.
#[divan::bench(args = [Kind::Hub, Kind::Docker, Kind::OomReports, Kind::Samples, Kind::Half])]
fn read(bencher: Bencher, kind: Kind) {
    let logs = logs(kind);
    bencher.counter(bytes(&logs)).bench(|| {
        let read = logs.iter().filter_map(|log| extract(&log.path, SourceId(0), log.text.as_slice()).ok());
        read.map(|extract| extract.lines).sum::<u64>()
    });
}

/// Every line's envelopes alone.
#[divan::bench]
fn peel_lines(bencher: Bencher) {
    let logs = logs(Kind::Docker);
    let texts: Vec<_> = logs.iter().map(|log| String::from_utf8_lossy(&log.text)).collect();
    bencher.counter(bytes(&logs)).bench(|| {
        texts.iter().flat_map(|text| text.lines()).map(|line| peel(line).names.len()).sum::<usize>()
    });
}

/// Everything but the disk.
#[divan::bench]
fn whole(bencher: Bencher) {
    let logs = logs(Kind::Hub);
    let rules = RuleSet::builtin().expect("the built-in rules load");
    bencher.counter(bytes(&logs)).bench(|| analyze(&logs, &rules, &Settings::default()).deaths.len());
}

/// Loading the rules, which every start does.
#[divan::bench]
fn rules() -> usize {
    RuleSet::builtin().map_or(0, |rules| rules.len())
}
