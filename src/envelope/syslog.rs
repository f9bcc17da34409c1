//! syslog files and `journalctl`'s text formats: a stamp, a host, `program[pid]:`.
//!
//! RFC 3164 (`Nov 30 15:22:30 host prog[pid]: `, with `<pri>` on the wire), rsyslog's iso stamps, journalctl's
//! `short`, `short-iso`, `short-precise`, `short-full`, `short-monotonic`, `short-unix`. A boot clock inside
//! (`kernel: [ 8523.300000] `) is left to the dmesg envelope, so that the line gets both stamps.
//!
//! How much the tag must say depends on how much the stamp says. RFC 3164's and `short-full`'s stamps are hardly
//! anybody else's: any `host word:` will do. An iso, boot or unix stamp stands before all kinds of lines
//! (`docker logs -t`, a program's own log): there the tag must have a pid or be one of [`PIDLESS`], the stamp
//! a fraction of no or six digits, and a line that fails is left to the other envelopes with all its words.

use super::{Begins, Envelope, Layer, prim};
use crate::{
    event::{Channel, Origin},
    stamp::{ClockKind, SECOND, Stamp},
};
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag, take_while_m_n, take_while1},
    character::complete::{char, digit1, space0, space1},
    combinator::{map, map_opt, not, opt, peek, verify},
    sequence::{delimited, preceded, terminated},
};
use smallvec::smallvec;
use std::borrow::Cow;

/// The envelope.
pub(super) const ENVELOPE: Envelope = Envelope {
    name: "syslog",
    sample: "Nov 30 15:22:30 lab7 kernel: usb 1-1: new device",
    begins: Begins::WORD.and(b"<[ \t").and_beyond(),
    peel,
};

/// Programs that log without a pid and are known by name.
const PIDLESS: &[&str] = &["kernel", "sudo", "su", "rsyslogd", "root", "auditd"];

/// Where a line came from: host, program, process.
#[derive(Debug, Default)]
struct Tag<'a> {
    host: Option<&'a str>,
    program: &'a str,
    pid: Option<i64>,
}

/// Takes stamp, host and tag off.
fn peel(text: &str) -> Option<Layer<'_>> {
    let (rest, (stamp, tag)) =
        alt(((loose_stamp, loose_tag), (strict_stamp, strict_tag))).parse(text).ok()?;
    let channel = if tag.program == "kernel" { Channel::RingBuffer } else { Channel::Process };
    Some(Layer {
        rest: Cow::Borrowed(rest),
        stamps: smallvec![stamp],
        origin: Origin {
            host: tag.host.map(str::to_owned),
            program: Some(tag.program.to_owned()),
            pid: tag.pid,
            channel,
            ..Origin::default()
        },
        ..Layer::default()
    })
}

/// Stamps that only syslog and journalctl print.
fn loose_stamp(input: &str) -> IResult<&str, Stamp> {
    let priority = opt(delimited(char('<'), take_while_m_n(1, 3, |c: char| c.is_ascii_digit()), char('>')));
    terminated(preceded(priority, alt((prim::year_less, full))), char(' ')).parse(input)
}

/// `Mon 2025-12-29 20:24:23 CST` of `short-full`; an abbreviation that is not UTC leaves it local.
fn full(input: &str) -> IResult<&str, Stamp> {
    let parts = (prim::weekday, char(' '), prim::date, char(' '), prim::time, opt(prim::zone));
    let (rest, stamp) = map_opt(parts, |(_, _, date, _, time, zone)| {
        Some(prim::placed(prim::local_micros(date, time)?, zone))
    })
    .parse(input)?;
    let (rest, _) = opt((char(' '), prim::abbreviation)).parse(rest)?;
    Ok((rest, stamp))
}

/// Stamps that others print too.
fn strict_stamp(input: &str) -> IResult<&str, Stamp> {
    let iso = map(verify(prim::iso_digits, |(_, digits)| matches!(digits, 0 | 6)), |(stamp, _)| stamp);
    terminated(alt((iso, monotonic, unix)), char(' ')).parse(input)
}

/// `[ 1234.567890]` of `short-monotonic`, which looks like dmesg until the host follows.
fn monotonic(input: &str) -> IResult<&str, Stamp> {
    let delta = opt((char(' '), char('<'), space0, digit1, prim::fraction, space0, char('>')));
    let parts = (char('['), space0, digit1, prim::fraction, delta, char(']'));
    map_opt(parts, |(_, _, seconds, micros, _, _)| clocked(ClockKind::Boot, seconds, micros)).parse(input)
}

/// `1791484880.414318` of `short-unix`.
fn unix(input: &str) -> IResult<&str, Stamp> {
    let seconds = take_while_m_n(9, 11, |c: char| c.is_ascii_digit());
    map_opt((seconds, prim::fraction), |(seconds, micros)| clocked(ClockKind::Zoned, seconds, micros))
        .parse(input)
}

/// A stamp of printed seconds and read microseconds.
fn clocked(clock: ClockKind, seconds: &str, micros: i64) -> Option<Stamp> {
    let seconds: i64 = seconds.parse().ok()?;
    Some(Stamp::new(clock, seconds.checked_mul(SECOND)?.checked_add(micros)?))
}

/// Any `host program[pid]: ` or `host program: `; without a host (`journalctl --no-hostname`) only with a pid.
fn loose_tag(input: &str) -> IResult<&str, Tag<'_>> {
    alt((hosted, verify(hostless, telling))).parse(input)
}

/// As [`loose_tag`], but the program must have a pid or be known by name.
fn strict_tag(input: &str) -> IResult<&str, Tag<'_>> {
    verify(hosted, telling).parse(input)
}

/// Whether a tag cannot be the beginning of a sentence.
fn telling(tag: &Tag<'_>) -> bool {
    tag.pid.is_some() || PIDLESS.contains(&tag.program)
}

/// `host program[pid]: `, `host <kern.warning> kernel:`, `DEBUG kernel: ` (a level where the host should be).
fn hosted(input: &str) -> IResult<&str, Tag<'_>> {
    let facility = opt((char('<'), take_while1(|c: char| c.is_ascii_alphanumeric() || c == '.'), tag("> ")));
    let (rest, (host, _, _, tag)) = (host, space1, facility, hostless).parse(input)?;
    let is_level =
        ["DEBUG", "INFO", "NOTICE", "WARNING", "ERR", "ERROR", "CRIT", "ALERT", "EMERG"].contains(&host);
    Ok((rest, Tag { host: (!is_level).then_some(host), ..tag }))
}

/// A host's name or address, which does not end in a colon.
fn host(input: &str) -> IResult<&str, &str> {
    let name = take_while1(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | ':' | '%'));
    verify(name, |name: &str| !name.ends_with(':') && name.len() <= 255).parse(input)
}

/// `program[pid]: `; `kernel:` needs no blank behind it.
fn hostless(input: &str) -> IResult<&str, Tag<'_>> {
    let name = take_while1(|c: char| !c.is_whitespace() && !c.is_control() && !"[]:,;={}\"'|".contains(c));
    let bracket =
        delimited(char('['), take_while1(|c: char| c.is_ascii_alphanumeric() || c == '/'), char(']'));
    let (rest, (program, pid, _)) =
        (verify(name, |name: &str| name.len() <= 80), opt(bracket), char(':')).parse(input)?;
    let (rest, blank) = opt(char(' ')).parse(rest)?;
    if blank.is_none() && program != "kernel" {
        not(peek(nom::character::complete::anychar)).parse(rest)?;
    }
    Ok((rest, Tag { host: None, program, pid: pid.and_then(|pid: &str| pid.parse().ok()) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stamp, host, program, pid and what is left.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let got = peel(text).map_or("none".to_owned(), |layer| {
            let Origin { host, program, pid, .. } = layer.origin;
            let (host, program) = (host.unwrap_or_default(), program.unwrap_or_default());
            format!("{} {host} {program} {} {}", layer.stamps[0], pid.unwrap_or_default(), layer.rest)
        });
        assert_eq!(got, expected, "{text}");
    }

    #[test]
    fn every_shape() {
        check("Nov 30 15:22:30 h1 kernel: msg", "year-less:975597750000000 h1 kernel 0 msg");
        check("Nov  3 15:22:30 h1 prog[7]: msg", "year-less:973264950000000 h1 prog 7 msg");
        check("Nov 30 15:22:30.123456 h1 prog[7]: msg", "year-less:975597750123456 h1 prog 7 msg");
        check("Nov 30 15:22:30 bash[26]: msg", "year-less:975597750000000  bash 26 msg");
        check("<15>Nov 30 15:22:30 h1 tag: msg", "year-less:975597750000000 h1 tag 0 msg");
        check("Nov 30 15:22:30 h1 <kern.warning> kernel:msg", "year-less:975597750000000 h1 kernel 0 msg");
        check(
            "2026-11-30T15:22:30.799042+00:00 h1 kernel: [8.1] m",
            "zoned:1796052150799042 h1 kernel 0 [8.1] m",
        );
        check("2026-11-30T23:22:30+0800 h1 sshd[9]: msg", "zoned:1796052150000000 h1 sshd 9 msg");
        check("2026-11-30T15:22:30.987014+00:00 DEBUG kernel: msg", "zoned:1796052150987014  kernel 0 msg");
        check("Mon 2026-11-30 15:22:30 CST h1 kernel: msg", "local:1796052150000000 h1 kernel 0 msg");
        check(
            "Mon 2026-11-30 15:22:30 UTC h1 a.service[5]: msg",
            "zoned:1796052150000000 h1 a.service 5 msg",
        );
        check("[ 1234.567890] h1 kernel: msg", "boot:1234567890 h1 kernel 0 msg");
        check("1796052150.414318 h1 kernel: msg", "zoned:1796052150414318 h1 kernel 0 msg");
        check("Nov 30 15:22:30 h1 kernel[n/a]: msg", "year-less:975597750000000 h1 kernel 0 msg");
    }

    #[test]
    fn sentences_are_left() {
        check("2026-11-30T15:22:30Z Error response: no", "none");
        check("2026-11-30T15:22:30.123456789Z h1 prog[7]: docker's nine digits", "none");
        check("[ 1234.567890] usb 1-1: New device", "none");
        check("[ 1234.567890] python3[12]: segfault at 0", "none");
        check("Nov 30 15:22:30 host last message repeated 3 times", "none");
        check("2026-11-30 15:22:30 worker started: ok", "none");
    }
}
