//! A rule of a set: what must be known of it at once, and the rest, which is read when somebody asks for it.
//!
//! Of two hundred rules a folder of logs concerns a dozen, and reading all of them takes longer than reading the logs.

use super::{Rule, fault::Fault, load};
use std::{borrow::Cow, collections::BTreeSet, sync::OnceLock};

/// A rule that comes with kerneldoc, as the build lists it.
struct Shipped {
    id: &'static str,
    path: &'static str,
    text: &'static str,
    explains: &'static [&'static str],
    require: &'static [&'static str],
    any: &'static [&'static str],
}

/// The rules that come with kerneldoc, by path.
static SHIPPED: &[Shipped] = include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// Paths and texts of the rules that come with kerneldoc, by path.
pub fn builtin_texts() -> Vec<(String, String)> {
    SHIPPED.iter().map(|one| (one.path.to_owned(), one.text.to_owned())).collect()
}

/// The rules that come with kerneldoc, not read yet, with their ids.
pub(super) fn shipped() -> impl Iterator<Item = (String, Entry)> {
    SHIPPED.iter().map(|one| {
        let entry = Entry {
            path: Cow::Borrowed(one.path),
            text: Cow::Borrowed(one.text),
            explains: one.explains.iter().map(|id| Cow::Borrowed(*id)).collect(),
            require: one.require.to_vec(),
            any: one.any.to_vec(),
            reached: OnceLock::new(),
            rule: OnceLock::new(),
        };
        (one.id.to_owned(), entry)
    })
}

/// A rule of a set.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// The rule's file.
    pub(super) path: Cow<'static, str>,
    /// The file's text.
    pub(super) text: Cow<'static, str>,
    /// Ids of the causes that it explains.
    pub(super) explains: Vec<Cow<'static, str>>,
    /// The kinds of events that it requires.
    require: Vec<&'static str>,
    /// The kinds of events of which it wants one.
    any: Vec<&'static str>,
    /// Every cause that it explains, directly or through others; reckoned when it is first asked for.
    pub(super) reached: OnceLock<BTreeSet<String>>,
    rule: OnceLock<Result<Rule, Vec<Fault>>>,
}

impl Entry {
    /// A rule that has been read.
    pub(super) fn of(rule: Rule) -> Self {
        let kinds = |list: &[super::Condition]| list.iter().map(|condition| condition.event.name).collect();
        Self {
            path: Cow::Owned(rule.path.clone()),
            text: Cow::Owned(rule.text.clone()),
            explains: rule.explains.iter().map(|id| Cow::Owned(id.clone())).collect(),
            require: kinds(&rule.require),
            any: kinds(&rule.any),
            reached: OnceLock::new(),
            rule: OnceLock::from(Ok(rule)),
        }
    }

    /// The rule.
    pub(super) fn rule(&self) -> Result<&Rule, &[Fault]> {
        self.rule.get_or_init(|| load(&self.path, &self.text)).as_ref().map_err(Vec::as_slice)
    }

    /// Whether it can fit logs that hold events of these kinds and no others.
    pub(super) fn may_fit(&self, kinds: &BTreeSet<&str>) -> bool {
        self.require.iter().all(|kind| kinds.contains(kind))
            && (self.any.is_empty() || self.any.iter().any(|kind| kinds.contains(kind)))
    }
}
