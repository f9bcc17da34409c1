//! Cases and what is compared of their reports.

mod logs;

use chrono::{DateTime, NaiveDateTime};
use kerneldoc::{
    envelope,
    pipeline::{Log, Settings, analyze},
    rule::RuleSet,
    stamp::{ClockKind, Stamp},
};
use libtest_mimic::Failed;
use logs::{entries::entries, logs};
use regex::{Captures, Regex};
use std::{path::Path, sync::LazyLock};

static RULES: LazyLock<RuleSet> = LazyLock::new(|| RuleSet::builtin().expect("the built-in rules load"));

/// A set of logs and its name.
pub(crate) struct Case {
    /// The folder's name.
    pub name: String,
    /// Its logs.
    pub logs: Vec<Log>,
}

/// A verdict: death or finding, layer and cause, and how sure.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Verdict {
    /// `death` or `finding`.
    pub kind: &'static str,
    /// `layer/cause`.
    pub cause: String,
    /// 0 possible, 1 probable, 2 confirmed.
    pub sure: usize,
}

impl Case {
    /// What the case's report says.
    pub(crate) fn verdicts(&self) -> Vec<Verdict> {
        judge(&self.logs)
    }
}

/// The cases of the project, and those handed to its builders where they lie beside it.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for parent in ["fixtures/cases", "../shared/cases"] {
        for folder in entries(Path::new(parent)).into_iter().filter(|folder| folder.join("logs").is_dir()) {
            let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            cases.push(Case { name, logs: logs(&folder.join("logs")) });
        }
    }
    cases
}

/// What the report on some logs says, in a fixed order.
pub(crate) fn judge(logs: &[Log]) -> Vec<Verdict> {
    let report = analyze(logs, &RULES, &Settings::default());
    let deaths = report.deaths.iter().map(|one| ("death", one));
    let all = deaths.chain(report.findings.iter().map(|one| ("finding", one)));
    let mut verdicts: Vec<Verdict> = all
        .map(|(kind, one)| Verdict {
            kind,
            cause: format!("{}/{}", one.layer, one.cause),
            sure: ["possible", "probable", "confirmed"]
                .iter()
                .position(|word| *word == one.confidence)
                .unwrap_or(0),
        })
        .collect();
    verdicts.sort();
    verdicts
}

/// Fails unless both are equal.
pub(crate) fn equal(before: &[Verdict], after: &[Verdict], how: &str) -> Result<(), Failed> {
    if before == after { Ok(()) } else { Err(format!("{how}: {before:?} became {after:?}").into()) }
}

/// Fails unless the deaths are the same, each as sure or one step less, and no finding is new.
pub(crate) fn same_or_less_sure(before: &[Verdict], after: &[Verdict], how: &str) -> Result<(), Failed> {
    let deaths = |all: &[Verdict]| all.iter().filter(|one| one.kind == "death").cloned().collect::<Vec<_>>();
    let (one, other) = (deaths(before), deaths(after));
    let same = one.len() == other.len()
        && one.iter().zip(&other).all(|(one, other)| {
            one.cause == other.cause && other.sure <= one.sure && one.sure - other.sure <= 1
        });
    let new = after
        .iter()
        .filter(|one| one.kind == "finding")
        .any(|one| !before.iter().any(|known| known.cause == one.cause));
    if same && !new { Ok(()) } else { Err(format!("{how}: {before:?} became {after:?}").into()) }
}

/// Fails if a verdict became surer, or became another one that is more than possible.
pub(crate) fn not_surer(before: &[Verdict], after: &[Verdict], how: &str) -> Result<(), Failed> {
    for death in after.iter().filter(|one| one.kind == "death") {
        let known = before
            .iter()
            .filter(|one| one.kind == "death" && one.cause == death.cause)
            .map(|one| one.sure)
            .max();
        match known {
            Some(sure) if death.sure <= sure => {}
            None if death.sure == 0 => {}
            _ => return Err(format!("{how}: {before:?} became {after:?}").into()),
        }
    }
    Ok(())
}

/// A time as ISO 8601 with so many digits behind the second and the given zone.
pub(crate) fn iso(micros: i64, digits: usize, zone: &str) -> String {
    let time = DateTime::from_timestamp_micros(micros).unwrap_or_default();
    let fraction: String = format!("{:06}000", micros.rem_euclid(1_000_000)).chars().take(digits).collect();
    format!("{}.{fraction}{zone}", time.format("%Y-%m-%dT%H:%M:%S"))
}

/// The host that some log of a case names: another log of the same machine would name the same.
pub(crate) fn host(case: &Case) -> Option<String> {
    case.logs.iter().find_map(|log| {
        let text = String::from_utf8_lossy(&log.text).into_owned();
        text.lines().find_map(|line| envelope::peel(line).origin.host)
    })
}

/// The lines of a log of a process whose own stamps have a date, each with its time or that of the line before.
pub(crate) fn stamped_lines(log: &Log) -> Option<Vec<(String, i64)>> {
    let text = String::from_utf8(log.text.clone()).ok()?;
    let mut time = None;
    let mut lines: Vec<(String, Option<i64>)> = Vec::new();
    for line in text.lines() {
        let peeled = envelope::peel(line);
        if !peeled.names.is_empty() {
            return None;
        }
        let own = Stamp::best(&peeled.stamps).filter(|_| peeled.logger.is_some());
        let own = own.filter(|stamp| stamp.clock == ClockKind::Local).map(|stamp| stamp.micros);
        time = own.or(time);
        // What belongs to the record above was written with it; what a child wrote came shortly before the next.
        lines.push((
            line.to_owned(),
            if line.starts_with("    ") || peeled.logger.is_some() { time } else { own },
        ));
    }
    let last = time?;
    let mut next = last;
    let timed = lines.into_iter().rev().map(|(line, own)| {
        next = own.unwrap_or(next);
        (line, next)
    });
    let mut timed: Vec<_> = timed.collect();
    timed.reverse();
    (!timed.is_empty()).then_some(timed)
}

static LOCAL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)((?:[.,]\d+)?)((?:Z|[+-]\d\d:?\d\d)?)")
        .expect("a pattern")
});
static BOOT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^\[ *(\d+)(\.\d{6})\] ").expect("a pattern"));

/// Shifts the stamps of a Jupyter log; `false` if it has none, or other stamps beside them.
pub(crate) fn shift_local(log: &mut Log, quarters: i64) -> bool {
    let Ok(text) = String::from_utf8(log.text.clone()) else { return false };
    if stamped_lines(log).is_none() || !LOCAL.is_match(&text) {
        return false;
    }
    let shifted = LOCAL.replace_all(&text, |found: &Captures<'_>| {
        let form = if found[1].contains('T') { "%Y-%m-%dT%H:%M:%S" } else { "%Y-%m-%d %H:%M:%S" };
        match NaiveDateTime::parse_from_str(&found[1], form) {
            Ok(time) if found[3].is_empty() => {
                let moved = time + chrono::Duration::minutes(15 * quarters);
                format!("{}{}", moved.format(form), &found[2])
            }
            _ => found[0].to_owned(),
        }
    });
    log.text = shifted.into_owned().into_bytes();
    true
}

static FRACTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"([ T]\d\d:\d\d:\d\d[.,])(\d{3})").expect("a pattern"));

/// Shifts every stamp that has a fraction of a second, within its second; `false` if the log has none.
pub(crate) fn shift_fractions(log: &mut Log, milliseconds: i64) -> bool {
    let Ok(text) = String::from_utf8(log.text.clone()) else { return false };
    let shifted = FRACTION.replace_all(&text, |found: &Captures<'_>| {
        let fraction: i64 = found[2].parse().unwrap_or(0);
        format!("{}{:03}", &found[1], (fraction + milliseconds).clamp(0, 999))
    });
    let changed = shifted != text;
    log.text = shifted.into_owned().into_bytes();
    changed
}

/// Shifts the clock of a raw dmesg; `false` if the log is none.
pub(crate) fn shift_boot(log: &mut Log, seconds: i64) -> bool {
    let Ok(text) = String::from_utf8(log.text.clone()) else { return false };
    if !BOOT.is_match(&text) {
        return false;
    }
    let shifted = BOOT.replace_all(&text, |found: &Captures<'_>| {
        let at: i64 = found[1].parse().unwrap_or(0);
        format!("[{:>5}{}] ", at + seconds, &found[2])
    });
    log.text = shifted.into_owned().into_bytes();
    true
}
