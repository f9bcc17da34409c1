//! The languages that people are answered in, and the words of reports that belong to no rule.
//!
//! It reads no environment; `commands` does. Ids, names, figures, commands and quoted lines are never translated.

mod messages;
mod phrase;

pub use messages::Messages;
pub use phrase::{counted, fill, flowing, pieces};

use messages::{CHINESE, ENGLISH};

/// A language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Simplified Chinese.
    Chinese,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// Its tag, as HTML wants it.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-CN",
        }
    }

    /// The language of a locale's name: `zh_CN.UTF-8`, `zh`. Whatever is not Chinese is answered in English.
    pub fn of_locale(locale: &str) -> Self {
        let chinese = locale.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("zh"));
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric());
        if chinese && locale.get(2..).is_none_or(ends) { Self::Chinese } else { Self::English }
    }

    /// The words of reports.
    pub fn messages(self) -> &'static Messages {
        match self {
            Self::English => &ENGLISH,
            Self::Chinese => &CHINESE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales() {
        for locale in ["zh_CN.UTF-8", "zh", "zh-TW", "ZH_sg"] {
            assert_eq!(Language::of_locale(locale), Language::Chinese, "{locale}");
        }
        for locale in ["", "C", "POSIX", "en_US.UTF-8", "zhuang", "é"] {
            assert_eq!(Language::of_locale(locale), Language::English, "{locale}");
        }
    }
}
