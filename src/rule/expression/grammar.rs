//! The grammar of expressions and the check of their names and types.
//!
//! It computes nothing.

use super::super::{
    clause::known_field,
    fault::Problem,
    nearest::did_you_mean,
    token::{Placed, Token, Tokens},
};
use super::{Arithmetic, DEATH, TIME_FIELD, Term};
use crate::event::{FieldType, kind_named, kinds};
use std::{collections::BTreeSet, ops::Range};

/// How deep brackets may be nested; a rule is not a program.
const DEEPEST: usize = 16;

/// A part read, with its type and place.
struct Typed {
    term: Term,
    kind: FieldType,
    at: Range<usize>,
}

/// What is being read, and the facts above it.
struct Reader<'a> {
    tokens: Tokens,
    earlier: &'a [(String, FieldType)],
}

/// Reads an expression.
pub(super) fn expression(text: &str, earlier: &[(String, FieldType)]) -> Result<(Term, FieldType), Problem> {
    let mut reader = Reader { tokens: Tokens::new(text)?, earlier };
    let read = reader.choice(0)?;
    if reader.tokens.peek().is_some() {
        return Err(reader.tokens.problem("an operator is expected here").help("operators: +  -  *  /  ??"));
    }
    Ok((read.term, read.kind))
}

impl Reader<'_> {
    /// `sum ?? sum ?? …`
    fn choice(&mut self, depth: usize) -> Result<Typed, Problem> {
        let mut left = self.sum(depth)?;
        while self.tokens.take_sign("??") {
            let right = self.sum(depth)?;
            if (left.kind == FieldType::Text) != (right.kind == FieldType::Text) {
                return Err(Problem::new(right.at, "text and numbers cannot stand for each other"));
            }
            let kind = if left.kind == right.kind { left.kind } else { FieldType::Number };
            let term = Term::Else(Box::new(left.term), Box::new(right.term));
            left = Typed { term, kind, at: left.at.start..right.at.end };
        }
        Ok(left)
    }

    /// `product + product - …`
    fn sum(&mut self, depth: usize) -> Result<Typed, Problem> {
        let mut left = self.product(depth)?;
        while let Some(arithmetic) = self.arithmetic(&[("+", Arithmetic::Add), ("-", Arithmetic::Subtract)]) {
            let right = self.product(depth)?;
            left = operation(left, arithmetic, right)?;
        }
        Ok(left)
    }

    /// `term * term / …`
    fn product(&mut self, depth: usize) -> Result<Typed, Problem> {
        let mut left = self.term(depth)?;
        while let Some(arithmetic) =
            self.arithmetic(&[("*", Arithmetic::Multiply), ("/", Arithmetic::Divide)])
        {
            let right = self.term(depth)?;
            left = operation(left, arithmetic, right)?;
        }
        Ok(left)
    }

    /// The next sign, if it is one of these.
    fn arithmetic(&mut self, signs: &[(&str, Arithmetic)]) -> Option<Arithmetic> {
        signs.iter().find(|(sign, _)| self.tokens.take_sign(sign)).map(|(_, arithmetic)| *arithmetic)
    }

    /// A number, a field, a fact, or brackets.
    fn term(&mut self, depth: usize) -> Result<Typed, Problem> {
        let negative = self.tokens.take_sign("-");
        let place = self.tokens.place();
        match self.tokens.take() {
            Some(Placed { token: Token::Number(number), at }) => {
                let number = if negative { -number } else { number };
                let kind = if number.fract().abs() > 0.0 { FieldType::Number } else { FieldType::Integer };
                Ok(Typed { term: Term::Number(number), kind, at })
            }
            Some(Placed { token: Token::Name(name), at }) if !negative => self.named(&name, at),
            Some(Placed { token: Token::Sign("("), at }) if !negative => self.brackets(depth, at),
            _ => Err(Problem::new(place, "a number, a field or a fact is expected here")
                .help("a field is written with its event: oom.kill.limit_bytes")),
        }
    }

    /// What follows an opening bracket at `open`.
    fn brackets(&mut self, depth: usize, open: Range<usize>) -> Result<Typed, Problem> {
        if depth >= DEEPEST {
            return Err(Problem::new(open, "brackets nested too deep"));
        }
        let inside = self.choice(depth + 1)?;
        let at = open.start..self.tokens.place().end;
        if self.tokens.take_sign(")") {
            Ok(Typed { at, ..inside })
        } else {
            Err(self.tokens.problem("`)` is missing here"))
        }
    }

    /// A fact further up, or a field of an event.
    fn named(&self, name: &str, at: Range<usize>) -> Result<Typed, Problem> {
        let Some((kind, field)) = name.rsplit_once('.') else {
            let earlier = self.earlier.iter().find(|(fact, _)| fact == name).map(|(_, kind)| *kind);
            let known = earlier.or_else(|| (name == DEATH.0).then_some(DEATH.1));
            let kind = known.ok_or_else(|| self.no_fact(name, at.clone()))?;
            return Ok(Typed { term: Term::Fact(name.to_owned()), kind, at });
        };
        let dot = at.start + kind.len();
        let event = kind_named(kind).ok_or_else(|| unknown_event(kind, at.start..dot))?;
        if field == TIME_FIELD {
            let term = Term::Field { kind: event.name, field: TIME_FIELD };
            return Ok(Typed { term, kind: FieldType::Integer, at });
        }
        let spec = known_field(field, dot + 1..at.end, event)?;
        Ok(Typed { term: Term::Field { kind: event.name, field: spec.name }, kind: spec.kind, at })
    }

    fn no_fact(&self, name: &str, at: Range<usize>) -> Problem {
        let near = did_you_mean(name, self.earlier.iter().map(|(fact, _)| fact.as_str()));
        let help = "a field is written with its event: oom.kill.limit_bytes";
        Problem::new(at, format!("no fact above is called `{name}`"))
            .help(near.unwrap_or_else(|| help.to_owned()))
    }
}

/// An operation, if both sides are numbers.
fn operation(left: Typed, arithmetic: Arithmetic, right: Typed) -> Result<Typed, Problem> {
    for side in [&left, &right] {
        if side.kind == FieldType::Text {
            return Err(Problem::new(side.at.clone(), "text cannot be reckoned with"));
        }
    }
    let whole = [left.kind, right.kind] == [FieldType::Integer; 2] && arithmetic != Arithmetic::Divide;
    let kind = if whole { FieldType::Integer } else { FieldType::Number };
    let term = Term::Operation(Box::new(left.term), arithmetic, Box::new(right.term));
    Ok(Typed { term, kind, at: left.at.start..right.at.end })
}

/// An event that the catalogue does not have, and what was perhaps meant.
pub(in crate::rule) fn unknown_event(name: &str, at: Range<usize>) -> Problem {
    let kinds = kinds();
    let names = || kinds.iter().map(|kind| kind.name);
    let subject = name.split('.').next().unwrap_or_default();
    let siblings: Vec<_> = names().filter(|known| known.split('.').next() == Some(subject)).collect();
    let subjects: BTreeSet<_> = names().filter_map(|known| known.split('.').next()).collect();
    let rest = if siblings.is_empty() {
        format!("known events begin with: {}", Vec::from_iter(subjects).join(", "))
    } else {
        format!("known events: {}", siblings.join(", "))
    };
    let help = did_you_mean(name, names()).map_or_else(|| rest.clone(), |near| format!("{near}\n{rest}"));
    Problem::new(at, format!("unknown event `{name}`")).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, at: &str, message: &str) {
        let problem = expression(text, &[("limit".to_owned(), FieldType::Integer)]).unwrap_err();
        assert_eq!((text.get(problem.at).unwrap(), problem.message.as_str()), (at, message), "{text}");
    }

    #[test]
    fn mistakes_point_at_their_place() {
        check("oom.kil.pid", "oom.kil", "unknown event `oom.kil`");
        check("oom.kill.pidd", "pidd", "`oom.kill` has no field `pidd`");
        check("limitt * 2", "limitt", "no fact above is called `limitt`");
        check("2 *", "", "a number, a field or a fact is expected here");
        check("2 2", "2", "an operator is expected here");
        check("(2", "", "`)` is missing here");
        check("oom.kill.process * 2", "oom.kill.process", "text cannot be reckoned with");
        check(
            "limit ?? oom.kill.process",
            "oom.kill.process",
            "text and numbers cannot stand for each other",
        );
        check(&format!("{}1", "(".repeat(40)), "(", "brackets nested too deep");
        check("'a'", "'a'", "a number, a field or a fact is expected here");
    }
}
