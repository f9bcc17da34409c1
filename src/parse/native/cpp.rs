//! C++ runtimes: an exception that nobody caught.
//!
//! They do not tell who threw it.

use super::{Hit, LONGEST, Reading};
use crate::{event::NativeMessage, parse::prim};

/// `terminate called after throwing an instance of 'std::bad_alloc'`; libstdc++ prints `  what():` on the next line.
pub(super) fn terminate(hit: Hit<'_>) -> Reading {
    let Ok((_, exception)) = prim::quoted(hit.after().trim_start()) else {
        return Reading::Cut("the exception's type in quotes");
    };
    Reading::Begins(NativeMessage { exception: Some(exception.to_owned()), ..NativeMessage::default() })
}

/// Reads `  what():  std::bad_alloc` into the message of the event that waits for it.
pub(super) fn what(text: &str, event: &mut NativeMessage) -> bool {
    let Some((before, said)) = text.split_once("what():") else { return false };
    if !before.trim().is_empty() {
        return false;
    }
    event.message = Some(said.trim().chars().take(LONGEST).collect());
    true
}

/// `libc++abi: terminating due to uncaught exception of type std::runtime_error: no device`, with `.dylib` and
/// `with` in older ones.
pub(super) fn libcxxabi(hit: Hit<'_>) -> Reading {
    let Some((_, said)) = hit.after().split_once(": ") else { return Reading::Not };
    if !said.starts_with("terminating") && !said.contains("Pure virtual") {
        return Reading::Not;
    }
    let typed = said.split_once("exception of type ").map(|(_, typed)| typed);
    let (exception, message) = match typed.map(divide) {
        Some((exception, message)) => (Some(exception.to_owned()), message.unwrap_or(said)),
        None => (None, said),
    };
    Reading::Is(NativeMessage { exception, message: Some(message.to_owned()), ..NativeMessage::default() })
}

/// Divides `std::runtime_error: no device` at the first colon that is not of `::`.
fn divide(typed: &str) -> (&str, Option<&str>) {
    match typed.split_once(": ") {
        Some((exception, message)) => (exception, Some(message)),
        None => (typed.trim(), None),
    }
}
