//! `Clause`: one short sentence that must hold of an event's fields, `anon_rss_bytes < limit_bytes * 0.5`.
//!
//! There is no *or*, no bracket and no precedence: *or* is `in`, `[[any]]`, or a second rule. It sees one event at a
//! time and knows neither the death nor the other conditions.

mod grammar;
mod pattern;

pub(super) use grammar::known_field;

use super::fault::Problem;
use crate::event::{Event, Kind, Value};
use pattern::Pattern;
use std::{cmp::Ordering, fmt};

/// How a field is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `==`
    Equal,
    /// `!=`; also holds when the field is missing.
    NotEqual,
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `<`
    Below,
    /// `in ['a', 'b']`
    In,
    /// `starts 'a'`
    Starts,
    /// `contains 'a'`
    Contains,
    /// `~ 'a+'`: a regular expression found anywhere in the text.
    Matches,
    /// `exists`
    Exists,
    /// `absent`
    Absent,
}

impl Operator {
    /// All operators, in the order in which the docs show them.
    pub const ALL: [Self; 12] = [
        Self::Equal,
        Self::NotEqual,
        Self::AtLeast,
        Self::AtMost,
        Self::Above,
        Self::Below,
        Self::In,
        Self::Starts,
        Self::Contains,
        Self::Matches,
        Self::Exists,
        Self::Absent,
    ];

    /// The operator as written.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::AtLeast => ">=",
            Self::AtMost => "<=",
            Self::Above => ">",
            Self::Below => "<",
            Self::In => "in",
            Self::Starts => "starts",
            Self::Contains => "contains",
            Self::Matches => "~",
            Self::Exists => "exists",
            Self::Absent => "absent",
        }
    }

    /// The operator in words.
    fn words(self) -> &'static str {
        match self {
            Self::Equal | Self::In => "is",
            Self::NotEqual => "is not",
            Self::AtLeast => "is at least",
            Self::AtMost => "is at most",
            Self::Above => "is above",
            Self::Below => "is below",
            Self::Starts => "starts with",
            Self::Contains => "contains",
            Self::Matches => "matches",
            Self::Exists => "is given",
            Self::Absent => "is not given",
        }
    }
}

/// What a field is compared with.
#[derive(Debug, Clone)]
pub enum Operand {
    /// Nothing: `exists` and `absent`.
    Nothing,
    /// A number.
    Number(f64),
    /// Text.
    Text(String),
    /// One of several values.
    List(Vec<Value>),
    /// A regular expression.
    Pattern(Pattern),
    /// Another field of the same event, multiplied.
    Field {
        /// The field.
        field: &'static str,
        /// What it is multiplied with; 1 if nothing was written.
        factor: f64,
    },
}

/// One comparison.
#[derive(Debug, Clone)]
pub struct Clause {
    /// The field that is looked at.
    pub field: &'static str,
    /// How.
    pub operator: Operator,
    /// What it is compared with.
    pub operand: Operand,
    /// The clause as written.
    text: String,
}

impl Clause {
    /// Reads a clause about an event of this kind and checks its fields and types.
    pub fn parse(text: &str, kind: &'static Kind) -> Result<Self, Problem> {
        grammar::clause(text, kind, Pattern::new)
    }

    /// Reads a clause of a rule that a test has checked, without compiling what nobody may need.
    pub(super) fn trusted(text: &str, kind: &'static Kind) -> Result<Self, Problem> {
        grammar::clause(text, kind, |pattern| Ok(Pattern::trusted(pattern)))
    }

    /// Whether it holds of an event. Of a field that the event does not give, only `absent` and `!=` hold: what is
    /// not known to be so is not so. A field on the right side that is not given makes all but `!=` false, too.
    pub fn holds(&self, event: &Event) -> bool {
        let Some(value) = event.get(self.field) else {
            return matches!(self.operator, Operator::Absent | Operator::NotEqual);
        };
        match &self.operand {
            Operand::Nothing => self.operator == Operator::Exists,
            Operand::Number(number) => self.orders(compare(&value, &Value::Number(*number))),
            Operand::Text(text) => self.text_holds(&value, text),
            Operand::List(values) => {
                values.iter().any(|other| compare(&value, other) == Some(Ordering::Equal))
            }
            Operand::Pattern(pattern) => value.text().is_some_and(|text| pattern.is_match(text)),
            Operand::Field { field, factor } => {
                self.orders(event.get(field).and_then(|other| compare(&value, &multiplied(other, *factor))))
            }
        }
    }

    /// Whether it holds of two texts.
    fn text_holds(&self, value: &Value, text: &str) -> bool {
        match self.operator {
            Operator::Starts => value.text().is_some_and(|value| value.starts_with(text)),
            Operator::Contains => value.text().is_some_and(|value| value.contains(text)),
            _ => self.orders(value.text().map(|value| value.cmp(text))),
        }
    }

    /// Whether the operator accepts this order of its two sides.
    fn orders(&self, order: Option<Ordering>) -> bool {
        match self.operator {
            Operator::Equal => order == Some(Ordering::Equal),
            Operator::NotEqual => order != Some(Ordering::Equal),
            Operator::AtLeast => order.is_some_and(Ordering::is_ge),
            Operator::AtMost => order.is_some_and(Ordering::is_le),
            Operator::Above => order.is_some_and(Ordering::is_gt),
            Operator::Below => order.is_some_and(Ordering::is_lt),
            _ => false,
        }
    }

    /// The clause in words, for the rule's page: ``` `limit_owner` is container or pod ```.
    pub fn words(&self) -> String {
        let (field, operator) = (self.field, self.operator.words());
        match &self.operand {
            Operand::Nothing => format!("`{field}` {operator}"),
            Operand::Number(number) => format!("`{field}` {operator} {}", number_words(field, *number)),
            Operand::Text(text) => format!("`{field}` {operator} “{text}”"),
            Operand::List(values) => {
                let values: Vec<_> = values.iter().map(|value| value_words(field, value)).collect();
                format!("`{field}` {operator} {}", values.join(" or "))
            }
            Operand::Pattern(pattern) => format!("`{field}` {operator} “{pattern}”"),
            Operand::Field { field: other, factor } if is(*factor, 1.0) => {
                format!("`{field}` {operator} `{other}`")
            }
            Operand::Field { field: other, factor } => format!("`{field}` {operator} {factor} × `{other}`"),
        }
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A value of a list in words.
fn value_words(field: &str, value: &Value) -> String {
    match value {
        Value::Text(text) => format!("“{text}”"),
        other => other.number().map_or_else(String::new, |number| number_words(field, number)),
    }
}

/// A number in words; sizes in units that people read.
fn number_words(field: &str, number: f64) -> String {
    let size = field
        .ends_with("_bytes")
        .then(|| super::filter::Filter::Size.apply(&Value::Number(number)))
        .flatten();
    size.unwrap_or_else(|| number.to_string())
}

/// The order of two values of one type; nothing for a number and a text.
fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    match (left.text(), right.text()) {
        (Some(left), Some(right)) => Some(left.cmp(right)),
        (None, None) => left.number()?.partial_cmp(&right.number()?),
        _ => None,
    }
}

/// A field's value, multiplied if it is a number.
fn multiplied(value: Value, factor: f64) -> Value {
    match value.number() {
        Some(number) => Value::Number(number * factor),
        None => value,
    }
}

/// Exact equality of numbers that were written, not computed.
fn is(left: f64, right: f64) -> bool {
    left.total_cmp(&right).is_eq()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{OomKill, kind_named};

    #[track_caller]
    fn check(text: &str, expected: bool) {
        let event = Event::from(OomKill {
            pid: Some(412),
            process: Some("python3".to_owned()),
            scope: Some("memcg".to_owned()),
            invoker: Some("it's".to_owned()),
            limit_bytes: Some(400 << 20),
            anon_rss_bytes: Some(100 << 20),
            ..OomKill::default()
        });
        let clause =
            Clause::parse(text, kind_named("oom.kill").unwrap()).unwrap_or_else(|p| panic!("{text}: {p:?}"));
        assert_eq!(clause.holds(&event), expected, "{text}");
    }

    #[test]
    fn each_operator() {
        for (text, expected) in [
            ("scope == 'memcg'", true),
            ("scope != 'memcg'", false),
            ("pid == 412", true),
            ("pid != 412", false),
            ("pid >= 412", true),
            ("pid > 412", false),
            ("pid < -1", false),
            ("limit_bytes <= 400MiB", true),
            ("limit_bytes < 400 MiB", false),
            ("scope in ['global', 'memcg']", true),
            ("pid in [1, 2]", false),
            ("process starts 'python'", true),
            ("process contains 'thon'", true),
            ("process ~ '^py.*[0-9]$'", true),
            ("process ~ '^thon'", false),
            ("invoker == 'it''s'", true),
            ("pid exists", true),
            ("pid absent", false),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn other_fields() {
        check("anon_rss_bytes < limit_bytes * 0.5", true);
        check("anon_rss_bytes < limit_bytes * 0.25", false);
        check("process == scope", false);
        check("process != scope", true);
    }

    #[test]
    fn a_missing_field_is_only_absent_or_different() {
        for (text, expected) in [
            ("cgroup absent", true),
            ("cgroup exists", false),
            ("cgroup != '/'", true),
            ("cgroup == '/'", false),
            ("usage_bytes < 5", false),
            ("pid == uid", false),
            ("pid != uid", true),
            ("pid < uid * 2", false),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn words() {
        let kind = kind_named("oom.kill").unwrap();
        for (text, words) in [
            ("scope in ['memcg', 'global']", "`scope` is “memcg” or “global”"),
            ("limit_bytes >= 2GiB", "`limit_bytes` is at least 2 GiB"),
            ("rss_bytes < limit_bytes * 0.5", "`rss_bytes` is below 0.5 × `limit_bytes`"),
            ("cgroup absent", "`cgroup` is not given"),
        ] {
            assert_eq!(Clause::parse(text, kind).unwrap().words(), words);
        }
    }
}
