//! What looks like a secret and is none: "token" is an everyday word where models are trained.
//!
//! It errs on the side of redacting; only shapes that are everyday in notebooks' logs are let through.

use super::MARK;

/// Words before `token` that speak of text, not of access: `max_token=512`, `pad_token='[PAD]'`.
const TEXT_WORDS: &[&str] = &[
    "added",
    "additional_special",
    "audio",
    "bos",
    "cls",
    "completion",
    "decoder",
    "encoder",
    "end",
    "eos",
    "eot",
    "first",
    "image",
    "input",
    "last",
    "mask",
    "max",
    "max_new",
    "max_tokens_per",
    "min",
    "ms_per",
    "n",
    "next",
    "num",
    "output",
    "pad",
    "per",
    "prev",
    "prompt",
    "sep",
    "special",
    "start",
    "stop",
    "time_per",
    "total",
    "unk",
    "video",
    "vision",
];
/// Values that say that there is none.
const NOTHING: &[&str] =
    &["none", "null", "nil", "true", "false", "undefined", "unset", "empty", "required", "yes", "no"];

/// Every match is one.
pub(super) fn always(_: &str, _: &str, _: &str) -> bool {
    true
}

/// Whether there is anything at all.
pub(super) fn not_blank(_: &str, _: &str, secret: &str) -> bool {
    !secret.trim().is_empty() && secret.trim() != MARK
}

/// Whether the text holds a capital or is very long, as random keys do and names (`sk-top-container`) do not.
pub(super) fn mixed(_: &str, _: &str, secret: &str) -> bool {
    secret.bytes().any(|b| b.is_ascii_uppercase()) || secret.len() >= 40
}

/// The value of a header: anything but a mark.
pub(super) fn header(_: &str, _: &str, secret: &str) -> bool {
    secret.trim() != MARK && !is_nothing(secret)
}

/// The value of a key that ends in `token`.
pub(super) fn token(head: &str, gap: &str, secret: &str) -> bool {
    let prefix = prefix(head);
    let in_url = head.ends_with(['?', '&']) || head.ends_with("%3F") || head.ends_with("%26");
    if in_url {
        return !is_nothing(secret) || is_word(secret);
    }
    if is_nothing(secret) || is_figure(secret) || speaks_of_text(prefix) {
        return false;
    }
    let assigned = gap.contains('=') || gap.to_ascii_lowercase().contains("%3d");
    let quoted = gap.ends_with(['"', '\'']);
    if assigned || quoted {
        // `for token in …: token='Ġthe'` prints pieces of text, which are not ASCII or stand in angle brackets.
        return !(secret.starts_with('<') && secret.ends_with('>'));
    }
    // `token: value` without quotes may be prose; a random value has digits and some length.
    secret.len() >= 12 && secret.bytes().any(|b| b.is_ascii_digit()) && secret.is_ascii()
}

/// The value of a command-line option.
pub(super) fn option(_: &str, gap: &str, secret: &str) -> bool {
    let key = gap.trim_start_matches('-').split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    let prefix = key.strip_suffix("token").unwrap_or_default();
    !is_nothing(secret) && !(key.ends_with("token") && (is_figure(secret) || speaks_of_text(prefix)))
}

/// The value of a key such as `password`.
pub(super) fn named(_: &str, gap: &str, secret: &str) -> bool {
    let key = gap.to_ascii_lowercase();
    if is_nothing(secret) {
        return false;
    }
    // `PWD=/home/jovyan` is the working folder; `PRIVATE KEY: /path` and `keyfile` are files.
    let path = secret.starts_with('/') || secret.starts_with("~/");
    if path && !key.starts_with("password") && !key.starts_with("secret") {
        return false;
    }
    // Prose: `invalid password: expected 8 characters`, `credentials: not found`.
    let assigned = key.contains('=') || key.contains("%3d") || key.contains('"') || key.contains('\'');
    assigned || !key.starts_with("credential") && !key.starts_with("session")
}

/// The part of a key that stands before the match, in lower case.
fn prefix(head: &str) -> &str {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let from = head.char_indices().rev().take(64).take_while(|(_, c)| part(*c)).last();
    from.and_then(|(at, _)| head.get(at..)).unwrap_or_default()
}

/// Whether a key's beginning makes it a word of text processing.
fn speaks_of_text(prefix: &str) -> bool {
    let words = prefix.trim_end_matches(['_', '-', '.']).to_ascii_lowercase().replace('-', "_");
    let last = words.rsplit('.').next().unwrap_or_default();
    TEXT_WORDS.iter().any(|word| last == *word || last.ends_with(&format!("_{word}")))
}

/// Whether the value is a plain figure, as counts and rates are.
fn is_figure(secret: &str) -> bool {
    let figure = secret.trim_end_matches(['s', '%', '/']);
    figure.len() < 12
        && figure.bytes().any(|b| b.is_ascii_digit())
        && figure.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'_' | b'-' | b'+' | b'e'))
}

/// Whether the value says that there is none, or was taken out by the program that wrote the log (`[secret]`, trimmed).
fn is_nothing(secret: &str) -> bool {
    let bare = secret.trim_matches(|c: char| !c.is_alphanumeric());
    bare.is_empty() && secret.len() < 12 || is_word(secret) || secret == "[secret"
}

/// Whether the value is one of the words for nothing.
fn is_word(secret: &str) -> bool {
    NOTHING.iter().any(|word| secret.eq_ignore_ascii_case(word))
}

/// A secret without the brackets and full stops that close what stands around it.
pub(super) fn trimmed(secret: &str) -> &str {
    if secret.ends_with(MARK) { secret } else { secret.trim_end_matches([')', ']', '}', '>', '.']) }
}

/// Whether it has been taken out already.
pub(super) fn already(secret: &str) -> bool {
    secret.is_empty() || secret == MARK || MARK.strip_suffix(']') == Some(secret)
}
