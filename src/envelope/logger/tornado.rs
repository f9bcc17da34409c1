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
    branch::alt,
    bytes::complete::{tag, take_while1},
    character::complete::{char, digit1, one_of},
    combinator::{map, map_opt, opt, recognize},
};

/// `[W 2026-11-30 15:22:30.902 ServerApp] `, date-less `[I 15:35:59.323 NotebookApp] `, with `module:line`, and
/// tornado's own `[I 261130 16:11:30 __init__:253] `.
pub(super) fn head(input: &str) -> IResult<&str, Head> {
    let (rest, (_, level, _, stamp)) = (char('['), one_of("DIWEC"), char(' '), stamp).parse(input)?;
    let (rest, (name, module, _, _)) =
        (opt(logger_name), opt(module_line), char(']'), opt(char(' '))).parse(rest)?;
    let logger = Logger {
        level: Some(level),
        name: name.unwrap_or_default().to_owned(),
        module: module.map(str::to_owned),
    };
    Ok((rest, Head { stamp: Some(stamp), length: 0, logger: Some(logger) }))
}

/// The date and time inside the brackets.
fn stamp(input: &str) -> IResult<&str, Stamp> {
    alt((
        map_opt((alt((prim::date, short_date)), char(' '), prim::time), |(date, _, time)| {
            Some(Stamp::new(ClockKind::Local, prim::local_micros(date, time)?))
        }),
        super::time_of_day,
    ))
    .parse(input)
}

/// tornado's `261130`.
fn short_date(input: &str) -> IResult<&str, chrono::NaiveDate> {
    map_opt((prim::digits(2), prim::digits(2), prim::digits(2)), |(year, month, day)| {
        chrono::NaiveDate::from_ymd_opt(2000 + i32::try_from(year).ok()?, month, day)
    })
    .parse(input)
}

/// ` ServerApp`, which is no `module:line`.
fn logger_name(input: &str) -> IResult<&str, &str> {
    let (rest, (_, name)) =
        (char(' '), take_while1(|c: char| !c.is_whitespace() && c != ']' && c != ':')).parse(input)?;
    match rest.chars().next() {
        Some(' ' | ']') => Ok((rest, name)),
        _ => Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Char))),
    }
}

/// ` notebookapp:1960`.
fn module_line(input: &str) -> IResult<&str, &str> {
    let module =
        recognize((take_while1(|c: char| c.is_alphanumeric() || "_.<>-".contains(c)), tag(":"), digit1));
    map((char(' '), module), |(_, module)| module).parse(input)
}
