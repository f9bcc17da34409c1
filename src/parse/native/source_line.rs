//! Log records that name their place in a C++ source: glog, Abseil, `TensorFlow`, protobuf.
//!
//! Only fatal ones, behind which an abort follows, are kept, and protobuf's errors.

use super::{Hit, Reading};
use crate::event::NativeMessage;

/// Divides `path/file.cc:34` (a column may follow) into the path and `file.cc:34`.
pub(super) fn source_place(text: &str) -> Option<(&str, String)> {
    let (path, line) = text.trim().rsplit_once(':')?;
    let numbered = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    let name = path.rsplit(['/', '\\']).next()?;
    let source = name.contains('.') && !name.contains(' ');
    (numbered && source).then(|| (path, format!("{name}:{line}")))
}

/// `2024-03-05 03:48:00.237495: F tensorflow/…/statusor.cc:34] …`, `F0000 00:00:1738264156.6   1005 x.cc:1] …`,
/// `F1229 20:24:23.123456  1234 x.cc:99] Check failed: …`, and without a clock `F c:\tf_jenkins\…\x.cc:532] …`.
pub(super) fn fatal_record(hit: Hit<'_>) -> Reading {
    if let Some((file, code)) = arrow_place(hit) {
        return Reading::Is(NativeMessage {
            code: Some(code),
            message: Some(hit.from().trim().to_owned()),
            file: Some(file.to_owned()),
            ..NativeMessage::default()
        });
    }
    let Some((head, message)) = hit.text.split_once("] ") else { return Reading::Not };
    let Some((file, code)) = head.rsplit(' ').next().and_then(source_place) else { return Reading::Not };
    let words: Vec<&str> = head.split_whitespace().collect();
    if !words.iter().any(|word| is_fatal_mark(word)) {
        return Reading::Not;
    }
    Reading::Is(NativeMessage {
        library: Some(library(file).to_owned()),
        code: Some(code),
        message: Some(message.trim().to_owned()),
        file: Some(file.to_owned()),
        pid: thread_of(&words),
        ..NativeMessage::default()
    })
}

/// The place in Arrow's and Ray's own records, `/arrow/cpp/src/arrow/table.cc:87:  Check failed: …`: two blanks, where
/// dmlc (`XGBoost`, DGL), which only throws, has one.
fn arrow_place<'a>(hit: Hit<'a>) -> Option<(&'a str, String)> {
    let head = hit.before().strip_suffix(":  ")?;
    source_place(head.rsplit(' ').next()?)
}

/// `F`, or `F` and a date of four or eight digits.
fn is_fatal_mark(word: &str) -> bool {
    word.strip_prefix('F')
        .is_some_and(|date| matches!(date.len(), 0 | 4 | 8) && date.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The thread between the clock and the file in glog's form; for a main thread it is the process.
fn thread_of(words: &[&str]) -> Option<i64> {
    let [.., thread, _] = words else { return None };
    words.first().filter(|first| first.len() > 1 && is_fatal_mark(first))?;
    thread.parse().ok()
}

/// Whose source it is.
fn library(file: &str) -> &'static str {
    let has = |marks: &[&str]| marks.iter().any(|mark| file.contains(mark));
    if has(&["tensorflow", "tf_jenkins", "xla/", "tsl/", "stream_executor"]) {
        "tensorflow"
    } else if has(&["protobuf"]) {
        "protobuf"
    } else {
        "absl"
    }
}

/// `[libprotobuf FATAL google/protobuf/stubs/common.cc:87] This program was compiled against version 3.9 …`.
pub(super) fn libprotobuf(hit: Hit<'_>) -> Reading {
    let Some((place, message)) = hit.after().split_once("] ") else {
        return Reading::Cut("`]` and a message");
    };
    let (file, code) = source_place(place).unzip();
    Reading::Is(NativeMessage {
        file: file.map(str::to_owned),
        code,
        message: Some(message.trim().to_owned()),
        ..NativeMessage::default()
    })
}
