//! `Pattern`: a regular expression of a rule, compiled when a text is first held against it.
//!
//! Most runs need few of the rules' expressions, and compiling them all takes longer than reading a small folder. So
//! that compiling one is cheap too, classes are those of ASCII and `.` is a byte: what programs print is ASCII wherever
//! a rule looks at single characters, and words in other scripts can be written out. `(?u)` turns Unicode's classes on.

use regex::bytes::RegexBuilder;
use regex_automata::{meta, util::syntax};
use std::{fmt, sync::OnceLock};

/// The compiled size that a regular expression may have, in bytes: far more than any line's shape needs.
const MOST_BYTES: usize = 1 << 20;
/// The longest expression that cannot be too large, if it counts no repetitions and has few classes.
const SURELY_SMALL: usize = 400;
/// How many classes (`\w`, the largest, takes some 20 KiB) those are at most.
const FEW_CLASSES: usize = 16;

/// A regular expression that is known to be one.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    compiled: OnceLock<Option<meta::Regex>>,
}

impl Pattern {
    /// Checks an expression. What may be too large is compiled at once to see whether it is.
    pub(super) fn new(text: String) -> Result<Self, regex::Error> {
        let mut parser = regex_syntax::ParserBuilder::new().unicode(false).utf8(false).build();
        parser.parse(&text).map_err(|error| regex::Error::Syntax(error.to_string()))?;
        let classes = text.matches('\\').count();
        if text.len() > SURELY_SMALL || classes > FEW_CLASSES || text.contains('{') {
            check(&text)?;
        }
        Ok(Self::trusted(text))
    }

    /// An expression that has been checked.
    pub(super) fn trusted(text: String) -> Self {
        Self { text, compiled: OnceLock::new() }
    }

    /// Whether it is found anywhere in a text.
    pub(super) fn is_match(&self, text: &str) -> bool {
        self.compiled
            .get_or_init(|| compile(&self.text))
            .as_ref()
            .is_some_and(|regex| regex.is_match(text.as_bytes()))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Compiles an expression to see whether it is too large.
fn check(text: &str) -> Result<(), regex::Error> {
    RegexBuilder::new(text).unicode(false).size_limit(MOST_BYTES).build().map(drop)
}

/// Compiles an expression, without searching it for literals that a text must hold: that takes longer than all else, and
/// saves little where texts are short.
fn compile(text: &str) -> Option<meta::Regex> {
    let syntax = syntax::Config::new().unicode(false).utf8(false);
    let config = meta::Config::new().auto_prefilter(false).utf8_empty(false).nfa_size_limit(Some(MOST_BYTES));
    meta::Builder::new().syntax(syntax).configure(config).build(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_those_of_the_compiler() {
        for text in ["(", "[a", "a{2,1}", "(?P<n", "\\q"] {
            let plain = check(text).map_err(|error| error.to_string());
            assert_eq!(Pattern::new(text.to_owned()).map(|_| ()).map_err(|error| error.to_string()), plain);
        }
        assert!(matches!(Pattern::new("(?u:\\w){900}".to_owned()), Err(regex::Error::CompiledTooBig(_))));
    }

    #[test]
    fn words_of_other_scripts_are_found_and_their_classes_on_demand() {
        let found =
            |pattern: &str, text: &str| Pattern::new(pattern.to_owned()).map(|one| one.is_match(text));
        assert_eq!(found("内核.*重启", "内核已经停止，正在重启"), Ok(true));
        assert_eq!(found("^(?u:\\w)+$", "内核"), Ok(true));
        assert_eq!(found("^\\w+$", "内核"), Ok(false));
    }

    #[test]
    fn what_is_not_compiled_at_once_compiles_later() {
        // The largest class there is, as often as it fits.
        assert!(check(&"\\w".repeat(FEW_CLASSES)).is_ok() && compile(&"\\w".repeat(FEW_CLASSES)).is_some());
        assert!(Pattern::new("^py.*[0-9]$".to_owned()).is_ok_and(|pattern| pattern.is_match("python3")));
    }
}
