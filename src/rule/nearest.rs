//! Finds the names a mistyped name may have meant.
//!
//! It knows nothing of what the names name.

use strsim::levenshtein as distance;

/// The longest word that is compared; a longer one is no typing mistake.
const LONGEST: usize = 64;
/// How many names are offered.
const OFFERED: usize = 3;

/// The names within a few typing mistakes of `word`, nearest first.
pub(super) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let length = word.chars().count();
    if length > LONGEST {
        return Vec::new();
    }
    let allowed = (length / 3).max(2);
    let mut near: Vec<_> = names.into_iter().map(|name| (distance(word, name), name)).collect();
    near.retain(|(distance, _)| *distance <= allowed);
    near.sort_unstable();
    near.into_iter().take(OFFERED).map(|(_, name)| name).collect()
}

/// ``did you mean `a` or `b`?``, if anything is near.
pub(super) fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let near = nearest(word, names);
    let quoted: Vec<_> = near.iter().map(|name| format!("`{name}`")).collect();
    (!quoted.is_empty()).then(|| format!("did you mean {}?", quoted.join(" or ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (from, to, expected) in
            [("", "", 0), ("a", "", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("é", "e", 1)]
        {
            assert_eq!(distance(from, to), expected, "{from} {to}");
        }
    }

    #[test]
    fn the_nearest_come_first_and_strangers_not_at_all() {
        let names = ["oom.kill", "oom.invoked", "gpu.xid", "container.kill"];
        assert_eq!(nearest("oom.kil", names), ["oom.kill"]);
        assert_eq!(nearest("completely.different", ["a"]), Vec::<&str>::new());
        assert_eq!(did_you_mean("gpu.xdi", names).as_deref(), Some("did you mean `gpu.xid`?"));
    }
}
