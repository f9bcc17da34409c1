//! The same death told differently is the same death.
//!
//! Every case under every wrapper, with its clocks shifted by hours or milliseconds and its boot time hidden, gives the
//! same verdict or the same verdict one step less sure. Taking a file away never makes a verdict surer, and never turns
//! it into another one above `possible`. Cases that honestly break this are listed by name, with the reason.

mod common;

use common::{Case, cases, judge};
use kerneldoc::{
    extract::{extract, without_copies},
    pipeline::Log,
    source::SourceId,
};
use libtest_mimic::{Arguments, Failed, Trial};
use std::{process::ExitCode, sync::Arc};

/// Deleting a file makes these verdicts other or surer, and should: the case, the file, the reason.
const HONEST: &[(&str, &str, &str)] = &[
    (
        "xid-79-gpu-fell-off-bus-aer",
        "journal-k.txt",
        "without the host's log the process's own last words name another CUDA error; that the card is gone is a finding",
    ),
    (
        "gpu-lost-under-training",
        "journal.log",
        "as with Xid 79 above: the process's own last words name the echo, an unspecified launch failure",
    ),
    (
        "polars-illegal-instruction-old-cpu",
        "jupyter.log",
        "only the server's log shows that the job whose kill stands in dmesg was not its own",
    ),
    (
        "slurm-time-limit-two-kernels",
        "hub.log",
        "the hub names only the user; the job's own log and sacct name the job, and are surer alone",
    ),
];

/// Shifting the server's clock hides these verdicts, and should: the case and the reason.
const TIED_BY_TIME: &[(&str, &str)] = &[
    (
        "systemd-oomd-kills-terminal-scope",
        "the server's log just stops, and nothing but the hour ties its end to the journal",
    ),
    (
        "memory-leak-fills-the-gpu",
        "a script's own log names no kernel: only the clock that both logs share ties it to the death",
    ),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for case in cases() {
        let case = Arc::new(case);
        let with = |name: &str, check: fn(&Case) -> Result<(), Failed>| {
            let case = Arc::clone(&case);
            Trial::test(format!("{name} {}", case.name), move || check(&case))
        };
        trials.push(with("wrapped", wrapped));
        trials.push(with("shifted", shifted));
        trials.push(with("a-breath-apart", a_breath_apart));
        trials.push(with("another-boot", another_boot));
        trials.push(with("without-a-file", without_a_file));
        trials.push(with("other-order", other_order));
        trials.push(with("given-twice", given_twice));
        trials.push(with("beside-its-archive", beside_its_archive));
        trials.push(with("cut", cut));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A way to write a line differently, given its time in microseconds since the epoch and its host.
type Wrapper = fn(&str, i64, &str) -> String;

/// What carries a process's output.
const CARRIERS: &[(&str, Wrapper)] = &[
    ("docker json-file", |line, time, _| {
        let log = serde_json::Value::from(format!("{line}\n"));
        format!("{{\"log\":{log},\"stream\":\"stderr\",\"time\":\"{}\"}}", common::iso(time, 9, "Z"))
    }),
    ("docker logs -t", |line, time, _| format!("{} {line}", common::iso(time, 9, "Z"))),
    ("cri", |line, time, _| format!("{} stderr F {line}", common::iso(time, 9, "Z"))),
    ("github", |line, time, _| format!("{} {line}", common::iso(time, 7, "Z"))),
    ("rsyslog", |line, time, host| format!("{} {host} jupyter[812]: {line}", common::iso(time, 6, "+00:00"))),
    ("colours", |line, _, _| format!("\u{1b}[33m{line}\u{1b}(B\u{1b}[m")),
];

/// Wraps every log that has stamps of its own in every carrier.
fn wrapped(case: &Case) -> Result<(), Failed> {
    let before = case.verdicts();
    let host = common::host(case).unwrap_or_else(|| "node3".to_owned());
    for (name, wrap) in CARRIERS {
        let mut logs = case.logs.clone();
        let mut changed = false;
        for log in &mut logs {
            if let Some(lines) = common::stamped_lines(log) {
                let text: Vec<String> = lines.iter().map(|(line, time)| wrap(line, *time, &host)).collect();
                log.text = (text.join("\n") + "\n").into_bytes();
                changed = true;
            }
        }
        if changed {
            common::same_or_less_sure(&before, &judge(&logs), &format!("under {name}"))?;
        }
    }
    Ok(())
}

/// Shifts the local clock of the Jupyter logs by whole quarter-hours.
fn shifted(case: &Case) -> Result<(), Failed> {
    if TIED_BY_TIME.iter().any(|(name, _)| *name == case.name) {
        return Ok(());
    }
    let before = case.verdicts();
    for quarters in [-48, -20, -13, 4, 22, 32, 56] {
        let mut logs = case.logs.clone();
        let changed = logs.iter_mut().map(|log| u32::from(common::shift_local(log, quarters))).sum::<u32>();
        if changed > 0 {
            common::same_or_less_sure(&before, &judge(&logs), &format!("{quarters} quarter-hours off"))?;
        }
    }
    Ok(())
}

/// Two programs that tell of one death do so some milliseconds apart, either of them first.
fn a_breath_apart(case: &Case) -> Result<(), Failed> {
    let before = case.verdicts();
    for index in 0..case.logs.len() {
        for milliseconds in [-7, 7] {
            let mut logs = case.logs.clone();
            let Some(log) = logs.get_mut(index) else { continue };
            let how = format!("{} {milliseconds} ms off", log.path);
            if common::shift_fractions(log, milliseconds) {
                common::equal(&before, &judge(&logs), &how)?;
            }
        }
    }
    Ok(())
}

/// Another boot time: dmesg's clock counts from elsewhere.
fn another_boot(case: &Case) -> Result<(), Failed> {
    let before = case.verdicts();
    for seconds in [1_000, 86_400 * 30] {
        let mut logs = case.logs.clone();
        let changed = logs.iter_mut().map(|log| u32::from(common::shift_boot(log, seconds))).sum::<u32>();
        if changed > 0 {
            common::same_or_less_sure(&before, &judge(&logs), &format!("booted {seconds} s earlier"))?;
        }
    }
    Ok(())
}

/// Takes each file away in turn.
fn without_a_file(case: &Case) -> Result<(), Failed> {
    if case.logs.len() < 2 {
        return Ok(());
    }
    let before = case.verdicts();
    for missing in 0..case.logs.len() {
        let mut logs = case.logs.clone();
        let gone = logs.remove(missing).path;
        if HONEST.iter().any(|(name, path, _)| *name == case.name && gone.ends_with(path)) {
            continue;
        }
        common::not_surer(&before, &judge(&logs), &format!("without {gone}"))?;
    }
    Ok(())
}

/// The order in which files are given does not matter.
fn other_order(case: &Case) -> Result<(), Failed> {
    let backward: Vec<Log> = case.logs.iter().rev().cloned().collect();
    common::equal(&case.verdicts(), &judge(&backward), "in another order")
}

/// Copies change nothing but counts.
fn given_twice(case: &Case) -> Result<(), Failed> {
    let copies =
        case.logs.iter().map(|log| Log { path: format!("{}.copy", log.path), text: log.text.clone() });
    let twice: Vec<Log> = case.logs.iter().cloned().chain(copies).collect();
    common::equal(&case.verdicts(), &judge(&twice), "given twice")
}

/// A folder beside the archive that it was packed into tells of every death once. Two machines may say the same words
/// without a time, so only logs with times are packed.
fn beside_its_archive(case: &Case) -> Result<(), Failed> {
    let packed = case.logs.iter().filter(|log| copied(log));
    let packed =
        packed.map(|log| Log { path: format!("logs.zip!logs/{}", log.path), text: log.text.clone() });
    let both: Vec<Log> = case.logs.iter().cloned().chain(packed).collect();
    common::equal(&case.verdicts(), &judge(&both), "beside its archive")
}

/// Whether a log is known again when it is given twice.
fn copied(log: &Log) -> bool {
    let alone = || extract(&log.path, SourceId(0), log.text.as_slice()).ok();
    let both = [alone(), alone()].into_iter().flatten().collect();
    without_copies(both).0.len() == 1
}

/// Cut anywhere, it answers.
fn cut(case: &Case) -> Result<(), Failed> {
    for index in 0..case.logs.len() {
        let length = case.logs[index].text.len();
        for part in 0..12 {
            let mut logs = case.logs.clone();
            logs[index].text.truncate(length * part / 12);
            if judge(&logs) != judge(&logs) {
                return Err(format!("{} cut at {part}/12 gives two reports", logs[index].path).into());
            }
        }
    }
    Ok(())
}
