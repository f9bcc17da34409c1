//! Loads the rules that come with the program and those of the user's folders.
//!
//! It checks none; the loader of the rules does.

use crate::{
    error::Error,
    rule::{Layer, RuleSet, builtin_texts},
};
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use walkdir::WalkDir;

/// All rules of a run. Those that come along are read when they are needed.
pub(super) fn load(folders: &[PathBuf]) -> Result<RuleSet, Error> {
    let set = RuleSet::on_demand();
    let mut texts = Vec::new();
    for folder in folders {
        collect(folder, &mut texts)?;
    }
    if texts.is_empty() {
        return Ok(set);
    }
    set.with(texts.clone()).map_err(|faults| {
        texts.extend(builtin_texts());
        Error::Rules { faults, texts }
    })
}

/// The rule files of a folder, in order.
fn collect(folder: &Path, texts: &mut Vec<(String, String)>) -> Result<(), Error> {
    let before = texts.len();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(folder).display().to_string();
            unreadable(&path, &error.into())
        })?;
        if entry.file_type().is_file() && entry.path().extension().is_some_and(|end| end == "toml") {
            let path = entry.path().display().to_string();
            let text = fs::read_to_string(entry.path()).map_err(|source| unreadable(&path, &source))?;
            texts.push((path, text));
        }
    }
    if texts.len() == before {
        return Err(Error::Usage(format!("there is no rule (*.toml) in `{}`", folder.display())));
    }
    Ok(())
}

fn unreadable(path: &str, source: &io::Error) -> Error {
    Error::Usage(format!("cannot read rules from `{path}`: {source}"))
}

/// Makes sure that each word names a cause or a layer.
pub(super) fn check_words<'a>(
    words: impl IntoIterator<Item = &'a String>,
    rules: &RuleSet,
) -> Result<(), Error> {
    for word in words {
        if rules.get(word).is_none() && Layer::from_word(word).is_none() {
            let names = rules.ids().chain(Layer::ALL.map(Layer::word));
            let nearest = nearest(word, names);
            return Err(Error::Unknown { what: "cause or layer", word: word.clone(), nearest });
        }
    }
    Ok(())
}

/// The name nearest to a word, if it is near enough to be meant.
pub(super) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let word = word.to_lowercase();
    let scored = names.into_iter().map(|name| (distance(&word, &name.to_lowercase()), name));
    let (least, name) = scored.min_by_key(|(distance, _)| *distance)?;
    let near = least <= (word.chars().count() / 2).min(4);
    near.then(|| name.to_owned())
}

/// How many characters must be put in, left out or changed to make one word of the other (Levenshtein).
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, a) in one.chars().take(64).enumerate() {
        let mut diagonal = index;
        row[0] = index + 1;
        for (at, b) in other.iter().enumerate() {
            let cost = if a == *b { diagonal } else { 1 + diagonal.min(row[at]).min(row[at + 1]) };
            diagonal = row[at + 1];
            row[at + 1] = cost;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(nearest("silent-exti", ["silent-exit", "host"]).as_deref(), Some("silent-exit"));
        assert_eq!(nearest("zzz", ["silent-exit", "host"]), None);
    }
}
