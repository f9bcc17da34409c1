//! One report of Linux's OOM killer, whatever wraps it, gives the same events.
//!
//! The reports are those of `fixtures/parsers/oom`: cgroups of both versions, Linux 2.6 to 6.18, whole, torn,
//! filtered. A container's envelope counts where Linux's own clock stands inside it: what a process merely prints is
//! no evidence of what Linux did.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use kerneldoc::{
    envelope::{self, ENVELOPES},
    extract::{Extract, extract},
    source::SourceId,
};
use std::{collections::BTreeSet, fs};

/// How a log is wrapped: its name, and the whole log made of its messages.
type Wrapper = (&'static str, fn(&[String]) -> String);

/// A message as JSON.
fn json(message: &str) -> String {
    serde_json::Value::from(message).to_string()
}

/// Wraps each line, given its place in the log.
fn each(messages: &[String], wrap: impl Fn(usize, &str) -> String) -> String {
    messages.iter().enumerate().map(|(index, message)| wrap(index, message) + "\n").collect()
}

/// dmesg's clock.
fn clock(index: usize) -> String {
    format!("[ 2113.{:06}] ", 390_000 + index * 11)
}

/// The time of day of a line, with its microseconds.
fn moment(index: usize) -> String {
    format!("15:22:30.{:06}", 390_000 + index * 11)
}

/// dmesg's line.
fn dmesg(index: usize, message: &str) -> String {
    clock(index) + message
}

/// Breaks lines at blanks, as mail programs do.
fn folded(text: &str, columns: usize, quote: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut rest = line;
        while rest.len() > columns {
            let cut = rest.get(..columns).and_then(|head| head.rfind(' ')).filter(|cut| *cut > 20);
            let cut = cut.or_else(|| rest.get(20..)?.find(' ').map(|at| at + 20)).unwrap_or(rest.len());
            let (head, tail) = rest.split_at(cut);
            out.push_str(&[quote, head, "\n"].concat());
            rest = tail.trim_start();
        }
        out.push_str(&[quote, rest, "\n"].concat());
    }
    out
}

/// Breaks lines at a terminal's edge.
fn cut(text: &str, columns: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        for piece in line.as_bytes().chunks(columns) {
            out.push_str(&String::from_utf8_lossy(piece));
            out.push('\n');
        }
    }
    out
}

const WRAPPERS: &[Wrapper] = &[
    ("dmesg", |m| each(m, dmesg)),
    ("dmesg -T", |m| each(m, |_, m| format!("[Mon Nov 30 15:22:30 2026] {m}"))),
    ("dmesg -x", |m| each(m, |i, m| format!("kern  :info  : {}", dmesg(i, m)))),
    ("dmesg -r", |m| each(m, |i, m| format!("<6>{}", dmesg(i, m)))),
    ("dmesg -e", |m| {
        each(m, |i, m| if i == 0 { format!("[Nov30 15:22] {m}") } else { format!("[  +0.000011] {m}") })
    }),
    ("dmesg -d", |m| each(m, |i, m| format!("[ 2113.{:06} <    0.000011>] {m}", 390_000 + i * 11))),
    ("dmesg iso", |m| each(m, |i, m| format!("2026-11-30T{}+00:00 {m}", moment(i).replace('.', ",")))),
    ("dmesg with callers", |m| each(m, |i, m| format!("[ 2113.{:06}][T26069] {m}", 390_000 + i * 11))),
    ("/dev/kmsg", |m| each(m, |i, m| format!("6,{i},{},-;{m}", 2_113_390_000 + i * 11))),
    ("dmesg --json", |m| {
        let record = |i: usize, m: &str| {
            let time = format!("{:9}.{:06}", 2113, 390_000 + i * 11);
            format!(
                "      {{\n         \"pri\": 6,\n         \"time\": {time},\n         \"msg\": {}\n      }}",
                json(m)
            )
        };
        let records: Vec<_> = m.iter().enumerate().map(|(i, m)| record(i, m)).collect();
        format!("{{\n   \"dmesg\": [\n{}\n   ]\n}}\n", records.join(",\n"))
    }),
    ("dmesg --json, one line", |m| {
        let record = |(i, m): (usize, &String)| {
            format!("{{\"pri\":6,\"time\":2113.{:06},\"msg\":{}}}", 390_000 + i * 11, json(m))
        };
        format!("{{\"dmesg\":[{}]}}\n", m.iter().enumerate().map(record).collect::<Vec<_>>().join(","))
    }),
    ("talosctl dmesg", |m| {
        each(m, |i, m| format!("10.5.0.2: kern:    info: [2026-11-30T{}Z]: {m}", moment(i)))
    }),
    ("syslog", |m| each(m, |_, m| format!("Nov 30 15:22:30 lab7 kernel: {m}"))),
    ("syslog with dmesg's clock", |m| {
        each(m, |i, m| format!("Nov 30 15:22:30 lab7 kernel: {}", dmesg(i, m)))
    }),
    ("syslog with a level", |m| each(m, |_, m| format!("Nov 30 15:22:30 lab7 <kern.warning> kernel:{m}"))),
    ("rsyslog iso", |m| {
        each(m, |i, m| format!("2026-11-30T{}+00:00 lab7 kernel: {}", moment(i), dmesg(i, m)))
    }),
    ("rsyslog, one line", |m| format!("Nov 30 15:22:30 lab7 kernel: {}\n", m.join("#012"))),
    ("RFC 5424", |m| each(m, |i, m| format!("<6>1 2026-11-30T{}Z lab7 kernel - - - {m}", moment(i)))),
    ("journalctl short-precise", |m| each(m, |i, m| format!("Nov 30 {} lab7 kernel: {m}", moment(i)))),
    ("journalctl short-full", |m| each(m, |_, m| format!("Mon 2026-11-30 15:22:30 CST lab7 kernel: {m}"))),
    ("journalctl short-monotonic", |m| each(m, |i, m| format!("{}lab7 kernel: {m}", clock(i)))),
    ("journalctl short-unix", |m| {
        each(m, |i, m| format!("1796052150.{:06} lab7 kernel: {m}", 390_000 + i * 11))
    }),
    ("journalctl -o cat", |m| each(m, |_, m| m.to_owned())),
    ("journalctl -r", |m| {
        let older = "Nov 30 15:20:00 lab7 systemd[1]: Started a.\n";
        let lines: Vec<_> =
            m.iter().enumerate().map(|(i, m)| format!("Nov 30 {} lab7 kernel: {m}\n", moment(i))).collect();
        lines.into_iter().rev().collect::<String>() + older
    }),
    ("journalctl -o json", |m| each(m, journal)),
    ("journalctl -o json, bytes", |m| {
        each(m, |i, m| journal(i, m).replace(&json(m), &format!("{:?}", m.as_bytes())))
    }),
    ("journalctl -o json-pretty", |m| each(m, |i, m| pretty(&journal(i, m)))),
    ("journalctl -o export", |m| {
        each(m, |i, m| {
            format!(
                "__REALTIME_TIMESTAMP={}\n_TRANSPORT=kernel\nMESSAGE={m}\n",
                1_796_052_150_390_000 + i * 11
            )
        })
    }),
    ("journalctl -o verbose", |m| {
        each(m, |i, m| {
            format!(
                "Mon 2026-11-30 {} CST [s=ab;i={i};b=cd;m=1;t=2;x=3]\n    _TRANSPORT=kernel\n    MESSAGE={m}",
                moment(i)
            )
        })
    }),
    ("kerneldoc record", |m| {
        each(m, |i, m| {
            let text = json(&format!("6,{i},{},-;{m}", 2_113_390_000 + i * 11));
            let time = moment(i);
            format!(
                r#"{{"kerneldoc":"record/1","time":"2026-11-30T{time}Z","kind":"host.log","text":{text}}}"#
            )
        })
    }),
    ("docker json-file", |m| {
        each(m, |i, m| {
            format!(
                r#"{{"log":{},"stream":"stdout","time":"2026-11-30T{}Z"}}"#,
                json(&(dmesg(i, m) + "\n")),
                moment(i)
            )
        })
    }),
    ("docker logs -t", |m| each(m, |i, m| format!("2026-11-30T{}443Z {}", moment(i), dmesg(i, m)))),
    ("CRI", |m| each(m, |i, m| format!("2026-11-30T{}443Z stdout F {}", moment(i), dmesg(i, m)))),
    ("CRI in pieces", |m| {
        each(m, |i, m| {
            let line = dmesg(i, m);
            let (head, tail) = line.split_at(clock(i).len() + m.len() / 2);
            format!("2026-11-30T{0}443Z stdout P {head}\n2026-11-30T{0}443Z stdout F {tail}", moment(i))
        })
    }),
    ("compose", |m| each(m, |i, m| format!("kmsg-1  | {}", dmesg(i, m)))),
    ("kubectl --prefix", |m| each(m, |i, m| format!("[pod/kmsg-x7/kmsg] {}", dmesg(i, m)))),
    ("stern", |m| each(m, |i, m| format!("kmsg-x7 kmsg 2026-11-30T{}443Z {}", moment(i), dmesg(i, m)))),
    ("github", |m| each(m, |i, m| format!("2026-11-30T{}1Z {}", moment(i), dmesg(i, m)))),
    ("gitlab", |m| each(m, |i, m| format!("2026-11-30T{}Z 00O {}", moment(i), dmesg(i, m)))),
    ("zoned stamps", |m| each(m, |i, m| format!("2026-11-30T{}+00:00 {}", moment(i), dmesg(i, m)))),
    ("torchrun", |m| each(m, |i, m| format!("[default0]:{}", dmesg(i, m)))),
    ("open mpi", |m| each(m, |i, m| format!("[1,0]<stdout>:{}", dmesg(i, m)))),
    ("colab", |m| each(m, |i, m| format!("Nov 30, 2026, 3:22:30 PM | INFO | {}", dmesg(i, m)))),
    ("kaggle", |m| {
        each(m, |i, m| {
            format!(r#",{{"stream_name":"stdout","time":{i}.5,"data":{}}}"#, json(&(dmesg(i, m) + "\n")))
        })
    }),
    ("notebook json", |m| {
        each(m, |i, m| {
            format!(
                r#"{{"written_at": "2026-11-30T{}Z", "msg": {}, "level": "INFO"}}"#,
                moment(i),
                json(&dmesg(i, m))
            )
        })
    }),
    ("loki", |m| {
        each(m, |i, m| {
            format!(
                r#"{{"labels":{{"hostname":"n1","transport":"kernel"}},"line":{},"timestamp":"2026-11-30T{}Z"}}"#,
                json(m),
                moment(i)
            )
        })
    }),
    ("elasticsearch", |m| {
        each(m, |i, m| {
            let (line, at) = (json(&dmesg(i, m)), moment(i));
            format!(
                r#"{{"_source":{{"@timestamp":"2026-11-30T{at}Z","message":{line},"kubernetes":{{"pod_name":"kmsg-x7"}}}}}}"#
            )
        })
    }),
    ("cloudwatch", |m| {
        each(m, |i, m| {
            format!(
                r#"{{"timestamp":{},"message":{},"ingestionTime":1}}"#,
                1_796_052_150_390 + i,
                json(&dmesg(i, m))
            )
        })
    }),
    ("gcloud, newest first", |m| {
        let entry = |(i, m): (usize, &String)| {
            let at = format!("2026-11-30T{}Z", moment(i));
            pretty(&format!(
                r#"{{"insertId":"a{i}","logName":"projects/p/logs/serialconsole.googleapis.com%2Fserial_port_1_output","receiveTimestamp":"{at}","textPayload":{},"timestamp":"{at}"}}"#,
                json(&dmesg(i, m))
            ))
        };
        let entries: Vec<_> = m.iter().enumerate().map(entry).rev().collect();
        format!("[\n{}\n]\n", entries.join(",\n"))
    }),
    ("serial console, gcloud", |m| {
        format!(
            "{}\n",
            serde_json::json!({"contents": each(m, dmesg).replace('\n', "\r\n"), "next": "9", "start": "0"})
        )
    }),
    ("serial console, aws", |m| {
        let document = serde_json::json!({"InstanceId": "i-0ab", "Output": each(m, dmesg), "Timestamp": "2026-11-30T15:30:00Z"});
        format!("{document:#}\n")
    }),
    ("quoted", |m| each(m, |i, m| format!("> > {}", dmesg(i, m)))),
    ("indented", |m| each(m, |i, m| format!("    {}", dmesg(i, m)))),
    ("mail at 76 columns", |m| folded(&each(m, dmesg), 76, "")),
    ("mail at 80 columns", |m| folded(&each(m, dmesg), 80, "")),
    ("mail at 80 columns, syslog", |m| {
        folded(&each(m, |_, m| format!("Nov 30 15:22:30 lab7 kernel: {m}")), 80, "")
    }),
    ("quoted mail at 72 columns", |m| folded(&each(m, dmesg), 72, "> ")),
    ("terminal of 80 columns", |m| cut(&each(m, dmesg), 80)),
    ("terminal of 120 columns", |m| cut(&each(m, |_, m| format!("Nov 30 15:22:30 lab7 kernel: {m}")), 120)),
];

/// A record of the journal.
fn journal(index: usize, message: &str) -> String {
    let micros = 1_796_052_150_390_000 + index * 11;
    let text = json(message);
    format!(
        r#"{{"MESSAGE":{text},"__REALTIME_TIMESTAMP":"{micros}","_TRANSPORT":"kernel","_HOSTNAME":"lab7"}}"#
    )
}

/// A JSON object over many lines.
fn pretty(object: &str) -> String {
    format!("{:#}", serde_json::from_str::<serde_json::Value>(object).unwrap())
}

/// The messages of a fixture, without announcements and envelopes.
fn messages(path: &str) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with("#= ") && !line.starts_with("#: "));
    lines.map(|line| envelope::peel(line).shown.trim_end().to_owned()).collect()
}

/// What a log says, without places and times.
fn events(log: &str) -> Vec<String> {
    let Extract { records, .. } = extract("a.log", SourceId(0), log.as_bytes()).unwrap();
    let mut events: Vec<_> = records
        .iter()
        .map(|record| {
            let fields: Vec<_> =
                record.event.fields().map(|(name, value)| format!("{name}={value}")).collect();
            format!("{} {}", record.event.kind().name, fields.join(" "))
        })
        .collect();
    events.sort();
    events
}

#[test]
fn the_same_events_under_every_envelope() {
    let mut problems = Vec::new();
    let mut used = BTreeSet::new();
    for name in ["memcg_6.18", "memcg_5.15_v2", "memcg_4.9", "memcg_3.10", "global", "global_2.6.32"] {
        let messages = messages(&format!("fixtures/parsers/oom/{name}.log"));
        let bare = events(&each(&messages, dmesg));
        assert!(!bare.is_empty(), "{name}");
        for (wrapper, wrap) in WRAPPERS {
            let log = wrap(&messages);
            used.extend(log.lines().flat_map(|line| envelope::peel(line).names));
            let found = events(&log);
            for missing in bare.iter().filter(|event| !found.contains(event)) {
                problems.push(format!("{name}, {wrapper}: missing {missing}"));
            }
            for more in found.iter().filter(|event| !bare.contains(event)) {
                problems.push(format!("{name}, {wrapper}: instead {more}"));
            }
        }
    }
    let unused: Vec<_> =
        ENVELOPES.iter().map(|envelope| envelope.name).filter(|name| !used.contains(name)).collect();
    assert!(unused.is_empty(), "no report was wrapped in {unused:?}");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
