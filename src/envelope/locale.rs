//! Months and days of the week in the languages of `LC_TIME`, as `dmesg -T` and `journalctl` print them for their
//! reader (glibc 2.36's `%b` and `%a`; what is printed by Linux itself is never translated).

use super::prim;
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{take_while_m_n, take_while1},
    character::complete::{char, satisfy, space0},
    combinator::{map_opt, not, opt, recognize, verify},
    sequence::terminated,
};
use std::borrow::Cow;

/// The months behind the English ones: German, French, Spanish, Italian, Portuguese, Dutch, Polish.
const MONTHS: [&[&str]; 12] = [
    &["jan", "janv", "ene", "gen", "sty"],
    &["feb", "févr", "fév", "fev", "lut"],
    &["mar", "mär", "mars", "märz", "mrt"],
    &["apr", "avr", "avril", "abr", "kwi"],
    &["mai", "mag", "may", "mei", "maj"],
    &["jun", "juin", "juni", "giu", "cze"],
    &["jul", "juil", "juli", "lug", "lip"],
    &["aug", "août", "ago", "sie"],
    &["sep", "sept", "set", "wrz"],
    &["oct", "okt", "ott", "out", "paź"],
    &["nov", "lis"],
    &["dec", "dez", "déc", "dic", "gru"],
];

/// A month by its short name in any of these languages: `Dez`, `févr.`, `11月`.
pub(super) fn month(input: &str) -> IResult<&str, u32> {
    // Most words are longer than any of them.
    let end = not(satisfy(char::is_alphabetic));
    let word = terminated(take_while_m_n(3, 5, char::is_alphabetic), (end, opt(char('.'))));
    let named = map_opt(word, |name: &str| {
        let name = if name.is_ascii() { Cow::Borrowed(name) } else { Cow::Owned(name.to_lowercase()) };
        let is_name = |known: &&str| known.eq_ignore_ascii_case(&name);
        MONTHS.iter().zip(1..).find(|(names, _)| names.iter().any(is_name)).map(|(_, number)| number)
    });
    let numbered = map_opt((space0, prim::digits_between(1, 2), char('月')), |(_, number, _)| {
        (1..=12).contains(&number).then_some(number)
    });
    alt((prim::month, named, numbered)).parse(input)
}

/// A day of the week: `Mon`, `Di`, `mié`, `lun.`, `月`. Which one it is the date says.
pub(super) fn weekday(input: &str) -> IResult<&str, &str> {
    let letters = verify(take_while1(char::is_alphabetic), |name: &str| name.chars().count() <= 4);
    recognize((letters, opt(char('.')))).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_in_many_languages() {
        for (text, number) in [
            ("Dec ", 12),
            ("Dez ", 12),
            ("févr. ", 2),
            ("avril ", 4),
            ("9月 ", 9),
            (" 1月 ", 1),
            ("août ", 8),
        ] {
            assert_eq!(month(text), Ok((" ", number)), "{text}");
        }
        for text in ["Foo ", "13月 ", "ma ", "decimal "] {
            assert!(month(text).is_err() || !month(text).is_ok_and(|(rest, _)| rest == " "), "{text}");
        }
    }
}
