//! The rule's own tests: raw logs, for and against.

use super::Loader;
use crate::rule::{
    Ends, Expectation, RuleTest,
    raw::{Ordered, RawTest, Text},
};
use toml::Spanned;

/// The words of expectations.
const WORDS: [(&str, Expectation); 4] = [
    ("cause", Expectation::Cause),
    ("finding", Expectation::Finding),
    ("explained", Expectation::Explained),
    ("silent", Expectation::Silent),
];

impl Loader<'_> {
    /// All tests. A rule proves that it speaks and that it can be silent.
    pub(super) fn tests(&mut self, list: &[Spanned<RawTest>], ends: Option<Ends>) -> Vec<RuleTest> {
        let faults = self.faults.len();
        let tests: Vec<_> = list.iter().filter_map(|raw| self.test(raw, ends)).collect();
        if self.faults.len() > faults {
            return tests;
        }
        // What is not there has no place; the last test is where the next one would follow.
        let place = list.last().map_or(0..self.text.find('\n').unwrap_or_default(), Spanned::span);
        if tests.iter().all(|test| test.expect == Expectation::Silent) {
            let help = "a [[test]] that expects `cause`, `finding` or `explained` shows what it looks like";
            self.fault(place.clone(), "no test shows this cause at work", Some(help.to_owned()));
        }
        if tests.iter().all(|test| test.expect != Expectation::Silent) {
            let help = "a [[test]] that expects `silent`, and says because of what, shows what it is not";
            self.fault(place, "no test shows this rule silent", Some(help.to_owned()));
        }
        tests
    }

    fn test(&mut self, test: &Spanned<RawTest>, ends: Option<Ends>) -> Option<RuleTest> {
        let raw = test.get_ref();
        let name = self.prose(raw.name.as_ref(), "name", test.span());
        let expected = self.needed(raw.expect.as_ref(), "expect", test.span());
        let expect = expected.and_then(|text| self.expectation(text, ends));
        let because = raw.because.as_ref().and_then(|text| self.prose(Some(text), "because", test.span()));
        if expect == Some(Expectation::Silent) && raw.because.is_none() {
            let help = "say which rule owns it, or what it is";
            self.fault(test.span(), "a silent test needs `because`", Some(help.to_owned()));
        }
        let logs = self.logs(&raw.logs);
        if logs.is_empty() {
            self.fault(
                test.span(),
                "a test needs a log",
                Some("[test.logs] and a line: \"dmesg.log\" = '''…'''".to_owned()),
            );
        }
        Some(RuleTest { name: name?, expect: expect?, because, logs })
    }

    /// The expectation, if a rule of this kind can ever meet it.
    fn expectation(&mut self, text: &Text, ends: Option<Ends>) -> Option<Expectation> {
        let expect = self.word(text, "expect", &WORDS)?;
        match (expect, ends) {
            (Expectation::Cause, Some(Ends::No)) => {
                self.fault(
                    text.span(),
                    "a rule that ends no kernel is never the cause of a death",
                    Some("expect = \"finding\"".to_owned()),
                );
            }
            (Expectation::Finding, Some(Ends::Yes)) => {
                self.fault(
                    text.span(),
                    "a rule that ends kernels is never a finding",
                    Some("expect = \"cause\"".to_owned()),
                );
            }
            _ => {}
        }
        Some(expect)
    }

    fn logs(&mut self, logs: &Ordered) -> Vec<(String, String)> {
        for (name, text) in &logs.0 {
            let path = name.get_ref();
            if path.is_empty()
                || path.starts_with('/')
                || path.contains(['\\', ':'])
                || path.split('/').any(|part| part == "..")
            {
                self.fault(name.span(), "a log's name is a file name", Some("\"dmesg.log\"".to_owned()));
            }
            if text.get_ref().trim().is_empty() {
                self.fault(text.span(), "this log is empty", None);
            }
        }
        logs.0.iter().map(|(name, text)| (name.get_ref().clone(), text.get_ref().clone())).collect()
    }
}
