//! `docs/rules/`: a page a rule, in both languages, and their index. They are generated, and tested to be fresh.
//!
//! It decides nothing about a rule; [`RulePage`] does.

use crate::{
    language::Language,
    render::{fence, inline},
    rule::{Block, Layer, Rule, RulePage, RuleSet},
};
use std::fmt::Write;

/// The pages, each with its path below `docs/rules/`, in a fixed order; the index is the first.
pub fn rule_pages(set: &RuleSet) -> Vec<(String, String)> {
    let mut pages = vec![("README.md".to_owned(), index(set))];
    pages.extend(set.iter().map(|rule| (path(rule), page(rule, set))));
    pages
}

fn path(rule: &Rule) -> String {
    format!("{}/{}.md", rule.layer.word(), rule.id)
}

/// All causes, layer by layer.
fn index(set: &RuleSet) -> String {
    let messages = Language::Chinese.messages();
    let mut out = format!(
        "# Causes\n\n<!-- Generated from the rules; KERNELDOC_BLESS=1 cargo test --test docs writes it. -->\n\nThe {} causes that kerneldoc knows, by the layer that ended, or hurt, the kernel. `kerneldoc explain ID` shows the same.\n",
        set.len()
    );
    for layer in Layer::ALL {
        let rules: Vec<&Rule> = set.iter().filter(|rule| rule.layer == layer).collect();
        let (word, count) = (layer.word(), rules.len());
        let _ = write!(out, "\n## {word} · {} ({count})\n\n", messages.layer(word));
        for rule in rules {
            let _ = write!(out, "- [`{}`]({}): {}", rule.id, path(rule), inline(&rule.title));
            if rule.speaks(Language::Chinese) {
                let _ = write!(out, "  \n  {}", inline(rule.texts(Language::Chinese).title));
            }
            out.push('\n');
        }
    }
    out
}

/// A rule's page: English, then what the rule says in Chinese.
fn page(rule: &Rule, set: &RuleSet) -> String {
    let english = RulePage::new(rule, set, Language::English);
    let mut out = format!("# {}\n\n{}\n", inline(english.title), inline(&english.names));
    sections(&english, 2, |_| true, &mut out);
    if rule.speaks(Language::Chinese) {
        let chinese = RulePage::new(rule, set, Language::Chinese);
        let messages = Language::Chinese.messages();
        let _ = write!(out, "\n---\n\n## {}\n", inline(chinese.title));
        let told = [messages.page_happened, messages.why_heading, messages.what_to_do];
        sections(&chinese, 3, |heading| told.contains(&heading), &mut out);
    }
    out
}

/// The parts that are wanted, under headings of a level.
fn sections(page: &RulePage<'_>, level: usize, wanted: impl Fn(&str) -> bool, out: &mut String) {
    for section in page.sections.iter().filter(|section| wanted(section.heading)) {
        let _ = write!(out, "\n{} {}\n\n", "#".repeat(level), section.heading);
        let blocks: Vec<String> = section.blocks.iter().map(block).collect();
        let mut joined = String::new();
        for (index, text) in blocks.iter().enumerate() {
            let item = |at: usize| matches!(section.blocks.get(at), Some(Block::Item(..) | Block::Link(_)));
            if index > 0 {
                joined.push_str(if item(index) && item(index - 1) { "\n" } else { "\n\n" });
            }
            joined.push_str(text);
        }
        out.push_str(&joined);
        out.push('\n');
    }
}

/// A piece as Markdown. What stands in logs stands in fences that it cannot leave.
fn block(block: &Block<'_>) -> String {
    match block {
        Block::Text(text) => inline(text),
        Block::Item(text, inner) => {
            let inner: Vec<String> = inner.iter().map(|text| format!("\n  - {}", inline(text))).collect();
            format!("- {}{}", inline(text), inner.concat())
        }
        Block::Step(number, text, command) => {
            let command = command.as_ref().map(|command| fence("sh", command).replace('\n', "\n   "));
            let command = command.map(|command| format!("\n\n   {command}")).unwrap_or_default();
            format!("{number}. {}{command}", inline(text))
        }
        Block::Log(name, text) => format!("`{name}`\n\n{}", fence("text", text)),
        Block::Link(address) => format!("- <{address}>"),
    }
}
