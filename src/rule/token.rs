//! The words that clauses and expressions are made of: names, numbers, quoted text and signs, each with its place.
//!
//! It knows no event and no grammar.

use super::fault::Problem;
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{is_not, tag, take_while, take_while1},
    character::complete::char,
    combinator::{opt, recognize, value},
    multi::fold_many0,
    sequence::{delimited, preceded},
};
use std::ops::Range;

/// Signs, longest first, so that `>=` is not read as `>`.
const SIGNS: &[&str] = &[
    "==", "!=", ">=", "<=", "??", ">", "<", "~", "[", "]", ",", "*", "/", "+", "-", "(", ")", "=", "&&", "||",
];

/// Units that may follow a number: binary ones only, because limits and logs count in them.
const UNITS: &[(&str, f64)] = &[
    ("", 1.0),
    ("KiB", 1024.0),
    ("MiB", 1024.0 * 1024.0),
    ("GiB", 1024.0 * 1024.0 * 1024.0),
    ("TiB", 1024.0 * 1024.0 * 1024.0 * 1024.0),
];

/// The words that one clause or expression may have: far more than any needs, few enough to recurse over.
const MOST_WORDS: usize = 500;

/// One word.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A name, with dots in it for `kind.field`.
    Name(String),
    /// A number, its unit multiplied in.
    Number(f64),
    /// Text from between single quotes; `''` stands for one quote.
    Text(String),
    /// One of [`SIGNS`].
    Sign(&'static str),
}

/// A word and the bytes it stands on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    /// The word.
    pub(super) token: Token,
    /// Its bytes.
    pub(super) at: Range<usize>,
}

/// A row of words, read from left to right.
#[derive(Debug, Clone)]
pub(super) struct Tokens {
    words: std::iter::Peekable<std::vec::IntoIter<Placed>>,
    end: usize,
}

impl Tokens {
    /// Divides a text into words.
    pub(super) fn new(text: &str) -> Result<Self, Problem> {
        let mut words = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let start = text.len() - rest.len();
            let (after, token) = token(rest, start)?;
            words.push(Placed { token, at: start..text.len() - after.len() });
            if words.len() > MOST_WORDS {
                return Err(Problem::new(start..text.len(), "this is too long"));
            }
            rest = after.trim_start();
        }
        Ok(Self { words: words.into_iter().peekable(), end: text.trim_end().len() })
    }

    /// The next word, which stays.
    pub(super) fn peek(&mut self) -> Option<&Token> {
        self.words.peek().map(|word| &word.token)
    }

    /// The next word, which is taken.
    pub(super) fn take(&mut self) -> Option<Placed> {
        self.words.next()
    }

    /// Takes the next word if it is this sign.
    pub(super) fn take_sign(&mut self, sign: &str) -> bool {
        self.words
            .next_if(|word| word.token == Token::Sign(SIGNS.iter().find(|s| **s == sign).unwrap_or(&"")))
            .is_some()
    }

    /// The place of the next word, or the end.
    pub(super) fn place(&mut self) -> Range<usize> {
        self.words.peek().map_or(self.end..self.end, |word| word.at.clone())
    }

    /// A mistake at the next word.
    pub(super) fn problem(&mut self, message: impl Into<String>) -> Problem {
        Problem::new(self.place(), message)
    }
}

/// The first word of a text that starts at byte `start` of the whole.
fn token(input: &str, start: usize) -> Result<(&str, Token), Problem> {
    if let Ok((rest, name)) = name(input) {
        return Ok((rest, Token::Name(name.to_owned())));
    }
    if let Ok((rest, (digits, unit))) = number(input) {
        let at = start + digits.len()..start + input.len() - rest.len();
        let factor = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor);
        let factor = factor.ok_or_else(|| {
            Problem::new(at, format!("unknown unit `{unit}`")).help("sizes are in KiB, MiB, GiB or TiB")
        })?;
        // Digits, at most one point and underscores: what `f64` reads once the underscores are gone.
        let value = digits.replace('_', "").parse::<f64>().unwrap_or(f64::MAX);
        return Ok((rest, Token::Number(value * factor)));
    }
    if let Ok((rest, text)) = text(input) {
        return Ok((rest, Token::Text(text)));
    }
    if let Some((sign, rest)) =
        SIGNS.iter().find_map(|sign| input.strip_prefix(sign).map(|rest| (*sign, rest)))
    {
        return Ok((rest, Token::Sign(sign)));
    }
    Err(stray(input, start))
}

/// What to say of something that is no word.
fn stray(input: &str, start: usize) -> Problem {
    match input.chars().next() {
        Some('\'') => Problem::new(start..start + input.len(), "this text is not closed")
            .help("text stands between single quotes; two in a row stand for one"),
        Some('"') => Problem::new(start..start + 1, "a double quote")
            .help("text stands between single quotes: 'memcg'"),
        Some(other) => Problem::new(start..start + other.len_utf8(), format!("unexpected `{other}`")),
        None => Problem::new(start..start, "something is missing here"),
    }
}

fn name(input: &str) -> IResult<&str, &str> {
    recognize((
        take_while1(|c: char| c.is_ascii_alphabetic() || c == '_'),
        take_while(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.'),
    ))
    .parse(input)
}

/// Digits and, directly or after a blank, letters that ought to be a unit.
fn number(input: &str) -> IResult<&str, (&str, &str)> {
    let digits = |input| {
        recognize((nom::character::complete::digit1, take_while(|c: char| c.is_ascii_digit() || c == '_')))
            .parse(input)
    };
    let (rest, number) = recognize((digits, opt((char('.'), digits)))).parse(input)?;
    let (rest, unit) = take_while(|c: char| c.is_alphabetic()).parse(rest)?;
    if !unit.is_empty() {
        return Ok((rest, (number, unit)));
    }
    let spaced = preceded(char(' '), alt((tag("KiB"), tag("MiB"), tag("GiB"), tag("TiB")))).parse(rest);
    let spaced: IResult<&str, &str> = spaced;
    spaced.map(|(rest, unit)| (rest, (number, unit))).or(Ok((rest, (number, ""))))
}

fn text(input: &str) -> IResult<&str, String> {
    let piece = alt((is_not("'"), value("'", tag("''"))));
    let content = fold_many0(piece, String::new, |mut text, piece| {
        text.push_str(piece);
        text
    });
    delimited(char('\''), content, char('\'')).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Result<Vec<Token>, Problem> {
        Tokens::new(text).map(|tokens| tokens.words.map(|word| word.token).collect())
    }

    #[test]
    fn words_of_each_kind() {
        let found = words("oom.kill.pid >= 1_000 ?? 1.5GiB 2 MiB 'it''s' '' [a]").unwrap();
        let name = |name: &str| Token::Name(name.to_owned());
        let text = |text: &str| Token::Text(text.to_owned());
        let expected = [
            name("oom.kill.pid"),
            Token::Sign(">="),
            Token::Number(1000.0),
            Token::Sign("??"),
            Token::Number(1_610_612_736.0),
            Token::Number(2_097_152.0),
            text("it's"),
            text(""),
            Token::Sign("["),
            name("a"),
            Token::Sign("]"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn mistakes_have_their_place() {
        for (text, at, message) in [
            ("pid == 'abc", 7..11, "this text is not closed"),
            ("pid == \"abc\"", 7..8, "a double quote"),
            ("a > 12MB", 6..8, "unknown unit `MB`"),
            ("a § b", 2..4, "unexpected `§`"),
        ] {
            let problem = words(text).unwrap_err();
            assert_eq!((problem.at, problem.message.as_str()), (at, message), "{text}");
        }
    }
}
