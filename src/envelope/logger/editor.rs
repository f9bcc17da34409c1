//! The four heads that the Jupyter extension of VS Code has had since 2020. None names a logger.
//!
//! `16:52:04.631 [error] ` since 2023-03, `error 17:50:16.115: ` before, `[INFO 2022-5-29 15:9:1.399]: ` in
//! 2021–22, `Info 2021-05-12 18:58:29: ` in 2020–21.

use super::{Head, level_letter, named, prim};
use crate::stamp::{ClockKind, SECOND, Stamp};
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::tag,
    character::complete::{alpha1, char, one_of},
    combinator::{map_opt, opt},
    sequence::{delimited, terminated},
};

/// Any of the four.
pub(super) fn head(input: &str) -> IResult<&str, Head<'_>> {
    alt((bracketed_level, leading_level, unpadded)).parse(input)
}

/// A level's letter.
fn level(input: &str) -> IResult<&str, char> {
    map_opt(alpha1, level_letter).parse(input)
}

/// `16:52:04.631 [error] `, in other output channels with a date before it.
fn bracketed_level(input: &str) -> IResult<&str, Head<'_>> {
    let stamp = alt((prim::iso, super::time_of_day));
    let (rest, (stamp, _, level, _)) =
        (stamp, char(' '), delimited(char('['), level, char(']')), prim::blank_or_end).parse(input)?;
    Ok((rest, named(Some(stamp), Some(level), "")))
}

/// `error 17:50:16.115: `, `Info 2021-05-12 18:58:29: `.
fn leading_level(input: &str) -> IResult<&str, Head<'_>> {
    let stamp = alt((prim::iso, super::time_of_day));
    let (rest, (level, _, stamp, _)) =
        (level, char(' '), stamp, (char(':'), prim::blank_or_end)).parse(input)?;
    Ok((rest, named(Some(stamp), Some(level), "")))
}

/// `[INFO 2022-5-29 15:9:1.399]: `, where nothing is padded to two digits.
fn unpadded(input: &str) -> IResult<&str, Head<'_>> {
    let short = prim::digits_between(1, 2);
    let date = (prim::digits(4), char('-'), &short, char('-'), &short);
    let time = (&short, char(':'), &short, char(':'), &short, opt(prim::fraction));
    let stamp = map_opt(
        (date, char(' '), time),
        |((year, _, month, _, day), _, (hour, _, minute, _, second, micros))| {
            let date = chrono::NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
            chrono::NaiveTime::from_hms_opt(hour, minute, second)?;
            let seconds = i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second);
            Some(Stamp::new(
                ClockKind::Local,
                prim::local_micros(date, seconds * SECOND + micros.unwrap_or(0))?,
            ))
        },
    );
    let (rest, (_, level, _, stamp, _)) =
        (char('['), level, one_of(" "), stamp, terminated(tag("]:"), prim::blank_or_end)).parse(input)?;
    Ok((rest, named(Some(stamp), Some(level), "")))
}
