//! Kernel ids in the server's messages, whole or torn.
//!
//! It does not know what a message means.

use crate::{
    event::Event,
    line::Line,
    parse::{Claim, Found, phrase, prim},
};

/// The kernel id at the beginning of a text, and what follows it.
pub(super) fn kernel_id(text: &str) -> Option<(&str, &str)> {
    prim::uuid(text).ok().map(|(rest, id)| (id, rest))
}

/// The kernel id behind a literal, wherever it stands: `/api/kernels/`, `kernel-`.
pub(in crate::parse) fn kernel_in(text: &str, literal: &str) -> Option<String> {
    let mut rest = text;
    while let Some((_, behind)) = phrase::around(rest, literal) {
        if let Some((id, _)) = kernel_id(behind) {
            return Some(id.to_owned());
        }
        rest = behind;
    }
    None
}

/// Gives the event of a message whose next word has to be a kernel id.
///
/// A torn id still tells that something happened to some kernel, so the event is given without it. Prose (`kernel
/// started: yes`) is not the server's.
pub(super) fn with_id(
    line: &Line<'_>,
    rest: &str,
    found: &mut Vec<Found>,
    build: impl FnOnce(Option<String>, &str) -> Event,
) -> Claim {
    if let Some((id, after)) = kernel_id(rest) {
        found.push(Found::on(line, build(Some(id.to_owned()), after)));
        return Claim::Mine;
    }
    if line.logger.is_none() || !torn(rest) {
        return Claim::NotMine;
    }
    found.push(Found::on(line, build(None, "")));
    Claim::Damaged("a kernel id".to_owned())
}

/// Whether a text begins like a kernel id that was cut off or garbled: at least one hexadecimal digit, or nothing.
fn torn(text: &str) -> bool {
    text.trim().is_empty() || text.starts_with(|c: char| c.is_ascii_hexdigit())
}
