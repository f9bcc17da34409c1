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
    extract::extract,
    language::Language,
    pipeline::{Settings, analyze, judge_in},
    render::{Format, Options, render},
    rule::RuleSet,
    source::SourceId,
};
use libtest_mimic::{Arguments, Failed, Trial};
use logs::{entries::entries, logs};
use std::{fs, path::Path, process::ExitCode, sync::Arc};
use unicode_width::UnicodeWidthStr;
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
    chinese(case, rules)?;
    for (format, name) in [(Format::Text, "report.txt"), (Format::Json, "report.json")] {
        let mut out = Vec::new();
        render(&report, format, &options, &mut out)?;
        let out = String::from_utf8(out)?.replace(env!("CARGO_PKG_VERSION"), "VERSION");
        compare(&case.join(name), &out)?;
    }
    Ok(())
}

/// Cases whose report is also kept in Chinese.
const CHINESE: [&str; 2] = ["culled-while-idle", "killed-without-a-trace"];

/// What a Chinese reader gets of a case.
fn chinese(case: &Path, rules: &RuleSet) -> Result<(), Failed> {
    if !CHINESE.iter().any(|name| case.ends_with(name)) {
        return Ok(());
    }
    let language = Language::Chinese;
    let logs = logs(&case.join("logs"));
    let extracts = logs.iter().enumerate();
    let extracts = extracts.filter_map(|(at, log)| extract(&log.path, SourceId(at), &*log.text).ok());
    let reports = judge_in(&[language], extracts.collect(), &[], rules, &Settings::default());
    let report = reports.first().ok_or("no report")?;
    let options = Options { width: 80, language, ..Options::default() };
    for (format, end) in [(Format::Text, "txt"), (Format::Markdown, "md"), (Format::Html, "html")] {
        let mut out = Vec::new();
        render(report, format, &options, &mut out)?;
        let out = String::from_utf8(out)?.replace(env!("CARGO_PKG_VERSION"), "VERSION");
        if let Some(line) =
            out.lines().find(|line| format == Format::Text && line.width() > 80 && !line.contains("$ "))
        {
            return Err(format!("wider than 80 columns: {line}").into());
        }
        compare(&case.join("zh").join(format!("report.{end}")), &out)?;
    }
    Ok(())
}

/// Compares with a file, or rewrites it.
fn compare(path: &Path, text: &str) -> Result<(), Failed> {
    if std::env::var_os("KERNELDOC_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap_or(path))?;
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
