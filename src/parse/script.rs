//! A Python script that lies beside the logs: what it prints is no log's line, and one call in it can end a kernel.
//!
//! It does not run the script: whether the call was reached no script tells.

use super::{Claim, Document, Found};
use crate::{
    event::CodeRun,
    line::{Mark, shorten},
};

/// The document.
pub const DOCUMENT: Document = Document { name: "python script", recognise, read };

/// Ends the process at once, without clean-up and without a word. `exit()`, `quit()` and `sys.exit()` of a script only
/// raise `SystemExit`, which `IPython` catches.
const LEAVES: &str = "os._exit(";
/// Scripts with children of their own: there the call is the rule, and ends the child.
const CHILDREN: &[&str] = &["fork(", "multiprocessing", "concurrent.futures", "Process("];
/// The most calls given.
const MOST: usize = 20;
/// How many lines before the call are shown: as a rule they print why.
const BEFORE: usize = 2;

/// Words that begin a statement at the margin.
const KEYWORDS: &[&str] = &[
    "import", "from", "def", "class", "if", "else", "elif", "for", "while", "with", "try", "except", "finally",
    "async", "await", "assert", "del", "global", "raise", "pass", "return", "print",
];

/// Whether a file is Python's source: something is imported or defined, and every line at the margin is a statement.
/// One line that is none, as in a console's transcript, and it is a log.
fn recognise(head: &str) -> bool {
    let head = head.trim_start_matches('\u{feff}');
    let whole = if head.ends_with('\n') { head } else { head.rsplit_once('\n').map_or(head, |(whole, _)| whole) };
    let mut defines = false;
    let mut quoted = false;
    for line in whole.lines() {
        let marks = line.matches("\"\"\"").count() + line.matches("'''").count();
        let begins_quoted = quoted;
        quoted ^= marks % 2 == 1;
        if begins_quoted || line.trim().is_empty() || line.starts_with([' ', '\t']) {
            continue;
        }
        if !is_statement(line) {
            return false;
        }
        defines |= ["import ", "from ", "def ", "class "].iter().any(|word| line.starts_with(word));
    }
    defines
}

/// Whether a line at the margin can be Python's.
fn is_statement(line: &str) -> bool {
    if line.starts_with(['#', '@', ')', ']', '}', '"', '\'']) {
        return true;
    }
    let name_end = line.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(line.len());
    let (name, rest) = line.split_at(name_end);
    // `from` of `From host lab7: …` and `with` of prose: a keyword's statement ends as statements do.
    if KEYWORDS.contains(&name) {
        let imports = name == "import" || (name == "from" && rest.contains(" import "));
        return imports || rest.trim_end().ends_with([':', ')', ']', '}', ',', '(', '[', '{', '\\']) || rest.contains('#');
    }
    let target_end = rest.find(|c: char| !(c.is_alphanumeric() || "_.,[]'\" ".contains(c))).unwrap_or(rest.len());
    let operator = rest.get(target_end..).unwrap_or_default();
    !name.is_empty() && ["=", "(", "+=", "-=", ": "].iter().any(|sign| operator.starts_with(sign)) && !rest.starts_with(": ")
}

/// Reads the script.
fn read(text: &str, found: &mut Vec<Found>) -> Claim {
    if CHILDREN.iter().any(|words| text.contains(words)) {
        return Claim::Mine;
    }
    let lines: Vec<&str> = text.lines().collect();
    let leaves = |line: &str| line.split('#').next().is_some_and(|code| code.contains(LEAVES));
    let calls = lines.iter().enumerate().filter(|(_, line)| leaves(line)).take(MOST);
    for (index, line) in calls {
        let shown = lines.get(index.saturating_sub(BEFORE)..=index).unwrap_or_default();
        let event = CodeRun {
            source: Some(shorten(&shown.join("\n"))),
            script: Some("yes".to_owned()),
            ..CodeRun::default()
        };
        let mark = Mark { number: index as u64 + 1, text: shorten(line.trim()), ..Mark::default() };
        found.push(Found::at(&mark, event));
    }
    Claim::Mine
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_and_logs() {
        for (text, expected) in [
            ("import os\n\nx = 1\nprint(x)\n", true),
            ("#!/usr/bin/env python\n\"\"\"Reads\nthe stage.\n\"\"\"\nfrom rig import home\nfor a in (1, 2):\n    home(a)\n", true),
            ("def go():\n    pass\ngo()\n", true),
            ("x = 1\n", false),
            ("import os\nrunfile('C:/rig/a.py')\nstage 1 homed\n", false),
            ("import error: no module\nKernel died, restarting\n", false),
            ("[I 2026-11-30 10:00:00.000 ServerApp] Kernel started: 1\n", false),
            ("Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: import x\n", false),
            ("import numpy\nMemoryError: Unable to allocate 1 GiB\n", false),
            ("import numpy\nKilled\n", false),
        ] {
            assert_eq!(recognise(text), expected, "{text}");
        }
    }
}
