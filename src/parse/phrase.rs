//! Reads single figures out of long sentences that are wrapped, cut or rearranged between versions.
//!
//! Each figure is found by the words beside it, never by its place in the sentence. It does not know which sentence.

use super::prim;
use nom::{IResult, Parser, bytes::complete::take_while1, combinator::map_opt};

/// The longest excerpt of a message that an event carries, in characters.
const EXCERPT_CHARACTERS: usize = 240;
/// Words a line of program text begins with. A traceback quotes the very line that raised the message.
const STATEMENTS: [&str; 10] = [
    "raise ",
    "except ",
    "if ",
    "elif ",
    "print(",
    "assert ",
    "return ",
    "logger.",
    "warnings.warn(",
    "def ",
];

/// Where some words stand first in a text: what `str::find` says, which prepares itself for long texts and spends more
/// time on that than on a line.
pub(in crate::parse) fn find(text: &str, words: &str) -> Option<usize> {
    let (first, others) = words.as_bytes().split_first()?;
    let bytes = text.as_bytes();
    // Most messages begin with the words that tell them.
    if bytes.starts_with(words.as_bytes()) {
        return Some(0);
    }
    memchr::memchr_iter(*first, bytes)
        .find(|at| bytes.get(at + 1..).is_some_and(|rest| rest.starts_with(others)))
}

/// Whether some words stand in a text.
pub(in crate::parse) fn holds(text: &str, words: &str) -> bool {
    find(text, words).is_some()
}

/// What stands before and behind the first occurrence of some words, as `str::split_once` gives it.
pub(in crate::parse) fn around<'a>(text: &'a str, words: &str) -> Option<(&'a str, &'a str)> {
    let start = find(text, words)?;
    Some((text.get(..start)?, text.get(start + words.len()..)?))
}

/// The text behind the first occurrence of some words.
pub(in crate::parse) fn behind<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    around(text, words).map(|(_, behind)| behind)
}

/// The text before the first occurrence of some words.
pub(in crate::parse) fn ahead<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    around(text, words).map(|(ahead, _)| ahead)
}

/// The text from the first occurrence of some words on.
pub(in crate::parse) fn from<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    find(text, words).and_then(|start| text.get(start..))
}

/// The size that follows some words: `Tried to allocate 20.00 MiB`. `GB` is 2^30 here.
pub(in crate::parse) fn size_behind(text: &str, words: &str) -> Option<i64> {
    prim::size(true)(behind(text, words)?.trim_start()).ok().map(|(_, bytes)| bytes)
}

/// The size that stands before some words: `1.82 GiB is reserved by PyTorch`.
pub(in crate::parse) fn size_ahead(text: &str, words: &str) -> Option<i64> {
    let head = ahead(text, words)?.trim_end();
    let mut starts = head.rmatch_indices([' ', '(']).map(|(at, _)| at + 1);
    let last = starts.next().unwrap_or(0);
    let before = starts.next().unwrap_or(0);
    [before, last].into_iter().find_map(|start| whole_size(head.get(start..)?))
}

/// A text that is a size and nothing else.
fn whole_size(text: &str) -> Option<i64> {
    prim::size(true)(text.trim()).ok().and_then(|(rest, bytes)| rest.is_empty().then_some(bytes))
}

/// The whole number that follows some words; thousands may be divided by commas.
pub(in crate::parse) fn integer_behind(text: &str, words: &str) -> Option<i64> {
    grouped(behind(text, words)?.trim_start()).ok().map(|(_, value)| value)
}

/// `1,234,567` or `1234567`.
fn grouped(input: &str) -> IResult<&str, i64> {
    let digits = take_while1(|c: char| c.is_ascii_digit() || c == ',');
    map_opt(digits, |text: &str| text.replace(',', "").parse().ok()).parse(input)
}

/// Whether a line quotes program text (`----> 6   loss = …`, `   1509   return …`, `    raise RuntimeError(`)
/// and so holds a message that nobody need have printed.
pub(in crate::parse) fn is_program_text(text: &str) -> bool {
    let trimmed = text.trim_start();
    let arrow = trimmed.trim_start_matches('-');
    if arrow.len() + 2 < trimmed.len() && arrow.starts_with("> ") {
        return true;
    }
    let unnumbered = trimmed.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = unnumbered.len() < trimmed.len() && unnumbered.starts_with("  ");
    numbered || STATEMENTS.iter().any(|word| trimmed.starts_with(word))
}

/// Whether the line itself says that the process ends: a fatal check, `terminate`'s last words, or a library
/// known to call exit (bitsandbytes' `… at line 529 in file /src/csrc/ops.cu`, flash-attention's `CUDA error (…):`).
pub(in crate::parse) fn ends_process(text: &str) -> bool {
    let check =
        ["F tensorflow", "F ./tensorflow", "F external/", "F xla/", "F third_party/", "F c:\\tf_jenkins"];
    check.iter().any(|head| text.contains(head))
        || text.trim_start().starts_with("what():")
        || text.contains("taking the entire process down")
        || (text.starts_with("Error ") && text.contains(" at line ") && text.contains(" in file "))
        || text.starts_with("CUDA error (")
        // HIP's runtime and rocBLAS abort right after these words.
        || text.contains("Unable to find code object for all current devices")
        || (text.contains("rocBLAS error: ") && text.contains("Tensile"))
}

/// The beginning of a message with its blanks collapsed, as events carry it.
pub(in crate::parse) fn excerpt(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if out.len() > EXCERPT_CHARACTERS * 4 {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out.chars().take(EXCERPT_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn words_are_found_as_the_library_finds_them(text in "[abé]{0,12}", words in "[abé]{1,4}") {
            proptest::prop_assert_eq!(find(&text, &words), text.find(&words));
            proptest::prop_assert_eq!(around(&text, &words), text.split_once(&words));
        }
    }
}
