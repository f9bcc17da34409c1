//! A rule as a page for people, in parts: what happened, why, what it looks like, what to do, what it is not, how it is
//! decided. `explain` and `docs/rules/` set the same parts.
//!
//! It colours and escapes nothing, and it quotes only the rule, no log of a user.

mod text;

pub use text::page;

use super::{Basis, Clause, Condition, Ends, Expectation, Link, Rule, RuleSet, RuleTest, Texts};
use crate::language::{Language, Messages, fill, flowing};
use std::fmt::Write;

/// A rule's page.
#[derive(Debug)]
pub struct RulePage<'a> {
    /// What happened, in one line.
    pub title: &'a str,
    /// The id, the layer, what kind of rule it is.
    pub names: String,
    /// The parts, each under its heading.
    pub sections: Vec<Section<'a>>,
}

/// A part of the page.
#[derive(Debug)]
pub struct Section<'a> {
    /// Its heading.
    pub heading: &'static str,
    /// What stands below.
    pub blocks: Vec<Block<'a>>,
}

/// A piece of a part.
#[derive(Debug)]
pub enum Block<'a> {
    /// A paragraph, on one line.
    Text(String),
    /// An item of a list, and those below it.
    Item(String, Vec<String>),
    /// A step: its number, its text, its command.
    Step(usize, String, Option<String>),
    /// A log: its name and its text.
    Log(&'a str, &'a str),
    /// An address.
    Link(&'a str),
}

impl<'a> RulePage<'a> {
    /// The page of a rule. What only the catalogue and the tests say is English in every language.
    pub fn new(rule: &'a Rule, set: &'a RuleSet, language: Language) -> Self {
        let (texts, messages) = (rule.texts(language), language.messages());
        let sections = [
            (messages.page_happened, happened(&texts)),
            (messages.why_heading, paragraphs(texts.why)),
            (messages.page_looks, looks(rule)),
            (messages.what_to_do, fix(rule, &texts)),
            (messages.page_confused, confused(rule)),
            (messages.page_decided, decided(rule, messages)),
            (messages.page_explains, explained(rule, set, language)),
            (messages.references, rule.references.iter().map(|address| Block::Link(address)).collect()),
        ];
        let sections = sections.into_iter().map(|(heading, blocks)| Section { heading, blocks });
        Self {
            title: texts.title,
            names: names(rule, messages),
            sections: sections.filter(|section| !section.blocks.is_empty()).collect(),
        }
    }
}

/// `container-memory-limit · host layer · ends the kernel · a record names it`.
fn names(rule: &Rule, messages: &Messages) -> String {
    let layer = fill(messages.page_layer, &[("layer", messages.layer(rule.layer.word()))]);
    let ends = match rule.ends {
        Ends::Yes => messages.page_ends,
        Ends::No => messages.page_ends_none,
        Ends::Either => messages.page_may_end,
    };
    let basis = match (rule.fallback, rule.basis) {
        (true, _) => messages.page_fallback,
        (false, Basis::Record) => messages.page_record,
        (false, Basis::Effect) => messages.page_effect,
    };
    [&format!("`{}`", rule.id), &layer, ends, basis].join(messages.separator)
}

/// The summaries, with what is filled in named.
fn happened(texts: &Texts<'_>) -> Vec<Block<'static>> {
    let lines = texts.summary.iter().flat_map(|summary| summary.lines());
    lines.map(|line| Block::Text(line.outline().trim().to_owned())).collect()
}

/// A text without its hard line breaks, a block a paragraph.
fn paragraphs(text: &str) -> Vec<Block<'static>> {
    flowing(text).split("\n\n").map(|one| Block::Text(one.to_owned())).collect()
}

/// The logs of the first test that shows the cause at work.
fn looks(rule: &Rule) -> Vec<Block<'_>> {
    let shows = |wanted: Expectation| rule.tests.iter().find(|test| test.expect == wanted);
    let test = shows(Expectation::Cause).or(shows(Expectation::Finding)).or(shows(Expectation::Explained));
    let logs = test.into_iter().flat_map(|test: &RuleTest| &test.logs);
    logs.map(|(name, text)| Block::Log(name, text)).collect()
}

/// The fix with its figures named.
fn fix(rule: &Rule, texts: &Texts<'_>) -> Vec<Block<'static>> {
    let mut blocks = vec![Block::Text(texts.fix.to_owned())];
    for (number, (step, text)) in (1..).zip(rule.fix.steps.iter().zip(&texts.steps)) {
        let command = step.command.as_ref().map(super::Template::outline);
        blocks.push(Block::Step(number, text.outline(), command));
    }
    blocks
}

/// What the rule is not.
fn confused(rule: &Rule) -> Vec<Block<'static>> {
    let other = |test: &&RuleTest| matches!(test.expect, Expectation::Silent | Expectation::Explained);
    let item = |test: &RuleTest| {
        let because = test.because.as_ref().map(|because| format!(": {because}")).unwrap_or_default();
        Block::Item(format!("{}{because}", test.name), Vec::new())
    };
    rule.tests.iter().filter(other).map(item).collect()
}

/// The conditions in words.
fn decided(rule: &Rule, messages: &Messages) -> Vec<Block<'static>> {
    let asked: Vec<&Condition> = rule.require.iter().chain(&rule.any).chain(&rule.refute).collect();
    let Some(first) = asked.first() else { return Vec::new() };
    // A finding has no death to count from; a window that all conditions share is told once.
    let shared = asked.len() > 1 && asked.iter().all(|condition| condition.window == first.window);
    let words = |condition: &Condition| words(condition, !shared && rule.ends != Ends::No);
    let item = |text: String| Block::Item(text, Vec::new());
    let mut blocks: Vec<Block<'static>> = rule.require.iter().map(words).map(item).collect();
    match rule.any.as_slice() {
        [] => {}
        [one] => blocks.push(item(words(one))),
        several => {
            blocks.push(Block::Item(messages.page_any.to_owned(), several.iter().map(words).collect()));
        }
    }
    let refuted = rule.refute.iter().map(|one| fill(messages.page_not, &[("condition", &words(one))]));
    blocks.extend(refuted.map(item));
    if shared && rule.ends != Ends::No {
        blocks.push(Block::Text(format!("Each of them {}.", first.window.words())));
    }
    blocks
}

/// A condition in words: the event's own documentation, then what is asked of it.
fn words(condition: &Condition, with_window: bool) -> String {
    let doc = condition.event.doc.first().map_or("", |doc| doc.trim().trim_end_matches('.'));
    let mut words = format!("{doc} (`{}`", condition.event.name);
    if condition.count > 1 {
        let _ = write!(words, ", at least {} times", condition.count);
    }
    words.push(')');
    let clauses: Vec<_> = condition.clauses.iter().map(Clause::words).collect();
    if !clauses.is_empty() {
        let _ = write!(words, ", where {}", clauses.join(" and "));
    }
    if with_window {
        let _ = write!(words, "; {}", condition.window.words());
    }
    if condition.link != Link::TimeOnly {
        let _ = write!(words, "; tied to the death by the {}", condition.link.words());
    }
    for other in &condition.with {
        let _ = write!(words, "; and with it: {}", self::words(other, with_window));
    }
    words
}

/// What the rule is above.
fn explained(rule: &Rule, set: &RuleSet, language: Language) -> Vec<Block<'static>> {
    let echoes = rule.explains.iter().filter_map(|id| set.get(id));
    let item =
        |echo: &Rule| Block::Item(format!("`{}`: {}", echo.id, echo.texts(language).title), Vec::new());
    echoes.map(item).collect()
}
