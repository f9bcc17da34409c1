//! Lines of a test runner that name a test and its outcome. A test of whoever reads logs is named after what it reads,
//! so that such a line may quote any log whatever; nothing of it has happened.

/// What pytest writes behind a test's name.
const OUTCOMES: [&str; 6] = [" PASSED", " FAILED", " SKIPPED", " XFAIL", " XPASS", " ERROR"];

/// Whether a line is a test's name and outcome: `tests/test_oom.py::test_kill[Out of memory: Killed process 7] PASSED [ 3%]`.
/// Words behind the outcome would be a summary's, which says what went wrong.
pub(super) fn is_name_and_outcome(text: &str) -> bool {
    let text = text.trim_end();
    let name = text
        .strip_suffix("%]")
        .and_then(|text| text.rsplit_once('['))
        .map_or(text, |(name, _)| name.trim_end());
    // Nearly all lines end otherwise, which is seen at once.
    OUTCOMES.iter().any(|outcome| name.ends_with(outcome))
        && text.split_once("::").is_some_and(|(file, _)| file.contains(".py"))
}

#[cfg(test)]
mod tests {
    use super::is_name_and_outcome;

    #[test]
    fn a_name_is_no_log() {
        for line in [
            "tests/test_oom.py::test_kill[Out of memory: Killed process 1234 (python3)] PASSED [ 12%]",
            "tests/test_oom.py::test_restart[AsyncIOLoopKernelRestarter: restarting kernel (1/5)] FAILED",
        ] {
            assert!(is_name_and_outcome(line), "{line}");
        }
        for line in [
            "FAILED dead.ipynb::dead.ipynb - NBMAKE INTERNAL ERROR",
            "ERROR tests/test_a.py::test_b - nbclient.exceptions.DeadKernelError: Kernel died",
            "terminate called after throwing an instance of 'std::bad_alloc'",
            "[W 2026-11-30 09:14:30.402 ServerApp] kernel PASSED",
        ] {
            assert!(!is_name_and_outcome(line), "{line}");
        }
    }
}
