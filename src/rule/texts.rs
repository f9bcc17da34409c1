//! What a rule says to its reader, in the reader's language.
//!
//! A text that is not translated is told in English, each for itself: users' own rules need not speak Chinese.

use super::{Rule, Template};
use crate::language::Language;

/// The texts of a rule in another language, as far as the file has them.
#[derive(Debug, Clone, Default)]
pub struct Translation {
    /// The title.
    pub title: Option<String>,
    /// The summary, with the same lines and figures.
    pub summary: Option<Template>,
    /// Why it happens.
    pub why: Option<String>,
    /// The summary of the fix.
    pub fix: Option<String>,
    /// The text of each step of the fix; none, or one a step.
    pub steps: Vec<Template>,
}

/// The texts of a rule in one language, English where there is no other.
#[derive(Debug, Clone)]
pub struct Texts<'a> {
    /// What happened, in one line.
    pub title: &'a str,
    /// What happened, with figures; one template a line.
    pub summary: Option<&'a Template>,
    /// Why it happens.
    pub why: &'a str,
    /// What to do, in one sentence.
    pub fix: &'a str,
    /// What to do at each step.
    pub steps: Vec<&'a Template>,
}

impl Rule {
    /// The texts in a language.
    pub fn texts(&self, language: Language) -> Texts<'_> {
        let english = Texts {
            title: &self.title,
            summary: self.summary.as_ref(),
            why: &self.why,
            fix: &self.fix.summary,
            steps: self.fix.steps.iter().map(|step| &step.text).collect(),
        };
        let other = match language {
            Language::English => None,
            Language::Chinese => self.chinese.as_ref(),
        };
        let Some(other) = other else { return english };
        Texts {
            title: other.title.as_deref().unwrap_or(english.title),
            summary: other.summary.as_ref().or(english.summary),
            why: other.why.as_deref().unwrap_or(english.why),
            fix: other.fix.as_deref().unwrap_or(english.fix),
            steps: if other.steps.is_empty() { english.steps } else { other.steps.iter().collect() },
        }
    }

    /// Whether every text of the rule is there in a language.
    pub fn speaks(&self, language: Language) -> bool {
        match (language, &self.chinese) {
            (Language::English, _) => true,
            (Language::Chinese, None) => false,
            (Language::Chinese, Some(own)) => {
                own.title.is_some()
                    && own.why.is_some()
                    && own.fix.is_some()
                    && own.summary.is_some() == self.summary.is_some()
                    && own.steps.len() == self.fix.steps.len()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Layer, load, new_rule};

    #[test]
    fn what_is_not_translated_is_told_in_english() {
        let text = new_rule(Layer::Host, "disk-full");
        let chinese = "[text.zh]\ntitle = \"磁盘已满\"\nsummary = \"进程 {process}。\"\n\n[[test]]";
        let rule = load("disk-full.toml", &text.replacen("[[test]]", chinese, 1)).unwrap();
        let texts = rule.texts(Language::Chinese);
        assert_eq!((texts.title, texts.fix), ("磁盘已满", "What to do, in one sentence."));
        assert_eq!(texts.steps.len(), 1);
        assert_eq!(rule.texts(Language::English).title, rule.title);
        assert!(!rule.speaks(Language::Chinese) && rule.speaks(Language::English));
    }
}
