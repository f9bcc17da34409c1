//! What is wrong with a rule file, shown with the line and a caret under the very characters.
//!
//! It does not decide what is wrong; the loader and the small languages do.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str};
use std::ops::Range;

/// The columns that a help text is wrapped at.
const HELP_COLUMNS: usize = 96;

/// A mistake inside one string of a rule file: a clause, a window, an expression or a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The bytes of the string it is about.
    pub at: Range<usize>,
    /// What is wrong: a lower-case fragment without a full stop, names in backticks.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}

impl Problem {
    /// A mistake without advice.
    pub fn new(at: Range<usize>, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), help: None }
    }

    /// The same with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// A mistake in a rule file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file, as given to the loader.
    pub path: String,
    /// The bytes of the file it is about.
    pub span: Range<usize>,
    /// What is wrong: a lower-case fragment without a full stop, names in backticks.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}

/// All faults of one file whose text is `text`, one below the other, with a newline at the end.
pub fn render_faults(faults: &[Fault], text: &str, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let text = &tame(text);
    let mut shown = String::new();
    for fault in faults {
        if !shown.is_empty() {
            shown.push('\n');
        }
        shown.push_str(&renderer.render(&[group(fault, text)]));
        shown.push('\n');
    }
    shown
}

/// All faults of several files, each with its text out of `texts` (path and text); a fault of a file that is not
/// among them is shown without its line.
pub fn render_faults_of(faults: &[Fault], texts: &[(String, String)], color: bool) -> String {
    let text_of = |path: &str| texts.iter().find(|(known, _)| known == path).map_or("", |(_, text)| text);
    let each =
        faults.iter().map(|fault| render_faults(std::slice::from_ref(fault), text_of(&fault.path), color));
    each.collect::<Vec<_>>().join("\n")
}

/// annotate-snippets replaces the control characters of ASCII; those of Unicode's second block become a sign of the same
/// length in bytes, so that places stay right.
fn tame(text: &str) -> String {
    text.replace(|c| ('\u{80}'..='\u{9f}').contains(&c), "¤")
}

/// A text that is shown beside the file's: a message, a path, a help.
fn tamed(text: &str) -> String {
    normalize_untrusted_str(&tame(text))
}

/// One fault as annotate-snippets wants it.
fn group<'a>(fault: &Fault, text: &'a str) -> Group<'a> {
    let title = Level::ERROR.primary_title(tamed(&fault.message));
    let snippet = Snippet::source(text)
        .path(tamed(&fault.path))
        .annotation(AnnotationKind::Primary.span(inside(&fault.span, text)));
    let group = title.element(snippet);
    match &fault.help {
        None => group,
        Some(help) => group.element(Level::HELP.message(wrapped(help))),
    }
}

/// A help text in lines that fit a terminal.
fn wrapped(help: &str) -> String {
    let options = || {
        textwrap::Options::new(HELP_COLUMNS)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
    };
    let lines = help.lines().flat_map(|line| textwrap::wrap(line, options()));
    lines.map(|line| tamed(&line)).collect::<Vec<_>>().join("\n")
}

/// A span moved to where the text can be cut, whatever text it is.
fn inside(span: &Range<usize>, text: &str) -> Range<usize> {
    let boundary =
        |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let start = boundary(span.start);
    start..boundary(span.end).max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(span: Range<usize>) -> Fault {
        Fault { path: "rules/host/a.toml".into(), span, message: "no".into(), help: Some("yes".into()) }
    }

    #[test]
    fn a_caret_stands_under_the_fault() {
        let shown = render_faults(&[fault(5..8)], "id = bad\n", false);
        assert!(shown.contains("--> rules/host/a.toml:1:6"), "{shown}");
        assert!(shown.contains("^^^"), "{shown}");
        assert!(shown.contains("help: yes"), "{shown}");
    }

    #[test]
    fn a_span_outside_or_inside_a_character_does_no_harm() {
        for span in [0..0, 1..2, 2..900, 900..901] {
            assert!(render_faults(&[fault(span)], "é é\n", true).contains("rules/host/a.toml"));
        }
        assert!(render_faults(&[fault(3..9)], "", false).contains("error: no"));
    }

    #[test]
    fn control_characters_are_not_passed_on() {
        let mut hostile = fault(0..1);
        hostile.message = "\u{1b}[31mred".into();
        assert!(!render_faults(&[hostile], "x\u{1b}[0m\n", false).contains('\u{1b}'));
    }
}
