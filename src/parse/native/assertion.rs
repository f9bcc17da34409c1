//! Assertions of the C library, of `libzmq` and of Apple's frameworks.
//!
//! Assertions inside GPU programs have the same words; they name a block and a thread and are the CUDA parsers'.

use super::{Hit, Reading, source_line::source_place};
use crate::event::NativeMessage;

/// How `libzmq`'s complaints begin: its own, and what `strerror` says.
const COMPLAINTS: [&str; 9] = [
    "Assertion failed: ",
    "Bad address",
    "Too many open files",
    "Bad file descriptor",
    "Invalid argument",
    "Resource temporarily unavailable",
    "Connection reset",
    "Not a socket",
    "Unknown error",
];

/// ``python3: pool.c:11: release: Assertion `count == 0' failed.``
pub(super) fn glibc(hit: Hit<'_>) -> Reading {
    let before = hit.before();
    if before.contains("thread: [") || before.contains("block: [") {
        return Reading::Not;
    }
    let Some((condition, _)) = hit.after().rsplit_once(" failed") else {
        return Reading::Cut("the end of the condition");
    };
    let condition = condition.trim_end_matches(['\'', '`']);
    let place = before.split(": ").find_map(source_place);
    Reading::Is(at(place, format!("Assertion `{condition}' failed")))
}

/// ggml gives up over a CUDA call: `/src/ggml/src/ggml-cuda.cu:101: CUDA error`.
pub(super) fn ggml_gpu(hit: Hit<'_>) -> Reading {
    let before = hit.before();
    if !(before.contains("ggml") && before.contains(".cu:") && hit.after().is_empty()) {
        return Reading::Not;
    }
    Reading::Is(at(source_place(before.trim()), hit.text.trim().to_owned()))
}

/// `Assertion failed: (n > 0), function grow, file heap.c, line 12.` of macOS and Windows, and `libzmq`'s
/// `Assertion failed: check () (src/msg.cpp:414)`.
pub(super) fn bare(hit: Hit<'_>) -> Reading {
    let after = hit.after();
    if after.is_empty() {
        return Reading::Cut("the condition");
    }
    if let Reading::Is(event) = libzmq(hit) {
        return Reading::Is(event);
    }
    let file =
        after.split_once("file ").and_then(|(_, file)| file.split_once(", line ").or(file.split_once(',')));
    let line = after.split_once(", line ").map(|(_, line)| line.trim_end_matches('.'));
    let code = file.map(|(file, _)| name_and_line(file, line));
    Reading::Is(NativeMessage {
        file: file.map(|(file, _)| file.to_owned()),
        code,
        ..NativeMessage::default()
    })
}

/// `Bad address (src/epoll.cpp:123)`, `Too many open files (C:\projects\libzmq\src\epoll.cpp:100)`: `libzmq`'s `abort`
/// puts the source in parentheses at the line's end.
pub(super) fn libzmq(hit: Hit<'_>) -> Reading {
    let Some((said, place)) = hit.text.trim_end().strip_suffix(')').and_then(|text| text.rsplit_once(" ("))
    else {
        return Reading::Not;
    };
    let Some((file, code)) = source_place(place).filter(|(file, _)| file.contains(".cpp")) else {
        return Reading::Not;
    };
    if !file.contains("src/") && !file.contains("src\\") {
        return Reading::Not;
    }
    Reading::Is(NativeMessage {
        library: Some("zmq".to_owned()),
        message: Some(complaint(said).trim().to_owned()),
        ..at(Some((file, code)), String::new())
    })
}

/// What `libzmq` itself said: an editor's log has more before it on the same line.
fn complaint(said: &str) -> &str {
    let begins = COMPLAINTS.iter().find_map(|known| said.find(known));
    begins.and_then(|at| said.get(at..)).unwrap_or(said)
}

/// `/AppleInternal/…/MPSNDArray.mm:705: failed assertion '…'`, `-[MTLDebugDevice …]:123: failed assertion …`.
pub(super) fn apple(hit: Hit<'_>) -> Reading {
    let metal = ["MPS", "MTL", "Metal", "IOGPU", "AGX"].iter().any(|mark| hit.text.contains(mark));
    let place =
        hit.before().split_whitespace().rev().find_map(|word| source_place(word.trim_end_matches(':')));
    Reading::Is(NativeMessage {
        library: metal.then(|| "metal".to_owned()),
        ..at(place, hit.from().to_owned())
    })
}

/// `(mpsFileLoc): /AppleInternal/…/MPSGraphUtilities.mm:233:0: error: 'mps.multiply' op operands …`; its notes, which
/// follow on lines of the same kind, only explain.
pub(super) fn mps(hit: Hit<'_>) -> Reading {
    let Some((place, message)) = hit.after().split_once(": error: ") else { return Reading::Not };
    let place = place.rsplit_once(':').map_or(place, |(place, _)| place);
    Reading::Is(at(source_place(place), message.to_owned()))
}

/// An event at a place in a source.
fn at(place: Option<(&str, String)>, message: String) -> NativeMessage {
    let (file, code) = place.unzip();
    NativeMessage { file: file.map(str::to_owned), code, message: Some(message), ..NativeMessage::default() }
}

/// `heap.c:12`.
fn name_and_line(file: &str, line: Option<&str>) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    line.map_or_else(|| name.to_owned(), |line| format!("{name}:{line}"))
}
