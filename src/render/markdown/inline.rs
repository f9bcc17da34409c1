//! Pieces of Markdown out of any text: plain words, code spans, fenced code, links.
//!
//! It knows no report. None of what it gives is markup that the text brought with it.

use crate::render::safe::safe;

/// Plain text: what would be markup is escaped, what would mention, refer or link stands in code.
///
/// Trackers look for `@name`, `#12` and addresses in the finished page, where no escape helps; only code does.
pub fn inline(text: &str) -> String {
    let text = safe(text);
    let text = text.trim();
    let pieces: Vec<&str> = text.split('`').collect();
    let mut out = String::new();
    // Words between backticks are code already; a lone backtick is only a character.
    if pieces.len().is_multiple_of(2) {
        plain(text, &mut out);
    } else {
        for (index, piece) in pieces.into_iter().enumerate() {
            if index.is_multiple_of(2) { plain(piece, &mut out) } else { out.push_str(&span(piece)) }
        }
    }
    out
}

/// A text without code in it, word by word.
fn plain(text: &str, out: &mut String) {
    for word in text.split_inclusive(' ') {
        let bare = word.trim_end_matches(' ');
        if is_reference(bare) {
            out.push_str(&span(bare));
        } else if out.is_empty() {
            escape_first(bare, out);
        } else {
            escape(bare, out);
        }
        out.push_str(word.get(bare.len()..).unwrap_or_default());
    }
}

/// Whether a tracker would make a link or a mention of the word.
fn is_reference(word: &str) -> bool {
    let numbered =
        |at: usize| word.get(at + 1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    // GitLab obeys a line that begins with `/close`.
    word.starts_with('/')
        || word.contains('@')
        || word.contains("://")
        || word.to_ascii_lowercase().contains("www.")
        || word.match_indices(['#', '!', '$', '%', '&', '~']).any(|(at, _)| numbered(at))
}

/// The first word, which might begin a list or a heading.
fn escape_first(word: &str, out: &mut String) {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = word.split_at(digits);
    if word.starts_with(['-', '+', '=', ':'])
        || (digits > 0 && rest.starts_with(['.', ')']) && rest.len() == 1)
    {
        out.push_str(number);
        out.push('\\');
        out.push_str(rest);
    } else {
        escape(word, out);
    }
}

fn escape(word: &str, out: &mut String) {
    for character in word.chars() {
        if matches!(
            character,
            '\\' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' | '$' | '{' | '}' | '!'
        ) {
            out.push('\\');
        }
        out.push(character);
    }
}

/// Code within a line. Pipes are turned, because they would divide a table's cells even there.
pub(in crate::render) fn span(text: &str) -> String {
    let text = safe(text.trim()).replace('|', "¦");
    if text.is_empty() {
        return "–".to_owned();
    }
    let ticks = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// One line of a log in a block of code.
pub(in crate::render) fn quote(text: &str) -> String {
    fence("text", &safe(text.trim()))
}

/// Lines in a block of code of some language, its fence longer than any run of backticks inside.
pub fn fence(language: &str, text: &str) -> String {
    let lines: Vec<_> = text.trim_end().trim_start_matches('\n').lines().map(safe).collect();
    let text = lines.join("\n");
    let ticks = "`".repeat((longest_run(&text) + 1).max(3));
    format!("{ticks}{language}\n{text}\n{ticks}")
}

/// An address as a link, if it is plainly one of the web.
pub(super) fn link(address: &str) -> String {
    let plain = address.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~:/?#=%+,@".contains(&byte));
    if address.starts_with("https://") && plain { format!("<{address}>") } else { span(address) }
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(inline(text), expected);
    }

    #[test]
    fn nothing_in_a_text_is_markup() {
        check("a *b* [c](d) <img src=x>", "a \\*b\\* \\[c\\](d) \\<img src=x\\>");
        check("ask @root, see #12 or http://x.example", "ask `@root,` see `#12` or `http://x.example`");
        check("- not a list", "\\- not a list");
        check("1. not a list", "1\\. not a list");
        check("1.5 GiB", "1.5 GiB");
        check("two\nlines", "two\\\\nlines");
        check("use `float32` here", "use `float32` here");
        check("a lone ` tick", "a lone \\` tick");
    }

    #[test]
    fn code_cannot_be_left() {
        assert_eq!(span("a`b"), "``a`b``");
        assert_eq!(span("`"), "`` ` ``");
        assert_eq!(
            quote("x\n```\n# y"),
            "```text\nx\\n```\\n# y\n```".replace("```text", "````text").replace("y\n```", "y\n````")
        );
        assert_eq!(link("https://docs.docker.com/a#b"), "<https://docs.docker.com/a#b>");
        assert_eq!(link("javascript:alert(1)"), "`javascript:alert(1)`");
    }
}
