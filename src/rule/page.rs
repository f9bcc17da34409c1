//! A rule as a page for people: `explain ID` and `rules show ID`.
//!
//! Plain text with Markdown's headings and lists. It does not colour, and it quotes only the rule, no log of a user.

use super::{Basis, Condition, Ends, Expectation, Link, Rule, RuleSet};
use std::fmt::Write;
use textwrap::{WordSeparator, WordSplitter};

/// The columns that prose is wrapped at.
const COLUMNS: usize = 96;
/// The lines of a log that are shown.
const LOG_LINES: usize = 4;
/// The characters of a line that are shown.
const LOG_COLUMNS: usize = 116;

/// The rule's page.
pub fn page(rule: &Rule, set: &RuleSet) -> String {
    let mut page = format!("# {}\n\n", rule.title);
    line(&mut page, &format!("`{}` · {} layer · {}", rule.id, rule.layer.word(), kind(rule)));
    for paragraph in rule.why.split("\n\n") {
        page.push('\n');
        line(&mut page, &paragraph.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    recognised(&mut page, rule);
    looks(&mut page, rule);
    fix(&mut page, rule);
    confused(&mut page, rule, set);
    if !rule.references.is_empty() {
        section(&mut page, "References");
        for address in &rule.references {
            let _ = writeln!(page, "- {address}");
        }
    }
    page
}

/// What the rule is about, in a few words.
fn kind(rule: &Rule) -> String {
    let ends = match rule.ends {
        Ends::Yes => "ends the kernel",
        Ends::No => "ends no kernel",
        Ends::Either => "may end the kernel",
    };
    let basis = match (rule.fallback, rule.basis) {
        (true, _) => "the answer when nothing else explains a death",
        (false, Basis::Record) => "a record names it",
        (false, Basis::Effect) => "inferred from its effects",
    };
    format!("{ends} · {basis}")
}

/// The conditions in words.
fn recognised(page: &mut String, rule: &Rule) {
    let asked: Vec<&Condition> = rule.require.iter().chain(&rule.any).chain(&rule.refute).collect();
    let Some(first) = asked.first() else { return };
    section(page, "How it is recognised");
    // A finding has no death to count from; a window that all conditions share is told once.
    let shared = asked.len() > 1 && asked.iter().all(|condition| condition.window == first.window);
    let words = |condition: &Condition| words(condition, !shared && rule.ends != Ends::No);
    for condition in &rule.require {
        bullet(page, &words(condition));
    }
    match rule.any.as_slice() {
        [] => {}
        [one] => bullet(page, &words(one)),
        several => {
            bullet(page, "At least one of:");
            for condition in several {
                wrap(page, &words(condition), "  - ", "    ");
            }
        }
    }
    for condition in &rule.refute {
        bullet(page, &format!("But not if: {}", words(condition)));
    }
    if shared && rule.ends != Ends::No {
        let _ = write!(page, "\nEach of them {}.\n", first.window.words());
    }
}

/// A condition in words: the event's own documentation, then what is asked of it.
fn words(condition: &Condition, with_window: bool) -> String {
    let doc = condition.event.doc.first().map_or("", |doc| doc.trim().trim_end_matches('.'));
    let mut words = format!("{doc} (`{}`", condition.event.name);
    if condition.count > 1 {
        let _ = write!(words, ", at least {} times", condition.count);
    }
    words.push(')');
    let clauses: Vec<_> = condition.clauses.iter().map(super::Clause::words).collect();
    if !clauses.is_empty() {
        let _ = write!(words, ", where {}", clauses.join(" and "));
    }
    if with_window {
        let _ = write!(words, "; {}", condition.window.words());
    }
    if condition.link != Link::TimeOnly {
        let _ = write!(words, "; tied to the death by the {}", condition.link.words());
    }
    words
}

/// The logs of the first test that shows the cause.
fn looks(page: &mut String, rule: &Rule) {
    let Some(test) = rule.tests.iter().find(|test| test.expect != Expectation::Silent) else { return };
    section(page, "What it looks like");
    for (name, text) in &test.logs {
        let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let _ = writeln!(page, "{name}:");
        for line in lines.iter().take(LOG_LINES) {
            let _ = writeln!(page, "    {}", cut(line));
        }
        if lines.len() > LOG_LINES {
            let _ = writeln!(page, "    … {} more", lines.len() - LOG_LINES);
        }
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

/// The fix with its figures named.
fn fix(page: &mut String, rule: &Rule) {
    section(page, "What to do");
    line(page, &rule.fix.summary);
    page.push('\n');
    for (number, step) in (1..).zip(&rule.fix.steps) {
        wrap(page, &step.text.outline(), &format!("{number}. "), "   ");
        if let Some(command) = &step.command {
            for line in command.outline().lines() {
                let _ = writeln!(page, "       {line}");
            }
        }
    }
}

/// What the rule is not, and what it is above.
fn confused(page: &mut String, rule: &Rule, set: &RuleSet) {
    let silent: Vec<_> =
        rule.tests.iter().filter_map(|test| Some((&test.name, test.because.as_ref()?))).collect();
    if !silent.is_empty() {
        section(page, "Not to be confused with");
        for (name, because) in silent {
            bullet(page, &format!("{name}: {because}"));
        }
    }
    let echoes: Vec<_> = rule.explains.iter().filter_map(|id| set.get(id)).collect();
    if !echoes.is_empty() {
        section(page, "What it explains");
        for echo in echoes {
            bullet(page, &format!("`{}`: {}", echo.id, echo.title));
        }
    }
}

fn section(page: &mut String, title: &str) {
    let _ = write!(page, "\n## {title}\n\n");
}

fn line(page: &mut String, text: &str) {
    wrap(page, text, "", "");
}

fn bullet(page: &mut String, text: &str) {
    wrap(page, text, "- ", "  ");
}

/// Wraps at blanks only: ids and commands must survive being copied.
fn wrap(page: &mut String, text: &str, first: &str, rest: &str) {
    let options = textwrap::Options::new(COLUMNS)
        .initial_indent(first)
        .subsequent_indent(rest)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation);
    page.push_str(&textwrap::fill(text, options));
    page.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_all_rules_say_everything_and_fit() {
        let set = RuleSet::builtin().unwrap();
        let placeholder = regex::Regex::new(r"\{[a-z_]+(\|[a-z]+)?\}").unwrap();
        for rule in set.iter() {
            let page = page(rule, &set);
            for part in [
                &rule.title,
                &rule.id,
                "## What it looks like",
                "## What to do",
                "## Not to be confused with",
            ] {
                assert!(page.contains(part), "{}: {part}\n{page}", rule.id);
            }
            // Quoted log lines, indented, may hold what looks like a placeholder.
            let prose: String = page.lines().filter(|line| !line.starts_with("    ")).collect();
            assert!(!placeholder.is_match(&prose), "{page}");
        }
    }
}
