//! N envelopes and M bodies make N + M parsers: the same message under any envelope is the same message.

use kerneldoc::{
    envelope,
    event::Channel,
    extract::extract,
    source::SourceId,
    stamp::{ClockKind, Stamp},
};
use proptest::prelude::*;

/// 2026-11-30T15:22:30.411378Z, the moment of every message here.
const MOMENT: i64 = 1_796_052_150_411_378;
/// What RFC 3164 leaves of it: the same day in the year 2000.
const YEAR_LESS: i64 = 975_597_750_000_000;
/// The same moment since a boot.
const UPTIME: i64 = 8_523_300_411;

/// Messages, and the text that parsers shall see: without the logger's head.
const MESSAGES: &[(&str, &str)] = &[
    (
        "Memory cgroup out of memory: Killed process 3902 (python3) total-vm:14740176kB, anon-rss:12625252kB, file-rss:0kB, shmem-rss:156088kB, UID:1000 pgtables:26388kB oom_score_adj:0",
        "Memory cgroup out of memory: Killed process 3902 (python3) total-vm:14740176kB, anon-rss:12625252kB, file-rss:0kB, shmem-rss:156088kB, UID:1000 pgtables:26388kB oom_score_adj:0",
    ),
    (
        "python3[3902]: segfault at 0 ip 00007f1e6a4b91c7 sp 00007ffd3d1f27a0 error 4 in libc.so.6[7f1e6a428000+155000] likely on CPU 1 (core 1, socket 0)",
        "python3[3902]: segfault at 0 ip 00007f1e6a4b91c7 sp 00007ffd3d1f27a0 error 4 in libc.so.6[7f1e6a428000+155000] likely on CPU 1 (core 1, socket 0)",
    ),
    (
        "[W 2026-11-30 15:22:30.902 ServerApp] kernel 7c1a4a8e-4b0e-4c60-9d4b-3f0a7a2b9f11 restarted",
        "kernel 7c1a4a8e-4b0e-4c60-9d4b-3f0a7a2b9f11 restarted",
    ),
    (
        "[NbConvertApp] ERROR | Kernel died while waiting for execute reply.",
        "Kernel died while waiting for execute reply.",
    ),
    (
        "WARNING:root:kernel 7c1a4a8e-4b0e-4c60-9d4b-3f0a7a2b9f11 restarted",
        "kernel 7c1a4a8e-4b0e-4c60-9d4b-3f0a7a2b9f11 restarted",
    ),
    (
        "  File \"/srv/a \\\"b\\\".py\", line 7, in <module>",
        "  File \"/srv/a \\\"b\\\".py\", line 7, in <module>",
    ),
    ("Traceback (most recent call last):", "Traceback (most recent call last):"),
];

/// A wrapper: its name, how it wraps, the stamps it adds, the channel it makes.
struct Wrapper {
    name: &'static str,
    wrap: fn(&str) -> String,
    stamps: &'static [(ClockKind, i64)],
    channel: Channel,
}

/// A message as JSON.
fn quoted(message: &str) -> String {
    serde_json::Value::from(message).to_string()
}

/// A message as a CSV field.
fn csv(message: &str) -> String {
    format!("\"{}\"", message.replace('"', "\"\""))
}

const SECONDS: (ClockKind, i64) = (ClockKind::Zoned, MOMENT - MOMENT % 1_000_000);
const MICROS: (ClockKind, i64) = (ClockKind::Zoned, MOMENT);
const MILLIS: (ClockKind, i64) = (ClockKind::Zoned, MOMENT - MOMENT % 1_000);
const LOCAL: (ClockKind, i64) = (ClockKind::Local, MOMENT - MOMENT % 1_000_000);
const BOOT: (ClockKind, i64) = (ClockKind::Boot, UPTIME);
const PRECISE: (ClockKind, i64) = (ClockKind::YearLess, YEAR_LESS + 411_378);
const SYSLOG: (ClockKind, i64) = (ClockKind::YearLess, YEAR_LESS);

macro_rules! wrappers {
    ($($name:literal $channel:ident [$($stamp:ident),*] $wrap:expr;)*) => {
        &[$(Wrapper { name: $name, wrap: $wrap, stamps: &[$($stamp),*], channel: Channel::$channel }),*]
    };
}

const WRAPPERS: &[Wrapper] = wrappers! {
    "docker json-file" Process [MICROS] |m| format!(r#"{{"log":{},"stream":"stderr","time":"2026-11-30T15:22:30.411378443Z"}}"#, quoted(&format!("{m}\n")));
    "docker json-file with labels" Process [MICROS] |m| format!(r#"{{"log":{},"stream":"stdout","attrs":{{"a":"b"}},"time":"2026-11-30T15:22:30.411378Z"}}"#, quoted(&format!("{m}\r\n")));
    "docker json-file, coloured" Process [MICROS] |m| format!(r#"{{"log":{},"stream":"stderr","time":"2026-11-30T15:22:30.411378Z"}}"#, quoted(&format!("\u{1b}[32m{m}\u{1b}(B\u{1b}[m\n")));
    "docker logs -t" Process [MICROS] |m| format!("2026-11-30T15:22:30.411378443Z {m}");
    "CRI" Process [MICROS] |m| format!("2026-11-30T15:22:30.411378443Z stderr F {m}");
    "CRI-O" Process [MICROS] |m| format!("2026-11-30T23:22:30.411378443+08:00 stdout F {m}");
    "dmesg" RingBuffer [BOOT] |m| format!("[ 8523.300411] {m}");
    "dmesg -T" RingBuffer [LOCAL] |m| format!("[Mon Nov 30 15:22:30 2026] {m}");
    "dmesg iso" RingBuffer [MICROS] |m| format!("2026-11-30T15:22:30,411378+00:00 {m}");
    "dmesg -x" RingBuffer [BOOT] |m| format!("kern  :info  : [ 8523.300411] {m}");
    "dmesg -x iso" RingBuffer [MICROS] |m| format!("kern  :warn  : 2026-11-30T15:22:30,411378+00:00 {m}");
    "dmesg -r" RingBuffer [BOOT] |m| format!("<6>[ 8523.300411] {m}");
    "dmesg -d" RingBuffer [BOOT] |m| format!("[ 8523.300411 <    0.000014>] {m}");
    "dmesg -e" RingBuffer [] |m| format!("[  +0.000014] {m}");
    "dmesg in two clocks" RingBuffer [BOOT, LOCAL] |m| format!("[ 8523.300411] [Mon Nov 30 15:22:30 2026] {m}");
    "dmesg with caller" RingBuffer [BOOT] |m| format!("[ 8523.300411] [ T3902] {m}");
    "dmesg --json, its text line" RingBuffer [] |m| format!("         \"msg\": {}", quoted(m));
    "dmesg --json, a record" RingBuffer [BOOT] |m| format!(r#"{{"pri":6,"time": 8523.300411,"msg":{}}}"#, quoted(m));
    "/dev/kmsg" RingBuffer [BOOT] |m| format!("6,1804,8523300411,-;{m}");
    "syslog" RingBuffer [SYSLOG] |m| format!("Nov 30 15:22:30 lab7 kernel: {m}");
    "syslog with boot clock" RingBuffer [SYSLOG, BOOT] |m| format!("Nov 30 15:22:30 lab7 kernel: [ 8523.300411] {m}");
    "syslog of a service" Process [SYSLOG] |m| format!("Nov 30 15:22:30 lab7 jupyterhub[311]: {m}");
    "syslog on the wire" Process [SYSLOG] |m| format!("<14>Nov 30 15:22:30 lab7 jupyterhub[311]: {m}");
    "rsyslog" RingBuffer [MICROS, BOOT] |m| format!("2026-11-30T15:22:30.411378+00:00 lab7 kernel: [ 8523.300411] {m}");
    "RFC 5424" RingBuffer [MICROS] |m| format!("<4>1 2026-11-30T15:22:30.411378+00:00 lab7 kernel - - - {m}");
    "journalctl short" Process [SYSLOG] |m| format!("Nov 30 15:22:30 lab7 bash[263]: {m}");
    "journalctl --no-hostname" Process [SYSLOG] |m| format!("Nov 30 15:22:30 bash[263]: {m}");
    "journalctl short-iso" Process [SECONDS] |m| format!("2026-11-30T23:22:30+0800 lab7 bash[263]: {m}");
    "journalctl short-precise" RingBuffer [PRECISE] |m| format!("Nov 30 15:22:30.411378 lab7 kernel: {m}");
    "dmesg -x -t" RingBuffer [] |m| format!("kern  :info  : {m}");
    "journalctl short-full" RingBuffer [LOCAL] |m| format!("Mon 2026-11-30 15:22:30 CST lab7 kernel: {m}");
    "journalctl short-full, UTC" RingBuffer [SECONDS] |m| format!("Mon 2026-11-30 15:22:30 UTC lab7 kernel: {m}");
    "journalctl short-monotonic" RingBuffer [BOOT] |m| format!("[ 8523.300411] lab7 kernel: {m}");
    "journalctl short-unix" RingBuffer [MICROS] |m| format!("1796052150.411378 lab7 kernel: {m}");
    "journalctl json" RingBuffer [MICROS] |m| format!(r#"{{"MESSAGE":{},"__REALTIME_TIMESTAMP":"1796052150411378","_TRANSPORT":"kernel","_HOSTNAME":"lab7"}}"#, quoted(m));
    "journalctl json, bytes" Process [MICROS] |m| format!(r#"{{"MESSAGE":{:?},"__REALTIME_TIMESTAMP":"1796052150411378","_TRANSPORT":"stdout","_PID":"263"}}"#, m.as_bytes());
    "journalctl export" Unknown [] |m| format!("MESSAGE={m}");
    "github actions" Unknown [MICROS] |m| format!("2026-11-30T15:22:30.4113784Z {m}");
    "gh run view --log" Unknown [MICROS] |m| format!("test\tRun notebooks\t2026-11-30T15:22:30.4113784Z {m}");
    "gitlab" Unknown [MICROS] |m| format!("2026-11-30T15:22:30.411378Z 01E {m}");
    "compose" Process [] |m| format!("lab-jupyter-1   | {m}");
    "compose -t" Process [MICROS] |m| format!("lab-jupyter-1   | 2026-11-30T15:22:30.411378443Z {m}");
    "kubectl --prefix" Process [] |m| format!("[pod/jupyter-ada/notebook] {m}");
    "torch rank" Process [] |m| format!("[rank3]: {m}");
    "colab csv" Process [LOCAL] |m| format!("\"Nov 30, 2026, 3:22:30 PM\",WARNING,{}", csv(m));
    "colab with bars" Process [LOCAL] |m| format!("Nov 30, 2026, 3:22:30 PM | WARNING | {m}");
    "notebook json" Process [MICROS] |m| format!(r#"{{"written_at": "2026-11-30T15:22:30.411378Z", "msg": {}, "level": "INFO", "logger": "NotebookApp"}}"#, quoted(m));
    "loki" Process [MICROS] |m| format!(r#"{{"labels":{{"pod":"jupyter-ada"}},"line":{},"timestamp":"2026-11-30T15:22:30.411378443Z"}}"#, quoted(m));
    "vector, a file" Unknown [MICROS] |m| format!(r#"{{"file":"/var/log/a.log","host":"lab7","message":{},"source_type":"file","timestamp":"2026-11-30T15:22:30.411378Z"}}"#, quoted(m));
    "vector, the journal" RingBuffer [MICROS] |m| format!(r#"{{"_BOOT_ID":"ab","_TRANSPORT":"kernel","host":"lab7","message":{},"source_type":"journald","timestamp":"2026-11-30T15:22:30.411378Z"}}"#, quoted(m));
    "vector, docker" Process [MICROS] |m| format!(r#"{{"container_id":"ab12","container_name":"nb","host":"lab7","message":{},"source_type":"docker_logs","stream":"stderr","timestamp":"2026-11-30T15:22:30.411378Z"}}"#, quoted(m));
    "fluent bit" Unknown [MICROS] |m| format!(r#"{{"date":1796052150.411378,"log":{},"stream":"stderr"}}"#, quoted(m));
    "fluent bit with kubernetes" Process [MICROS] |m| format!(r#"{{"date":1796052150.411378,"stream":"stderr","_p":"F","log":{},"kubernetes":{{"pod_name":"jupyter-ada","container_name":"notebook","host":"lab7","docker_id":"ab12"}}}}"#, quoted(&format!("{m}\n")));
    "logstash" Unknown [MICROS] |m| format!(r#"{{"@timestamp":"2026-11-30T15:22:30.411378Z","@version":"1","host":"lab7","message":{}}}"#, quoted(m));
    "filebeat" Process [MICROS] |m| format!(r#"{{"@timestamp":"2026-11-30T15:22:30.411378Z","agent":{{"type":"filebeat"}},"host":{{"name":"lab7"}},"container":{{"id":"ab12","name":"nb"}},"message":{}}}"#, quoted(m));
    "elasticsearch" Unknown [MICROS] |m| format!(r#"{{"_index":"logs","_id":"1","_source":{{"@timestamp":"2026-11-30T15:22:30.411378Z","host":{{"name":"lab7"}},"message":{}}}}}"#, quoted(m));
    "opensearch with kubernetes" Process [MICROS] |m| format!(r#"{{"_index":"logs","_id":"1","_source":{{"@timestamp":"2026-11-30T15:22:30.411378Z","kubernetes":{{"pod":{{"name":"jupyter-ada"}},"container":{{"name":"notebook"}},"node":{{"name":"lab7"}}}},"message":{}}}}}"#, quoted(m));
    "kaggle" Process [] |m| format!(r#",{{"stream_name":"stderr","time":10.1,"data":{}}}"#, quoted(&format!("{m}\n")));
    "CRI around dmesg" Process [MICROS, BOOT] |m| format!("2026-11-30T15:22:30.411378443Z stderr F [ 8523.300411] {m}");
    "quoted" Unknown [] |m| format!("> > {m}");
    "google" Process [MICROS] |m| format!(r#"{{"textPayload":{},"timestamp":"2026-11-30T15:22:30.411378Z","resource":{{"labels":{{"container_name":"notebook"}}}}}}"#, quoted(m));
    "cloudwatch" Unknown [MILLIS] |m| format!(r#"{{"timestamp":1796052150411,"message":{},"ingestionTime":1796052151000}}"#, quoted(m));
    "kail" Process [] |m| format!("hub/jupyter-ada[notebook]: {m}");
    "open mpi" Process [] |m| format!("[1,3]<stderr>:{m}");
    "github actions around compose" Process [MICROS] |m| format!("2026-11-30T15:22:30.4113784Z lab-jupyter-1  | {m}");
};

#[test]
fn every_message_under_every_envelope() {
    let mut problems = Vec::new();
    for (message, text) in MESSAGES {
        let bare = envelope::peel(message);
        assert_eq!(bare.shown.get(bare.body..), Some(*text));
        for wrapper in WRAPPERS {
            let line = (wrapper.wrap)(message);
            let peeled = envelope::peel(&line);
            let outer: Vec<_> =
                wrapper.stamps.iter().map(|(clock, micros)| Stamp::new(*clock, *micros)).collect();
            let stamps: Vec<_> = outer.into_iter().chain(bare.stamps.iter().copied()).collect();
            if peeled.shown != *message || peeled.shown.get(peeled.body..) != Some(*text) {
                problems.push(format!("{}: {:?}", wrapper.name, peeled.shown));
            }
            if peeled.stamps.as_slice() != stamps.as_slice() {
                problems.push(format!("{}: {:?} and not {stamps:?}", wrapper.name, peeled.stamps));
            }
            // A logger's head names its program; an envelope may not have said so.
            let channel = if bare.logger.is_some() && wrapper.channel == Channel::Unknown {
                Channel::Process
            } else {
                wrapper.channel
            };
            if peeled.origin.channel != channel || peeled.partial {
                problems.push(format!("{}: {:?}, partial {}", wrapper.name, peeled.origin, peeled.partial));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn bodies_with_stamps_of_their_own_are_left_whole() {
    for (line, text, micros) in [
        (
            "2026-11-30T15:22:30.411378443Z container oom 4f1a (image=lab, name=nb)",
            "container oom 4f1a (image=lab, name=nb)",
            MOMENT,
        ),
        (
            "2026-11-30 23:22:30.411378 +0800 CST container died 4f1a (image=lab)",
            "container died 4f1a (image=lab)",
            MOMENT,
        ),
        (
            "2026-11-30 15:22:30.411378 - Step 12: 80 MB",
            "2026-11-30 15:22:30.411378 - Step 12: 80 MB",
            MOMENT,
        ),
        (
            "2026-11-30T15:22:30.411378 kernel_pid=30 rss_mb=71",
            "2026-11-30T15:22:30.411378 kernel_pid=30 rss_mb=71",
            MOMENT,
        ),
        ("2026-11-30T15:22:30.411378Z,30,71", "2026-11-30T15:22:30.411378Z,30,71", MOMENT),
    ] {
        let peeled = envelope::peel(line);
        assert_eq!(
            (peeled.shown.get(peeled.body..), peeled.stamps[0].micros),
            (Some(text), micros),
            "{line}"
        );
    }
}

#[test]
fn a_proxy_names_itself_behind_its_stamp() {
    let peeled = envelope::peel(
        "2026-11-30T15:40:49.079Z [ConfigProxy] info: Proxying http://127.0.0.1:8866 to (no default)",
    );
    let logger = peeled.logger.unwrap();
    assert_eq!((logger.name.as_ref(), logger.level), ("ConfigProxy", Some('I')));
    assert_eq!(peeled.shown.get(peeled.body..), Some("Proxying http://127.0.0.1:8866 to (no default)"));
}

/// What a whole log gives: the clock and the kernel of each event.
#[track_caller]
fn check_log(log: &str, expected: &[&str]) {
    let extract = extract("log", SourceId(0), log.as_bytes()).unwrap_or_default();
    let found = extract.records.iter().map(|record| {
        let stamp = record.stamp().map(|stamp| stamp.to_string()).unwrap_or_default();
        let kernel = record.event.get("kernel_id").map(|id| id.to_string()).unwrap_or_default();
        format!("{} {stamp} {kernel}", record.at.line)
    });
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn what_stores_answer_with() {
    let id = "7c1a4a8e-4b0e-4c60-9d4b-3f0a7a2b9f11";
    let message = format!("kernel {id} restarted");
    let (micros, millis) =
        (format!("1 zoned:{MOMENT} {id}"), format!("1 zoned:{} {id}", MOMENT - MOMENT % 1_000));
    let search = format!(
        r#"{{"took":3,"hits":{{"total":{{"value":1}},"hits":[{{"_index":"logs","_source":{{"@timestamp":"2026-11-30T15:22:30.411378Z","host":{{"name":"lab7"}},"message":"{message}"}}}}]}}}}"#
    );
    check_log(&search, &[&micros]);
    let events = format!(
        r#"{{"events":[{{"timestamp":1796052150411,"message":"{message}","ingestionTime":1796052151000}}],"nextForwardToken":"f/1"}}"#
    );
    check_log(&events, &[&millis]);
    let delivery = format!(
        r#"{{"messageType":"DATA_MESSAGE","logGroup":"g","logStream":"s","logEvents":[{{"id":"1","timestamp":1796052150411,"message":"{message}"}}]}}"#
    );
    check_log(&format!("{delivery}\n"), &[&millis]);
    let insights = format!(
        r#"{{"results":[[{{"field":"@timestamp","value":"2026-11-30 15:22:30.411"}},{{"field":"@message","value":"{message}"}}]],"status":"Complete"}}"#
    );
    check_log(&insights, &[&millis]);
    let google = format!(
        r#"[{{"textPayload":"{message}","timestamp":"2026-11-30T15:22:30.411378Z","logName":"projects/p/logs/stderr"}}]"#
    );
    check_log(&google, &[&micros]);
}

/// Prometheus' range query answers with series, jupyter-resource-usage is scraped into one.
#[test]
fn metrics_are_memory_series() {
    let values: Vec<String> = (0..20)
        .map(|step| format!("[{}, \"{}\"]", 1_796_052_150 + 15 * step, 100_000_000 * (step + 1)))
        .collect();
    let limit: Vec<String> =
        (0..20).map(|step| format!("[{}, \"4294967296\"]", 1_796_052_150 + 15 * step)).collect();
    let answer = |figure: &str, total: &str, labels: &str| {
        let series = |name: &str, values: &[String]| {
            format!(r#"{{"metric":{{"__name__":"{name}"{labels}}},"values":[{}]}}"#, values.join(","))
        };
        format!(
            r#"{{"status":"success","data":{{"resultType":"matrix","result":[{},{}]}}}}"#,
            series(figure, &values),
            series(total, &limit)
        )
    };
    for document in [
        answer("total_memory_usage", "max_memory_usage", ""),
        answer(
            "container_memory_working_set_bytes",
            "container_spec_memory_limit_bytes",
            r#","container":"notebook","pod":"jupyter-ada""#,
        ),
    ] {
        let extract = extract("metrics.json", SourceId(0), document.as_bytes()).unwrap();
        let last =
            extract.records.iter().rev().find(|record| record.event.kind().name.starts_with("memory."));
        let last = last.unwrap_or_else(|| panic!("no memory in {document}: {:?}", extract.records));
        assert_eq!(last.stamp().map(|stamp| stamp.clock), Some(ClockKind::Zoned), "{last:?}");
        assert!(last.event.fields().any(|(_, value)| value.number() == Some(4_294_967_296.0)), "{last:?}");
    }
}

#[test]
fn stamps_on_the_lines_above() {
    let id = "7c1a4a8e-4b0e-4c60-9d4b-3f0a7a2b9f11";
    let message = format!("kernel {id} restarted");
    let json = format!(
        "{{\n   \"dmesg\": [\n      {{\n         \"pri\": 6,\n         \"time\":  8523.300411,\n         \"msg\": \"{message}\"\n      }}\n   ]\n}}\n"
    );
    // An object is one entry, whose line is its first.
    check_log(&json, &[&format!("3 boot:{UPTIME} {id}")]);
    let relative = format!("[Nov30 15:22] usb 1-1: new\n[  +0.000014] {message}\n");
    check_log(&relative, &[&format!("2 year-less:{} {id}", YEAR_LESS - 30_000_000)]);
    let export =
        format!("__CURSOR=s\n__REALTIME_TIMESTAMP={MOMENT}\n_BOOT_ID=ab\nPRIORITY=6\nMESSAGE={message}\n");
    check_log(&export, &[&format!("5 zoned:{MOMENT} {id}")]);
}

/// Text that resembles envelopes more than chance would make it.
fn shapes() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "2026-11-30T15:22:30",
        ".411378443",
        "Z",
        "+08:00",
        " ",
        "stderr F ",
        "[",
        "]",
        " 8523.300411",
        "Nov 30 15:22:30 ",
        "lab7 kernel: ",
        "{\"log\":\"",
        "\\n\",\"time\":\"",
        "\"}",
        "<6>",
        "|",
        "é",
        "\u{202f}",
        "WARNING:root:",
        "[W ",
        "15:22:30.902 ",
        "ServerApp] ",
        "\t",
        "\"",
        ",",
        "Mon ",
        "kern  :info  : ",
        "99999999999999999999",
        "nb-1 | ",
    ]);
    prop::collection::vec(pieces, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_text_panics(text in prop_oneof!["\\PC*", shapes(), any::<String>()]) {
        let peeled = envelope::peel(&text);
        prop_assert!(peeled.body <= peeled.shown.len());
        prop_assert!(peeled.shown.is_char_boundary(peeled.body));
    }
}
