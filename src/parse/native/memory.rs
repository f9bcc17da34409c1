//! Allocators: glibc's heap checks, macOS malloc, tcmalloc.
//!
//! They do not tell which code damaged the heap; the abort comes later, in somebody innocent's call.

use super::{Hit, Reading, detail::said};
use crate::{event::NativeMessage, parse::prim};

/// How the complaints of glibc's malloc.c begin, behind the function's name.
const COMPLAINTS: [&str; 12] = [
    "invalid",
    "double free",
    "corrupted",
    "memory corruption",
    "too many chunks",
    "unaligned",
    "mismatching",
    "smallbin",
    "largebin",
    "unsorted",
    "heap corruption",
    "chunk",
];

/// `free(): invalid pointer`. Without a complaint behind it, somebody only writes about the function.
pub(super) fn heap(hit: Hit<'_>) -> Reading {
    let complaint = hit.after();
    if complaint.is_empty() {
        return Reading::Cut("what is wrong with the heap");
    }
    if COMPLAINTS.iter().any(|known| complaint.starts_with(known)) { heap_line(hit) } else { Reading::Not }
}

/// A complaint without a function's name. glibc up to 2.25 puts it into
/// ``*** Error in `python': free(): invalid pointer: 0x00007f… ***``; the address, which differs each time, goes.
pub(super) fn heap_line(hit: Hit<'_>) -> Reading {
    let text = hit.from().trim_end_matches(" ***");
    let message = text.split_once(": 0x").map_or(text, |(message, _)| message);
    said(message)
}

/// `python3.11(4711,0x1f2a5c0) malloc: *** error for object 0x600: pointer being freed was not allocated`.
pub(super) fn macos(hit: Hit<'_>) -> Reading {
    let pid = hit.before().rsplit_once('(').and_then(|(_, inner)| inner.split(',').next()?.parse().ok());
    let bytes = prim::value_of(hit.from(), "size").and_then(|size| size.parse().ok());
    Reading::Is(NativeMessage { pid, bytes, ..NativeMessage::default() })
}

/// `tcmalloc: large alloc 3011936256 bytes == 0x5bbf0000 @ 0x7f…`: gperftools tells of each piece above 1 GiB. Only
/// a hint: the kernel lives.
pub(super) fn large_allocation(hit: Hit<'_>) -> Reading {
    match prim::integer(hit.after()) {
        Ok((_, bytes)) => Reading::Is(NativeMessage {
            message: Some(format!("large alloc {bytes} bytes")),
            bytes: Some(bytes),
            ..NativeMessage::default()
        }),
        Err(_) => Reading::Cut("a number of bytes"),
    }
}

/// `memory allocation of 137438953472 bytes failed`: Rust's standard library, which then aborts.
pub(super) fn rust_refused(hit: Hit<'_>) -> Reading {
    match prim::integer(hit.after()) {
        Ok((" bytes failed", bytes)) => Reading::Is(NativeMessage {
            message: Some(format!("memory allocation of {bytes} bytes failed")),
            bytes: Some(bytes),
            ..NativeMessage::default()
        }),
        _ => Reading::Not,
    }
}
