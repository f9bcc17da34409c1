//! `Expression`: a figure computed from the evidence, `oom.kill.limit_bytes * 1.5`.
//!
//! From loose to tight: `??` (the right side when the left is not known), `+ -`, `* /`, brackets. It does not know
//! which of several events a field is taken from; whoever looks up decides.

mod grammar;

pub(super) use grammar::unknown_event;

use super::fault::Problem;
use crate::event::{FieldType, Value};

/// Numbers beyond this are not whole for certain: 2^53.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What every event has besides the fields of its kind: when it was logged, in microseconds since the Unix epoch.
pub const TIME_FIELD: &str = "time";
/// The one name that is no fact and may be used like one: when the death was.
const DEATH: (&str, FieldType) = ("time", FieldType::Integer);

/// A figure to be computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    term: Term,
    kind: FieldType,
    whole: bool,
}

/// A part of an expression.
#[derive(Debug, Clone, PartialEq)]
enum Term {
    /// A number as written.
    Number(f64),
    /// A field of an event.
    Field { kind: &'static str, field: &'static str },
    /// A fact of this rule that stands further up.
    Fact(String),
    /// The left, or if that is not known the right.
    Else(Box<Term>, Box<Term>),
    /// Two numbers made one.
    Operation(Box<Term>, Arithmetic, Box<Term>),
}

/// What is done with two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// Where fields come from: `(kind, field)`.
type Fields<'a> = &'a dyn Fn(&str, &str) -> Option<Value>;
/// Where earlier facts come from.
type Facts<'a> = &'a dyn Fn(&str) -> Option<Value>;

impl Expression {
    /// Reads the expression of the fact `name`. `earlier` are the facts above it and their types. A fact in bytes,
    /// a count, or a time is rounded to a whole number.
    pub fn parse(text: &str, name: &str, earlier: &[(String, FieldType)]) -> Result<Self, Problem> {
        let (term, kind) = grammar::expression(text, earlier)?;
        let whole = ["_bytes", "_count", "_time"].iter().any(|end| name.ends_with(end));
        let kind = if whole && kind == FieldType::Number { FieldType::Integer } else { kind };
        Ok(Self { term, kind, whole })
    }

    /// The type of its value: an integer where that is certain.
    pub fn kind(&self) -> FieldType {
        self.kind
    }

    /// Its value; nothing if a part of it is not known, or it divides by zero.
    pub fn value(&self, lookup: Fields<'_>, facts: Facts<'_>) -> Option<Value> {
        let value = self.term.value(lookup, facts)?;
        Some(match value {
            Value::Number(number) => number_value(if self.whole { number.round() } else { number }),
            other => other,
        })
    }

    /// The events it takes fields from, in their order, repeated ones repeated.
    pub fn events(&self) -> Vec<&'static str> {
        let mut events = Vec::new();
        self.term.events(&mut events);
        events
    }
}

impl Term {
    fn value(&self, lookup: Fields<'_>, facts: Facts<'_>) -> Option<Value> {
        match self {
            Self::Number(number) => Some(number_value(*number)),
            Self::Field { kind, field } => lookup(kind, field),
            Self::Fact(name) => facts(name),
            Self::Else(first, second) => first.value(lookup, facts).or_else(|| second.value(lookup, facts)),
            Self::Operation(left, arithmetic, right) => {
                let left = left.value(lookup, facts)?.number()?;
                let right = right.value(lookup, facts)?.number()?;
                Some(arithmetic.of(left, right)).filter(|number| number.is_finite()).map(Value::Number)
            }
        }
    }

    fn events(&self, events: &mut Vec<&'static str>) {
        match self {
            Self::Number(_) | Self::Fact(_) => {}
            Self::Field { kind, .. } => events.push(kind),
            Self::Else(left, right) | Self::Operation(left, _, right) => {
                left.events(events);
                right.events(events);
            }
        }
    }
}

impl Arithmetic {
    fn of(self, left: f64, right: f64) -> f64 {
        match self {
            Self::Add => left + right,
            Self::Subtract => left - right,
            Self::Multiply => left * right,
            Self::Divide => left / right,
        }
    }
}

/// A whole number as an integer, any other as it is.
#[expect(clippy::cast_possible_truncation, reason = "only whole numbers below 2^53 are converted")]
fn number_value(number: f64) -> Value {
    if number.fract().abs() > 0.0 || number.abs() > EXACT {
        Value::Number(number)
    } else {
        Value::Integer(number as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(kind: &str, field: &str) -> Option<Value> {
        match (kind, field) {
            ("oom.kill", "limit_bytes") => Some(Value::Integer(1001)),
            ("oom.kill", "anon_rss_bytes") => Some(Value::Integer(500)),
            ("oom.kill", "process") => Some(Value::Text("python3".to_owned())),
            ("oom.kill", "pid") => Some(Value::Integer(i64::MAX)),
            _ => None,
        }
    }

    #[track_caller]
    fn check(name: &str, text: &str, expected: Option<&Value>) {
        let earlier = [("first".to_owned(), FieldType::Integer)];
        let expression = Expression::parse(text, name, &earlier).unwrap_or_else(|p| panic!("{text}: {p:?}"));
        let facts = |name: &str| (name == "first").then_some(Value::Integer(7));
        assert_eq!(expression.value(&fields, &facts).as_ref(), expected, "{text}");
    }

    #[test]
    fn values() {
        check("a", "oom.kill.process", Some(&Value::Text("python3".to_owned())));
        check("a", "oom.kill.pid", Some(&Value::Integer(i64::MAX)));
        check("a", "oom.kill.limit_bytes * 1.5", Some(&Value::Number(1501.5)));
        check("a_bytes", "oom.kill.limit_bytes * 1.5", Some(&Value::Integer(1502)));
        check("a", "oom.kill.rss_bytes ?? oom.kill.anon_rss_bytes", Some(&Value::Integer(500)));
        check("a", "oom.kill.rss_bytes", None);
        check("a", "oom.kill.rss_bytes + 1 ?? 3", Some(&Value::Integer(3)));
        check("a", "10 - 2 - 3", Some(&Value::Integer(5)));
        check("a", "2 + 3 * 4 / 6", Some(&Value::Integer(4)));
        check("a", "(2 + 3) * -4", Some(&Value::Integer(-20)));
        check("a", "first * 1KiB", Some(&Value::Integer(7168)));
        check("a", "first / 0", None);
        check("a", "oom.kill.cgroup ?? oom.kill.process", Some(&Value::Text("python3".to_owned())));
    }

    #[test]
    fn events_asked_for() {
        let expression = Expression::parse("oom.kill.pid + gpu.xid.code", "a", &[]).unwrap();
        assert_eq!(expression.events(), ["oom.kill", "gpu.xid"]);
    }
}
