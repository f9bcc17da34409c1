//! A rule of a set: what must be known of it at once, and the rest, which is read when somebody asks for it.
//!
//! Of two hundred rules a folder of logs concerns a dozen, and reading all of them takes longer than reading the logs.

use super::{Clause, Rule, fault::Fault, load, load::load_trusted};
use crate::event::{Kind, kind_named};
use std::{borrow::Cow, collections::BTreeSet, sync::OnceLock};

/// A rule that comes with kerneldoc, as the build lists it.
struct Shipped {
    id: &'static str,
    path: &'static str,
    text: &'static str,
    /// The byte at which its tests begin.
    tests_at: usize,
    explains: &'static [&'static str],
    require: &'static [Want],
    any: &'static [Want],
}

/// A condition of a rule that has not been read.
#[derive(Debug)]
struct Want {
    event: &'static str,
    clauses: &'static [&'static str],
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
            tests_at: one.tests_at,
            wants: (one.require, one.any),
            needs: OnceLock::new(),
            reached: OnceLock::new(),
            rule: OnceLock::new(),
            brief: OnceLock::new(),
        };
        (one.id.to_owned(), entry)
    })
}

/// An event that a rule needs: its kind, and what must hold of its fields.
type Need = (&'static Kind, Vec<Clause>);

/// A rule of a set.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// The rule's file.
    pub(super) path: Cow<'static, str>,
    /// The file's text.
    pub(super) text: Cow<'static, str>,
    /// Ids of the causes that it explains.
    pub(super) explains: Vec<Cow<'static, str>>,
    /// What it requires, and of what it wants one; of a rule that has been read, the rule knows.
    wants: (&'static [Want], &'static [Want]),
    /// The same, understood.
    needs: OnceLock<[Vec<Need>; 2]>,
    /// Every cause that it explains, directly or through others; reckoned when it is first asked for.
    pub(super) reached: OnceLock<BTreeSet<String>>,
    rule: OnceLock<Result<Rule, Vec<Fault>>>,
    /// Where its tests begin, and the rule without them, which is all that a diagnosis needs.
    tests_at: usize,
    brief: OnceLock<Option<Rule>>,
}

impl Entry {
    /// A rule that has been read.
    pub(super) fn of(rule: Rule) -> Self {
        let need = |condition: &super::Condition| (condition.event, condition.clauses.clone());
        let needs = [&rule.require, &rule.any].map(|list| list.iter().map(need).collect());
        Self {
            path: Cow::Owned(rule.path.clone()),
            text: Cow::Owned(rule.text.clone()),
            explains: rule.explains.iter().map(|id| Cow::Owned(id.clone())).collect(),
            tests_at: rule.text.len(),
            wants: (&[], &[]),
            needs: OnceLock::from(needs),
            reached: OnceLock::new(),
            rule: OnceLock::from(Ok(rule)),
            brief: OnceLock::new(),
        }
    }

    /// The rule.
    pub(super) fn rule(&self) -> Result<&Rule, &[Fault]> {
        self.rule.get_or_init(|| load(&self.path, &self.text)).as_ref().map_err(Vec::as_slice)
    }

    /// The rule, perhaps without its tests.
    pub(super) fn brief(&self) -> Option<&Rule> {
        match self.rule.get() {
            Some(rule) => rule.as_ref().ok(),
            None => self.brief.get_or_init(|| load_trusted(&self.path, &self.text, self.tests_at)).as_ref(),
        }
    }

    /// Whether it can fit logs of which `stands` tells whether an event of a kind is there of which some clauses hold.
    pub(super) fn may_fit(&self, stands: impl Fn(&Kind, &[Clause]) -> bool) -> bool {
        let (require, any) = self.wants;
        let is_there = |want: &Want| kind_named(want.event).is_some_and(|kind| stands(kind, &[]));
        if !fit(require, any, is_there) {
            return false;
        }
        let [require, any] = self.needs.get_or_init(|| [require, any].map(understood));
        fit(require, any, |(kind, clauses)| stands(kind, clauses))
    }
}

/// Whether all that is required is there, and one of the others, if there are any.
fn fit<T>(require: &[T], any: &[T], is_there: impl Fn(&T) -> bool) -> bool {
    require.iter().all(&is_there) && (any.is_empty() || any.iter().any(&is_there))
}

/// What some conditions need. A clause that is none, which a test rules out, asks for nothing.
fn understood(wants: &'static [Want]) -> Vec<Need> {
    let kinds = wants.iter().filter_map(|want| Some((want, kind_named(want.event)?)));
    let clauses =
        |want: &Want, kind| want.clauses.iter().filter_map(|text| Clause::trusted(text, kind).ok()).collect();
    kinds.map(|(want, kind)| (kind, clauses(want, kind))).collect()
}
