//! tornado's `LogFormatter`, which Jupyter and `JupyterHub` use.
//!
//! It does not search: a head in the middle of a line is the feed's business.

use super::{Head, prim};
use crate::{
    line::Logger,
    stamp::{ClockKind, Stamp},
};
use nom::{
    IResult, Parser,
    bytes::complete::{tag, take_while1},
    character::complete::{char, digit1},
    combinator::{fail, map, map_opt, opt, recognize},
};
use std::borrow::Cow;

/// `[W 2026-11-30 15:22:30.902 ServerApp] `, date-less `[I 15:35:59.323 NotebookApp] `, with `module:line`, and
/// tornado's own `[I 261130 16:11:30 __init__:253] `.
///
/// What nearly all lines of a server have is read byte by byte and not by nom's pieces.
pub(super) fn head(input: &str) -> IResult<&str, Head<'_>> {
    let level = match input.as_bytes() {
        [b'[', level @ (b'D' | b'I' | b'W' | b'E' | b'C'), b' ', ..] => char::from(*level),
        _ => return fail().parse(input),
    };
    let (rest, stamp) = stamp(input.get(3..).unwrap_or_default())?;
    let (rest, name) = logger_name(rest).map_or((rest, ""), |(name, rest)| (rest, name));
    let (rest, module) = match rest.as_bytes() {
        [b']', ..] => (rest, None),
        _ => opt(module_line).parse(rest)?,
    };
    let Some(rest) = rest.strip_prefix(']') else { return fail().parse(input) };
    let logger = Logger { level: Some(level), name: Cow::Borrowed(name), module: module.map(Cow::Borrowed) };
    let head = Head { stamp: Some(stamp), length: 0, logger: Some(logger) };
    Ok((rest.strip_prefix(' ').unwrap_or(rest), head))
}

/// The date and time inside the brackets.
fn stamp(input: &str) -> IResult<&str, Stamp> {
    let dated = prim::date(input).or_else(|_| short_date(input)).and_then(|(rest, date)| {
        let Some(rest) = rest.strip_prefix(' ') else { return fail().parse(rest) };
        let (rest, time) = prim::time(rest)?;
        match prim::local_micros(date, time) {
            Some(micros) => Ok((rest, Stamp::new(ClockKind::Local, micros))),
            None => fail().parse(rest),
        }
    });
    dated.or_else(|_| super::time_of_day(input))
}

/// tornado's `261130`.
fn short_date(input: &str) -> IResult<&str, chrono::NaiveDate> {
    map_opt((prim::digits(2), prim::digits(2), prim::digits(2)), |(year, month, day)| {
        chrono::NaiveDate::from_ymd_opt(2000 + i32::try_from(year).ok()?, month, day)
    })
    .parse(input)
}

/// ` ServerApp`, which is no `module:line`, and what stands behind it.
fn logger_name(input: &str) -> Option<(&str, &str)> {
    let text = input.strip_prefix(' ')?;
    let ends = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b']' | b':' | b'\x0b');
    let plain = text.bytes().take_while(|byte| byte.is_ascii() && !ends(*byte)).count();
    let end = match text.as_bytes().get(plain) {
        // Beyond ASCII there are other blanks.
        Some(128..) => text.find(|c: char| c.is_whitespace() || c == ']' || c == ':')?,
        _ => plain,
    };
    text.split_at_checked(end).filter(|(name, rest)| !name.is_empty() && rest.starts_with([' ', ']']))
}

/// ` notebookapp:1960`.
fn module_line(input: &str) -> IResult<&str, &str> {
    let module =
        recognize((take_while1(|c: char| c.is_alphanumeric() || "_.<>-".contains(c)), tag(":"), digit1));
    map((char(' '), module), |(_, module)| module).parse(input)
}
