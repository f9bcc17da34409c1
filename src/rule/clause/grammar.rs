//! The grammar of clauses and the check against the event catalogue.
//!
//! It evaluates nothing.

use super::super::{
    fault::Problem,
    nearest::did_you_mean,
    token::{Placed, Token, Tokens},
};
use super::{Clause, Operand, Operator, Pattern};
use crate::event::{FieldSpec, FieldType, Kind, Value};
use std::ops::Range;

/// What makes a regular expression of a text.
type ToPattern = fn(String) -> Result<Pattern, regex::Error>;

/// Reads `field operator operand`.
pub(super) fn clause(text: &str, kind: &'static Kind, pattern: ToPattern) -> Result<Clause, Problem> {
    let mut tokens = Tokens::new(text)?;
    let spec = field(&mut tokens, kind)?;
    let (operator, at) = operator(&mut tokens)?;
    fits(operator, spec, at)?;
    let operand = operand(&mut tokens, operator, (spec, kind), pattern)?;
    if tokens.peek().is_some() {
        let help = "one comparison a clause; all clauses of `where` must hold";
        return Err(tokens.problem("nothing may follow the comparison").help(help));
    }
    Ok(Clause { field: spec.name, operator, operand, text: text.trim().to_owned() })
}

/// A field of the kind.
fn field(tokens: &mut Tokens, kind: &'static Kind) -> Result<&'static FieldSpec, Problem> {
    let place = tokens.place();
    match tokens.take() {
        Some(Placed { token: Token::Name(name), at }) => known_field(&name, at, kind),
        _ => Err(Problem::new(place, "a field's name is expected here").help(its_fields(kind))),
    }
}

/// The field of this name, or what is wrong with the name.
pub(in crate::rule) fn known_field(
    name: &str,
    at: Range<usize>,
    kind: &'static Kind,
) -> Result<&'static FieldSpec, Problem> {
    let found = kind.fields.iter().find(|spec| spec.name == name);
    found.ok_or_else(|| {
        let near = did_you_mean(name, kind.fields.iter().map(|spec| spec.name));
        let help = near.map_or_else(|| its_fields(kind), |near| format!("{near}\n{}", its_fields(kind)));
        Problem::new(at, format!("`{}` has no field `{name}`", kind.name)).help(help)
    })
}

/// `its fields: …`
fn its_fields(kind: &Kind) -> String {
    match kind.fields {
        [] => "it has no fields".to_owned(),
        fields => {
            format!("its fields: {}", fields.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", "))
        }
    }
}

/// One of the operators.
fn operator(tokens: &mut Tokens) -> Result<(Operator, Range<usize>), Problem> {
    let place = tokens.place();
    let word = tokens.take();
    let written = match &word {
        Some(Placed { token: Token::Name(name), .. }) => name.as_str(),
        Some(Placed { token: Token::Sign(sign), .. }) => sign,
        _ => "",
    };
    let found = Operator::ALL.into_iter().find(|operator| operator.sign() == written);
    found.map(|operator| (operator, place.clone())).ok_or_else(|| {
        let known = Operator::ALL.map(Operator::sign).join("  ");
        let help = if written == "=" {
            "equality is written `==`".to_owned()
        } else {
            format!("operators: {known}")
        };
        let message = if written.is_empty() {
            "an operator is expected here".to_owned()
        } else {
            format!("unknown operator `{written}`")
        };
        Problem::new(place, message).help(help)
    })
}

/// Whether the operator can be used on the field at all.
fn fits(operator: Operator, spec: &FieldSpec, at: Range<usize>) -> Result<(), Problem> {
    let text = spec.kind == FieldType::Text;
    let needs_text = matches!(operator, Operator::Starts | Operator::Contains | Operator::Matches);
    let needs_number =
        matches!(operator, Operator::AtLeast | Operator::AtMost | Operator::Above | Operator::Below);
    let (sign, name) = (operator.sign(), spec.name);
    if needs_text && !text {
        let message = format!("`{sign}` needs text and `{name}` is {}", a_type(spec.kind));
        return Err(Problem::new(at, message).help("numbers are compared with ==, !=, >=, <=, >, < and in"));
    }
    if needs_number && text {
        let message = format!("`{sign}` needs a number and `{name}` is text");
        return Err(
            Problem::new(at, message).help("text is compared with ==, !=, in, starts, contains and ~")
        );
    }
    Ok(())
}

/// `an integer`, `a number`, `text`.
fn a_type(kind: FieldType) -> &'static str {
    match kind {
        FieldType::Integer => "an integer",
        FieldType::Number => "a number",
        FieldType::Text => "text",
    }
}

/// The right side.
fn operand(
    tokens: &mut Tokens,
    operator: Operator,
    (spec, kind): (&FieldSpec, &'static Kind),
    to_pattern: ToPattern,
) -> Result<Operand, Problem> {
    match operator {
        Operator::Exists | Operator::Absent => Ok(Operand::Nothing),
        Operator::In => list(tokens, spec).map(Operand::List),
        Operator::Starts | Operator::Contains => Ok(Operand::Text(text(tokens)?.0)),
        Operator::Matches => {
            let (pattern, at) = text(tokens)?;
            to_pattern(pattern).map(Operand::Pattern).map_err(|error| bad_pattern(&error, at))
        }
        _ => match tokens.peek() {
            Some(Token::Name(_)) => other_field(tokens, spec, kind),
            _ => match literal(tokens, spec)? {
                Value::Text(text) => Ok(Operand::Text(text)),
                value => Ok(Operand::Number(value.number().unwrap_or_default())),
            },
        },
    }
}

/// What regex says of a pattern, in one line.
fn bad_pattern(error: &regex::Error, at: Range<usize>) -> Problem {
    match error {
        regex::Error::CompiledTooBig(_) => Problem::new(at, "this regular expression is too large"),
        other => {
            let said = other.to_string();
            let reason = said.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            Problem::new(at, format!("not a regular expression: {reason}"))
                .help("in a TOML string between double quotes a backslash is written twice")
        }
    }
}

/// Another field of the event, and perhaps a factor.
fn other_field(tokens: &mut Tokens, spec: &FieldSpec, kind: &'static Kind) -> Result<Operand, Problem> {
    let at = tokens.place();
    let other = field(tokens, kind)?;
    if (other.kind == FieldType::Text) != (spec.kind == FieldType::Text) {
        let message = format!(
            "`{}` is {} and `{}` is {}",
            spec.name,
            a_type(spec.kind),
            other.name,
            a_type(other.kind)
        );
        return Err(Problem::new(at, message));
    }
    if !tokens.take_sign("*") {
        return Ok(Operand::Field { field: other.name, factor: 1.0 });
    }
    let place = tokens.place();
    match tokens.take() {
        Some(Placed { token: Token::Number(factor), .. }) if other.kind != FieldType::Text => {
            Ok(Operand::Field { field: other.name, factor })
        }
        _ => Err(Problem::new(place, "a number is expected after `*`")),
    }
}

/// `['a', 'b']`.
fn list(tokens: &mut Tokens, spec: &FieldSpec) -> Result<Vec<Value>, Problem> {
    let bracket = |tokens: &mut Tokens, sign| {
        let found = tokens.take_sign(sign);
        let help = "a list is written ['a', 'b']";
        if found { Ok(()) } else { Err(tokens.problem(format!("`{sign}` is expected here")).help(help)) }
    };
    bracket(tokens, "[")?;
    let mut values = vec![literal(tokens, spec)?];
    while tokens.take_sign(",") {
        values.push(literal(tokens, spec)?);
    }
    bracket(tokens, "]")?;
    Ok(values)
}

/// A number or a text, as the field needs it.
fn literal(tokens: &mut Tokens, spec: &FieldSpec) -> Result<Value, Problem> {
    let mut place = tokens.place();
    let negative = tokens.take_sign("-");
    let found = tokens.take();
    if let Some(word) = &found {
        place.end = word.at.end;
    }
    match (found.map(|word| word.token), spec.kind) {
        (Some(Token::Text(text)), FieldType::Text) if !negative => Ok(Value::Text(text)),
        (Some(Token::Number(number)), FieldType::Integer | FieldType::Number) => {
            Ok(Value::Number(if negative { -number } else { number }))
        }
        (None, _) => Err(Problem::new(place, "a value is expected here")),
        (_, FieldType::Text) => {
            Err(Problem::new(place, format!("`{}` is text", spec.name))
                .help("text stands between single quotes"))
        }
        (_, number) => Err(Problem::new(place, format!("`{}` is {}", spec.name, a_type(number)))),
    }
}

/// A text.
fn text(tokens: &mut Tokens) -> Result<(String, Range<usize>), Problem> {
    let place = tokens.place();
    match tokens.take() {
        Some(Placed { token: Token::Text(text), at }) => Ok((text, at)),
        _ => Err(Problem::new(place, "text between single quotes is expected here")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::kind_named;

    #[track_caller]
    fn check(text: &str, at: &str, message: &str) {
        let problem = clause(text, kind_named("oom.kill").unwrap(), Pattern::new).unwrap_err();
        assert_eq!((text.get(problem.at).unwrap(), problem.message.as_str()), (at, message), "{text}");
    }

    #[test]
    fn mistakes_point_at_their_place() {
        check("scoope == 'memcg'", "scoope", "`oom.kill` has no field `scoope`");
        check("scope = 'memcg'", "=", "unknown operator `=`");
        check("scope equals 'memcg'", "equals", "unknown operator `equals`");
        check("scope", "", "an operator is expected here");
        check("scope ==", "", "a value is expected here");
        check("scope == 3", "3", "`scope` is text");
        check("pid == 'a'", "'a'", "`pid` is an integer");
        check("pid starts 'a'", "starts", "`starts` needs text and `pid` is an integer");
        check("scope < 'a'", "<", "`<` needs a number and `scope` is text");
        check("scope in 'a'", "'a'", "`[` is expected here");
        check("scope in ['a' 'b']", "'b'", "`]` is expected here");
        check("scope in []", "]", "`scope` is text");
        check("pid < limit_bytez", "limit_bytez", "`oom.kill` has no field `limit_bytez`");
        check("pid < scope", "scope", "`pid` is an integer and `scope` is text");
        check("pid < uid * uid", "uid", "a number is expected after `*`");
        check("pid == 1 and uid == 2", "and", "nothing may follow the comparison");
        check("scope ~ '('", "'('", "not a regular expression: unclosed group");
        check("scope ~ '(a{1000}){1000}'", "'(a{1000}){1000}'", "this regular expression is too large");
        check("", "", "a field's name is expected here");
    }
}
