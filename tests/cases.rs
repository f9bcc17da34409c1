//! Whole incidents, as a user has them.
//!
//! `fixtures/cases/<name>/logs/` is analysed and the report compared with `report.txt` and `report.json` beside it
//! (`KERNELDOC_BLESS=1` rewrites them); `about.md` says what truly happened and its `verdict:` line what must be said.
//! `fixtures/healthy/<name>/` are ordinary days and must stay silent.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use kerneldoc::{
    pipeline::{Log, Settings, analyze},
    render::{Format, Options, render},
    report::Report,
    rule::RuleSet,
};
use libtest_mimic::{Arguments, Failed, Trial};
use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let rules = Arc::new(RuleSet::builtin().expect("the built-in rules load"));
    let mut trials = Vec::new();
    for case in folders(Path::new("fixtures/cases")) {
        let rules = Arc::clone(&rules);
        trials.push(Trial::test(case.display().to_string(), move || check_case(&case, &rules)));
    }
    for day in folders(Path::new("fixtures/healthy")) {
        let rules = Arc::clone(&rules);
        trials.push(Trial::test(day.display().to_string(), move || check_healthy(&day, &rules)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The folders in a folder, in order.
fn folders(parent: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> =
        fs::read_dir(parent).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.retain(|path| path.is_dir());
    entries.sort();
    entries
}

/// All files below a folder as logs, with paths relative to it.
fn logs(folder: &Path) -> Vec<Log> {
    let mut entries: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut all = Vec::new();
    for path in entries {
        if path.is_dir() {
            let inside = |log: Log| Log { path: format!("{}/{}", name(&path), log.path), ..log };
            all.extend(logs(&path).into_iter().map(inside));
        } else {
            all.push(Log { path: name(&path), text: fs::read(&path).unwrap() });
        }
    }
    all
}

/// Analyses a case and compares verdict, text and JSON.
fn check_case(case: &Path, rules: &RuleSet) -> Result<(), Failed> {
    let report = analyze(&logs(&case.join("logs")), rules, &Settings::default());
    let about = fs::read_to_string(case.join("about.md"))?;
    let expected = about
        .lines()
        .find_map(|line| line.strip_prefix("verdict: "))
        .ok_or("about.md has no `verdict:` line")?;
    let said = verdict(&report);
    if said != expected {
        return Err(format!("about.md expects `{expected}`, the report says `{said}`").into());
    }
    let options = Options { width: 100, ..Options::default() };
    for (format, name) in [(Format::Text, "report.txt"), (Format::Json, "report.json")] {
        let mut out = Vec::new();
        render(&report, format, &options, &mut out)?;
        let out = String::from_utf8(out)?.replace(env!("CARGO_PKG_VERSION"), "VERSION");
        compare(&case.join(name), &out)?;
    }
    Ok(())
}

/// A report in one line: `death host/container-memory-limit confirmed; finding …`.
fn verdict(report: &Report) -> String {
    let deaths =
        report.deaths.iter().map(|one| format!("death {}/{} {}", one.layer, one.cause, one.confidence));
    let findings =
        report.findings.iter().map(|one| format!("finding {}/{} {}", one.layer, one.cause, one.confidence));
    let all: Vec<_> = deaths.chain(findings).collect();
    if all.is_empty() { "nothing".to_owned() } else { all.join("; ") }
}

/// Compares with a file, or rewrites it.
fn compare(path: &Path, text: &str) -> Result<(), Failed> {
    if std::env::var_os("KERNELDOC_BLESS").is_some() {
        return Ok(fs::write(path, text)?);
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected == text {
        return Ok(());
    }
    let differing = expected.lines().zip(text.lines()).find(|(one, other)| one != other);
    Err(format!(
        "{} is not what the program says now (KERNELDOC_BLESS=1 rewrites it): {differing:?}",
        path.display()
    )
    .into())
}

/// An ordinary day has nothing to report.
fn check_healthy(day: &Path, rules: &RuleSet) -> Result<(), Failed> {
    let report = analyze(&logs(day), rules, &Settings::default());
    let said = verdict(&report);
    if said == "nothing" {
        Ok(())
    } else {
        Err(format!("an ordinary day, and the report says {said}").into())
    }
}
