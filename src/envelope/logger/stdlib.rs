//! Python's `logging` without configuration, traitlets' applications, and configurable-http-proxy.
//!
//! Ambiguity: `[Word] text` is anybody's. Without a level after it, only names that end in `App` and the few in
//! [`APPLICATIONS`] are taken for a logger.

use super::{Head, level_letter, named, prim};
use crate::stamp::Stamp;
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag, take_while1},
    character::complete::{alpha1, char},
    combinator::{map_opt, opt, verify},
    sequence::{delimited, terminated},
};

/// traitlets applications whose names do not end in `App`.
const APPLICATIONS: &[&str] =
    &["Voila", "IPController", "IPEngine", "IPCluster", "IdleCuller", "ConfigProxy"];

/// Any of them.
pub(super) fn head(input: &str) -> IResult<&str, Head<'_>> {
    alt((basic, bracketed)).parse(input)
}

/// `WARNING:root:`, the format of `logging.basicConfig()`.
fn basic(input: &str) -> IResult<&str, Head<'_>> {
    let level =
        map_opt(verify(alpha1, |word: &str| word.chars().all(|c| c.is_ascii_uppercase())), level_letter);
    let name = take_while1(|c: char| c.is_alphanumeric() || "_.-".contains(c));
    let (rest, (level, _, name, _)) = (level, char(':'), name, char(':')).parse(input)?;
    Ok((rest, named(None, Some(level), name)))
}

/// `[NbConvertApp] ERROR | `, `[IPKernelApp] `, `[ConfigProxy] info: `, with a local stamp before it or none.
fn bracketed(input: &str) -> IResult<&str, Head<'_>> {
    let (rest, stamp) = opt(terminated(leading, char(' '))).parse(input)?;
    let word = take_while1(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let name = verify(word, |name: &str| name.starts_with(|c: char| c.is_ascii_uppercase()));
    let (rest, (name, _)) = (delimited(char('['), name, char(']')), prim::blank_or_end).parse(rest)?;
    let (rest, level) = opt(alt((barred_level, proxy_level))).parse(rest)?;
    if level.is_none() && !name.ends_with("App") && !APPLICATIONS.contains(&name) {
        return Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Verify)));
    }
    // traitlets prints no label for INFO.
    Ok((rest, named(stamp, Some(level.unwrap_or('I')), name)))
}

/// A stamp before the bracket.
fn leading(input: &str) -> IResult<&str, Stamp> {
    alt((prim::iso, super::time_of_day)).parse(input)
}

/// `ERROR | `.
fn barred_level(input: &str) -> IResult<&str, char> {
    terminated(map_opt(alpha1, level_letter), tag(" | ")).parse(input)
}

/// `info: `, in lower case.
fn proxy_level(input: &str) -> IResult<&str, char> {
    let word = verify(alpha1, |word: &str| word.chars().all(|c| c.is_ascii_lowercase()));
    terminated(map_opt(word, level_letter), tag(": ")).parse(input)
}
