//! `docker stats` and `podman stats`: what a container uses of its limit.
//!
//! A container without a limit shows the host's memory as its limit; that cannot be told apart here.

use super::{Reading, Sample};
use crate::parse::prim;

/// The table being read.
#[derive(Default)]
pub(super) struct Table {
    open: bool,
}

impl Table {
    /// Whether rows may follow.
    pub(super) fn hungry(&self) -> bool {
        self.open
    }

    /// Reads a line.
    pub(super) fn line(&mut self, text: &str) -> Option<Vec<Reading>> {
        if text.contains("MEM USAGE / LIMIT") {
            self.open = true;
            return Some(Vec::new());
        }
        let words: Vec<&str> = text.split_whitespace().take(24).collect();
        let sample = row(&words, self.open);
        self.open &= sample.is_some() || words.is_empty();
        sample.map(|sample| vec![Reading::Sample(sample)])
    }
}

/// `b95a83497c91   jupyter   101.3%    31.42GiB / 32GiB   98.19% …`. Memory is the first pair; traffic comes later.
fn row(words: &[&str], headed: bool) -> Option<Sample> {
    let slash = words.iter().position(|word| *word == "/")?;
    let used = size(words.get(slash.checked_sub(1)?)?)?;
    let limit = size(words.get(slash + 1)?)?;
    let percent = words.get(slash + 2).and_then(|word| word.strip_suffix('%')?.parse().ok());
    let id = words.first().filter(|word| is_id(word));
    if !headed && (id.is_none() || percent.is_none()) {
        return None;
    }
    let name = words.get(usize::from(id.is_some())).filter(|word| !word.ends_with('%') && **word != "--");
    Some(Sample {
        container_id: id.map(|id| (*id).to_owned()),
        container_name: name.map(|name| (*name).to_owned()),
        used_bytes: Some(used),
        total_bytes: Some(limit).filter(|limit| *limit > 0),
        percent,
        resolution: 1.0,
        ..Sample::of("container")
    })
}

/// A whole word that is a size. podman writes decimal MB, docker MiB.
fn size(word: &str) -> Option<i64> {
    prim::size(false)(word).ok().and_then(|(rest, bytes)| rest.is_empty().then_some(bytes))
}

/// Whether a word is a container's id.
fn is_id(word: &str) -> bool {
    word.len() >= 12 && word.len() <= 64 && word.chars().all(|c| c.is_ascii_hexdigit())
}
