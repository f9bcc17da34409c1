//! What a rule says to its reader: facts, templates, the fix, and logs that are missing.

use super::Loader;
use crate::{
    event::FieldType,
    rule::{
        Expression, Fix, Missing, Step, Template,
        fault::Problem,
        raw::{Ordered, RawFix, RawMissing, RawStep, Text},
    },
};
use std::ops::Range;
use toml::Spanned;

/// Names and types of the facts, in the order of the file.
pub(super) type Types = [(String, FieldType)];
/// The facts themselves.
type Facts = Vec<(String, Expression)>;

impl Loader<'_> {
    /// The facts and their types. A fact with a mistake keeps its name, so that the mistake is told once.
    pub(super) fn facts(&mut self, facts: &Ordered) -> (Facts, Vec<(String, FieldType)>) {
        let mut read = Vec::new();
        let mut types = Vec::new();
        for (name, text) in &facts.0 {
            let key = name.get_ref();
            if !key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
                || key.is_empty()
            {
                let help = "lower-case words joined by underscores, the unit last: limit_bytes";
                self.fault(name.span(), format!("`{key}` is no name of a fact"), Some(help.to_owned()));
            }
            let expression = self.noted(text, Expression::parse(text.get_ref(), key, &types));
            types.push((key.clone(), expression.as_ref().map_or(FieldType::Integer, Expression::kind)));
            read.extend(expression.map(|expression| (key.clone(), expression)));
        }
        (read, types)
    }

    /// A text with placeholders, checked.
    pub(super) fn template(&mut self, text: &Text, types: &Types) -> Option<Template> {
        if text.get_ref().trim().is_empty() {
            self.problem(text, Problem::new(0..text.get_ref().len(), "this text is empty"));
            return None;
        }
        if !self.readable(text) {
            return None;
        }
        let template = self.noted(text, Template::parse(text.get_ref().trim_end()))?;
        self.noted(text, template.check(types))?;
        Some(template)
    }

    /// A template that must be there.
    fn needed_template(
        &mut self,
        text: Option<&Text>,
        key: &str,
        table: Range<usize>,
        types: &Types,
    ) -> Option<Template> {
        let text = self.needed(text, key, table)?;
        self.template(text, types)
    }

    /// What to do: a sentence, and steps.
    pub(super) fn fix(&mut self, fix: Option<&Spanned<RawFix>>, types: &Types) -> Option<Fix> {
        let fix = self.needed(fix, "[fix]", 0..0)?;
        let raw = fix.get_ref();
        let summary = self.prose(raw.summary.as_ref(), "summary", fix.span());
        let steps = raw.step.iter().filter_map(|step| self.step(step, types)).collect();
        Some(Fix { summary: summary?, steps })
    }

    fn step(&mut self, step: &Spanned<RawStep>, types: &Types) -> Option<Step> {
        let raw = step.get_ref();
        let command = raw.command.as_ref().and_then(|text| self.template(text, types));
        let text = self.needed_template(raw.text.as_ref(), "text", step.span(), types)?;
        Some(Step { text, command })
    }

    /// Logs to ask for.
    pub(super) fn missing(&mut self, list: &[Spanned<RawMissing>], types: &Types) -> Vec<Missing> {
        list.iter().filter_map(|raw| self.missing_log(raw, types)).collect()
    }

    fn missing_log(&mut self, missing: &Spanned<RawMissing>, types: &Types) -> Option<Missing> {
        let raw = missing.get_ref();
        let source = self.prose(raw.source.as_ref(), "source", missing.span());
        let command = self.needed_template(raw.command.as_ref(), "command", missing.span(), types);
        let unless = raw.unless.iter().map(|text| text.get_ref().clone()).collect();
        Some(Missing { source: source?, unless, command: command? })
    }
}
