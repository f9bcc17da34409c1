//! As much YAML as `kubectl` writes: nested blocks, lists, quoted and folded text. Never an error.
//!
//! It knows no anchors, tags or flow collections other than empty ones; nothing here writes them.

use serde_json::{Map, Value};

/// The deepest nesting that is read.
const DEEPEST: usize = 64;

/// A line: its indent and what is on it.
type Row<'a> = (usize, &'a str);

/// Every document of a text.
pub(super) fn documents(text: &str) -> Vec<Value> {
    text.split("\n---").map(document).filter(|document| !document.is_null()).collect()
}

/// One document.
fn document(text: &str) -> Value {
    let rows: Vec<Row<'_>> = text
        .lines()
        .map(|line| (line.len() - line.trim_start().len(), line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#') && *line != "---")
        .collect();
    let mut reader = Reader { rows, at: 0 };
    reader.block(0, 0)
}

/// The rows and how far they are read.
struct Reader<'a> {
    rows: Vec<Row<'a>>,
    at: usize,
}

impl<'a> Reader<'a> {
    /// The row to be read next, if it is indented at least so far.
    fn row(&self, least: usize) -> Option<Row<'a>> {
        self.rows.get(self.at).copied().filter(|(indent, _)| *indent >= least)
    }

    /// A mapping or a list.
    fn block(&mut self, least: usize, depth: usize) -> Value {
        let Some((indent, line)) = self.row(least) else { return Value::Null };
        if depth > DEEPEST {
            self.at += 1;
            return Value::Null;
        }
        if is_item(line) { self.list(indent, depth) } else { self.mapping(indent, depth) }
    }

    /// `- …` rows of one indent.
    fn list(&mut self, indent: usize, depth: usize) -> Value {
        let mut items = Vec::new();
        while let Some((here, line)) = self.row(indent)
            && here == indent
            && is_item(line)
        {
            let rest = line.get(1..).unwrap_or_default();
            let inner = rest.trim_start();
            let shifted = here + 1 + (rest.len() - inner.len());
            if inner.is_empty() {
                self.at += 1;
                items.push(self.block(indent + 1, depth + 1));
            } else if is_item(inner) || key(inner).is_some() {
                if let Some(row) = self.rows.get_mut(self.at) {
                    *row = (shifted, inner);
                }
                items.push(self.block(shifted, depth + 1));
            } else {
                self.at += 1;
                items.push(self.scalar(inner, indent));
            }
        }
        Value::Array(items)
    }

    /// `key: …` rows of one indent; rows that are neither are passed over.
    fn mapping(&mut self, indent: usize, depth: usize) -> Value {
        let mut map = Map::new();
        while let Some((here, line)) = self.row(indent) {
            if here == indent && is_item(line) {
                break;
            }
            self.at += 1;
            let Some((name, rest)) = key(line) else { continue };
            let value = if rest.is_empty() {
                // A list may stand at its key's own indent.
                let list = self.row(here).is_some_and(|(at, next)| at == here && is_item(next));
                self.block(if list { here } else { here + 1 }, depth + 1)
            } else {
                self.scalar(rest, here)
            };
            map.insert(name.to_owned(), value);
        }
        Value::Object(map)
    }

    /// A value that begins on its key's row, and goes on in the rows that are indented further.
    fn scalar(&mut self, first: &str, indent: usize) -> Value {
        let block = matches!(first, "|" | "|-" | "|+" | ">" | ">-" | ">+");
        let mut text = if block { String::new() } else { first.to_owned() };
        while let Some((_, line)) = self.row(indent + 1) {
            if !block && !is_open(&text) && !text.starts_with(|c: char| c.is_alphanumeric()) {
                break;
            }
            self.at += 1;
            if !text.is_empty() {
                text.push(if first.starts_with('|') { '\n' } else { ' ' });
            }
            text.push_str(line);
        }
        if block { Value::String(text) } else { typed(&text) }
    }
}

/// Whether a row is an item of a list.
fn is_item(line: &str) -> bool {
    line == "-" || line.starts_with("- ")
}

/// The key of a row and the text behind it.
fn key(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(": ").or_else(|| line.strip_suffix(':').map(|name| (name, "")))?;
    let name = name.trim_matches(['"', '\'']);
    (!name.is_empty() && !name.contains(['"', '\'', '{'])).then_some((name, rest.trim()))
}

/// Whether a quoted text has not ended yet.
fn is_open(text: &str) -> bool {
    let Some(quote) = text.chars().next().filter(|quote| matches!(quote, '"' | '\'')) else { return false };
    text.len() == 1 || !text.ends_with(quote) || text.ends_with("\\\"")
}

/// A value of the type that it is written as.
fn typed(text: &str) -> Value {
    if let Some(inside) = text.strip_prefix('\'') {
        return Value::String(inside.strip_suffix('\'').unwrap_or(inside).replace("''", "'"));
    }
    if text.starts_with('"') {
        let fallback = || Value::String(text.trim_matches('"').to_owned());
        return serde_json::from_str(text).unwrap_or_else(|_| fallback());
    }
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "null" | "~" => Value::Null,
        "{}" => Value::Object(Map::new()),
        "[]" => Value::Array(Vec::new()),
        other => other.parse::<i64>().map_or_else(|_| Value::String(other.to_owned()), Value::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_kubectl_writes_is_read() {
        let text = "apiVersion: v1\nitems:\n- name: a\n  list:\n  - 1\n  - x: 'it''s\n      folded'\n    y: |\n      l1\n      l2\nstatus: {}\nlong: one\n  two\n";
        let expected = serde_json::json!({"apiVersion": "v1", "items": [{"name": "a", "list": [1, {"x": "it's folded", "y": "l1\nl2"}]}],
            "status": {}, "long": "one two"});
        assert_eq!(documents(text), [expected]);
    }

    #[test]
    fn garbage_is_no_error() {
        for text in ["- - - -", ":", "a:\n - b\nc", "\"", "x: \"\\", "  - a:\n- b"] {
            let _ = documents(text);
        }
    }
}
