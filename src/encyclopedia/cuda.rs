//! CUDA's errors, by number, name and message.
//!
//! Names and messages as `libcudart.so.13` gives them; runtime and driver share their numbers since CUDA 10.1. Which
//! errors poison the process is what `driver_types.h` 13.5 says of each, and practice for hardware faults.

use super::{
    Entry,
    table::{ids, rows},
};
use std::sync::LazyLock;

/// Every error of CUDA 13.5, by number, as `cuda.tsv` lists them.
pub static CUDA_ERRORS: LazyLock<Vec<CudaError>> = LazyLock::new(|| {
    let row = |[number, runtime, driver, message, poisons, usual, causes]: [&'static str; 7]| {
        let number = number.parse().ok()?;
        Some(CudaError { number, runtime, driver, message, sticky: poisons, usual, causes: ids(causes) })
    };
    rows(include_str!("cuda.tsv")).filter_map(row).collect()
});

/// A CUDA error.
#[derive(Debug, Clone)]
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
    pub causes: Vec<&'static str>,
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
            || hip(error, word)
            || long
                && word.to_lowercase().contains(&error.message.to_lowercase())
                && error.message.len() >= 12
    };
    CUDA_ERRORS.iter().filter(fits).map(entry).collect()
}

/// HIP's names are CUDA's with another beginning.
fn hip(error: &CudaError, word: &str) -> bool {
    word.strip_prefix("hipError").is_some_and(|rest| error.runtime.strip_prefix("cudaError") == Some(rest))
        || word == "hipErrorOutOfMemory" && error.number == 2
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
        heading: match error.message {
            "" => format!("CUDA error {}: {}", error.number, names.join(" / ")),
            message => format!("CUDA error {}: {}, `{message}`", error.number, names.join(" / ")),
        },
        paragraphs: vec![error.usual.to_owned(), state.to_owned()],
        causes: error.causes.clone(),
    }
}
