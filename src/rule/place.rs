//! Finds a byte of a string's content in the TOML text that the string was written in.
//!
//! It trusts that the text is one valid TOML string, and stays inside it whatever it is.

/// The byte of `raw`, a TOML string with its quotes, at which byte `offset` of its content is written.
pub(super) fn place(raw: &str, offset: usize) -> usize {
    let (quotes, basic) = quotes(raw);
    let mut at = quotes + first_newline(raw, quotes);
    let mut content = 0;
    while let Some(rest) = raw.get(at..).filter(|rest| !rest.is_empty()) {
        let (written, means) = if basic { escape(rest) } else { None }.unwrap_or_else(|| {
            let width = rest.chars().next().map_or(1, char::len_utf8);
            (width, width)
        });
        // A newline escaped away means nothing: the byte is written after it.
        if content >= offset && means > 0 {
            break;
        }
        at += written;
        content += means;
    }
    at.min(raw.len())
}

/// How many bytes of quotes open the string, and whether backslashes mean something in it.
fn quotes(raw: &str) -> (usize, bool) {
    [("\"\"\"", true), ("'''", false), ("\"", true), ("'", false)]
        .into_iter()
        .find(|(quotes, _)| raw.starts_with(quotes))
        .map_or((0, false), |(quotes, basic)| (quotes.len(), basic))
}

/// A newline right after three quotes is not part of the content.
fn first_newline(raw: &str, quotes: usize) -> usize {
    let rest = if quotes == 3 { raw.get(3..).unwrap_or_default() } else { "" };
    ["\r\n", "\n"].into_iter().find(|newline| rest.starts_with(newline)).map_or(0, str::len)
}

/// The bytes of an escape as written and as content.
fn escape(rest: &str) -> Option<(usize, usize)> {
    let after = rest.strip_prefix('\\')?;
    let digits = match after.chars().next()? {
        'u' => 4,
        'U' => 8,
        'x' => 2,
        blank if blank.is_whitespace() => {
            return Some((rest.len() - after.trim_start().len(), 0));
        }
        other => return Some((1 + other.len_utf8(), 1)),
    };
    let code =
        after.get(1..=digits).and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
    Some((2 + digits, code.map_or(1, char::len_utf8)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(raw: &str, offset: usize, expected: &str) {
        let found = raw.get(place(raw, offset)..).unwrap();
        assert!(found.starts_with(expected), "{raw} {offset}: {found}");
    }

    #[test]
    fn every_kind_of_string() {
        check("\"pid == 3\"", 7, "3");
        check("'pid == 3'", 7, "3");
        check(r#""a\\.b c""#, 4, " c");
        check(r#""\u00e9 c""#, 2, " c");
        check("\"\"\"\npid == 3\"\"\"", 7, "3");
        check("'''\r\npid == 3'''", 7, "3");
        check("\"\"\"a \\\n   b\"\"\"", 2, "b");
    }

    #[test]
    fn never_outside() {
        for raw in ["", "\"", "\"\\", "\"\\u", "\"\\uzz", "'''", "plain"] {
            assert!(place(raw, 99) <= raw.len());
        }
    }
}
