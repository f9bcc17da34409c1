//! `RuleSet`: all rules of a run, and what they say of each other.
//!
//! It matches nothing; it only knows which causes exist and which explains which.

use super::{Rule, fault::Fault, load, nearest::did_you_mean, raw::RawRule};
use include_dir::{Dir, include_dir};
use std::collections::{BTreeMap, BTreeSet};

/// The rules that come with kerneldoc.
static RULES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rules");

/// Rules by id, all of them checked.
#[derive(Debug, Clone, Default)]
pub struct RuleSet {
    rules: BTreeMap<String, Rule>,
    /// Every cause that a cause explains, directly or through others.
    explained: BTreeMap<String, BTreeSet<String>>,
}

impl RuleSet {
    /// The rules that come with kerneldoc.
    pub fn builtin() -> Result<Self, Vec<Fault>> {
        // The catalogue of causes is fixed and larger than the rules written so far: a built-in rule may explain a
        // cause whose rule is still to come. `tests/rule_format.rs` lists such names.
        Self::default().add(builtin_texts(), false)
    }

    /// Names that `explains` gives and no rule has yet, with the rule that gives them.
    pub fn unwritten(&self) -> Vec<(&str, &str)> {
        let pairs = self
            .rules
            .values()
            .flat_map(|rule| rule.explains.iter().map(|name| (rule.id.as_str(), name.as_str())));
        pairs.filter(|(_, name)| !self.rules.contains_key(*name)).collect()
    }

    /// Rules from `(path, text)` alone. What they explain must be among them.
    pub fn from_texts(texts: impl IntoIterator<Item = (String, String)>) -> Result<Self, Vec<Fault>> {
        Self::default().with(texts)
    }

    /// These rules and others, which may explain them. Nobody may take an id that is taken.
    pub fn with(self, texts: impl IntoIterator<Item = (String, String)>) -> Result<Self, Vec<Fault>> {
        self.add(texts, true)
    }

    /// Adds rules; `strict` refuses names that no rule has.
    fn add(
        mut self,
        texts: impl IntoIterator<Item = (String, String)>,
        strict: bool,
    ) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        for (path, text) in texts {
            match load(&path, &text) {
                Err(found) => faults.extend(found),
                Ok(rule) => match self.rules.get(&rule.id) {
                    Some(known) => faults.push(duplicate(&rule, &known.path)),
                    None => drop(self.rules.insert(rule.id.clone(), rule)),
                },
            }
        }
        // With a file left out, what the others say of it cannot be judged.
        if faults.is_empty() && strict {
            faults = self.unknown();
        }
        if faults.is_empty() {
            faults = self.close();
        }
        if faults.is_empty() { Ok(self) } else { Err(faults) }
    }

    /// The rule of this id.
    pub fn get(&self, id: &str) -> Option<&Rule> {
        self.rules.get(id)
    }

    /// All rules by id.
    pub fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.rules.values()
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
        self.explained.get(cause).is_some_and(|effects| effects.contains(effect))
    }

    /// Names in `explains` that no rule has.
    fn unknown(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for rule in self.rules.values() {
            for name in rule.explains.iter().filter(|name| !self.rules.contains_key(*name)) {
                let help = did_you_mean(name, self.rules.keys().map(String::as_str));
                faults.push(explains_fault(rule, name, format!("no rule is called `{name}`"), help));
            }
        }
        faults
    }

    /// Follows `explains` from every rule to its end, and finds circles.
    fn close(&mut self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut explained = BTreeMap::new();
        for rule in self.rules.values() {
            let reached = self.reached(rule);
            if reached.contains(&rule.id) {
                faults.push(self.circle(rule, &explained));
            }
            explained.insert(rule.id.clone(), reached);
        }
        self.explained = explained;
        // A circle is told once, at its first rule.
        faults.into_iter().flatten().collect()
    }

    /// Every id that can be reached from a rule.
    fn reached(&self, rule: &Rule) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&String> = rule.explains.iter().collect();
        while let Some(id) = open.pop() {
            if reached.insert(id.clone()) {
                open.extend(self.rules.get(id).into_iter().flat_map(|rule| &rule.explains));
            }
        }
        reached
    }

    /// The fault of a rule that explains itself, unless an earlier rule of the same circle has it already.
    fn circle(&self, rule: &Rule, earlier: &BTreeMap<String, BTreeSet<String>>) -> Option<Fault> {
        let back = |id: &String| {
            *id == rule.id || self.rules.get(id).is_some_and(|other| self.reached(other).contains(&rule.id))
        };
        let next = rule.explains.iter().find(|id| back(id))?;
        let told = earlier.iter().any(|(id, reached)| reached.contains(id) && reached.contains(&rule.id));
        let message = if *next == rule.id {
            "a rule cannot explain itself".to_owned()
        } else {
            format!("`{next}` explains `{}` in turn", rule.id)
        };
        let help = "of two causes at most one explains the other: the one that stands earlier in the chain of causes";
        (!told).then(|| explains_fault(rule, next, message, Some(help.to_owned())))
    }
}

/// Paths and texts of the rules that come with kerneldoc, by path.
pub fn builtin_texts() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    collect(&RULES, &mut texts);
    texts.sort();
    texts
}

fn collect(folder: &Dir<'_>, texts: &mut Vec<(String, String)>) {
    for file in folder.files().filter(|file| file.path().extension().is_some_and(|end| end == "toml")) {
        let path = format!("rules/{}", file.path().display().to_string().replace('\\', "/"));
        texts.push((path, file.contents_utf8().unwrap_or_default().to_owned()));
    }
    for inner in folder.dirs() {
        collect(inner, texts);
    }
}

fn duplicate(rule: &Rule, other: &str) -> Fault {
    let span = raw(rule).and_then(|raw| raw.id).map(|id| id.span()).unwrap_or_default();
    Fault {
        path: rule.path.clone(),
        span,
        message: format!("the id `{}` is taken", rule.id),
        help: Some(format!("by {other}")),
    }
}

fn explains_fault(rule: &Rule, name: &str, message: String, help: Option<String>) -> Fault {
    let entry = raw(rule).and_then(|raw| raw.explains.into_iter().find(|entry| entry.get_ref() == name));
    Fault {
        path: rule.path.clone(),
        span: entry.map(|entry| entry.span()).unwrap_or_default(),
        message,
        help,
    }
}

/// The file once more, for the places in it; rules do not carry them.
fn raw(rule: &Rule) -> Option<RawRule> {
    toml::from_str(&rule.text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Layer, new_rule, render_faults_of};

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
