//! `dmesg --json` (util-linux ≥ 2.38): a document printed over many lines, nine blanks before each member.
//!
//! A line at a time is enough: the `"time"` line has the stamp and no text, the `"msg"` line after it has the text
//! and inherits the stamp. A whole document on one line is not taken apart; a record a line (`jq -c '.dmesg[]'`)
//! is.

use super::{clock, layer};
use crate::envelope::{Layer, json};
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::tag,
    character::complete::{char, digit1, space0},
    combinator::{eof, map_opt, opt, value},
};
use std::borrow::Cow;

/// Three levels deep in util-linux's `jsonwrt`, which indents by three. Less is some other program's `"msg"`.
const INDENT: &str = "         \"";

/// Takes a record or a member of one off.
pub(super) fn peel(text: &str) -> Option<Layer<'_>> {
    if let Some(member) = text.strip_prefix(INDENT) {
        return member_line(member);
    }
    if !text.starts_with('{') || !text.contains("\"msg\"") || !text.contains("\"time\"") {
        return None;
    }
    let record = json::object(text.trim_end_matches([',', ']', ' ']))?;
    record.get("pri")?;
    let seconds = record.get("time")?.as_f64()?;
    let message = json::text(&record, "msg")?;
    Some(layer(Cow::Owned(message), clock::boot(0, micros(seconds))))
}

/// A member that stands alone on its line.
fn member_line(member: &str) -> Option<Layer<'_>> {
    if let Ok((_, stamp)) = time(member) {
        return Some(layer(Cow::Borrowed(""), Some(stamp)));
    }
    if aside(member).is_ok() {
        return Some(layer(Cow::Borrowed(""), None));
    }
    let quoted = member.strip_prefix("msg\": ")?;
    let message: String = serde_json::from_str(quoted).ok()?;
    // `dmesg -F FILE --json` of 2.38 prints all following raw lines into each message.
    let end = message.find("\n<").unwrap_or(message.len());
    Some(layer(Cow::Owned(message.get(..end)?.to_owned()), None))
}

/// `time":    499.804915,`
fn time(input: &str) -> IResult<&str, crate::stamp::Stamp> {
    map_opt(
        (tag("time\":"), space0, digit1, char('.'), digit1, opt(char(',')), eof),
        |(_, _, seconds, _, fraction, ..)| {
            let fraction: &str = fraction;
            let micros: String = fraction.chars().chain("000000".chars()).take(6).collect();
            clock::boot(str::parse(seconds).ok()?, micros.parse().ok()?)
        },
    )
    .parse(input)
}

/// `pri": 6,`: nothing that a reader needs, but no message either.
fn aside(input: &str) -> IResult<&str, ()> {
    value((), (alt((tag("pri\": "), tag("fac\": "), tag("caller\": "))), opt(tag("\"")))).parse(input)
}

/// Microseconds of seconds.
#[expect(
    clippy::cast_possible_truncation,
    reason = "an uptime is far below 2^53 microseconds, and the cast saturates"
)]
fn micros(seconds: f64) -> i64 {
    (seconds * 1e6).round() as i64
}
