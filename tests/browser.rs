//! The HTML page in a real browser, where one is installed: it renders, nothing is wider than the window, nothing is
//! fetched, the console stays empty, and no markup out of a log runs.
//!
//! `KERNELDOC_SCREENSHOTS=FOLDER` keeps pictures to look at.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

#[path = "common/logs.rs"]
mod logs;

use kerneldoc::{
    extract::extract,
    language::Language,
    pipeline::{Settings, judge_in},
    render::{Format, Options, render},
    report::Report,
    rule::RuleSet,
    source::SourceId,
};
use logs::logs;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// What a hostile log would have the page do: each writes a word into the title if it runs.
const ATTACKS: &str = "<script>document.title='RAN'</script><img src=x onerror=\"document.title='RAN'\"><svg onload=\"document.title='RAN'\"></svg><style>body{display:none}</style></pre></article><a href=\"javascript:alert(1)\">x</a>";
/// Reports the widest part of the page and runs only because the test puts it in and lifts the page's policy.
const MEASURE: &str = "<script>addEventListener('load',()=>{const e=document.documentElement;const wide=[...document.querySelectorAll('body *')].filter(x=>!x.closest('.wide')&&x.getBoundingClientRect().right>e.clientWidth+1).map(x=>x.tagName+'.'+x.getAttribute('class'));document.title='WIDTH '+e.scrollWidth+' OF '+e.clientWidth+' OUTSIDE '+wide.length+' '+wide.slice(0,3)})</script>";

fn browser() -> Option<PathBuf> {
    let names = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    names.into_iter().map(PathBuf::from).find(|path| path.exists())
}

/// Runs the browser without a window; what it says of the page, and on the console.
fn chromium(browser: &Path, profile: &Path, arguments: &[&str], page: &Path) -> (String, String) {
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"])
        .args(["--enable-logging=stderr", "--v=0", "--virtual-time-budget=2000"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(arguments)
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn page(report: &Report, language: Language) -> String {
    let mut out = Vec::new();
    render(report, Format::Html, &Options { language, ..Options::default() }, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn case(name: &str, language: Language) -> String {
    let logs = logs(&Path::new("fixtures/cases").join(name).join("logs"));
    let extracts = logs.iter().enumerate();
    let extracts = extracts.filter_map(|(at, log)| extract(&log.path, SourceId(at), &*log.text).ok());
    let rules = RuleSet::builtin().unwrap();
    page(&judge_in(&[language], extracts.collect(), &[], &rules, &Settings::default())[0], language)
}

/// A hand-made report with an attack in every text of it.
fn attacked(name: &str) -> String {
    let text = fs::read_to_string(format!("fixtures/reports/{name}.json")).unwrap();
    let mut report: Report = serde_json::from_str(&text).unwrap();
    for verdict in report.deaths.iter_mut().chain(&mut report.findings) {
        verdict.title.push_str(ATTACKS);
        verdict.layer.push_str(ATTACKS);
        verdict.why = Some(ATTACKS.to_owned());
        verdict.fix.iter_mut().for_each(|fix| fix.references.push(ATTACKS.to_owned()));
    }
    report.inputs.sources.iter_mut().for_each(|source| source.kind.push_str(ATTACKS));
    page(&report, Language::English)
}

#[test]
fn the_page_renders_in_a_browser() {
    let Some(browser) = browser() else {
        eprintln!("skipped: no chromium is installed");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let pages = [
        ("container-memory-limit", case("container-memory-limit", Language::English)),
        ("memory-leak-fills-the-gpu", case("memory-leak-fills-the-gpu", Language::English)),
        ("two-hosts-side-by-side", case("two-hosts-side-by-side", Language::English)),
        ("killed-without-a-trace-zh", case("killed-without-a-trace", Language::Chinese)),
        ("attacked", attacked("memory")),
    ];
    for (name, html) in pages {
        let path = folder.path().join(format!("{name}.html"));
        fs::write(&path, &html).unwrap();
        let profile = folder.path().join("profile");
        let (dom, console) = chromium(&browser, &profile, &["--dump-dom"], &path);
        assert!(dom.contains("<h1>") && dom.contains("</footer>"), "{name}: {dom}");
        assert!(!dom.contains("<title>RAN"), "{name}: markup of a log ran");
        let said: Vec<&str> = console.lines().filter(|line| line.contains("CONSOLE")).collect();
        assert!(said.is_empty(), "{name}: {said:?}");
        let (head, rest) = html.split_once("<meta http-equiv").unwrap();
        let measured = format!("{head}{MEASURE}{}", rest.split_once('>').unwrap().1);
        fs::write(&path, measured).unwrap();
        for width in [500, 1400] {
            let window = format!("--window-size={width},1000");
            let (dom, _) = chromium(&browser, &profile, &[&window, "--dump-dom"], &path);
            let told = dom.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).unwrap();
            assert!(told.starts_with("WIDTH ") && told.contains(" OUTSIDE 0 "), "{name} at {width}: {told}");
            let words: Vec<&str> = told.split(' ').collect();
            assert_eq!(words[1], words[3], "{name} at {width}: {told}");
        }
        if let Some(pictures) = env::var_os("KERNELDOC_SCREENSHOTS") {
            fs::write(&path, &html).unwrap();
            for (suffix, window, dark) in
                [("", "1000,2600", false), ("-phone", "500,3600", false), ("-dark", "1000,2600", true)]
            {
                let picture = Path::new(&pictures).join(format!("{name}{suffix}.png"));
                let shot = format!("--screenshot={}", picture.display());
                let window = format!("--window-size={window}");
                let dark = format!("--blink-settings=preferredColorScheme={}", i32::from(!dark));
                chromium(&browser, &profile, &[&shot, &window, &dark], &path);
            }
        }
    }
}
