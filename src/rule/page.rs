//! A rule as a page for people: `explain ID` and `rules show ID`.
//!
//! Plain text with Markdown's headings and lists. It does not colour, and it quotes only the rule, no log of a user.

use super::{Basis, Condition, Ends, Expectation, Link, Rule, RuleSet, Window};
use std::fmt::Write;

/// The columns that prose is wrapped at.
const COLUMNS: usize = 96;
/// The lines of a log that are shown.
const LOG_LINES: usize = 5;
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
        rule.references.iter().for_each(|address| page.push_str(&format!("- {address}\n")));
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
    if rule.require.is_empty() && rule.any.is_empty() && rule.refute.is_empty() {
        return;
    }
    section(page, "How it is recognised");
    rule.require.iter().for_each(|condition| bullet(page, &words(condition, rule.ends)));
    let any: Vec<_> = rule.any.iter().map(|condition| words(condition, rule.ends)).collect();
    if let [one] = any.as_slice() {
        bullet(page, one);
    } else if !any.is_empty() {
        bullet(page, "At least one of:");
        any.iter().for_each(|words| wrap(page, words, "  - ", "    "));
    }
    rule.refute
        .iter()
        .for_each(|condition| bullet(page, &format!("Not if: {}", words(condition, rule.ends))));
}

/// A condition in words: the event's own documentation, then what is asked of it.
fn words(condition: &Condition, ends: Ends) -> String {
    let doc = condition.event.doc.first().map_or("", |doc| doc.trim().trim_end_matches('.'));
    let mut words = format!("{doc} (`{}`", condition.event.name);
    if condition.count > 1 {
        let _ = write!(words, ", at least {} times", condition.count);
    }
    words.push(')');
    let clauses: Vec<_> = condition.clauses.iter().map(super::Clause::words).collect();
    if !clauses.is_empty() {
        let _ = write!(words, " where {}", clauses.join(" and "));
    }
    // A finding has no death to count from, and the usual window goes without saying.
    if ends != Ends::No && condition.window != Window::default() {
        let _ = write!(words, ", {}", condition.window.words());
    }
    if condition.link != Link::TimeOnly {
        let _ = write!(words, ", {}", condition.link.words());
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
    for (number, step) in (1..).zip(&rule.fix.steps) {
        wrap(page, &step.text.outline(), &format!("{number}. "), "   ");
        if let Some(command) = &step.command {
            command.outline().lines().for_each(|line| page.push_str(&format!("       {line}\n")));
        }
    }
}

/// What the rule is not, and what it is above.
fn confused(page: &mut String, rule: &Rule, set: &RuleSet) {
    let silent: Vec<_> =
        rule.tests.iter().filter_map(|test| Some((&test.name, test.because.as_ref()?))).collect();
    if !silent.is_empty() {
        section(page, "Not to be confused with");
        silent.iter().for_each(|(name, because)| bullet(page, &format!("{name}: {because}")));
    }
    let echoes: Vec<_> = rule.explains.iter().filter_map(|id| set.get(id)).collect();
    if !echoes.is_empty() {
        section(page, "What it explains");
        echoes.iter().for_each(|echo| bullet(page, &format!("`{}`: {}", echo.id, echo.title)));
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

fn wrap(page: &mut String, text: &str, first: &str, rest: &str) {
    let options =
        textwrap::Options::new(COLUMNS).initial_indent(first).subsequent_indent(rest).break_words(false);
    page.push_str(&textwrap::fill(text, options));
    page.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_all_rules_say_everything_and_fit() {
        let set = RuleSet::builtin().unwrap();
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
            assert!(!page.contains("{"), "{page}");
        }
    }
}
