//! `Value`: what a field of an event holds, an integer, a number or text.

use std::fmt;

/// The type of a field, as rules are checked against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    /// A whole number.
    Integer,
    /// A number with a fraction.
    Number,
    /// Text.
    Text,
}

impl FieldType {
    /// The word used in docs and in messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Text => "text",
        }
    }
}

/// A field's value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Number(f64),
    /// Text.
    Text(String),
}

impl Value {
    /// The value as a number, for comparisons and sums.
    #[expect(
        clippy::cast_precision_loss,
        reason = "sizes below 2^53 bytes are exact, larger ones are shown rounded"
    )]
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Number(value) => Some(*value),
            Self::Text(_) => None,
        }
    }

    /// The value as text, if it is text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// A Rust type that a field of the catalogue may have.
pub trait Field: Sized {
    /// The type as rules see it.
    const TYPE: FieldType;
    /// The value as rules see it.
    fn to_value(&self) -> Value;
    /// The field from a value, if the types fit.
    fn from_value(value: Value) -> Option<Self>;
}

impl Field for i64 {
    const TYPE: FieldType = FieldType::Integer;
    fn to_value(&self) -> Value {
        Value::Integer(*self)
    }
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Integer(value) => Some(value),
            _ => None,
        }
    }
}

impl Field for f64 {
    const TYPE: FieldType = FieldType::Number;
    fn to_value(&self) -> Value {
        Value::Number(*self)
    }
    fn from_value(value: Value) -> Option<Self> {
        value.number()
    }
}

impl Field for String {
    const TYPE: FieldType = FieldType::Text;
    fn to_value(&self) -> Value {
        Value::Text(self.clone())
    }
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}
