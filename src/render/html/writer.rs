//! HTML that is well-formed and escaped by construction: whatever is not a literal of this program is escaped.
//!
//! It knows no report.

use crate::{
    language::{Language, Messages, pieces},
    render::safe::safe,
};

/// A piece of HTML being written.
pub(super) struct Html {
    out: String,
    /// The words between what the report says.
    pub(super) messages: &'static Messages,
}

/// Names and values of attributes; only values may come from elsewhere.
pub(super) type Attributes<'a> = &'a [(&'static str, &'a str)];

impl Html {
    /// A document: only its type.
    pub(super) fn document(language: Language) -> Self {
        Self { out: "<!doctype html>\n".to_owned(), messages: language.messages() }
    }

    /// What has been written.
    pub(super) fn finish(self) -> String {
        self.out
    }

    /// An element and what is inside it.
    pub(super) fn element(
        &mut self,
        name: &'static str,
        attributes: Attributes<'_>,
        inside: impl FnOnce(&mut Self),
    ) {
        self.start(name, attributes);
        inside(self);
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
    }

    /// An element that holds nothing and has no end: `meta`, `br`.
    pub(super) fn void(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.start(name, attributes);
    }

    /// An element that holds a text.
    pub(super) fn tag(&mut self, name: &'static str, class: &'static str, text: &str) {
        let attributes: Attributes<'_> = if class.is_empty() { &[] } else { &[("class", class)] };
        self.element(name, attributes, |html| html.text(text));
    }

    /// A text.
    pub(super) fn text(&mut self, text: &str) {
        for character in safe(text).chars() {
            match character {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\'' => self.out.push_str("&#39;"),
                character => self.out.push(character),
            }
        }
    }

    /// A text in which words between backticks are set as code.
    pub(super) fn prose(&mut self, text: &str) {
        let pieces: Vec<&str> = text.split('`').collect();
        // An odd number of backticks pairs with nothing: the text is shown as it stands.
        if pieces.len().is_multiple_of(2) {
            return self.text(text);
        }
        for (index, piece) in pieces.into_iter().enumerate() {
            if index.is_multiple_of(2) { self.text(piece) } else { self.tag("code", "", piece) }
        }
    }

    /// A phrase whose places are set as code.
    pub(super) fn phrase(&mut self, phrase: &str, values: &[(&str, &str)]) {
        for (text, place) in pieces(phrase) {
            self.text(text);
            let value = values.iter().find(|(name, _)| Some(*name) == place);
            if let Some((_, value)) = value {
                self.tag("code", "", value);
            }
        }
    }

    /// A style sheet, which must hold no `<`.
    pub(super) fn style(&mut self, sheet: &'static str) {
        self.out.push_str("<style>");
        self.out.push_str(sheet);
        self.out.push_str("</style>");
    }

    /// A line break in the source, for those who read it.
    pub(super) fn line(&mut self) {
        self.out.push('\n');
    }

    fn start(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.out.push('<');
        self.out.push_str(name);
        for (attribute, value) in attributes {
            self.out.push(' ');
            self.out.push_str(attribute);
            self.out.push_str("=\"");
            self.text(value);
            self.out.push('"');
        }
        self.out.push('>');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html() -> Html {
        Html { out: String::new(), messages: Language::English.messages() }
    }

    #[test]
    fn whatever_comes_from_elsewhere_is_escaped() {
        let mut html = html();
        html.element("p", &[("title", "\"><script>")], |html| html.prose("a<b> `x & y` \u{202e}'"));
        assert_eq!(
            html.finish(),
            "<p title=\"&quot;&gt;&lt;script&gt;\">a&lt;b&gt; <code>x &amp; y</code> \\u{202e}&#39;</p>"
        );
    }

    #[test]
    fn a_lone_backtick_is_a_backtick() {
        let mut html = html();
        html.prose("a ` b");
        assert_eq!(html.finish(), "a ` b");
    }
}
