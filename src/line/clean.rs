//! Takes terminal colours, NULs and carriage returns off a decoded line.
//!
//! It keeps everything else, control and bidi characters too: making text safe to show is the renderers' task.

use std::borrow::Cow;

/// The text without ANSI escape sequences, NULs and a trailing carriage return.
///
/// tornado resets colours with `ESC ( B ESC [ m` (terminfo `sgr0`), not with `ESC [ 0 m`; both go.
pub fn clean(text: &str) -> Cow<'_, str> {
    let text = text.trim_end_matches(['\r', '\n']);
    if memchr::memchr2(0x1b, 0, text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\0' => {}
            '\x1b' => skip_escape(&mut rest),
            other => out.push(other),
        }
    }
    Cow::Owned(out)
}

/// Skips what follows an escape character: CSI, OSC, or a two- or three-character sequence.
fn skip_escape(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match rest.next() {
        Some('[') => {
            while let Some(character) = rest.next_if(|c| matches!(c, '\x20'..='\x3f')) {
                let _ = character;
            }
            let _ = rest.next_if(|c| matches!(c, '\x40'..='\x7e'));
        }
        Some(']') => {
            while let Some(character) = rest.next() {
                if character == '\x07' || (character == '\x1b' && rest.next_if_eq(&'\\').is_some()) {
                    break;
                }
            }
        }
        Some('(' | ')' | '#' | '%') => {
            let _ = rest.next();
        }
        _ => {}
    }
}

/// The pieces of a line that a terminal would have written over each other, in order.
///
/// Progress bars (`tqdm`, papermill) return the carriage and a message may stand behind any of them.
pub fn segments(text: &str) -> impl Iterator<Item = &str> {
    // Few lines have several pieces, which one look shows.
    let returned = memchr::memchr(b'\r', text.as_bytes()).and_then(|at| text.split_at_checked(at));
    let (first, others) = returned.map_or((text, None), |(first, others)| (first, others.strip_prefix('\r')));
    let pieces = std::iter::once(first).chain(others.into_iter().flat_map(|others| others.split('\r')));
    pieces.filter(|piece| !piece.trim_start().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &str, expected: &str) {
        assert_eq!(clean(input), expected);
    }

    #[test]
    fn colours_go_and_text_stays() {
        check(
            "\x1b[32m[I 2026-11-30 15:37:37.828 LabApp]\x1b(B\x1b[m JupyterLab",
            "[I 2026-11-30 15:37:37.828 LabApp] JupyterLab",
        );
        check("\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x07!", "link!");
        check("a\0b\r\n", "ab");
        check("cut \x1b[3", "cut ");
    }

    #[test]
    fn progress_bars_are_pieces() {
        let pieces: Vec<_> = segments("10%|#   \r20%|##  |Kernel died\r  \r").collect();
        assert_eq!(pieces, ["10%|#   ", "20%|##  |Kernel died"]);
    }
}
