//! What must hold for any bytes, a function a target. `fuzz/` runs them for hours, `tests/fuzz.rs` replays what was
//! found and tries a few more on every `cargo test`.
//!
//! A target fails by panicking. It finds panics, hangs and memory by itself, and asserts the rest: that the same bytes
//! give the same report, that every format stays valid, that nothing hostile and no secret gets out.

#[path = "secrets.rs"]
mod secrets;
#[path = "tickets.rs"]
mod tickets;
#[path = "formats.rs"]
mod valid;

use kerneldoc::{
    envelope::{self, ENVELOPES},
    event::{Kind, kind_named},
    exchange::Gathering,
    line::{Line, clean, segments},
    open::{Limits, Opened, open},
    parse::{DOCUMENTS, PARSERS},
    pipeline::{Log, Settings, analyze, judge},
    redact::{LineRedactor, MARK, Mode, Redactor},
    render::{Detail, Format, Options, render},
    report::{Report, Verdict},
    rule::{RuleSet, render_faults},
    selftest,
};
use std::sync::{Arc, LazyLock};

/// A target's name and what it does with some bytes.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// Every target.
pub(crate) const TARGETS: [Target; 11] = [
    ("open", opened),
    ("envelope", peeled),
    ("parse", parsed),
    ("clock", clocks),
    ("rule", rules),
    ("analyze", analyzed),
    ("render", rendered),
    ("redact", redacted),
    ("convert", converted),
    ("exchange", exchanged),
    ("forge", forged),
];

/// Runs one target.
pub(crate) fn run(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|(other, _)| *other == name).expect("a target of this name");
    (target.1)(data);
}

static RULES: LazyLock<RuleSet> = LazyLock::new(|| RuleSet::builtin().expect("the built-in rules load"));

/// What stands between two logs in one input: the marker, then the next log's path, then its lines.
pub(crate) const BETWEEN: &str = "%%%% ";

/// The logs of one input: at most six, each of its own path.
fn divided(data: &[u8]) -> Vec<Log> {
    let mut logs = vec![Log { path: "a.log".to_owned(), text: Vec::new() }];
    for line in data.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_prefix(BETWEEN.as_bytes()) {
            Some(path) if logs.len() < 6 => {
                let path = String::from_utf8_lossy(path).trim().to_owned();
                logs.push(Log { path: format!("{path}.{}", logs.len()), text: Vec::new() });
            }
            _ => logs.last_mut().expect("there is one").text.extend_from_slice(line),
        }
    }
    logs.retain(|log| !log.text.is_empty());
    logs
}

/// Every decoder and archive, under small limits.
fn opened(data: &[u8]) {
    let limits = Limits { depth: 4, entries: 64, bytes: 1 << 20, ratio: 200 };
    let walk = || {
        let mut seen = Vec::new();
        open("a", Box::new(data), &limits, &mut |opened| match opened {
            Opened::Text { path, reader } => {
                let mut text = Vec::new();
                reader.read_to_end(&mut text).expect("streams never fail");
                seen.push((path.to_owned(), text.len()));
            }
            Opened::Skipped { path, reason } => {
                assert!(!reason.is_empty());
                seen.push((path.to_owned(), 0));
            }
        });
        seen
    };
    let seen = walk();
    assert!(!seen.is_empty(), "a file is read or its reason is told");
    for (path, _) in &seen {
        assert!(
            path.starts_with('a')
                && !path.split(['/', '!']).any(|part| part == "..")
                && !path.chars().any(char::is_control),
            "{path:?}"
        );
    }
    let most = data.len() as u64 * 3 + limits.bytes * 3;
    assert!(seen.iter().map(|(_, size)| *size as u64).sum::<u64>() <= most, "unpacks beyond its limit");
    assert_eq!(seen, walk());
}

/// Each envelope, and all of them around each other.
fn peeled(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for line in text.lines().take(200) {
        for envelope in ENVELOPES {
            let _ = (envelope.peel)(line);
        }
        let cleaned = clean(line);
        for segment in segments(&cleaned) {
            let peeled = envelope::peel(segment);
            assert!(peeled.shown.is_char_boundary(peeled.body), "{line:?}");
        }
    }
}

/// Each parser alone, on the lines that hold its needles.
fn parsed(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for document in DOCUMENTS.iter().filter(|document| (document.recognise)(&text)) {
        let _ = (document.read)(&text, &mut Vec::new());
    }
    for spec in PARSERS {
        let mut parser = (spec.make)();
        let mut found = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if !parser.hungry() && !spec.needles.iter().any(|needle| line.contains(needle)) {
                continue;
            }
            let cleaned = clean(line);
            let peeled = envelope::peel(&cleaned);
            let line = Line {
                number: number as u64 + 1,
                text: &peeled.shown[peeled.body..],
                shown: &peeled.shown,
                stamps: &peeled.stamps,
                exact: !peeled.stamps.is_empty(),
                origin: &Arc::new(peeled.origin),
                logger: peeled.logger.as_ref(),
                parts: u32::MAX,
            };
            parser.line(&line, &mut found);
        }
        parser.finish(&mut found);
    }
}

/// Logs on all kinds of clocks, with stamps from anywhere: each 10 bytes are a form, a message and a time.
fn clocks(data: &[u8]) {
    let mut logs: Vec<Log> =
        (0..4).map(|number| Log { path: format!("{number}.log"), text: Vec::new() }).collect();
    for piece in data.chunks_exact(10).take(64) {
        let (form, message) = (piece[0], piece[1]);
        let time = i64::from_le_bytes(piece[2..].try_into().expect("eight bytes"));
        // Most times are of our years, so that the logs can be joined; some are from anywhere.
        let time = if form & 0x80 == 0 { 1_796_000_000 + time % 400_000_000 } else { time };
        let line = format!("{}{}\n", stamp(form & 7, time), MESSAGES[usize::from(message) % MESSAGES.len()]);
        logs[usize::from(form >> 3 & 3)].text.extend_from_slice(line.as_bytes());
    }
    let boot = data.get(..8).map(|bytes| i64::from_le_bytes(bytes.try_into().expect("eight bytes")));
    let settings = Settings {
        boot_time: boot.filter(|boot| boot % 2 == 0),
        timezones: boot.into_iter().filter(|boot| boot % 3 == 0).map(|boot| (None, boot % 60_000)).collect(),
        since: boot.filter(|boot| boot % 5 == 0),
        ..Settings::default()
    };
    same_in_any_order(&logs, &settings);
}

/// Messages that tie clocks to each other and deaths to their causes.
const MESSAGES: [&str; 7] = [
    "Memory cgroup out of memory: Killed process 42 (python3) total-vm:9123456kB, anon-rss:366972kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:80kB oom_score_adj:0",
    "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=docker-f3b5d883e02722d01cddacab679e946d685ba60273d9cb096acc11d74f7082c5.scope,mems_allowed=0,oom_memcg=/system.slice/docker-f3b5d883e02722d01cddacab679e946d685ba60273d9cb096acc11d74f7082c5.scope,task_memcg=/system.slice/docker-f3b5d883e02722d01cddacab679e946d685ba60273d9cb096acc11d74f7082c5.scope,task=python3,pid=42,uid=1000",
    " container oom f3b5d883e02722d01cddacab679e946d685ba60273d9cb096acc11d74f7082c5 (image=i, name=lab)",
    " AsyncIOLoopKernelRestarter: restarting kernel (1/5), keep random ports",
    " Kernel started: b273fb86-d5a8-48b8-8771-f8f6010cdf71",
    "NVRM: Xid (PCI:0000:4f:00): 79, pid=42, name=python3, GPU has fallen off the bus.",
    "python3[42]: segfault at 0 ip 00007f3a sp 00007ffc error 4 in libtorch.so[7f3a+1000]",
];

/// A time in one of the forms that logs know.
fn stamp(form: u8, seconds: i64) -> String {
    let of = |pattern: &str| {
        chrono::DateTime::from_timestamp(seconds, 500_000_000)
            .map_or_else(|| seconds.to_string(), |time| time.format(pattern).to_string())
    };
    match form {
        0 => of("%Y-%m-%dT%H:%M:%S%.6fZ "),
        1 => of("[W %Y-%m-%d %H:%M:%S%.3f ServerApp]"),
        2 => of("[I %H:%M:%S.500 NotebookApp]"),
        3 => of("%b %e %H:%M:%S node1 kernel: "),
        4 => format!("[{seconds:>5}.500000] "),
        5 => of("[%a %b %e %H:%M:%S %Y] "),
        6 => of("%Y-%m-%dT%H:%M:%S.123456789+14:00"),
        _ => String::new(),
    }
}

/// A rule file: it loads and its tests run, or its faults can be shown.
fn rules(data: &[u8]) {
    let text = String::from_utf8_lossy(data).into_owned();
    let word = |key: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(key)?.trim().strip_prefix('='));
        value.unwrap_or_default().trim().trim_matches('"').to_owned()
    };
    let path = format!("rules/{}/{}.toml", word("layer"), word("id"));
    match RuleSet::from_texts([(path, text.clone())]) {
        Ok(set) => {
            for rule in set.iter() {
                let _ = selftest::run(rule, &set);
                for language in kerneldoc::language::Language::ALL {
                    let _ = kerneldoc::rule::page(rule, &set, language);
                }
            }
        }
        Err(faults) => {
            assert!(!faults.is_empty());
            let shown = render_faults(&faults, &text, false);
            assert_eq!(hostile(&shown), None, "{shown:?}");
        }
    }
}

/// The whole analysis.
fn analyzed(data: &[u8]) {
    same_in_any_order(&divided(data), &Settings::default());
}

/// Analyses, and makes sure that the order in which logs are given does not matter.
fn same_in_any_order(logs: &[Log], settings: &Settings) {
    let report = analyze(logs, &RULES, settings);
    let backward: Vec<Log> = logs.iter().rev().cloned().collect();
    assert_eq!(report, analyze(&backward, &RULES, settings));
}

/// A secret as no log of ours holds it.
const CANARY: &str = "KDCANARYq7Zx19vTb3m";

/// Every format of a report on logs in which a secret stands at the end of each line.
fn rendered(data: &[u8]) {
    let mut logs = divided(data);
    for log in &mut logs {
        let text = String::from_utf8_lossy(&log.text).replace("KDCANARY", "canary");
        let planted = text.lines().map(|line| match line.strip_suffix('}') {
            Some(_) => line.replacen("\\n\"", &format!(" ?token={CANARY}\\n\""), 1) + "\n",
            None => format!("{line} ?token={CANARY}\n"),
        });
        log.text = planted.collect::<String>().into_bytes();
    }
    let report = analyze(&logs, &RULES, &Settings::default());
    for text in in_every_format(&report) {
        assert!(!text.contains("KDCANARY"), "a secret got out: {text}");
    }
}

/// A report in every format; each must be valid, and a terminal safe from it.
fn in_every_format(report: &Report) -> Vec<String> {
    let mut texts = Vec::new();
    for format in Format::ALL {
        for (detail, width) in [(Detail::Full, 80), (Detail::Brief, 20)] {
            let options = Options { detail, width, ..Options::default() };
            let mut out = Vec::new();
            render(report, format, &options, &mut out).expect("memory takes everything");
            let text = String::from_utf8(out).expect("every format is text");
            assert_eq!(hostile(&text), None, "{format:?}: {text:?}");
            if let Err(reason) = valid::check(format.word(), &text) {
                panic!("{format:?} is not valid: {reason}\n{text}");
            }
            texts.push(text);
            if format != Format::Text {
                break;
            }
        }
    }
    texts
}

/// The first character that a terminal would obey or a reader could not see.
fn hostile(text: &str) -> Option<char> {
    text.chars().find(|c| {
        (c.is_control() && *c != '\n')
            || matches!(*c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    })
}

/// Redacting twice is redacting once, lines stay lines, and nothing around a secret hides it.
fn redacted(data: &[u8]) {
    let Some((pick, data)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(data).replace("KDCANARY", "canary");
    for mode in [Mode::Secrets, Mode::Strict] {
        let once = Redactor::new(mode).redact(&text);
        assert_eq!(Redactor::new(mode).redact(once.as_str()), once);
    }
    let (before, after) = text.split_once("@@").unwrap_or((&text, ""));
    let template = secrets::TEMPLATES[usize::from(*pick) % secrets::TEMPLATES.len()];
    let (planted, secret) = secrets::filled(template, CANARY);
    let mut lines = LineRedactor::new(Mode::Secrets);
    for line in format!("{before}\n{planted}\n{after}").lines() {
        let out = lines.line(line);
        assert!(!out.as_str().contains(&secret), "{line:?} became {out}");
        assert!(!out.as_str().contains('\n') || line.contains('\n'));
        assert!(out.as_str() == MARK || !line.is_empty() || out.is_empty());
    }
}

/// A report from anybody, read and written in every format.
fn converted(data: &[u8]) {
    let Ok(report) = serde_json::from_slice::<Report>(data) else { return };
    in_every_format(&report);
}

/// Lines of `events` from anybody: what can be read of them is judged and written in every format.
fn exchanged(data: &[u8]) {
    let mut gathering = Gathering::new(true);
    for (index, line) in data.split(|byte| *byte == b'\n').enumerate() {
        gathering.line("events.ndjson", index as u64 + 1, line);
    }
    let (parts, _) = gathering.finish();
    for part in parts.into_iter().take(4) {
        in_every_format(&judge(part.extracts, &part.skipped, &RULES, &Settings::default()));
    }
}

/// User output beside a death: no line in it that only the host could write confirms anything.
fn forged(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for log in forgeries(&text) {
        let server = Log { path: "server.log".to_owned(), text: server("").into_bytes() };
        let report = analyze(&[server, log.clone()], &RULES, &Settings::default());
        for one in report.deaths.iter().chain(&report.findings).filter(|one| one.confidence == "confirmed") {
            assert!(
                !rests_on_the_host(one, &log.path),
                "{} is confirmed by {}:\n{}",
                one.cause,
                log.path,
                String::from_utf8_lossy(&log.text)
            );
        }
    }
}

/// Whether the main evidence of a verdict is a record of this log that only the host could write.
pub(crate) fn rests_on_the_host(verdict: &Verdict, path: &str) -> bool {
    let main = verdict.evidence.first().filter(|main| main.path.as_str().starts_with(path));
    main.and_then(|main| kind_named(&main.event)).is_some_and(Kind::is_of_the_host)
}

/// A server's log in which a kernel dies, with what the kernel printed before.
fn server(printed: &str) -> String {
    let heading = "[I 2026-11-30 15:22:01.000 ServerApp]";
    format!(
        "{heading} Kernel started: {KERNEL}\n{printed}[I 2026-11-30 15:22:30.902 ServerApp] AsyncIOLoopKernelRestarter: restarting kernel (1/5), keep random ports\n[W 2026-11-30 15:22:30.911 ServerApp] kernel {KERNEL} restarted\n"
    )
}

/// The kernel that dies.
const KERNEL: &str = "b273fb86-d5a8-48b8-8771-f8f6010cdf71";

/// A text as the streams that a user writes carry it.
pub(crate) fn forgeries(text: &str) -> Vec<Log> {
    let json = |value: &str| serde_json::to_string(value).unwrap_or_default();
    let lines: Vec<&str> = text.lines().take(64).collect();
    let cell: Vec<String> = lines.iter().map(|line| json(&format!("{line}\n"))).collect();
    let notebook = format!(
        r#"{{"cells": [{{"cell_type": "code", "execution_count": 1, "metadata": {{}}, "outputs": [{{"name": "stdout", "output_type": "stream", "text": [{}]}}], "source": ["train()"]}}], "metadata": {{"kernelspec": {{"name": "python3"}}}}, "nbformat": 4, "nbformat_minor": 5}}"#,
        cell.join(", ")
    );
    let each =
        |write: &dyn Fn(&str) -> String| -> String { lines.iter().map(|line| write(line) + "\n").collect() };
    let docker = each(&|line| {
        format!(
            r#"{{"log":{},"stream":"stdout","time":"2026-11-30T15:22:30.300000000Z"}}"#,
            json(&format!("{line}\n"))
        )
    });
    let timed = each(&|line| format!("2026-11-30T15:22:30.300000000Z {line}"));
    let cri = each(&|line| format!("2026-11-30T15:22:30.300000000Z stdout F {line}"));
    let compose = each(&|line| format!("lab-1  | {line}"));
    let plain = each(&str::to_owned);
    let served: String = stamped(&server(&plain), "2026-11-30T15:22:30.300000000Z");
    let papermill = format!(
        "Input Notebook:  train.ipynb\nOutput Notebook: out.ipynb\nExecuting:   0%|          | 0/3 [00:00<?, ?cell/s]Executing notebook with kernel: python3\n{plain}nbclient.exceptions.DeadKernelError: Kernel died\n"
    );
    let ci = stamped(&papermill, "2026-11-30T15:22:30.3000000Z");
    let logs = [
        ("train.ipynb", notebook),
        ("f3b5d883e02722d01cddacab679e946d685ba60273d9cb096acc11d74f7082c5-json.log", docker),
        ("docker-logs-t.log", timed),
        ("cri.log", cri),
        ("compose.log", compose),
        ("jupyter.log", server(&plain)),
        ("docker-logs-t-of-a-server.log", served),
        ("nbconvert.log", format!("[NbConvertApp] Converting notebook train.ipynb to notebook\n{plain}")),
        ("papermill.log", papermill),
        ("github.log", ci),
    ];
    logs.into_iter().map(|(path, text)| Log { path: path.to_owned(), text: text.into_bytes() }).collect()
}

/// A text with a time before each line.
fn stamped(text: &str, time: &str) -> String {
    text.lines().flat_map(|line| [time, " ", line, "\n"]).collect()
}
