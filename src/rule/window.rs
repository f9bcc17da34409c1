//! `Window`: the time around a death in which a record must lie, `-15s..2s`.
//!
//! It counts from a death that it does not know.

use super::fault::Problem;
use crate::stamp::{DAY, SECOND};
use nom::{
    IResult, Parser,
    bytes::complete::{take_until, take_while},
    character::complete::{char, digit1},
    combinator::{opt, recognize},
};

/// What a window may be, for messages.
const SHAPE: &str = "a window is written -15s..2s or start..5s, with the units ms, s, min or m, h and d";
/// The farthest a window may reach: a year.
const FARTHEST: i64 = 366 * DAY;

/// A span of time, counted in microseconds from a death. Both ends belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Where it begins; `i64::MIN` for the kernel's start.
    pub from: i64,
    /// Where it ends.
    pub to: i64,
}

impl Default for Window {
    /// Two minutes before to five seconds after: slow machines log late, and a server looks every three seconds.
    fn default() -> Self {
        Self { from: -120 * SECOND, to: 5 * SECOND }
    }
}

impl Window {
    /// Reads a window.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let whole = 0..text.len();
        let split: IResult<&str, &str> = take_until("..").parse(text);
        let Ok((rest, from)) = split else {
            return Err(Problem::new(whole, "a window has two ends").help(SHAPE));
        };
        let to = rest.get(2..).unwrap_or_default();
        let start = if from.trim() == "start" { i64::MIN } else { end(from, 0)? };
        let window = Self { from: start, to: end(to, from.len() + 2)? };
        if window.from > window.to {
            return Err(
                Problem::new(whole, "this window ends before it begins").help("the earlier end comes first")
            );
        }
        Ok(window)
    }

    /// Whether a moment, in microseconds from the death, lies in it. `start` is for the caller to cut off.
    pub fn contains(&self, micros: i64) -> bool {
        (self.from..=self.to).contains(&micros)
    }

    /// The window in words: `from 15 s before the death to 2 s after it`.
    pub fn words(&self) -> String {
        let from = if self.from == i64::MIN {
            "the kernel's start".to_owned()
        } else {
            moment(self.from, "the death")
        };
        format!(
            "from {from} to {}",
            moment(self.to, if self.from == 0 || self.from == i64::MIN { "the death" } else { "it" })
        )
    }
}

/// One end, written at byte `start` of the whole.
fn end(text: &str, start: usize) -> Result<i64, Problem> {
    let at = start..start + text.len();
    let (_, (sign, number, unit)) =
        span(text.trim()).map_err(|_| Problem::new(at.clone(), "not a span of time").help(SHAPE))?;
    let micros = match unit {
        "ms" => SECOND / 1000,
        "s" => SECOND,
        "m" | "min" => 60 * SECOND,
        "h" => 3600 * SECOND,
        "d" => DAY,
        "" if number == "0" => SECOND,
        "" => return Err(Problem::new(at, "a unit is missing").help(SHAPE)),
        _ => return Err(Problem::new(at, format!("unknown unit `{unit}`")).help(SHAPE)),
    };
    let micros = number.parse::<i64>().ok().and_then(|number| number.checked_mul(micros));
    match micros.filter(|micros| *micros <= FARTHEST) {
        Some(micros) => Ok(if sign { -micros } else { micros }),
        None => Err(Problem::new(at, "farther away than a year")),
    }
}

/// A sign, digits and letters, and nothing after them.
fn span(text: &str) -> IResult<&str, (bool, &str, &str)> {
    let unit = take_while(|c: char| c.is_alphabetic());
    let (rest, (sign, number, unit)) = (opt(char('-')), recognize(digit1), unit).parse(text)?;
    nom::combinator::eof(rest)?;
    Ok((rest, (sign.is_some(), number, unit)))
}

/// A moment in words.
fn moment(micros: i64, of: &str) -> String {
    let side = if micros < 0 { "before" } else { "after" };
    if micros == 0 { of.to_owned() } else { format!("{} {side} {of}", length(micros.unsigned_abs())) }
}

/// A length in the largest unit that fits it exactly.
fn length(micros: u64) -> String {
    let units =
        [(DAY, "d"), (3600 * SECOND, "h"), (60 * SECOND, "min"), (SECOND, "s"), (SECOND / 1000, "ms")];
    let fits = units.into_iter().find(|(unit, _)| micros.is_multiple_of(unit.unsigned_abs()));
    fits.map_or_else(
        || format!("{micros} µs"),
        |(unit, name)| format!("{} {name}", micros / unit.unsigned_abs()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows() {
        for (text, from, to, words) in [
            ("-15s..2s", -15 * SECOND, 2 * SECOND, "from 15 s before the death to 2 s after it"),
            ("-500ms..0", -SECOND / 2, 0, "from 500 ms before the death to it"),
            ("start..5s", i64::MIN, 5 * SECOND, "from the kernel's start to 5 s after the death"),
            ("-1d..-2h", -DAY, -7200 * SECOND, "from 1 d before the death to 2 h before it"),
            ("-2m..2min", -120 * SECOND, 120 * SECOND, "from 2 min before the death to 2 min after it"),
        ] {
            let window = Window::parse(text).unwrap();
            assert_eq!((window.from, window.to), (from, to), "{text}");
            assert_eq!(window.words(), words);
        }
        assert!(Window::default().contains(-120 * SECOND) && !Window::default().contains(6 * SECOND));
    }

    #[test]
    fn mistakes() {
        for (text, at, message) in [
            ("15s", 0..3, "a window has two ends"),
            ("5s..-5s", 0..7, "this window ends before it begins"),
            ("-5..5s", 0..2, "a unit is missing"),
            ("-5s..5weeks", 5..11, "unknown unit `weeks`"),
            ("-99999999999999999999s..0", 0..22, "farther away than a year"),
            ("-5s..", 5..5, "not a span of time"),
            ("-5s..5s..6s", 5..11, "not a span of time"),
        ] {
            let problem = Window::parse(text).unwrap_err();
            assert_eq!((problem.at, problem.message.as_str()), (at, message), "{text}");
        }
    }
}
