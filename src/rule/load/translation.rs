//! The texts in another language, held against the English ones: as many steps, the same figures.

use super::{Loader, advice::Types};
use crate::rule::{
    Template, Translation,
    fault::Problem,
    raw::{RawRule, RawTranslation, Text},
};
use std::ops::Range;
use toml::Spanned;

impl Loader<'_> {
    /// The Chinese texts, if the file has any.
    pub(super) fn translation(&mut self, raw: &RawRule, types: &Types) -> Option<Translation> {
        let zh = raw.text.as_ref()?.zh.as_ref()?;
        let (texts, span) = (zh.get_ref(), zh.span());
        Some(Translation {
            title: texts.title.as_ref().and_then(|title| self.translated_title(title)),
            summary: self.translated_summary(raw.summary.as_ref(), texts, span.clone(), types),
            why: self.optional_prose(texts.why.as_ref(), "why"),
            fix: self.optional_prose(texts.fix.as_ref(), "fix"),
            steps: texts
                .steps
                .as_ref()
                .map_or_else(Vec::new, |steps| self.translated_steps(raw, steps, types)),
        })
    }

    fn optional_prose(&mut self, text: Option<&Text>, key: &str) -> Option<String> {
        text.and_then(|text| self.prose(Some(text), key, 0..0))
    }

    fn translated_title(&mut self, text: &Text) -> Option<String> {
        let title = self.title(Some(text))?;
        if title.ends_with('。') {
            self.fault(text.span(), "a title has no full stop", None);
        }
        Some(title)
    }

    /// The summary: there exactly when there is an English one.
    fn translated_summary(
        &mut self,
        english: Option<&Text>,
        texts: &RawTranslation,
        table: Range<usize>,
        types: &Types,
    ) -> Option<Template> {
        match (english, &texts.summary) {
            (None, None) => None,
            (Some(_), None) => {
                let help = "the rule has a summary, and so has each of its languages";
                self.fault(table, "`summary` is missing in `[text.zh]`", Some(help.to_owned()));
                None
            }
            (None, Some(text)) => {
                self.fault(text.span(), "the rule has no summary that this could translate", None);
                None
            }
            (Some(english), Some(text)) => self.translated(english, text, types),
        }
    }

    /// The steps: one for each.
    fn translated_steps(
        &mut self,
        raw: &RawRule,
        steps: &Spanned<Vec<Text>>,
        types: &Types,
    ) -> Vec<Template> {
        let english = raw.fix.as_ref().map_or(&[][..], |fix| fix.get_ref().step.as_slice());
        let texts = steps.get_ref();
        if english.len() != texts.len() {
            let help = format!("{} in `[[fix.step]]`, {} here", english.len(), texts.len());
            self.fault(steps.span(), "as many steps as the fix has, in their order", Some(help));
            return Vec::new();
        }
        let pairs = english.iter().filter_map(|step| step.get_ref().text.as_ref()).zip(texts);
        pairs.filter_map(|(english, text)| self.translated(english, text, types)).collect()
    }

    /// A template whose every line asks for the same figures as the English one.
    fn translated(&mut self, english: &Text, text: &Text, types: &Types) -> Option<Template> {
        let template = self.template(text, types)?;
        // A mistake in the English text has been told.
        let english = Template::parse(english.get_ref().trim_end()).ok()?;
        self.noted(text, same_figures(&english, &template, text.get_ref()))?;
        Some(template)
    }
}

/// Compares the placeholders line by line.
fn same_figures(english: &Template, translated: &Template, text: &str) -> Result<(), Problem> {
    let (english, translated) = (english.lines(), translated.lines());
    if english.len() != translated.len() {
        let message =
            format!("as many lines as the English text: {} there, {} here", english.len(), translated.len());
        let help = "each line is a summary of its own: the first whose figures are known is taken";
        return Err(Problem::new(0..text.len(), message).help(help));
    }
    for (english, translated) in english.iter().zip(&translated) {
        let (asked, given) = (english.placeholders(), translated.placeholders());
        if let Some(name) = given.difference(&asked).next() {
            let at = text.find(name.as_str()).unwrap_or_default();
            let message = format!("`{{{name}}}` does not stand in the English text");
            return Err(Problem::new(at..at + name.len(), message));
        }
        if let Some(name) = asked.difference(&given).next() {
            let message = format!("`{{{name}}}` stands in the English text and not here");
            return Err(Problem::new(0..text.len(), message));
        }
    }
    Ok(())
}
