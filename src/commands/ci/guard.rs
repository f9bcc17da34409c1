//! Keeps a log's words from being obeyed: runners look for commands in what a step prints.
//!
//! Control characters are taken out already by the text format, so no escape sequence can begin one.

use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The text with a bar before lines that a runner would obey, and `##[` and `##vso[` broken wherever they stand.
///
/// GitHub looks for `::` where a line begins, Buildkite for `---`, `+++`, `~~~` and `^^^`, Azure for `##vso[` anywhere.
pub(super) fn guarded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let begin = line.trim_start();
        if ["::", "---", "+++", "~~~", "^^^", "section_"].iter().any(|command| begin.starts_with(command)) {
            out.push_str("│ ");
        }
        out.push_str(&line.replace("##[", "## [").replace("##vso", "## vso"));
        out.push('\n');
    }
    out
}

/// A word that no log can know, for `::stop-commands::`: it depends on the whole text.
pub(super) fn token(text: &str) -> String {
    let mut token = "kerneldoc-".to_owned();
    for byte in Sha256::digest(text.as_bytes()).iter().take(16) {
        // Writing into a String cannot fail.
        let _ = write!(token, "{byte:02x}");
    }
    token
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_not_obeyed() {
        assert_eq!(
            guarded("  ::error::x\na ##vso[task.complete]\n--- x\n"),
            "│   ::error::x\na ## vso[task.complete]\n│ --- x\n"
        );
        assert_ne!(token("a"), token("b"));
    }
}
