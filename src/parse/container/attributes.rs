//! The attributes of a text event: `key=value, key=value`, with labels among them whose values hold anything.
//!
//! A label `a` with the value `b, name=evil` prints as an attribute `name`. Docker sorts the keys (since 1.11), so
//! the longest ascending chain of keys finds the real ones; it cannot when a version did not sort.

/// The most pieces that are sorted out; of more, the rightmost key counts.
const MOST_PIECES: usize = 128;

/// Attributes as found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Attributes<'a> {
    /// Key and value, in the order of the line.
    chosen: Vec<(&'a str, &'a str)>,
    /// All that look like a key, for a line that is not sorted.
    all: Vec<(&'a str, &'a str)>,
}

impl<'a> Attributes<'a> {
    /// Reads the text between the brackets.
    pub(super) fn read(text: &'a str) -> Self {
        let all = candidates(text);
        let keys = if all.len() <= MOST_PIECES { chain(&all) } else { Vec::new() };
        let mut chosen = Vec::with_capacity(keys.len());
        for (place, index) in keys.iter().enumerate() {
            let Some((start, key)) = all.get(*index) else { continue };
            let end = keys.get(place + 1).and_then(|next| all.get(*next)).map_or(text.len(), |(next, _)| next - 2);
            let value = text.get(start + key.len() + 1..end).unwrap_or_default();
            chosen.push((*key, value));
        }
        // Every event has these two; a chain without them is not one of sorted keys.
        let sorted = ["image", "name"].iter().all(|key| chosen.iter().any(|(chosen, _)| chosen == key));
        if !sorted {
            chosen.clear();
        }
        let all = all.into_iter().map(|(start, key)| (key, piece_value(text, start + key.len() + 1))).collect();
        Self { chosen, all }
    }

    /// A value, if it is there.
    pub(super) fn get(&self, key: &str) -> Option<&'a str> {
        let find = |list: &[(&'a str, &'a str)]| list.iter().rev().find(|(name, _)| *name == key).map(|(_, value)| *value);
        find(&self.chosen).or_else(|| find(&self.all))
    }
}

/// The pieces that can begin an attribute: where, and the key.
fn candidates(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    for piece in text.split(", ") {
        if let Some((key, _)) = piece.split_once('=')
            && !key.is_empty()
        {
            found.push((start, key));
        }
        start += piece.len() + 2;
    }
    found
}

/// The value of a piece that is taken alone.
fn piece_value(text: &str, start: usize) -> &str {
    let rest = text.get(start..).unwrap_or_default();
    rest.split(", ").next().unwrap_or(rest)
}

/// The longest strictly ascending chain of keys that starts with the first; of equal ones the later.
fn chain(all: &[(usize, &str)]) -> Vec<usize> {
    let mut best: Vec<Option<(usize, Option<usize>)>> = Vec::with_capacity(all.len());
    for (index, (_, key)) in all.iter().enumerate() {
        let before = all.iter().zip(&best).enumerate().filter_map(|(earlier, ((_, other), length))| {
            let (length, _) = (*length)?;
            (other < key).then_some((length, earlier))
        });
        let longest = before.max().map(|(length, earlier)| (length + 1, Some(earlier)));
        best.push(if index == 0 { Some((1, None)) } else { longest });
    }
    let last = best.iter().enumerate().filter_map(|(index, length)| Some(((*length)?.0, index))).max();
    let mut at = last.map(|(_, index)| index);
    let mut keys = Vec::new();
    while let Some(index) = at {
        keys.push(index);
        at = best.get(index).copied().flatten().and_then(|(_, before)| before);
    }
    keys.reverse();
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_do_not_spoof() {
        let text = r#"$nl=line1, a=b, name=evil, eq=k=v=w, image=base, json={"a":1, "b":"c, d=e"}, name=c11, paren=x) (y, zz=image=spoof"#;
        let read = Attributes::read(text);
        assert_eq!(read.get("name"), Some("c11"));
        assert_eq!(read.get("image"), Some("base"));
        assert_eq!(read.get("a"), Some("b, name=evil"));
        assert_eq!(read.get("zz"), Some("image=spoof"));
    }

    #[test]
    fn unsorted_keys_are_found() {
        let read = Attributes::read("name=c1, exitCode=137, image=base");
        assert_eq!([read.get("name"), read.get("exitCode"), read.get("image")], [Some("c1"), Some("137"), Some("base")]);
    }
}
