//! One automaton over the needles of all parsers: which lines can matter, and to whom.

use crate::parse::{PARSERS, broken};
use aho_corasick::{AhoCorasick, AhoCorasickKind, Input};
use std::sync::LazyLock;

/// Literals of envelopes that hide a message from its needles: journald prints coloured messages as lists of bytes,
/// and a carrier's split line may have its needle in the next piece. No parser owns them.
const OF_ENVELOPES: &[&str] = &["\"MESSAGE\":[", "\"MESSAGE\" : [", " stderr P ", " stdout P "];

/// The automaton, and the parser of each of its patterns.
struct Needles {
    automaton: Option<AhoCorasick>,
    owners: Vec<Option<usize>>,
}

static NEEDLES: LazyLock<Needles> = LazyLock::new(|| {
    let owned = PARSERS.iter().enumerate();
    let owned =
        owned.flat_map(|(index, parser)| parser.needles.iter().map(move |needle| (Some(index), *needle)));
    let (owners, needles): (Vec<_>, Vec<_>) =
        owned.chain(OF_ENVELOPES.iter().chain(broken::NEEDLES).map(|needle| (None, *needle))).unzip();
    let automaton = AhoCorasick::builder().kind(Some(AhoCorasickKind::DFA)).build(needles).ok();
    Needles { automaton, owners }
});

/// Where the next needle begins, at or after a place in a block.
pub(super) fn next(block: &[u8], at: usize) -> Option<usize> {
    let automaton = NEEDLES.automaton.as_ref()?;
    automaton.find(Input::new(block).range(at..)).map(|hit| hit.start())
}

/// Marks the parsers that own a needle in a text.
pub(super) fn mark_owners(text: &str, wanted: &mut [bool]) {
    let Some(automaton) = NEEDLES.automaton.as_ref() else { return };
    for hit in automaton.find_overlapping_iter(text) {
        let owner = NEEDLES.owners.get(hit.pattern().as_usize()).copied().flatten();
        if let Some(wanted) = owner.and_then(|owner| wanted.get_mut(owner)) {
            *wanted = true;
        }
    }
}
