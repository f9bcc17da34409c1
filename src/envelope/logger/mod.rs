//! The head that a program's own logger puts before a message, and stamps that stand alone at a line's start.
//!
//! Not an envelope: the head stays in the quoted line. It is recognised here because every line of every parser
//! needs its time. A head that names a logger or a level is cut from the message; a stamp alone gives the time and
//! stays, for it may be the first column of somebody's table.

mod editor;
mod stdlib;
mod tornado;

use super::prim;
use crate::{
    line::Logger,
    stamp::{ClockKind, SECOND, Stamp},
};
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag, take_until, take_while_m_n},
    character::complete::{alpha1, char, digit1, one_of, space1},
    combinator::{map, map_opt, opt, peek, verify},
    sequence::{delimited, preceded},
};
use std::borrow::Cow;

/// What stands before a message.
#[derive(Debug, Default)]
pub(super) struct Head<'a> {
    /// The stamp in it.
    pub stamp: Option<Stamp>,
    /// Its length in bytes: what a message does not show. 0 for a stamp that stays part of the message.
    pub length: usize,
    /// The logger, if it names itself.
    pub logger: Option<Logger<'a>>,
}

impl Head<'_> {
    /// The same of a text that will not stay.
    pub(super) fn into_owned(self) -> Head<'static> {
        Head { stamp: self.stamp, length: self.length, logger: self.logger.map(Logger::into_owned) }
    }
}

/// The head of a line, if it has one.
pub(super) fn head(text: &str) -> Option<Head<'_>> {
    let (rest, head) = alt((tornado::head, stdlib::head, editor::head, leading_stamp)).parse(text).ok()?;
    Some(measured(text, rest, head))
}

/// The head of a line of tornado's, which is asked for first.
pub(super) fn tornado(text: &str) -> Option<Head<'_>> {
    tornado::head(text).ok().map(|(rest, head)| measured(text, rest, head))
}

/// A head with its length.
fn measured<'a>(text: &str, rest: &str, head: Head<'a>) -> Head<'a> {
    let length = if head.logger.is_some() { text.len() - rest.len() } else { 0 };
    Head { length, ..head }
}

/// A head that names a logger or a level.
fn named(stamp: Option<Stamp>, level: Option<char>, name: &str) -> Head<'_> {
    Head { stamp, length: 0, logger: Some(Logger { level, name: Cow::Borrowed(name), module: None }) }
}

/// The letter of a level, written in any of the usual ways.
fn level_letter(word: &str) -> Option<char> {
    const LEVELS: [(&str, char); 9] = [
        ("trace", 'D'),
        ("debug", 'D'),
        ("info", 'I'),
        ("warn", 'W'),
        ("warning", 'W'),
        ("err", 'E'),
        ("error", 'E'),
        ("critical", 'C'),
        ("fatal", 'F'),
    ];
    LEVELS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, letter)| *letter)
}

/// A stamp at the start of a line that names no logger: it gives the time and stays in the message.
fn leading_stamp(input: &str) -> IResult<&str, Head<'_>> {
    let plain = preceded(opt(char('[')), alt((prim::iso, prim::ctime, prim::year_less, time_of_day)));
    // dockerd's, containerd's, Prometheus': `time="2026-11-30T15:22:30.411378443+08:00" level=info msg=…`.
    let logfmt = delimited((alt((tag("time="), tag("ts="))), opt(char('"'))), prim::iso, opt(char('"')));
    let (rest, stamp) = alt((glog, vllm, mail_date, airflow, logfmt, plain)).parse(input)?;
    let (rest, ()) = prim::boundary(rest)?;
    Ok((rest, Head { stamp: Some(stamp), length: 0, logger: None }))
}

/// `15:22:30.902`, without a date.
fn time_of_day(input: &str) -> IResult<&str, Stamp> {
    map(prim::time, |time| Stamp::new(ClockKind::TimeOfDay, time)).parse(input)
}

/// `E1130 15:22:30.251280  1234 file.cc:12] ` of glog and klog, `[E1130 …` of `torch`, and abseil's
/// `E0000 00:00:1796052150.251280 …`, which counts seconds since the epoch.
fn glog(input: &str) -> IResult<&str, Stamp> {
    let (rest, (_, _, month, day, _)) =
        (opt(char('[')), one_of("IWEFD"), two_digits, two_digits, space1).parse(input)?;
    let epoch = preceded(
        tag("00:00:"),
        map_opt(
            (take_while_m_n(9, 11, |c: char| c.is_ascii_digit()), prim::fraction),
            |(seconds, micros): (&str, _)| {
                Some(Stamp::new(
                    ClockKind::Zoned,
                    seconds.parse::<i64>().ok()?.checked_mul(SECOND)?.checked_add(micros)?,
                ))
            },
        ),
    );
    let dated = map_opt(prim::time, |time| {
        Some(Stamp::new(ClockKind::YearLess, prim::year_less_micros(month, day, time)?))
    });
    let (rest, (stamp, _)) = (alt((epoch, dated)), peek(char(' '))).parse(rest)?;
    Ok((rest, stamp))
}

/// `INFO 09-28 16:28:11 [utils.py:233] ` of vLLM, whose workers put `(EngineCore_DP0 pid=17374) ` before it.
fn vllm(input: &str) -> IResult<&str, Stamp> {
    let worker = delimited(char('('), take_until(" pid="), (tag(" pid="), digit1, tag(") ")));
    let day = (two_digits, char('-'), two_digits, char(' '));
    map_opt((opt(worker), level_word, char(' '), day, prim::time), |(_, _, _, (month, _, day, _), time)| {
        Some(Stamp::new(ClockKind::YearLess, prim::year_less_micros(month, day, time)?))
    })
    .parse(input)
}

/// `[2024-05-01, 10:07:22 UTC] {client.py:863} ERROR - ` of Airflow 2.2 to 2.5. A zone's abbreviation is no zone.
fn airflow(input: &str) -> IResult<&str, Stamp> {
    let zone = opt(alt((map(prim::zone, Some), map((char(' '), prim::abbreviation), |_| None))));
    map_opt(
        (char('['), prim::date, tag(", "), prim::time, zone, peek(char(']'))),
        |(_, date, _, time, zone, _)| Some(prim::placed(prim::local_micros(date, time)?, zone.flatten())),
    )
    .parse(input)
}

/// A level in capitals.
fn level_word(input: &str) -> IResult<&str, &str> {
    verify(alpha1, |word: &str| word.chars().all(|c| c.is_ascii_uppercase()) && level_letter(word).is_some())
        .parse(input)
}

/// `# Sun, 18 Feb 2024 16:17:48` of `IPython`'s log (`%logstart -t`), and the same with a zone elsewhere.
fn mail_date(input: &str) -> IResult<&str, Stamp> {
    let (rest, _) = (opt(tag("# ")), prim::weekday, tag(", ")).parse(input)?;
    let day = (prim::digits_between(1, 2), char(' '), prim::month, char(' '), prim::digits(4), char(' '));
    let zone = opt(alt((prim::zone, preceded(char(' '), prim::zone))));
    map_opt((day, prim::time, zone), |((day, _, month, _, year, _), time, zone)| {
        let date = chrono::NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
        Some(prim::placed(prim::local_micros(date, time)?, zone))
    })
    .parse(rest)
}

/// Two digits as a number.
fn two_digits(input: &str) -> IResult<&str, u32> {
    prim::digits(2)(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Level, name, stamp and the message of a line.
    #[track_caller]
    fn check(text: &str, level: char, name: &str, stamp: &str, message: &str) {
        let head = head(text).unwrap_or_else(|| panic!("no head: {text}"));
        let logger = head.logger.unwrap_or_default();
        let found = head.stamp.map(|stamp| stamp.to_string()).unwrap_or_default();
        let got =
            (logger.level.unwrap_or('-'), logger.name.as_ref(), found.as_str(), text.get(head.length..));
        assert_eq!(got, (level, name, stamp, Some(message)), "{text}");
    }

    #[test]
    fn jupyters() {
        check(
            "[W 2026-11-30 15:22:30.902 ServerApp] kernel",
            'W',
            "ServerApp",
            "local:1796052150902000",
            "kernel",
        );
        check(
            "[E 2026-11-30 15:22:30.902 JupyterHub app:3920]",
            'E',
            "JupyterHub",
            "local:1796052150902000",
            "",
        );
        check("[I 15:22:30.323 NotebookApp] x", 'I', "NotebookApp", "date-less:55350323000", "x");
        check("[I 261130 15:22:30 __init__:253] x", 'I', "", "local:1796052150000000", "x");
        check("[I 15:22:30.434] 'p':'n' - x", 'I', "", "date-less:55350434000", "'p':'n' - x");
        check("[NbConvertApp] ERROR | x", 'E', "NbConvertApp", "", "x");
        check("[IPKernelApp] x", 'I', "IPKernelApp", "", "x");
        check(
            "2026-11-30 15:22:30.123 [IPController] WARNING | x",
            'W',
            "IPController",
            "local:1796052150123000",
            "x",
        );
        check("[ConfigProxy] error: 503 GET /", 'E', "ConfigProxy", "", "503 GET /");
        check("15:22:30.123 [ConfigProxy] info: x", 'I', "ConfigProxy", "date-less:55350123000", "x");
    }

    #[test]
    fn other_peoples() {
        check("WARNING:root:kernel x", 'W', "root", "", "kernel x");
        check("ERROR:tornado.application:x", 'E', "tornado.application", "", "x");
        check("15:22:30.631 [error] x", 'E', "", "date-less:55350631000", "x");
        check("error 15:22:30.115: x", 'E', "", "date-less:55350115000", "x");
        check("[INFO 2026-11-30 15:22:3.399]: x", 'I', "", "local:1796052123399000", "x");
        check("Info 2026-11-30 15:22:30: x", 'I', "", "local:1796052150000000", "x");
    }

    #[test]
    fn stamps_alone_stay_in_the_message() {
        for (text, stamp) in [
            ("2026-11-30 15:22:30.123456 - Step 12: 80 MB", "local:1796052150123456"),
            ("2026-11-30T15:22:30Z,17,80", "zoned:1796052150000000"),
            ("2026-11-30 15:22:30,902 - root - INFO - x", "local:1796052150902000"),
            ("15:22:30 up 3 days", "date-less:55350000000"),
            ("Mon Nov 30 15:22:30 2026", "local:1796052150000000"),
            ("Nov 30 15:22:30 something", "year-less:975597750000000"),
            ("time=\"2026-11-30T15:22:30.123456789Z\" level=info msg=x", "zoned:1796052150123456"),
            ("E1130 15:22:30.251280  1234 a.cc:12] x", "year-less:975597750251280"),
            ("[E1130 15:22:30.251280812 P.cpp:12] x", "year-less:975597750251280"),
            ("INFO 11-30 15:22:30 [utils.py:233] x", "year-less:975597750000000"),
            ("(EngineCore_DP0 pid=17) ERROR 11-30 15:22:30 [core.py:6] x", "year-less:975597750000000"),
            ("# Mon, 30 Nov 2026 15:22:30", "local:1796052150000000"),
            ("Mon, 30 Nov 2026 15:22:30 +0000", "zoned:1796052150000000"),
            ("[2026-11-30, 15:22:30 UTC] {client.py:863} ERROR - x", "zoned:1796052150000000"),
            ("[2026-11-30, 15:22:30 CET] {client.py:863} ERROR - x", "local:1796052150000000"),
            ("E0000 00:00:1796052150.251280   12 a.cc:12] x", "zoned:1796052150251280"),
        ] {
            check(text, '-', "", stamp, text);
        }
        for text in [
            "ERROR: ld.so: object",
            "INFO:     127.0.0.1:1 - x",
            "[Something] x",
            "12:30:45abc",
            "error 404: x",
        ] {
            assert!(head(text).is_none(), "{text}");
        }
    }
}
