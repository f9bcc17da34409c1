//! Finds the names a mistyped name may have meant.
//!
//! It knows nothing of what the names name.

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

/// Single characters to insert, remove or replace to get from one word to the other (Levenshtein).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (above, letter) in from.chars().enumerate() {
        let mut diagonal = above;
        let mut left = above + 1;
        let mut next = vec![left];
        for (other, &up) in to.iter().zip(row.iter().skip(1)) {
            left = (diagonal + usize::from(*other != letter)).min(left + 1).min(up + 1);
            diagonal = up;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
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
