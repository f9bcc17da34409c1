//! `docker stats` and `podman stats`, as a table or as JSON: what a container uses of its limit. And `kubectl top pod`.
//!
//! A container without a limit shows the host's memory as its limit; that cannot be told apart here.

use super::{Reading, Sample, phrase};
use crate::parse::prim;

/// The table being read.
#[derive(Default)]
pub(super) struct Table {
    open: bool,
    /// `kubectl top pod`'s.
    pods: bool,
}

impl Table {
    /// Whether rows may follow.
    pub(super) fn hungry(&self) -> bool {
        self.open || self.pods
    }

    /// Reads a line.
    pub(super) fn line(&mut self, text: &str) -> Option<Vec<Reading>> {
        if !self.hungry() && !text.contains('/') && !text.contains("CPU(cores)") {
            return None;
        }
        if text.contains("MEM USAGE / LIMIT") {
            self.open = true;
            return Some(Vec::new());
        }
        if let Some(sample) = json(text) {
            return Some(vec![Reading::Sample(sample)]);
        }
        let words: Vec<&str> = text.split_whitespace().take(24).collect();
        if words.contains(&"CPU(cores)") && words.contains(&"MEMORY(bytes)") {
            (self.open, self.pods) = (false, true);
            return Some(Vec::new());
        }
        if self.pods {
            let sample = pod(&words);
            self.pods = sample.is_some();
            return sample.map(|sample| vec![Reading::Sample(sample)]);
        }
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

/// `--format json`: `{…,"Container":"b95a83497c91","MemPerc":"98.19%","MemUsage":"31.42GiB / 32GiB","Name":"jupyter"}`.
fn json(text: &str) -> Option<Sample> {
    let value = |key: &str| prim::quoted(phrase::behind(text, key)?.trim_start()).ok().map(|(_, value)| value);
    let (used, limit) = value("\"MemUsage\":")?.split_once(" / ")?;
    let id = value("\"ID\":").or_else(|| value("\"Container\":")).filter(|id| is_id(id));
    Some(Sample {
        container_id: id.map(str::to_owned),
        container_name: value("\"Name\":").map(str::to_owned),
        used_bytes: Some(size(used)?),
        total_bytes: size(limit).filter(|limit| *limit > 0),
        percent: value("\"MemPerc\":").and_then(|share| share.strip_suffix('%')?.parse().ok()),
        resolution: 1.0,
        ..Sample::of("container")
    })
}

/// `jupyter-alice   1001m   31000Mi`, the namespace before it with `-A`.
fn pod(words: &[&str]) -> Option<Sample> {
    let (memory, rest) = words.split_last()?;
    let (_, names) = rest.split_last()?;
    let used = prim::size(true)(memory).ok().and_then(|(rest, bytes)| rest.is_empty().then_some(bytes))?;
    let name = names.last()?;
    Some(Sample { container_name: Some((*name).to_owned()), ..Sample::bytes("container", used, 1_048_576.0) })
}

/// A whole word that is a size. podman writes decimal MB, docker MiB.
fn size(word: &str) -> Option<i64> {
    prim::size(false)(word).ok().and_then(|(rest, bytes)| rest.is_empty().then_some(bytes))
}

/// Whether a word is a container's id.
fn is_id(word: &str) -> bool {
    word.len() >= 12 && word.len() <= 64 && word.chars().all(|c| c.is_ascii_hexdigit())
}
