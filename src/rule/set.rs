//! `RuleSet`: all rules of a run, and what they say of each other.
//!
//! It matches nothing; it only knows which causes exist and which explains which.

use super::{
    Clause, Rule,
    entry::{Entry, shipped},
    fault::Fault,
    load,
    nearest::did_you_mean,
    raw::RawRule,
};
use crate::event::Kind;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

/// Rules by id. Those that come along are read when they are first asked for, the others have been checked.
#[derive(Debug, Clone, Default)]
pub struct RuleSet {
    rules: BTreeMap<String, Entry>,
}

/// The rules of a set that can fit some logs.
pub struct Candidates<'r> {
    set: &'r RuleSet,
    rules: Vec<&'r Rule>,
}

impl RuleSet {
    /// The rules that come with kerneldoc, all of them read and checked.
    pub fn builtin() -> Result<Self, Vec<Fault>> {
        let set = Self::on_demand();
        let faults = set.faults();
        if faults.is_empty() { Ok(set) } else { Err(faults) }
    }

    /// The rules that come with kerneldoc, each read when it is first asked for. A test checks that all are right.
    pub fn on_demand() -> Self {
        Self { rules: shipped().collect() }
    }

    /// Rules from `(path, text)` alone. What they explain must be among them.
    pub fn from_texts(texts: impl IntoIterator<Item = (String, String)>) -> Result<Self, Vec<Fault>> {
        Self::default().with(texts)
    }

    /// These rules and others, which may explain them. Nobody may take an id that is taken.
    pub fn with(mut self, texts: impl IntoIterator<Item = (String, String)>) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        for (path, text) in texts {
            match load(&path, &text) {
                Err(found) => faults.extend(found),
                Ok(rule) => match self.rules.get(&rule.id) {
                    Some(known) => faults.push(duplicate(&rule, &known.path)),
                    None => drop(self.rules.insert(rule.id.clone(), Entry::of(rule))),
                },
            }
        }
        self.rules.values_mut().for_each(|entry| entry.reached = OnceLock::new());
        // With a file left out, what the others say of it cannot be judged.
        if faults.is_empty() {
            faults = self.unsound();
        }
        if faults.is_empty() { Ok(self) } else { Err(faults) }
    }

    /// Reads all rules, and gives every mistake in them.
    pub fn faults(&self) -> Vec<Fault> {
        let of_files = self.rules.values().filter_map(|entry| entry.rule().err()).flatten();
        let faults: Vec<Fault> = of_files.cloned().collect();
        if faults.is_empty() { self.unsound() } else { faults }
    }

    /// The rule of this id.
    pub fn get(&self, id: &str) -> Option<&Rule> {
        self.rules.get(id)?.rule().ok()
    }

    /// All rules by id.
    pub fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.rules.values().filter_map(|entry| entry.rule().ok())
    }

    /// The ids of all rules, in order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.rules.keys().map(String::as_str)
    }

    /// The rules that can fit logs of which `stands` tells whether an event of a kind is there of which all clauses hold.
    pub fn candidates(&self, stands: impl Fn(&Kind, &[Clause]) -> bool) -> Candidates<'_> {
        let entries = self.rules.values().filter(|entry| entry.may_fit(&stands));
        Candidates { set: self, rules: entries.filter_map(Entry::brief).collect() }
    }

    /// How many rules there are.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Whether `cause` explains `effect`, directly or through causes between them.
    pub fn explains_transitively(&self, cause: &str, effect: &str) -> bool {
        self.rules.get(cause).is_some_and(|entry| self.reached(entry).contains(effect))
    }

    /// What is wrong with what rules say of each other.
    fn unsound(&self) -> Vec<Fault> {
        let unknown = self.unknown();
        if unknown.is_empty() { self.circles() } else { unknown }
    }

    /// Names in `explains` that no rule has.
    fn unknown(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for entry in self.rules.values() {
            for name in entry.explains.iter().filter(|name| !self.rules.contains_key(name.as_ref())) {
                let help = did_you_mean(name, self.ids());
                faults.push(explains_fault(entry, name, format!("no rule is called `{name}`"), help));
            }
        }
        faults
    }

    /// Every id that can be reached from a rule.
    fn reached<'s>(&'s self, rule: &'s Entry) -> &'s BTreeSet<String> {
        rule.reached.get_or_init(|| {
            let mut reached = BTreeSet::new();
            let mut open: Vec<&str> = rule.explains.iter().map(AsRef::as_ref).collect();
            while let Some(id) = open.pop() {
                if reached.insert(id.to_owned()) {
                    let further = self.rules.get(id).into_iter().flat_map(|entry| &entry.explains);
                    open.extend(further.map(AsRef::as_ref));
                }
            }
            reached
        })
    }

    /// Rules that explain themselves. A circle is told once, at its first rule.
    fn circles(&self) -> Vec<Fault> {
        let circular = |id: &str, entry: &Entry| self.reached(entry).contains(id);
        let rules = self.rules.iter().filter(|(id, entry)| circular(id, entry));
        rules.filter_map(|(id, entry)| self.circle(id, entry)).collect()
    }

    /// The fault of a rule that explains itself, unless an earlier rule of the same circle has it already.
    fn circle(&self, id: &str, entry: &Entry) -> Option<Fault> {
        let told = self.rules.iter().take_while(|(other, _)| *other != id).any(|(other, entry)| {
            let reached = self.reached(entry);
            reached.contains(other) && reached.contains(id)
        });
        if told {
            return None;
        }
        let next = entry.explains.iter().find(|next| *next == id || self.explains_transitively(next, id))?;
        let message = if next == id {
            "a rule cannot explain itself".to_owned()
        } else {
            format!("`{next}` explains `{id}` in turn")
        };
        let help = "of two causes at most one explains the other: the one that stands earlier in the chain of causes";
        Some(explains_fault(entry, next, message, Some(help.to_owned())))
    }
}

impl<'r> Candidates<'r> {
    /// The rules, by id.
    pub fn iter(&self) -> impl Iterator<Item = &'r Rule> {
        self.rules.iter().copied()
    }

    /// As [`RuleSet::explains_transitively`].
    pub fn explains_transitively(&self, cause: &str, effect: &str) -> bool {
        self.set.explains_transitively(cause, effect)
    }
}

fn duplicate(rule: &Rule, other: &str) -> Fault {
    let span = raw(&rule.text).and_then(|raw| raw.id).map(|id| id.span()).unwrap_or_default();
    Fault {
        path: rule.path.clone(),
        span,
        message: format!("the id `{}` is taken", rule.id),
        help: Some(format!("by {other}")),
    }
}

fn explains_fault(rule: &Entry, name: &str, message: String, help: Option<String>) -> Fault {
    let entry =
        raw(&rule.text).and_then(|raw| raw.explains.into_iter().find(|entry| entry.get_ref() == name));
    Fault {
        path: rule.path.to_string(),
        span: entry.map(|entry| entry.span()).unwrap_or_default(),
        message,
        help,
    }
}

/// The file once more, for the places in it; rules do not carry them.
fn raw(text: &str) -> Option<RawRule> {
    toml::from_str(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Layer, builtin_texts, new_rule, render_faults_of};

    /// Rules `(id, ids it explains)`.
    fn texts(rules: &[(&str, &[&str])]) -> Vec<(String, String)> {
        let text = |(id, explains): &(&str, &[&str])| {
            let text =
                new_rule(Layer::Host, id).replace("explains = []", &format!("explains = {explains:?}"));
            (format!("rules/host/{id}.toml"), text)
        };
        rules.iter().map(text).collect()
    }

    #[test]
    fn explanations_reach_through() {
        let set =
            RuleSet::from_texts(texts(&[("a", &["b"]), ("b", &["c"]), ("c", &[]), ("d", &["c"])])).unwrap();
        assert!(set.explains_transitively("a", "c") && set.explains_transitively("d", "c"));
        assert!(!set.explains_transitively("c", "a") && !set.explains_transitively("a", "d"));
        assert!(!set.explains_transitively("a", "a") && !set.explains_transitively("x", "y"));
        assert_eq!(set.iter().map(|rule| rule.id.as_str()).collect::<Vec<_>>(), ["a", "b", "c", "d"]);
    }

    #[track_caller]
    fn check(rules: &[(&str, &[&str])], expected: &[&str]) {
        let texts = texts(rules);
        let faults = RuleSet::from_texts(texts.clone()).unwrap_err();
        let messages: Vec<_> = faults.iter().map(|fault| fault.message.as_str()).collect();
        assert_eq!(messages, expected);
        assert!(render_faults_of(&faults, &texts, false).contains('^'));
    }

    #[test]
    fn rules_that_contradict_each_other() {
        check(&[("a", &["bb"]), ("b", &[])], &["no rule is called `bb`"]);
        check(&[("a", &["a"])], &["a rule cannot explain itself"]);
        check(&[("a", &["b"]), ("b", &["c"]), ("c", &["a"])], &["`b` explains `a` in turn"]);
        check(&[("a", &[]), ("a", &[])], &["the id `a` is taken"]);
    }

    #[test]
    fn added_rules_may_explain_known_ones() {
        let known = RuleSet::from_texts(texts(&[("b", &[])])).unwrap();
        let set = known.clone().with(texts(&[("a", &["b"])])).unwrap();
        assert!(set.explains_transitively("a", "b"));
        assert_eq!(known.with(texts(&[("b", &[])])).unwrap_err().len(), 1);
    }

    #[test]
    fn the_rules_that_come_along_are_sound() {
        let faults = RuleSet::builtin().err().unwrap_or_default();
        assert!(faults.is_empty(), "{}", render_faults_of(&faults, &builtin_texts(), false));
    }
}
