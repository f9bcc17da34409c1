//! Many deaths at once: whichever way they are told, in a second or by clocks that jump over decades, each is found. How
//! the time grows with their number is measured by `cargo bench --bench table -- --deaths-only` (`docs/speed.md`).
#![expect(clippy::unwrap_used, reason = "a test may fail")]

#[path = "../benches/corpus"]
mod corpus {
    #[expect(dead_code, reason = "the benchmark asks more of it")]
    pub(crate) mod random;
}
#[path = "../benches/corpus/deaths.rs"]
mod deaths;
#[path = "common/logs.rs"]
mod logs;

use deaths::Told;
use kerneldoc::{
    pipeline::{Settings, analyze},
    report::Report,
    rule::RuleSet,
};
use std::{collections::BTreeMap, path::Path};

/// What is said of the logs in a folder.
fn report(folder: &Path) -> Report {
    analyze(&logs::logs(folder), &RuleSet::builtin().unwrap(), &Settings::default())
}

/// How many deaths there are of each cause.
fn causes(report: &Report) -> BTreeMap<&str, u64> {
    let mut causes = BTreeMap::new();
    for death in &report.deaths {
        *causes.entry(death.cause.as_str()).or_default() += 1;
    }
    causes
}

/// What the logs allow to say: on jumping clocks only a server speaks, and a hub's engine tells of no memory.
fn cause(told: Told) -> &'static str {
    match told {
        Told::OverADay | Told::InASecond | Told::ByContainers | Told::ByLinux => "container-memory-limit",
        Told::OnJumpingClocks => "silent-exit",
        Told::ByAHub => "killed-unknown-sender",
    }
}

/// In each telling, so many deaths are found as were told, and their cause.
fn check(number: u64) {
    for (told, name) in Told::ALL {
        let folder = tempfile::tempdir().unwrap();
        deaths::write(told, number, folder.path()).unwrap();
        assert_eq!(causes(&report(folder.path())), BTreeMap::from([(cause(told), number)]), "{name}");
    }
}

#[test]
fn each_of_three_hundred_deaths_is_found() {
    check(300);
}

#[test]
#[ignore = "minutes, unless it is a release"]
fn each_of_ten_thousand_deaths_is_found() {
    check(10_000);
}

/// One kernel dies again and again, each time a minute after it came back: its id alone does not make these one death.
#[test]
fn deaths_of_one_kernel_are_as_many_as_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let restart = |number: u64| {
        let (hours, minutes) = (number / 60, number % 60);
        format!(
            "[I 2026-11-03 {hours:02}:{minutes:02}:00.000 ServerApp] AsyncIOLoopKernelRestarter: restarting kernel (1/5), keep random ports\n\
             [W 2026-11-03 {hours:02}:{minutes:02}:00.010 ServerApp] kernel 1b6a4c3e-52aa-4d1f-9e0b-8c7d6e5f4a3b restarted\n"
        )
    };
    std::fs::write(folder.path().join("jupyter.log"), (0..300).map(restart).collect::<String>()).unwrap();
    assert_eq!(causes(&report(folder.path())), BTreeMap::from([("silent-exit", 300)]));
}
