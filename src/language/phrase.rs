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
    fn places_are_filled_once() {
        assert_eq!(fill("{a} of {b}", &[("a", "{b}"), ("b", "2")]), "{b} of 2");
        assert_eq!(fill("no place {", &[]), "no place {");
        assert_eq!(counted("{n} line|{n} lines", 1), "1 line");
        assert_eq!(counted("{n} line|{n} lines", 1_234_567), "1 234 567 lines");
        assert_eq!(counted("{n} 行", 2), "2 行");
    }
}
