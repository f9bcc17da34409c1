//! `memory.events` or `cpu.stat` as a file of its own, whose first lines hold no word that is rare enough for a needle.
//!
//! What the lines mean is `cgroup_file`'s.

use super::{Claim, Document, Found, Parser, cgroup_file::Files};
use crate::line::{Mark, shorten};

/// The format.
pub const DOCUMENT: Document = Document { name: "cgroup file", recognise, read };

/// Whether a text begins as these files do.
fn recognise(head: &str) -> bool {
    let mut lines = head.lines();
    let first = lines.next().unwrap_or_default();
    (first.starts_with("low ") && head.contains("\noom_kill ")) || (first.starts_with("usage_usec ") && head.contains("\nnr_throttled "))
}

/// Reads a file that is one of them.
fn read(text: &str, found: &mut Vec<Found>) -> Claim {
    let mut files = Files::default();
    for (number, line) in (1..).zip(text.lines()) {
        if files.read(line) {
            // The line that counts is the one about kills, or about throttling.
            let tells = ["oom_kill ", "nr_throttled "].iter().any(|name| line.starts_with(name));
            if tells || files.mark.is_none() {
                files.mark = Some(Mark { number, text: shorten(line), ..Mark::default() });
            }
        }
    }
    files.finish(found);
    if found.is_empty() { Claim::NotMine } else { Claim::Mine }
}
