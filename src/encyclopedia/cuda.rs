//! CUDA's errors, by number, name and message.
//!
//! Names and messages as `libcudart.so.13` gives them; runtime and driver share their numbers since CUDA 10.1. Which
//! errors poison the process is what `driver_types.h` 13.5 says of each, and practice for hardware faults.

use super::{Entry, cuda_table::CUDA_ERRORS};

/// A CUDA error.
#[derive(Debug, Clone, Copy)]
pub struct CudaError {
    /// Its number.
    pub number: i64,
    /// The runtime's name.
    pub runtime: &'static str,
    /// The driver's name; empty where it has none.
    pub driver: &'static str,
    /// The message as printed.
    pub message: &'static str,
    /// Whether the process is poisoned: `yes`, `no`, `setup` (nothing to poison), `echo`, `unknown`.
    pub sticky: &'static str,
    /// What usually gives it, and what to do.
    pub usual: &'static str,
    /// Causes that show it.
    pub causes: &'static [&'static str],
}

/// The errors of a number, a name or a message.
pub(super) fn entries(word: &str) -> Vec<Entry> {
    by_word(word)
}

/// As [`entries`]; a whole message or the beginning of one will do.
pub(super) fn by_word(word: &str) -> Vec<Entry> {
    let number = word.parse::<i64>().ok();
    let long = word.len() >= 8;
    let fits = |error: &&CudaError| {
        let named = |name: &str| !name.is_empty() && name.eq_ignore_ascii_case(word);
        number == Some(error.number)
            || named(error.runtime)
            || named(error.driver)
            || named(error.message)
            || long
                && word.to_lowercase().contains(&error.message.to_lowercase())
                && error.message.len() >= 12
    };
    CUDA_ERRORS.iter().filter(fits).map(entry).collect()
}

/// An error's entry.
fn entry(error: &CudaError) -> Entry {
    let names = [error.runtime, error.driver].into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>();
    let state = match error.sticky {
        "yes" => {
            "The process is poisoned: every later CUDA call fails too, and only restarting the kernel helps. The first \
                  such error is the cause, the others are echoes. The Python line is where it was noticed, not where it arose."
        }
        "no" => "The call failed, the process is fine: the same kernel can go on.",
        "setup" => "Raised while CUDA starts; nothing has run on the GPU yet.",
        "echo" => "An effect of something earlier.",
        _ => "Whether the process can go on is not known.",
    };
    Entry {
        heading: format!("CUDA error {}: {}, `{}`", error.number, names.join(" / "), error.message),
        paragraphs: vec![error.usual.to_owned(), state.to_owned()],
        causes: error.causes.to_vec(),
    }
}
