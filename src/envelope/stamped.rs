//! A zoned stamp and a blank before a whole line: `docker logs -t`, `docker events`, `podman events`, GitHub
//! Actions, GitLab, configurable-http-proxy, `kubectl logs --timestamps`.
//!
//! Only zoned stamps are taken off. One without a zone may be the first column of somebody's memory log, whose
//! parser wants to see it; `logger` reads the time of those and leaves the text. Who printed a stamp is told by its
//! digits: docker writes nine, GitHub seven. docker's `events` have nine as well, but begin with the type of an
//! object; they are a message of their own and get no channel, for no process printed them.

use super::{Begins, Envelope, Layer, prim};
use crate::{
    event::{Channel, Origin},
    stamp::{ClockKind, Stamp},
};
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag, take_while_m_n},
    character::complete::{char, one_of},
    combinator::{opt, value, verify},
};
use smallvec::smallvec;
use std::borrow::Cow;

/// GitHub Actions' job logs, and `gh run view --log` with job and step before the stamp.
pub(super) const GITHUB: Envelope = Envelope {
    name: "github actions",
    sample: "2026-11-30T15:22:30.4113784Z Killed",
    begins: Begins::ANY,
    peel: github,
};
/// GitLab's job logs with `FF_TIMESTAMPS`.
pub(super) const GITLAB: Envelope = Envelope {
    name: "gitlab",
    sample: "2026-11-30T15:22:30.411378Z 01E Killed",
    begins: Begins::DIGIT,
    peel: gitlab,
};
/// `docker logs -t`.
pub(super) const DOCKER: Envelope = Envelope {
    name: "docker logs",
    sample: "2026-11-30T15:22:30.411378443Z Killed",
    begins: Begins::DIGIT,
    peel: docker,
};
/// Anything else with a zoned stamp.
pub(super) const STAMPED: Envelope = Envelope {
    name: "stamped",
    sample: "2026-11-30T15:22:30.411+00:00 Killed",
    begins: Begins::DIGIT,
    peel: stamped,
};

/// What the first word of an event of `docker events` or `podman events` may be.
const OBJECTS: &[&str] = &[
    "builder",
    "config",
    "container",
    "daemon",
    "image",
    "network",
    "node",
    "plugin",
    "pod",
    "secret",
    "service",
    "system",
    "volume",
];

/// A zoned stamp with its digits, and the blank behind it. Several blanks may follow; all but one are the text's.
fn zoned(input: &str) -> IResult<&str, (Stamp, usize)> {
    let (rest, found) =
        verify(prim::iso_digits, |(stamp, _)| stamp.clock == ClockKind::Zoned).parse(input)?;
    let (rest, _) = prim::blank_or_end(rest)?;
    Ok((rest, found))
}

/// A layer that has only a stamp.
fn layer(rest: &str, stamp: Stamp) -> Layer<'_> {
    Layer { rest: Cow::Borrowed(rest), stamps: smallvec![stamp], ..Layer::default() }
}

/// `2026-11-30T15:22:30.1234567Z text`, after `job⇥step⇥` and a byte order mark or not.
fn github(text: &str) -> Option<Layer<'_>> {
    let stamped = text.starts_with(|c: char| c.is_ascii_digit() || c == '\u{feff}');
    if !stamped && memchr::memchr(b'\t', text.as_bytes()).is_none() {
        return None;
    }
    let mut columns = text.splitn(3, '\t');
    let last = match (columns.next(), columns.next(), columns.next()) {
        (Some(_), Some(_), Some(third)) if !third.is_empty() => third,
        _ => text,
    };
    [text, last].into_iter().find_map(|text| {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (rest, (stamp, _)) = verify(zoned, |(_, digits)| *digits == 7).parse(text).ok()?;
        Some(layer(rest, stamp))
    })
}

/// `2026-11-30T15:22:30.123456Z 00O text`: the step's number in hexadecimal, the stream, `+` if the line goes on.
fn gitlab(text: &str) -> Option<Layer<'_>> {
    let (rest, (stamp, _)) = zoned(text).ok()?;
    let hex = take_while_m_n(2, 2, |c: char| c.is_ascii_hexdigit());
    // The runner marks the continuation, not the piece that is continued; the pieces are left apart.
    let joint = alt((tag("+"), prim::blank_or_end));
    let (rest, (_, stream, _)) = (hex, one_of("OE"), joint).parse(rest).ok()?;
    let stream = if stream == 'O' { "stdout" } else { "stderr" };
    let origin = Origin { stream: Some(stream.to_owned()), ..Origin::default() };
    Some(Layer { origin, ..layer(rest, stamp) })
}

/// `2026-11-30T15:38:44.725771595Z text`, but no event.
fn docker(text: &str) -> Option<Layer<'_>> {
    let (rest, (stamp, _)) = verify(zoned, |(_, digits)| *digits == 9).parse(text).ok()?;
    if is_event(rest) || text.get(10..11) != Some("T") {
        return None;
    }
    Some(Layer { origin: Origin { channel: Channel::Process, ..Origin::default() }, ..layer(rest, stamp) })
}

/// Whether a text begins as an event does: `container oom 4f…`.
fn is_event(text: &str) -> bool {
    let mut words = text.split(' ');
    words.next().is_some_and(|first| OBJECTS.contains(&first))
        && words.next().is_some()
        && words.next().is_some()
}

/// Any zoned stamp and a blank; Go's `m=+8.762710278 ` behind podman's goes too.
fn stamped(text: &str) -> Option<Layer<'_>> {
    let (rest, (stamp, _)) = zoned(text).ok()?;
    let (rest, _) = opt(monotonic).parse(rest).ok()?;
    Some(layer(rest, stamp))
}

/// `m=+8.762710278 `, the second clock of a Go time.
fn monotonic(input: &str) -> IResult<&str, ()> {
    value((), (tag("m=+"), take_while_m_n(1, 24, |c: char| c.is_ascii_digit() || c == '.'), char(' ')))
        .parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, name: &str, rest: &str) {
        let found =
            [GITHUB, GITLAB, DOCKER, STAMPED].into_iter().find_map(|e| Some((e.name, (e.peel)(text)?)));
        let (found, layer) = found.unwrap();
        assert_eq!((found, layer.rest.as_ref()), (name, rest), "{text}");
        assert_eq!(layer.stamps[0].clock, ClockKind::Zoned);
    }

    #[test]
    fn who_stamped_it() {
        check("2026-11-30T15:22:30.1234567Z text", "github actions", "text");
        check(
            "build\tRun tests\t\u{feff}2026-11-30T15:22:30.1234567Z text\ttab",
            "github actions",
            "text\ttab",
        );
        check("2026-11-30T15:22:30.123456Z 00O text", "gitlab", "text");
        check("2026-11-30T15:22:30.123456Z 01E+text", "gitlab", "text");
        check("2026-11-30T15:38:44.725771595Z   indented", "docker logs", "  indented");
        check("2026-11-30T15:38:44.725771595Z", "docker logs", "");
        check(
            "2026-11-30T15:38:44.725771595Z container oom 4f (image=a)",
            "stamped",
            "container oom 4f (image=a)",
        );
        check(
            "2026-11-30 23:57:44.176642083 +0800 CST container died 0e (a=b)",
            "stamped",
            "container died 0e (a=b)",
        );
        check("2026-11-30 23:57:44.17 +0800 CST m=+8.76 container died 0e", "stamped", "container died 0e");
        check("2026-11-30T15:40:49.079Z [ConfigProxy] info: x", "stamped", "[ConfigProxy] info: x");
    }

    #[test]
    fn a_stamp_without_a_zone_or_a_blank_stays() {
        for text in [
            "2026-11-30 15:22:30.5 - Step 12: 80 MB",
            "2026-11-30T15:22:30Z,12,80",
            "2026-11-30T15:22:30 rss=7",
        ] {
            assert!(stamped(text).is_none(), "{text}");
        }
    }
}
