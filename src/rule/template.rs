//! `Template`: a text with placeholders, `{limit_bytes|size}`. A doubled brace stands for itself.
//!
//! It does not know where values come from. A text with a value that is not known is not written at all: half a
//! command is worse than none.

use super::{fault::Problem, filter::Filter, nearest::did_you_mean};
use crate::event::{FieldType, Value};
use std::{collections::BTreeSet, ops::Range};

/// Names that every template may use besides the rule's facts, with their types. A fact of the same name goes first.
pub const TEMPLATE_NAMES: [(&str, FieldType); 17] = [
    ("container", FieldType::Text),
    ("container_id", FieldType::Text),
    ("pid", FieldType::Integer),
    ("kernel_id", FieldType::Text),
    ("notebook", FieldType::Text),
    ("user", FieldType::Text),
    ("host", FieldType::Text),
    ("job", FieldType::Text),
    ("unit", FieldType::Text),
    ("image", FieldType::Text),
    ("count", FieldType::Integer),
    ("time", FieldType::Integer),
    ("time_before", FieldType::Integer),
    ("time_after", FieldType::Integer),
    ("exit_code", FieldType::Integer),
    ("gpu", FieldType::Text),
    ("process", FieldType::Text),
];

/// A text with placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// As it stands.
    Text(String),
    /// To be filled in.
    Value { name: String, filter: Option<Filter>, at: Range<usize> },
}

impl Template {
    /// Reads a template.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let start = text.len() - rest.len() + at;
            plain.push_str(rest.get(..at).unwrap_or_default());
            let tail = rest.get(at..).unwrap_or_default();
            if let Some(brace) = ["{{", "}}"].into_iter().find(|brace| tail.starts_with(brace)) {
                plain.push_str(brace.get(1..).unwrap_or_default());
                rest = tail.get(2..).unwrap_or_default();
                continue;
            }
            let inside = tail.strip_prefix('{').and_then(|inside| inside.split_once('}'));
            let Some((inside, after)) = inside else { return Err(lone_brace(start)) };
            if !plain.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut plain)));
            }
            parts.push(placeholder(inside, start + 1)?);
            rest = after;
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            parts.push(Part::Text(plain));
        }
        Ok(Self { parts })
    }

    /// Checks names and filters against what will be there: the rule's facts, then [`TEMPLATE_NAMES`].
    pub fn check(&self, facts: &[(String, FieldType)]) -> Result<(), Problem> {
        let known = || {
            let facts = facts.iter().map(|(name, kind)| (name.as_str(), *kind));
            facts.chain(TEMPLATE_NAMES)
        };
        for part in &self.parts {
            let Part::Value { name, filter, at } = part else { continue };
            let Some((_, kind)) = known().find(|(other, _)| other == name) else {
                let names = known().map(|(name, _)| name).collect::<Vec<_>>();
                let all = format!("known names: {}", names.join(", "));
                let near = did_you_mean(name, names);
                let help = near.map_or_else(|| all.clone(), |near| format!("{near}\n{all}"));
                return Err(Problem::new(at.clone(), format!("unknown name `{name}`")).help(help));
            };
            if let Some(filter) = filter.filter(|filter| !filter.fits(kind)) {
                let message = format!("`{}` cannot write `{name}`, which is {}", filter.word(), kind.word());
                return Err(Problem::new(at.clone(), message));
            }
        }
        Ok(())
    }

    /// The text with its values; nothing if one of them is not known.
    pub fn render(&self, lookup: &dyn Fn(&str) -> Option<Value>) -> Option<String> {
        self.write(lookup, |text| Some(text.to_owned()), Filter::apply)
    }

    /// The command line with its values, those out of logs quoted for a POSIX shell: what a log calls a container
    /// must not become a second command in the reader's terminal. Nothing if a value is not known, holds control
    /// characters, or would be read as an option. Moments have a zone only if it is known.
    pub fn render_command(&self, lookup: &dyn Fn(&str) -> Option<Value>, zone_known: bool) -> Option<String> {
        let apply = if zone_known { Filter::apply } else { Filter::apply_unzoned };
        self.write(lookup, shell_word, apply)
    }

    /// The lines of a text, each a template of its own: a rule gives several summaries, of which the first whose
    /// figures are known is taken.
    pub fn lines(&self) -> Vec<Self> {
        let (mut lines, mut line) = (Vec::new(), Vec::new());
        for part in &self.parts {
            let Part::Text(text) = part else {
                line.push(part.clone());
                continue;
            };
            for (number, text) in text.split('\n').enumerate() {
                if number > 0 {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(Part::Text(text.to_owned()));
            }
        }
        lines.push(line);
        let blank = |part: &Part| matches!(part, Part::Text(text) if text.trim().is_empty());
        lines.retain(|line| !line.iter().all(blank));
        lines.into_iter().map(|parts| Self { parts }).collect()
    }

    fn write(
        &self,
        lookup: &dyn Fn(&str) -> Option<Value>,
        text: impl Fn(&str) -> Option<String>,
        apply: impl Fn(Filter, &Value) -> Option<String>,
    ) -> Option<String> {
        let mut written = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => written.push_str(text),
                Part::Value { name, filter, .. } => {
                    let value = lookup(name)?;
                    let filter = filter.or_else(|| default_filter(name, &value));
                    written.push_str(&match (filter, &value) {
                        (Some(filter), value) => apply(filter, value)?,
                        (None, Value::Text(value)) => text(value)?,
                        (None, number) => number.to_string(),
                    });
                }
            }
        }
        Some(written)
    }

    /// The names of the placeholders, in their order, repeated ones repeated.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Value { name, .. } => Some(name.as_str()),
        })
    }

    /// The placeholders as they are written, without their braces: `limit_bytes|size`.
    pub(super) fn placeholders(&self) -> BTreeSet<String> {
        let written = |part: &Part| match part {
            Part::Text(_) => None,
            Part::Value { name, filter: None, .. } => Some(name.clone()),
            Part::Value { name, filter: Some(filter), .. } => Some(format!("{name}|{}", filter.word())),
        };
        self.parts.iter().filter_map(written).collect()
    }

    /// The text with what will be filled in named between angle brackets, for the rule's page: `<limit>`.
    pub fn outline(&self) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Value { name, .. } => format!("<{}>", name.trim_end_matches("_bytes").replace('_', " ")),
        };
        self.parts.iter().map(part).collect()
    }
}

/// A moment is never wanted as a number of microseconds.
fn default_filter(name: &str, value: &Value) -> Option<Filter> {
    let moment = matches!(name, "time" | "time_before" | "time_after") && matches!(value, Value::Integer(_));
    moment.then_some(Filter::Time)
}

/// A text as one word of a POSIX shell.
fn shell_word(text: &str) -> Option<String> {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+=,".contains(c);
    if text.is_empty() || text.starts_with('-') || text.chars().any(char::is_control) {
        return None;
    }
    Some(if text.chars().all(harmless) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    })
}

fn lone_brace(at: usize) -> Problem {
    Problem::new(at..at + 1, "a brace without its partner")
        .help("a brace that is meant as one is written twice")
}

/// What stands between the braces.
fn placeholder(inside: &str, start: usize) -> Result<Part, Problem> {
    let (name, word) = inside.split_once('|').map_or((inside, None), |(name, word)| (name, Some(word)));
    let at = start..start + name.len();
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') {
        let help =
            "a placeholder is written {name} or {name|filter}; a brace that is meant as one is written twice";
        return Err(Problem::new(at, "not a name").help(help));
    }
    let filter = match word {
        None => None,
        Some(word) => Some(Filter::from_word(word).ok_or_else(|| {
            let known = Filter::ALL.map(Filter::word).join(", ");
            let at = start + name.len() + 1..start + inside.len();
            Problem::new(at, format!("unknown filter `{word}`")).help(format!("known filters: {known}"))
        })?),
    };
    Ok(Part::Value { name: name.to_owned(), filter, at })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(name: &str) -> Option<Value> {
        match name {
            "limit_bytes" => Some(Value::Integer(409_600 << 10)),
            "container" => Some(Value::Text("lab; rm -rf ~".to_owned())),
            "user" => Some(Value::Text("ana".to_owned())),
            "host" => Some(Value::Text("--all".to_owned())),
            "time" => Some(Value::Integer(0)),
            _ => None,
        }
    }

    #[test]
    fn rendering() {
        for (text, expected) in [
            ("the limit is {limit_bytes|size}", Some("the limit is 400 MiB")),
            ("{{.State}} {limit_bytes}", Some("{.State} 419430400")),
            ("{user}{user}", Some("anaana")),
            ("at {time}", Some("at 1970-01-01T00:00:00Z")),
            ("{pid}", None),
            ("", Some("")),
        ] {
            assert_eq!(Template::parse(text).unwrap().render(&values).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn commands_are_quoted() {
        let command = |text| Template::parse(text).unwrap().render_command(&values, true);
        assert_eq!(command("docker inspect {container}").as_deref(), Some("docker inspect 'lab; rm -rf ~'"));
        assert_eq!(command("id {user}").as_deref(), Some("id ana"));
        assert_eq!(command("ping {host}"), None);
        let local =
            Template::parse("a {time|time} b {time|journald}").unwrap().render_command(&values, false);
        assert_eq!(local.as_deref(), Some("a 1970-01-01T00:00:00 b \"1970-01-01 00:00:00\""));
        assert_eq!(shell_word("it's").as_deref(), Some(r"'it'\''s'"));
        assert_eq!(shell_word("a\nb"), None);
    }

    #[test]
    fn lines_are_alternatives() {
        let template = Template::parse("{user} of {pid}\nat {user}: {limit_bytes|size}\n").unwrap();
        let lines: Vec<_> = template.lines().iter().map(|line| line.render(&values)).collect();
        assert_eq!(lines, [None, Some("at ana: 400 MiB".to_owned())]);
    }

    #[test]
    fn names_and_outline() {
        let template =
            Template::parse("docker update --memory {suggested_limit_bytes|docker} {container}").unwrap();
        assert_eq!(template.names().collect::<Vec<_>>(), ["suggested_limit_bytes", "container"]);
        assert_eq!(template.outline(), "docker update --memory <suggested limit> <container>");
    }

    #[test]
    fn mistakes() {
        for (text, at, message) in [
            ("a {b", 2..3, "a brace without its partner"),
            ("a } b", 2..3, "a brace without its partner"),
            ("{}", 1..1, "not a name"),
            ("{.State}", 1..7, "not a name"),
            ("{pid|heks}", 5..9, "unknown filter `heks`"),
        ] {
            let problem = Template::parse(text).unwrap_err();
            assert_eq!((problem.at, problem.message.as_str()), (at, message), "{text}");
        }
        let check =
            |text| Template::parse(text).unwrap().check(&[("limit_bytes".to_owned(), FieldType::Integer)]);
        assert_eq!(check("{limit_bytes|size} {pid}"), Ok(()));
        assert_eq!(check("{limit_byte}").unwrap_err().message, "unknown name `limit_byte`");
        assert_eq!(check("{user|size}").unwrap_err().message, "`size` cannot write `user`, which is text");
    }
}
