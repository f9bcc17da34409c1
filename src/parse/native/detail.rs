//! Readers of simple lines: the whole message, a number in it, a word alone.
//!
//! They know no library's grammar.

use super::{Hit, Reading};
use crate::{event::NativeMessage, parse::prim};
use nom::{
    IResult, Parser,
    bytes::complete::{tag, take_while1},
    character::complete::{char, digit1, space0},
    combinator::opt,
};

/// The message begins with the literal.
pub(super) fn whole(_: Hit<'_>) -> Reading {
    Reading::Is(NativeMessage::default())
}

/// The message is the whole line.
pub(super) fn line(hit: Hit<'_>) -> Reading {
    said(hit.text)
}

/// The whole line, if nothing stands before it.
pub(super) fn alone(hit: Hit<'_>) -> Reading {
    if hit.before().trim().is_empty() { said(hit.text) } else { Reading::Not }
}

/// `STOP no convergence`, `ERROR STOP 3`: Fortran's statement, which ends the process in good order. gfortran and ifort
/// print nothing before it.
pub(super) fn fortran_stop(hit: Hit<'_>) -> Reading {
    let alone = matches!(hit.before(), "" | "ERROR ");
    if alone && !hit.after().trim().is_empty() { said(hit.text) } else { Reading::Not }
}

/// The message is this.
pub(super) fn said(message: &str) -> Reading {
    Reading::Is(NativeMessage { message: Some(message.trim().to_owned()), ..NativeMessage::default() })
}

/// A number stands right behind the literal: `OMP: Error #15: …`, `forrtl: severe (174): …`.
pub(super) fn numbered(hit: Hit<'_>) -> Reading {
    match number_and_text(hit.after()) {
        Ok((text, code)) => Reading::Is(NativeMessage {
            code: Some(code.to_owned()),
            message: Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
            ..NativeMessage::default()
        }),
        Err(_) => Reading::Cut("the error's number"),
    }
}

/// `15: text` and `174): text`.
fn number_and_text(input: &str) -> IResult<&str, &str> {
    let (rest, (code, _, _, _)) = (digit1, opt(char(')')), opt(char(':')), space0).parse(input)?;
    Ok((rest, code))
}

/// The message stands behind a colon: `Intel MKL FATAL ERROR: Cannot load …`. Without one it is prose.
pub(super) fn after_colon(hit: Hit<'_>) -> Reading {
    match hit.after().strip_prefix(':').map(str::trim) {
        None => Reading::Not,
        Some("") => Reading::Cut("what the error is"),
        Some(message) => said(message),
    }
}

/// A code in parentheses: `… aborted … Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)`.
pub(super) fn parenthesised_code(hit: Hit<'_>) -> Reading {
    let code =
        hit.after().rsplit_once('(').map(|(_, code)| code.trim_end_matches([')', '.', ' ']).to_owned());
    Reading::Is(NativeMessage { code, ..NativeMessage::default() })
}

/// `OpenBLAS blas_thread_init: pthread_create failed for thread 52 of 64: Resource temporarily unavailable`.
///
/// The thread's number is left out: the line comes once for each of them and is meant to be folded.
pub(super) fn blas_thread(hit: Hit<'_>) -> Reading {
    let why = hit.after().split_once(": ").map(|(_, why)| why.trim());
    said(&match why {
        Some(why) => format!("pthread_create failed: {why}"),
        None => "pthread_create failed".to_owned(),
    })
}

/// `Headers are 1.10.4, library is 1.10.5`.
pub(super) fn hdf5_versions(hit: Hit<'_>) -> Reading {
    match versions(hit.after()) {
        Ok((_, (headers, library))) => Reading::Is(NativeMessage {
            code: Some(format!("{headers} {library}")),
            ..NativeMessage::default()
        }),
        Err(_) => Reading::Not,
    }
}

/// The two versions.
fn versions(input: &str) -> IResult<&str, (&str, &str)> {
    let version = || take_while1(|c: char| c.is_ascii_alphanumeric() || "._-".contains(c));
    let (rest, (headers, _, library)) = (version(), tag(", library is "), version()).parse(input)?;
    Ok((rest, (headers, library)))
}

/// `thread '<unnamed>' panicked at src/lib.rs:12:5:`.
pub(super) fn rust_panic(hit: Hit<'_>) -> Reading {
    let Some((_, thread)) = hit.before().rsplit_once("thread ") else { return Reading::Not };
    if prim::quoted(thread).is_err() {
        return Reading::Not;
    }
    let place = hit.after();
    let file = place.split_once(':').map(|(file, _)| file.to_owned()).filter(|file| file.contains(".rs"));
    Reading::Is(NativeMessage {
        message: Some(format!("panicked at {place}")),
        file,
        ..NativeMessage::default()
    })
}

/// `The TensorFlow library was compiled to use AVX instructions, but these aren't available on your machine.`: the abort
/// at import, with a place in the source before it or, from wheels without logging, alone.
pub(super) fn missing_instructions(hit: Hit<'_>) -> Reading {
    if hit.after().contains(" instructions, but these aren't available") { whole(hit) } else { Reading::Not }
}

/// `thread 'polars-3' has overflowed its stack`; newer ones put the thread's number behind its name.
pub(super) fn rust_overflow(hit: Hit<'_>) -> Reading {
    let thread = hit.before().strip_prefix("thread ").is_some_and(|thread| prim::quoted(thread).is_ok());
    if thread && hit.after().is_empty() { said(hit.text) } else { Reading::Not }
}

/// `[4242] signal (11.1): Segmentation fault`, `signal (6): Aborted`: Julia's own handler, in a Julia kernel.
pub(super) fn julia_signal(hit: Hit<'_>) -> Reading {
    const NAMES: [&str; 5] =
        ["Segmentation fault", "Abort", "Bus error", "Illegal instruction", "Floating point exception"];
    let before = hit.before().trim();
    let alone = before.is_empty() || before.starts_with('[') && before.ends_with(']');
    let Some((number, name)) = hit.after().split_once("): ").filter(|_| alone) else { return Reading::Not };
    if !NAMES.iter().any(|known| name.starts_with(known)) {
        return Reading::Not;
    }
    let code = number.split('.').next().unwrap_or(number).to_owned();
    Reading::Is(NativeMessage { code: Some(code), ..NativeMessage::default() })
}

/// ` *** caught segfault ***`: R's own handler, in an R kernel.
pub(super) fn r_signal(hit: Hit<'_>) -> Reading {
    match hit.after().split_once(" ***") {
        Some((what, "")) => {
            Reading::Is(NativeMessage { code: Some(what.to_owned()), ..NativeMessage::default() })
        }
        _ => Reading::Not,
    }
}

/// `Bus error (core dumped)`, `Illegal instruction: 4`: nothing but the word on the line. With a script's name and a
/// process id around it, it is the shell parser's.
pub(super) fn shell_word(hit: Hit<'_>) -> Reading {
    let alone = hit.before().trim().is_empty() && prim_end(hit.after());
    if alone { said(hit.text) } else { Reading::Not }
}

/// Nothing, `(core dumped)`, or macOS's number of the signal.
fn prim_end(rest: &str) -> bool {
    let rest = rest.trim();
    let number = rest.strip_prefix(':').map(str::trim);
    rest.is_empty() || rest == "(core dumped)" || number.is_some_and(|text| text.parse::<u8>().is_ok())
}
