//! Full file systems and quotas as `df` and `quota` list them.
//!
//! Images of packages are always full and left out. A list has no time; it tells how things stood when it was made.

use crate::{
    event::StorageError,
    line::{Line, shorten},
    parse::{Claim, Found, linux::some_text},
};

/// The list being read.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    /// None.
    #[default]
    None,
    /// `df`.
    Space,
    /// `quota`.
    Quota,
}

impl List {
    /// Whether rows may follow.
    pub(super) fn hungry(self) -> bool {
        self != Self::None
    }

    /// Looks at one line; `None` if it is no part of a list.
    pub(super) fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
        let text = line.text;
        if text.starts_with("Filesystem") && text.trim_end().ends_with("Mounted on") {
            *self = Self::Space;
            return Some(Claim::Mine);
        }
        if text.starts_with("Disk quotas for ") {
            *self = Self::Quota;
            return Some(Claim::Mine);
        }
        let words: Vec<&str> = text.split_whitespace().take(16).collect();
        let row = match self {
            Self::None => return None,
            Self::Space => space(&words),
            Self::Quota => quota(&words),
        };
        let Some(row) = row else {
            *self = Self::None;
            return None;
        };
        if let Some((what, path)) = row {
            let event = StorageError { what: some_text(what), path: some_text(path), message: Some(shorten(text.trim())), errno: None };
            found.push(Found::on(line, event));
        }
        Some(Claim::Mine)
    }
}

/// A row: what is wrong and where, if anything is; `None` if it is no row.
type Row<'a> = Option<Option<(&'static str, &'a str)>>;

/// `/dev/nvme0n1p2   200G  200G     0 100% /home`, with `-i` inodes; `Used` may be rounded, nothing available is not.
fn space<'a>(words: &[&'a str]) -> Row<'a> {
    let at = words.iter().position(|word| word.ends_with('%') || *word == "-").filter(|at| *at >= 4)?;
    let (device, mount) = (words.first()?, words.get(at + 1)?);
    let full = words.get(at) == Some(&"100%") && words.get(at - 1) == Some(&"0");
    let image = device.starts_with("/dev/loop") || ["/snap/", "/var/lib/snapd", "/run/", "/sys/", "/media/", "/boot"].iter().any(|place| mount.starts_with(place));
    Some((full && !image).then_some(("full", *mount)))
}

/// `/dev/sda1 1048580* 1000000 1048576   6days …`: an asterisk marks what is over its quota.
fn quota<'a>(words: &[&'a str]) -> Row<'a> {
    let first = *words.first()?;
    if first == "Filesystem" {
        return Some(None);
    }
    let row = words.len() >= 4 && words.get(2)?.parse::<i64>().is_ok();
    row.then(|| words.iter().skip(1).any(|word| word.ends_with('*')).then_some(("quota", first)))
}
