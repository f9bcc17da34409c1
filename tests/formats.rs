//! Every format over every recorded case: nothing fails, each is valid by its own parser, no secret and no markup of a
//! log gets through, and a second run gives the same bytes.
//!
//! `fixtures/cases/` and, where they exist, the shared cases. `KERNELDOC_BLESS=1` rewrites the snapshots of two cases.
#![expect(clippy::unwrap_used, clippy::string_slice, reason = "a test may fail loudly")]

#[path = "common/logs.rs"]
mod logs;
#[path = "common/tickets.rs"]
mod tickets;
#[path = "common/formats.rs"]
mod valid;

use kerneldoc::{
    language::Language,
    pipeline::{Settings, analyze},
    render::{Format, Options, render},
    report::Report,
    rule::RuleSet,
};
use libtest_mimic::{Arguments, Failed, Trial};
use logs::{entries::entries, logs};
use std::{fs, path::Path, process::ExitCode, sync::Arc};

/// Cases whose formats are kept as snapshots.
const KEPT: [&str; 2] = ["container-memory-limit", "killed-without-a-trace"];
/// Secrets planted in every log, and the lines that carry them.
const CANARIES: [&str; 5] = [
    "GET /lab?token=KDCANARY0a1b2c3d4e5f60718293a4b5c6d7e8f9 HTTP/1.1",
    "Authorization: Bearer KDCANARYbearer0123456789abcdef0123456789",
    "password=KDCANARYpassword99",
    "OPENAI_API_KEY=KDCANARYkey0123456789abcdef",
    "postgres://hub:KDCANARYdatabase@db.example.org:5432/hub",
];
/// What a log would have a browser, a tracker or a runner do.
const ATTACKS: &str = "<script>alert(1)</script> <img src=x onerror=alert(1)> ]]> &amp; @everyone <!channel> ``` ::error::x %0A::set-output {noformat} --> \u{1b}[2J\u{202e}";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let rules = Arc::new(RuleSet::builtin().expect("the built-in rules load"));
    let mut trials = Vec::new();
    // The shared cases lie beside the checkout, or beside the folder of several checkouts.
    let shared = ["../shared/cases", "../../shared/cases"].into_iter().find(|path| Path::new(path).is_dir());
    for parent in ["fixtures/cases"].into_iter().chain(shared) {
        for case in entries(Path::new(parent)).into_iter().filter(|path| path.is_dir()) {
            let rules = Arc::clone(&rules);
            trials.push(Trial::test(case.display().to_string(), move || check_case(&case, &rules)));
        }
    }
    for entry in fs::read_dir("fixtures/reports").unwrap().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|end| end == "json") {
            trials.push(Trial::test(path.display().to_string(), move || check_report(&path)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A case as it is, and with secrets and attacks planted in its logs.
fn check_case(case: &Path, rules: &RuleSet) -> Result<(), Failed> {
    let mut logs = logs(&case.join("logs"));
    let report = analyze(&logs, rules, &Settings::default());
    check_all(&report, Language::English)?;
    let name = case.file_name().unwrap().to_string_lossy().into_owned();
    if KEPT.contains(&&*name) && case.starts_with("fixtures") {
        snapshots(case, &report)?;
    }
    for log in &mut logs {
        log.path = format!("<b>{}\"'`|", log.path);
        plant(&mut log.text);
    }
    let report = analyze(&logs, rules, &Settings::default());
    check_all(&report, Language::Chinese)
}

/// Puts a secret or an attack behind every line, and all of them before and after.
fn plant(text: &mut Vec<u8>) {
    if text.starts_with(b"{") || text.starts_with(b"[") || !text.is_ascii() {
        return;
    }
    let mut planted = format!("{}\n", CANARIES.join("\n")).into_bytes();
    for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
        planted.extend(line);
        planted.push(b' ');
        planted.extend(CANARIES[index % CANARIES.len()].as_bytes());
        planted.push(b' ');
        planted.extend(ATTACKS.as_bytes());
        planted.push(b'\n');
    }
    *text = planted;
}

/// A hand-made report, as it is and with everything in it made hostile.
fn check_report(path: &Path) -> Result<(), Failed> {
    let mut value: serde_json::Value = serde_json::from_str(&fs::read_to_string(path)?)?;
    check_all(&serde_json::from_value(value.clone())?, Language::Chinese)?;
    let mut hostile = value.clone();
    change(&mut hostile, "", &|text| text.push_str(ATTACKS));
    check_all(&serde_json::from_value(hostile)?, Language::English)?;
    // Far over every target's limits, in characters that escaping makes longer still.
    change(&mut value, "", &|text| text.push_str(&"`*<&@\u{1b}\u{5185} ".repeat(200)));
    check_all(&serde_json::from_value(value)?, Language::Chinese)
}

/// Changes every text but the words that renderers look at.
fn change(value: &mut serde_json::Value, key: &str, how: &dyn Fn(&mut String)) {
    match value {
        serde_json::Value::String(text) if !["schema", "time", "first", "last"].contains(&key) => {
            how(text);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(|item| change(item, key, how)),
        serde_json::Value::Object(fields) => fields.iter_mut().for_each(|(key, item)| change(item, key, how)),
        _ => {}
    }
}

/// Every format of a report.
fn check_all(report: &Report, language: Language) -> Result<(), Failed> {
    for format in Format::ALL {
        let text = rendered(report, format, language)?;
        if text != rendered(report, format, language)? {
            return Err(format!("{}: a second run gives other bytes", format.word()).into());
        }
        if let Some(at) = text.find("KDCANARY") {
            let start = text[..at].char_indices().rev().nth(60).map_or(0, |(at, _)| at);
            return Err(format!("{}: a secret leaks: {}", format.word(), &text[start..at + 8]).into());
        }
        let terminal = text.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
        if let Some(character) = terminal {
            return Err(format!("{}: {character:?} gets through", format.word()).into());
        }
        valid::check(format.word(), &text).map_err(|fault| format!("{}: {fault}\n{text}", format.word()))?;
    }
    Ok(())
}

fn rendered(report: &Report, format: Format, language: Language) -> Result<String, Failed> {
    let mut out = Vec::new();
    render(report, format, &Options { language, ..Options::default() }, &mut out)?;
    Ok(String::from_utf8(out)?)
}

/// Compares every format with what is kept, or rewrites it.
fn snapshots(case: &Path, report: &Report) -> Result<(), Failed> {
    let bless = std::env::var_os("KERNELDOC_BLESS").is_some();
    for format in Format::ALL {
        if ["text", "json"].contains(&format.word()) {
            continue;
        }
        let folder = case.join("formats");
        let path = folder.join(format!("report.{}", format.word()));
        let text = rendered(report, format, Language::English)?.replace(env!("CARGO_PKG_VERSION"), "VERSION");
        if bless {
            fs::create_dir_all(&folder)?;
            fs::write(&path, &text)?;
        }
        if fs::read_to_string(&path).unwrap_or_default() != text {
            return Err(format!("{} is stale (KERNELDOC_BLESS=1 rewrites it)", path.display()).into());
        }
    }
    Ok(())
}
