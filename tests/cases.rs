//! Whole incidents, as a user has them.
//!
//! `fixtures/cases/<name>/logs/` is analysed and the report compared with `report.txt` and `report.json` beside it
//! (`KERNELDOC_BLESS=1` rewrites them); `about.md` says what truly happened and its `verdict:` line what must be said.
//! `fixtures/healthy/<name>/` are ordinary days and must stay silent.

#[path = "common/logs.rs"]
mod logs;
#[path = "common/verdict.rs"]
mod verdict;

use kerneldoc::{
    pipeline::{Settings, analyze},
    render::{Format, Options, render},
    rule::RuleSet,
};
use libtest_mimic::{Arguments, Failed, Trial};
use logs::{entries::entries, logs};
use std::{fs, path::Path, process::ExitCode, sync::Arc};
use verdict::verdict;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let rules = Arc::new(RuleSet::builtin().expect("the built-in rules load"));
    let mut trials = Vec::new();
    for case in entries(Path::new("fixtures/cases")).into_iter().filter(|path| path.is_dir()) {
        let rules = Arc::clone(&rules);
        trials.push(Trial::test(case.display().to_string(), move || check_case(&case, &rules)));
    }
    for day in entries(Path::new("fixtures/healthy")).into_iter().filter(|path| path.is_dir()) {
        let rules = Arc::clone(&rules);
        trials.push(Trial::test(day.display().to_string(), move || check_healthy(&day, &rules)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
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
