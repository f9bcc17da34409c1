//! What numbers and names in logs mean: signals, exit codes, Windows statuses, NVIDIA Xids, CUDA errors.
//!
//! It knows no rule; the causes it points to are names only.

mod cuda;
mod exit;
mod library;
mod signal;
mod table;
mod words;
mod xid;

pub use cuda::{CUDA_ERRORS, CudaError};
pub use exit::{EXIT_CODES, ExitCode, WINDOWS_STATUSES};
pub use library::{LIBRARY_STATUSES, LibraryStatus};
pub use signal::{SIGNALS, Signal};
pub use xid::{SXIDS, XIDS, Xid};

/// What a word means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// `exit code 137: killed by SIGKILL`.
    pub heading: String,
    /// What it means, and what to look for.
    pub paragraphs: Vec<String>,
    /// Causes that show it, the likeliest first.
    pub causes: Vec<&'static str>,
}

/// All that a word means; nothing if it is unknown.
pub fn look_up(word: &str) -> Vec<Entry> {
    let word = word.trim();
    let lower = word.to_lowercase();
    if let Some(number) = after(&lower, &["sxid"]) {
        return xid::switch_entry(number).into_iter().collect();
    }
    if let Some(number) = after(&lower, &["nvrm: xid", "xid"]) {
        return xid::entry(number).into_iter().collect();
    }
    let is_number = |text: &&str| text.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
    if let Some(number) = after(&lower, &["cuda error", "cuda"]).filter(is_number) {
        return cuda::entries(number);
    }
    if let Some(number) = after(&lower, &["exit code", "exit status", "exitcode", "exit"]).filter(is_number) {
        return exit::entries(number);
    }
    if let Some(number) = after(&lower, &["signal", "sig"]).filter(is_number) {
        return signal::entry(number).into_iter().collect();
    }
    let mut entries: Vec<Entry> = words::entry(&lower).into_iter().collect();
    entries.extend(exit::entries(&lower));
    entries.extend(signal::by_name(&lower));
    entries.extend(library::by_word(word));
    entries.extend(cuda::by_word(word));
    entries
}

/// Every name that can be looked up, for suggestions.
pub fn names() -> impl Iterator<Item = &'static str> {
    let signals = SIGNALS.iter().map(|signal| signal.name);
    let cuda = CUDA_ERRORS.iter().flat_map(|error| [error.runtime, error.driver]);
    let libraries = LIBRARY_STATUSES.iter().map(|status| status.name);
    signals.chain(cuda).chain(libraries).filter(|name| !name.is_empty())
}

/// What follows one of some words, without blanks, `=`, `:` and brackets between.
fn after<'a>(word: &'a str, heads: &[&str]) -> Option<&'a str> {
    let rest = heads.iter().find_map(|head| word.strip_prefix(head))?;
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '=' | '(' | ')' | '#'));
    (!rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, headings: &[&str]) {
        let found: Vec<_> = look_up(word).into_iter().map(|entry| entry.heading).collect();
        assert_eq!(found.len(), headings.len(), "{word}: {found:?}");
        for (found, heading) in found.iter().zip(headings) {
            assert!(found.contains(heading), "{word}: {found}");
        }
    }

    #[test]
    fn words_are_found() {
        check("137", &["SIGKILL"]);
        check("-11", &["SIGSEGV"]);
        check("sigbus", &["SIGBUS"]);
        check("KILL", &["SIGKILL"]);
        check("signal 9", &["SIGKILL"]);
        check("xid 79", &["Xid 79"]);
        check("Xid: 31", &["Xid 31"]);
        check("3221225477", &["0xC0000005"]);
        check("-1073741819", &["0xC0000005"]);
        check("0xc0000005", &["0xC0000005"]);
        check("700", &["CUDA error 700"]);
        check("cudaErrorAssert", &["CUDA error 710"]);
        check("CUDA_ERROR_OUT_OF_MEMORY", &["CUDA error 2"]);
        check("device-side assert triggered", &["CUDA error 710"]);
        check("2", &["exit code 2", "CUDA error 2"]);
        check("exit code 1", &["exit code 1"]);
        check("cudaErrorIllegalAddress", &["CUDA error 700"]);
        check("hipErrorIllegalAddress", &["CUDA error 700"]);
        check("CUBLAS_STATUS_ALLOC_FAILED", &["cuBLAS: CUBLAS_STATUS_ALLOC_FAILED (3)"]);
        check("CUDA error: CUBLAS_STATUS_INTERNAL_ERROR when calling cublasCreate", &["cuBLAS"]);
        check("ncclSystemError", &["NCCL: ncclSystemError (2)"]);
        check("SXid 20034", &["SXid 20034: a link failed"]);
        check("sxid: 19999", &["SXid 19999: an error of an NVSwitch"]);
        check("xid 3", &["Xid 3: a rare or retired code"]);
        check("nonsense", &[]);
        check("999999999999999999999", &[]);
        check("", &[]);
    }

    #[test]
    fn every_error_is_explained_by_number_name_and_message() {
        assert_eq!(CUDA_ERRORS.len(), 140);
        for error in CUDA_ERRORS.iter() {
            let number = format!("cuda error {}", error.number);
            let told = |word: &str| {
                let heading = format!("CUDA error {}:", error.number);
                look_up(word).iter().any(|entry| entry.heading.starts_with(&heading))
            };
            for word in [&number, error.runtime, error.driver, error.message] {
                assert!(word.is_empty() || told(word), "{word}");
            }
            assert!(
                !error.usual.is_empty() && ["yes", "no", "setup", "echo", "unknown"].contains(&error.sticky)
            );
        }
        let poisons: Vec<i64> =
            CUDA_ERRORS.iter().filter(|error| error.sticky == "yes").map(|error| error.number).collect();
        assert_eq!(poisons, [214, 220, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911]);
    }

    #[test]
    fn every_status_and_xid_is_explained() {
        for status in LIBRARY_STATUSES.iter() {
            assert_eq!(look_up(status.name).len(), 1, "{}", status.name);
        }
        for xid in XIDS.iter() {
            assert_eq!(look_up(&format!("xid {}", xid.number)).len(), 1);
        }
        assert!(XIDS.len() > 100 && SXIDS.len() > 4 && LIBRARY_STATUSES.len() > 35);
    }

    #[test]
    fn tables_are_in_order() {
        assert!(XIDS.is_sorted_by_key(|xid| xid.number));
        assert!(CUDA_ERRORS.is_sorted_by_key(|error| error.number));
        assert!(SIGNALS.is_sorted_by_key(|signal| signal.number));
        assert!(EXIT_CODES.is_sorted_by_key(|code| code.number));
    }
}
