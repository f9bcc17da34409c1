//! The head of a rule: its names, its kind, its references.

use super::Loader;
use crate::rule::{
    Basis, Ends, Layer,
    raw::{RawRule, Text},
};

/// The longest title, in characters: what fits a line of a ticket.
const LONGEST_TITLE: usize = 120;

impl Loader<'_> {
    /// The id, which is the file's name.
    pub(super) fn id(&mut self, text: Option<&Text>) -> Option<String> {
        let text = self.needed(text, "id", 0..0)?;
        let id = text.get_ref();
        if !is_id(id) {
            let help = "lower-case words joined by hyphens, naming the cause: container-memory-limit";
            self.fault(text.span(), format!("`{id}` is no id"), Some(help.to_owned()));
        }
        if let Some(name) = file_name(self.path).filter(|name| name != id) {
            self.fault(text.span(), format!("the id is `{id}` and the file is called `{name}.toml`"), None);
        }
        Some(id.clone())
    }

    /// The layer, which is the folder's name.
    pub(super) fn layer(&mut self, text: Option<&Text>) -> Option<Layer> {
        let text = self.needed(text, "layer", 0..0)?;
        let layer = self.word(text, "layer", &Layer::ALL.map(|layer| (layer.word(), layer)))?;
        if let Some(folder) = folder(self.path).filter(|folder| *folder != layer) {
            let message =
                format!("the layer is `{}` and the folder is called `{}`", layer.word(), folder.word());
            self.fault(text.span(), message, None);
        }
        Some(layer)
    }

    /// One line without a full stop.
    pub(super) fn title(&mut self, text: Option<&Text>) -> Option<String> {
        let title = self.prose(text, "title", 0..0)?;
        let span = text.map(toml::Spanned::span).unwrap_or_default();
        if title.ends_with('.') {
            self.fault(span.clone(), "a title has no full stop", None);
        }
        if title.contains('\n') || title.chars().count() > LONGEST_TITLE {
            self.fault(span, format!("a title is one line of at most {LONGEST_TITLE} characters"), None);
        }
        Some(title)
    }

    /// Whether it ends a kernel.
    pub(super) fn ends(&mut self, text: Option<&Text>) -> Option<Ends> {
        let text = self.needed(text, "ends", 0..0)?;
        self.word(text, "ends", &[("yes", Ends::Yes), ("no", Ends::No), ("either", Ends::Either)])
    }

    /// How it knows.
    pub(super) fn basis(&mut self, text: Option<&Text>) -> Option<Basis> {
        let text = self.needed(text, "basis", 0..0)?;
        self.word(text, "basis", &[("record", Basis::Record), ("effect", Basis::Effect)])
    }

    /// Only a fallback needs nothing to be recognised by.
    pub(super) fn recognisable(&mut self, raw: &RawRule) {
        if raw.require.is_empty() && raw.any.is_empty() && !raw.fallback {
            let help = "a rule needs a `[[require]]` or an `[[any]]`, or is a fallback";
            let span = raw.id.as_ref().map(toml::Spanned::span).unwrap_or_default();
            self.fault(span, "nothing says how this cause is recognised", Some(help.to_owned()));
        }
    }

    /// Links that can be followed.
    pub(super) fn references(&mut self, references: &[Text]) -> Vec<String> {
        for text in references {
            let odd = |c: char| c.is_whitespace() || c.is_control() || "<>\"`".contains(c);
            if !text.get_ref().starts_with("https://") || text.get_ref().contains(odd) {
                self.fault(text.span(), "a reference is an https address", None);
            }
        }
        references.iter().map(|text| text.get_ref().clone()).collect()
    }
}

/// Lower-case words joined by hyphens.
fn is_id(id: &str) -> bool {
    let word =
        |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    id.len() <= 64 && id.starts_with(|c: char| c.is_ascii_lowercase()) && id.split('-').all(word)
}

/// The file's name without `.toml`.
fn file_name(path: &str) -> Option<&str> {
    path.rsplit(['/', '\\']).next()?.strip_suffix(".toml")
}

/// The layer whose folder the file lies in, if it lies in one.
fn folder(path: &str) -> Option<Layer> {
    path.rsplit(['/', '\\']).nth(1).and_then(Layer::from_word)
}
