//! Phrases with places to be filled in: `{n} lines`, `{path} covers the moment`.
//!
//! It knows no language.

/// The phrase with its places filled in. What is filled in is not looked at again.
pub fn fill(phrase: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    for (text, name) in pieces(phrase) {
        filled.push_str(text);
        let value = values.iter().find(|(known, _)| Some(*known) == name);
        filled.push_str(value.map_or("", |(_, value)| value));
    }
    filled
}

/// The phrase in pieces: a text, and the name of the place behind it.
pub fn pieces(phrase: &str) -> Vec<(&str, Option<&str>)> {
    let mut pieces = Vec::new();
    let mut rest = phrase;
    while let Some((text, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        pieces.push((text, Some(name)));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push((rest, None));
    }
    pieces
}

/// A text without its hard line breaks; empty lines still divide paragraphs. Chinese has no blank between lines.
pub fn flowing(text: &str) -> String {
    let paragraphs = text.trim().split("\n\n");
    let flowing: Vec<String> = paragraphs.map(one_line).collect();
    flowing.join("\n\n")
}

/// A paragraph on one line.
fn one_line(paragraph: &str) -> String {
    let mut out = String::new();
    for line in paragraph.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (before, after) = (out.chars().last(), line.chars().next());
        let chinese = before.is_some_and(is_chinese) && after.is_some_and(is_chinese);
        let closed = before.is_some_and(is_closed) || after.is_some_and(is_closed);
        if before.is_some() && !chinese && !closed {
            out.push(' ');
        }
        out.push_str(&line.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    out
}

/// Whether a character is written without blanks around it: ideographs and full-width punctuation.
fn is_chinese(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '“' | '”')
}

/// Whether a character is full-width punctuation, which needs no blank even beside Latin letters.
fn is_closed(character: char) -> bool {
    matches!(character, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}')
}

/// `1 file`, `3 files`, `12 345 lines`: before the bar stands what is said of one.
pub fn counted(phrase: &str, number: u64) -> String {
    let (one, many) = phrase.split_once('|').unwrap_or((phrase, phrase));
    fill(if number == 1 { one } else { many }, &[("n", &grouped(number))])
}

/// A number with thin groups of three: `12 345`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) && digits.len() > 4 {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_flow() {
        assert_eq!(flowing("one\ntwo\n\nthree\n"), "one two\n\nthree");
        assert_eq!(
            flowing("内核没有\n留下痕迹。\nSIGKILL 无法\nPython 捕获"),
            "内核没有留下痕迹。SIGKILL 无法 Python 捕获"
        );
    }

    #[test]
    fn places_are_filled_once() {
        assert_eq!(fill("{a} of {b}", &[("a", "{b}"), ("b", "2")]), "{b} of 2");
        assert_eq!(fill("no place {", &[]), "no place {");
        assert_eq!(counted("{n} line|{n} lines", 1), "1 line");
        assert_eq!(counted("{n} line|{n} lines", 1_234_567), "1 234 567 lines");
        assert_eq!(counted("{n} 行", 2), "2 行");
    }
}
