//! What a mail program, an issue tracker or a chat puts before pasted lines: `> `, and blanks before a stamp.
//!
//! Python's prompt `>>> ` is left alone; so are blanks before anything that does not wear a stamp, for they mean
//! something there (a traceback's frames, YAML).

use super::{Begins, ENVELOPES, Envelope, Layer};
use std::borrow::Cow;

/// `> text`, once or several times.
pub(super) const QUOTED: Envelope = Envelope {
    name: "quotation",
    sample: "> [ 8523.300411] usb 1-1: new device",
    begins: Begins::of(b"> "),
    peel: quoted,
};
/// Blanks before a stamped line.
pub(super) const INDENTED: Envelope = Envelope {
    name: "indented",
    sample: "    [ 8523.300411] usb 1-1: new device",
    begins: Begins::of(b" \t").and_beyond(),
    peel: indented,
};

/// Takes one mark of quotation off.
fn quoted(text: &str) -> Option<Layer<'_>> {
    let rest = text.trim_start_matches(' ').strip_prefix('>')?;
    if rest.starts_with(">> ") || rest == ">>" {
        return None;
    }
    let fits = rest.is_empty() || rest.starts_with([' ', '>', '[']);
    fits.then(|| layer(rest.strip_prefix(' ').unwrap_or(rest)))
}

/// Takes blanks off before a line that wears a stamp.
fn indented(text: &str) -> Option<Layer<'_>> {
    let rest = text.trim_start_matches([' ', '\t', '\u{a0}']);
    if rest.len() == text.len() || !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || "[<{".contains(c))
    {
        return None;
    }
    let others =
        ENVELOPES.iter().filter(|envelope| envelope.name != INDENTED.name && envelope.begins.fits(rest));
    let stamped = others.filter_map(|envelope| (envelope.peel)(rest)).any(|layer| !layer.stamps.is_empty());
    stamped.then(|| layer(rest))
}

/// A layer that says nothing of its own.
fn layer(rest: &str) -> Layer<'_> {
    Layer { rest: Cow::Borrowed(rest), ..Layer::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations() {
        for (text, rest) in
            [("> a", "a"), (">", ""), ("> > a", "> a"), (">> a", "> a"), (">[ 1.000000] a", "[ 1.000000] a")]
        {
            assert_eq!(quoted(text).unwrap().rest, rest, "{text}");
        }
        for text in [">>> a", ">= 2.1", "-> a", "a > b"] {
            assert!(quoted(text).is_none(), "{text}");
        }
    }

    #[test]
    fn blanks_before_a_stamp() {
        assert_eq!(indented("    [    1.000000] a").unwrap().rest, "[    1.000000] a");
        assert_eq!(indented("\tNov 30 15:22:30 h1 kernel: a").unwrap().rest, "Nov 30 15:22:30 h1 kernel: a");
        for text in
            ["  File \"a.py\", line 1", "    [  26069]     0 26069 python3", "  text", "[    1.000000] a"]
        {
            assert!(indented(text).is_none(), "{text}");
        }
    }
}
