//! Makes hostile text safe to show: what a terminal would obey, or a reader would not see, becomes a visible escape.
//!
//! It does not take secrets out; that has happened before.

use std::{borrow::Cow, fmt::Write};

/// The text with control, bidi and invisible characters as escapes: `\n`, `\x1b`, `\u{202e}`.
///
/// A tab becomes a blank, because its width depends on where it stands.
pub fn safe(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c == '\t' || is_unsafe(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '\t' => out.push(' '),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c if is_unsafe(c) && u32::from(c) < 0x100 => {
                let _ = write!(out, "\\x{:02x}", u32::from(c));
            }
            c if is_unsafe(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Whether a terminal obeys the character or a reader cannot see it: C0, C1, bidi controls, zero-width characters,
/// line separators, tags.
pub(super) fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_escaped() {
        assert_eq!(safe("a\x1b[31mb\u{9b}c\x07"), "a\\x1b[31mb\\x9bc\\x07");
        assert_eq!(safe("two\nlines\tand\r"), "two\\nlines and\\r");
        assert_eq!(safe("\u{202e}txt.exe\u{200b}"), "\\u{202e}txt.exe\\u{200b}");
        assert_eq!(safe("内核死了 é 🦀"), "内核死了 é 🦀");
    }
}
