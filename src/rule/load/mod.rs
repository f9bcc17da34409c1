//! Reads one rule file and refuses it with every mistake at once.
//!
//! It opens no file and knows no other rule; [`super::RuleSet`] checks what rules say of each other.

mod advice;
mod condition;
mod heading;
mod test;
mod translation;

use super::{
    Rule,
    fault::{Fault, Problem},
    nearest::did_you_mean,
    place::place,
    raw::{RawRule, Text},
};
use std::ops::Range;

/// Reads the rule in `text`. `path` is for messages, and where it ends in `<layer>/<id>.toml` both must agree with
/// the file's content.
pub fn load(path: &str, text: &str) -> Result<Rule, Vec<Fault>> {
    Loader { path, text, trusted: false, faults: Vec::new() }.read()
}

/// Reads a rule that a test has checked, without its tests, which begin at a byte of the text: what nobody may need is
/// neither read nor compiled.
pub(super) fn load_trusted(path: &str, text: &str, tests_at: usize) -> Option<Rule> {
    let head = text.get(..tests_at)?;
    let mut rule = Loader { path, text: head, trusted: true, faults: Vec::new() }.read().ok()?;
    text.clone_into(&mut rule.text);
    Some(rule)
}

/// serde calls a key a field and lists all of them in one line; a field here is an event's.
fn reworded(message: &str) -> (String, Option<String>) {
    let parts = message.strip_prefix("unknown field `").and_then(|rest| rest.split_once("`, expected "));
    let Some((key, known)) = parts else { return (message.to_owned(), None) };
    let known: Vec<_> = known.split('`').skip(1).step_by(2).collect();
    let all = format!("known keys: {}", known.join(", "));
    let help = did_you_mean(key, known).map_or_else(|| all.clone(), |near| format!("{near}\n{all}"));
    (format!("unknown key `{key}`"), Some(help))
}

/// A file being read, and what was found wrong so far.
struct Loader<'a> {
    path: &'a str,
    text: &'a str,
    /// Whether a test has checked it, and its tests are left out.
    trusted: bool,
    faults: Vec<Fault>,
}

impl Loader<'_> {
    /// The rule, or every mistake in it.
    fn read(mut self) -> Result<Rule, Vec<Fault>> {
        let raw: RawRule = match toml::from_str(self.text) {
            Ok(raw) => raw,
            Err(error) => {
                let (message, help) = reworded(error.message().trim_end());
                self.fault(error.span().unwrap_or(0..0), message, help);
                return Err(self.faults);
            }
        };
        let rule = self.rule(raw);
        self.faults.sort_by_key(|fault| fault.span.start);
        if self.faults.is_empty() { rule.ok_or_else(Vec::new) } else { Err(self.faults) }
    }

    /// Everything; nothing if a part without which there is no rule is missing, and then there are faults.
    fn rule(&mut self, raw: RawRule) -> Option<Rule> {
        let id = self.id(raw.id.as_ref());
        let layer = self.layer(raw.layer.as_ref());
        let title = self.title(raw.title.as_ref());
        let ends = self.ends(raw.ends.as_ref());
        let basis = self.basis(raw.basis.as_ref());
        let why = self.prose(raw.why.as_ref(), "why", 0..0);
        let [require, any, refute, support] =
            [&raw.require, &raw.any, &raw.refute, &raw.support].map(|list| self.conditions(list));
        self.recognisable(&raw);
        let (facts, types) = self.facts(&raw.facts);
        let summary = raw.summary.as_ref().and_then(|text| self.template(text, &types));
        let fix = self.fix(raw.fix.as_ref(), &types);
        let chinese = self.translation(&raw, &types);
        let missing = self.missing(&raw.missing, &types);
        let references = self.references(&raw.references);
        let tests = if self.trusted { Vec::new() } else { self.tests(&raw.test, ends) };
        Some(Rule {
            id: id?,
            layer: layer?,
            title: title?,
            summary,
            ends: ends?,
            basis: basis?,
            fallback: raw.fallback,
            explains: raw.explains.into_iter().map(toml::Spanned::into_inner).collect(),
            why: why?,
            require,
            any,
            refute,
            support,
            facts,
            fix: fix?,
            chinese,
            references,
            missing,
            tests,
            path: self.path.to_owned(),
            text: self.text.to_owned(),
        })
    }

    /// Notes a mistake.
    fn fault(&mut self, span: Range<usize>, message: impl Into<String>, help: Option<String>) {
        self.faults.push(Fault { path: self.path.to_owned(), span, message: message.into(), help });
    }

    /// Notes a mistake inside a string.
    fn problem(&mut self, text: &Text, problem: Problem) {
        let span = text.span();
        let raw = self.text.get(span.clone()).unwrap_or_default();
        let [start, end] = [problem.at.start, problem.at.end].map(|at| span.start + place(raw, at));
        self.fault(start..end, problem.message, problem.help);
    }

    /// What was read, or nothing and a noted mistake.
    fn noted<T>(&mut self, text: &Text, read: Result<T, Problem>) -> Option<T> {
        read.map_err(|problem| self.problem(text, problem)).ok()
    }

    /// A key that must be there; `table` is where it is missing, `0..0` for the file's head.
    fn needed<'t, T>(&mut self, value: Option<&'t T>, key: &str, table: Range<usize>) -> Option<&'t T> {
        if value.is_none() {
            let span =
                if table.end == 0 { 0..self.text.find('\n').unwrap_or(self.text.len()) } else { table };
            self.fault(span, format!("`{key}` is missing"), None);
        }
        value
    }

    /// One of a few words.
    fn word<T>(&mut self, text: &Text, key: &str, words: &[(&str, T)]) -> Option<T>
    where
        T: Copy,
    {
        let found = words.iter().find(|(word, _)| word == text.get_ref()).map(|(_, value)| *value);
        if found.is_none() {
            let known: Vec<_> = words.iter().map(|(word, _)| *word).collect();
            let near = did_you_mean(text.get_ref(), known.iter().copied());
            let help = near.unwrap_or_else(|| format!("one of: {}", known.join(", ")));
            self.fault(text.span(), format!("`{key}` cannot be `{}`", text.get_ref()), Some(help));
        }
        found
    }

    /// A text for people: there, not empty, without characters that could steer a terminal.
    fn prose(&mut self, text: Option<&Text>, key: &str, table: Range<usize>) -> Option<String> {
        let text = self.needed(text, key, table)?;
        if text.get_ref().trim().is_empty() {
            self.fault(text.span(), format!("`{key}` is empty"), None);
            return None;
        }
        self.readable(text).then(|| text.get_ref().trim().to_owned())
    }

    /// Whether a text holds only characters that show as themselves.
    fn readable(&mut self, text: &Text) -> bool {
        let hidden = |c: char| (c.is_control() && c != '\n' && c != '\t') || steers_direction(c);
        let Some((at, c)) = text.get_ref().char_indices().find(|(_, c)| hidden(*c)) else { return true };
        let problem =
            Problem::new(at..at + c.len_utf8(), format!("a control character, U+{:04X}", u32::from(c)));
        self.problem(text, problem);
        false
    }
}

/// Unicode's marks that turn the direction of writing around can make a command read as another.
fn steers_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Layer, new_rule};
    use proptest::prelude::*;

    #[test]
    fn all_faults_come_at_once() {
        let text = new_rule(Layer::Host, "disk-full")
            .replace("layer   = \"host\"", "layer   = \"hosst\"")
            .replace("ends    = \"yes\"", "ends    = \"maybe\"")
            .replace("event  = \"", "event  = \"x");
        let faults = load("rules/host/disk-full.toml", &text).unwrap_err();
        assert!(faults.len() >= 3, "{faults:#?}");
    }

    #[test]
    fn a_path_without_layer_folder_only_names_the_rule() {
        let text = new_rule(Layer::Host, "disk-full");
        assert!(load("/home/ana/mine/disk-full.toml", &text).is_ok());
        assert!(load(r"C:\rules\host\disk-full.toml", &text).is_ok());
        assert!(load(r"C:\rules\cuda\disk-full.toml", &text).is_err());
    }

    proptest! {
        #[test]
        fn a_cut_or_changed_file_never_panics(cut in 0usize..2000, insert in "\\PC{0,3}") {
            let mut text = new_rule(Layer::Cuda, "gpu-hang");
            let at = (0..=cut.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            text.insert_str(at, &insert);
            let faults = load("rules/cuda/gpu-hang.toml", &text).err().unwrap_or_default();
            super::super::render_faults(&faults, &text, true);
            text.truncate(at);
            let faults = load("rules/cuda/gpu-hang.toml", &text).unwrap_err();
            prop_assert!(!faults.is_empty());
        }
    }
}
