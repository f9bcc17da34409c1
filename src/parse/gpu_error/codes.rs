//! CUDA's errors by name, number and text, out of the table that `explain` prints too.
//!
//! It does not say which errors end what.

use crate::encyclopedia::{CUDA_ERRORS, CudaError};

/// One error of CUDA.
pub(super) type Code = CudaError;

/// The canonical name: the runtime's where there is one.
pub(super) fn name_of(code: &Code) -> &'static str {
    if code.runtime.is_empty() { code.driver } else { code.runtime }
}

/// The error of this name, the runtime's or the driver's.
pub(super) fn named(name: &str) -> Option<&'static Code> {
    CUDA_ERRORS.iter().find(|code| !name.is_empty() && (code.runtime == name || code.driver == name))
}

/// The error of this number.
pub(super) fn numbered(number: i64) -> Option<&'static Code> {
    CUDA_ERRORS.iter().find(|code| code.number == number)
}

/// What CUDA before 10.1 printed for number 46.
const OLD_BUSY: &str = "all CUDA-capable devices are busy or unavailable";

/// The error whose text a message begins with; of several the longest.
pub(super) fn texted(message: &str) -> Option<&'static Code> {
    if message.starts_with(OLD_BUSY) {
        return numbered(46);
    }
    let fitting = CUDA_ERRORS.iter().filter(|code| !code.message.is_empty() && message.starts_with(code.message));
    fitting.max_by_key(|code| code.message.len())
}

/// The number an error of CUDA before 10.1 has today. `PyTorch` 1.4 and older print `cuda runtime error (59)`.
pub(super) fn modern(old: i64) -> i64 {
    match old {
        4 => 719,
        6 => 702,
        7 => 701,
        8 => 98,
        10 => 101,
        11 => 1,
        30 => 999,
        38 => 100,
        39 => 214,
        48 => 209,
        59 => 710,
        72 => 714,
        73 => 715,
        74 => 716,
        75 => 717,
        76 => 718,
        77 => 700,
        same => same,
    }
}
