//! What must hold for any input: no panic, the same report for the same logs, in any order, cut anywhere.

#[path = "common/logs.rs"]
mod logs;

use kerneldoc::{
    pipeline::{Log, Settings, analyze},
    report::Report,
    rule::RuleSet,
};
use logs::{entries::entries, logs};
use proptest::prelude::*;
use std::{path::Path, sync::LazyLock};

static RULES: LazyLock<RuleSet> = LazyLock::new(|| RuleSet::builtin().expect("the built-in rules load"));

/// The logs of every fixture case.
static CASES: LazyLock<Vec<Vec<Log>>> = LazyLock::new(|| {
    let cases = entries(Path::new("fixtures/cases"));
    cases.iter().map(|case| logs(&case.join("logs"))).filter(|logs| !logs.is_empty()).collect()
});

fn report(logs: &[Log]) -> Report {
    analyze(logs, &RULES, &Settings::default())
}

fn verdicts(report: &Report) -> Vec<(String, String)> {
    report.deaths.iter().map(|death| (death.cause.clone(), death.confidence.clone())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..4096)) {
        let logs = [Log { path: "a.log".to_owned(), text: bytes }];
        prop_assert_eq!(report(&logs), report(&logs));
    }

    #[test]
    fn no_mixture_of_real_lines_makes_it_panic(picks in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..60)) {
        let mut text = Vec::new();
        for (case, log, line) in picks {
            let logs = &CASES[case.index(CASES.len())];
            let lines: Vec<_> = logs[log.index(logs.len())].text.split(|byte| *byte == b'\n').collect();
            text.extend_from_slice(lines[line.index(lines.len())]);
            text.push(b'\n');
        }
        let logs = [Log { path: "mixed.log".to_owned(), text }];
        prop_assert_eq!(report(&logs), report(&logs));
    }

    #[test]
    fn cut_anywhere_it_still_answers(case in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), log in any::<prop::sample::Index>()) {
        let mut logs = CASES[case.index(CASES.len())].clone();
        let index = log.index(logs.len());
        let length = at.index(logs[index].text.len() + 1);
        logs[index].text.truncate(length);
        prop_assert_eq!(report(&logs), report(&logs));
    }
}

#[test]
fn the_order_of_files_does_not_matter() {
    for case in CASES.iter() {
        let forward = report(case);
        let backward: Vec<Log> = case.iter().rev().cloned().collect();
        assert_eq!(forward, report(&backward));
    }
}

#[test]
fn a_file_given_twice_changes_no_verdict() {
    for case in CASES.iter() {
        let mut twice = case.clone();
        for log in case {
            // Beside the original: a folder of another name may be another machine.
            let path = Path::new(&log.path);
            let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
            let copy = path.with_file_name(format!("copy-{name}"));
            twice.push(Log { path: copy.to_string_lossy().into_owned(), text: log.text.clone() });
        }
        let (once, twice) = (report(case), report(&twice));
        let causes =
            |report: &Report| verdicts(report).into_iter().map(|(cause, _)| cause).collect::<Vec<_>>();
        assert_eq!(
            causes(&once),
            causes(&twice),
            "{:?}",
            case.iter().map(|log| &log.path).collect::<Vec<_>>()
        );
    }
}
