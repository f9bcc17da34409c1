//! A rule's page for a terminal: `explain ID`. Plain text with Markdown's headings and lists.
//!
//! It does not colour, and shows no more than the beginning of a log.

use super::{Block, RulePage};
use crate::{
    language::Language,
    rule::{Rule, RuleSet},
};
use std::fmt::Write;
use textwrap::{WordSeparator, WordSplitter};

/// The columns that prose is wrapped at.
const COLUMNS: usize = 96;
/// The lines of a log that are shown.
const LOG_LINES: usize = 4;
/// The characters of a line that are shown.
const LOG_COLUMNS: usize = 116;

/// The rule's page.
pub fn page(rule: &Rule, set: &RuleSet, language: Language) -> String {
    let page = RulePage::new(rule, set, language);
    let mut out = format!("# {}\n\n", page.title);
    wrap(&mut out, &page.names, "", "");
    for section in &page.sections {
        let _ = write!(out, "\n## {}\n\n", section.heading);
        for (index, block) in section.blocks.iter().enumerate() {
            // A paragraph is kept apart from what stands above it, and steps from the sentence above them.
            let above = index.checked_sub(1).and_then(|above| section.blocks.get(above));
            let apart = match block {
                Block::Text(_) => above.is_some(),
                Block::Step(..) => matches!(above, Some(Block::Text(_))),
                _ => false,
            };
            if apart {
                out.push('\n');
            }
            write_block(&mut out, block);
        }
    }
    out
}

fn write_block(out: &mut String, block: &Block<'_>) {
    match block {
        Block::Text(text) => wrap(out, text, "", ""),
        Block::Item(text, inner) => {
            wrap(out, text, "- ", "  ");
            for text in inner {
                wrap(out, text, "  - ", "    ");
            }
        }
        Block::Step(number, text, command) => {
            wrap(out, text, &format!("{number}. "), "   ");
            for line in command.iter().flat_map(|command| command.lines()) {
                let _ = writeln!(out, "       {line}");
            }
        }
        Block::Log(name, text) => log(out, name, text),
        Block::Link(address) => {
            let _ = writeln!(out, "- {address}");
        }
    }
}

/// The beginning of a log.
fn log(out: &mut String, name: &str, text: &str) {
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let _ = writeln!(out, "{name}:");
    for line in lines.iter().take(LOG_LINES) {
        let _ = writeln!(out, "    {}", cut(line));
    }
    if lines.len() > LOG_LINES {
        let _ = writeln!(out, "    … {} more", lines.len() - LOG_LINES);
    }
}

/// A line that fits.
fn cut(line: &str) -> String {
    let readable: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match readable.char_indices().nth(LOG_COLUMNS) {
        None => readable,
        Some((end, _)) => format!("{}…", readable.get(..end).unwrap_or_default()),
    }
}

/// Wraps at blanks, and between Chinese characters: ids and commands must survive being copied.
fn wrap(out: &mut String, text: &str, first: &str, rest: &str) {
    // Chinese has no blanks; Unicode's rules would also break at the hyphens of ids.
    let chinese = text.chars().any(|c| ('\u{2e80}'..'\u{ffef}').contains(&c));
    let separator = if chinese { WordSeparator::UnicodeBreakProperties } else { WordSeparator::AsciiSpace };
    let options = textwrap::Options::new(COLUMNS)
        .initial_indent(first)
        .subsequent_indent(rest)
        .break_words(false)
        .word_separator(separator)
        .word_splitter(WordSplitter::NoHyphenation);
    out.push_str(&textwrap::fill(text, options));
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_all_rules_say_everything() {
        let set = RuleSet::builtin().unwrap();
        let placeholder = regex::Regex::new(r"\{[a-z_]+(\|[a-z]+)?\}").unwrap();
        for (rule, language) in set.iter().flat_map(|rule| Language::ALL.map(|language| (rule, language))) {
            let page = page(rule, &set, language);
            let messages = language.messages();
            for part in [
                rule.texts(language).title,
                &rule.id,
                messages.page_looks,
                messages.what_to_do,
                messages.page_confused,
            ] {
                assert!(page.contains(part), "{}: {part}\n{page}", rule.id);
            }
            // Quoted log lines, indented, may hold what looks like a placeholder.
            let prose: String = page.lines().filter(|line| !line.starts_with("    ")).collect();
            assert!(!placeholder.is_match(&prose), "{page}");
        }
    }
}
