//! Loaders that cannot find a library or a symbol, where no Python exception tells of it.
//!
//! An `ImportError` with the same words is the Python parser's.

use super::{Hit, Reading, detail::said};
use crate::event::NativeMessage;

/// `python: symbol lookup error: /opt/x/libfoo.so: undefined symbol: bar`,
/// `ls: error while loading shared libraries: libfoo.so.1: cannot open shared object file: …`.
pub(super) fn lookup(hit: Hit<'_>) -> Reading {
    let file = hit.after().split(':').next().filter(|file| file.contains(".so")).map(str::to_owned);
    Reading::Is(NativeMessage { file, ..NativeMessage::default() })
}

/// Any of the loader's sentences that is not an exception's message.
pub(super) fn outside_exception(hit: Hit<'_>) -> Reading {
    if in_exception(hit.text) { Reading::Not } else { said(hit.text) }
}

/// `Could not load library libcudnn_cnn_infer.so.8. Error: libcuda.so: cannot open …`: cuDNN 8 ends the process so.
pub(super) fn named_library(hit: Hit<'_>) -> Reading {
    if in_exception(hit.text) {
        return Reading::Not;
    }
    let file = hit.from().split_whitespace().map(|word| word.trim_end_matches([',', '.', ':']));
    let file = file.into_iter().find(|word| word.contains(".so") || word.contains(".dll")).map(str::to_owned);
    Reading::Is(NativeMessage { file, ..NativeMessage::default() })
}

/// `Could not locate zlibwapi.dll. Please make sure it is in your library path!`, cuDNN on Windows.
pub(super) fn located(hit: Hit<'_>) -> Reading {
    let file = hit.after().split_whitespace().next().unwrap_or_default().trim_end_matches('.');
    if !file.to_ascii_lowercase().ends_with(".dll") {
        return Reading::Not;
    }
    Reading::Is(NativeMessage { file: Some(file.to_owned()), ..NativeMessage::default() })
}

/// Whether a line begins with an exception's type.
fn in_exception(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.ends_with("Error:") && first.len() > "Error:".len()
}
