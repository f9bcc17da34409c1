//! The event catalogue as a page: `docs/events.md`.
//!
//! It is generated from the catalogue itself; a test keeps the file fresh.

use crate::event::{Kind, Role, kinds};
use std::fmt::Write;

/// The page of all kinds, in Markdown.
pub fn catalogue_page() -> String {
    let mut page = String::from(
        "<!-- Generated from src/event/catalogue.rs. `KERNELDOC_BLESS=1 cargo test --test docs` writes it anew. -->\n\n\
         # Events\n\n\
         Parsers turn log lines into these events, rules ask for them, `kerneldoc events` prints them. Any field may be\n\
         absent. Units stand in field names. *Role* is what an event means for the search for deaths: `death` is always\n\
         one, an `ending` may be one, `trouble` is reported as a finding or as a cause nearby, `context` is background.\n",
    );
    for kind in kinds() {
        page.push_str(&kind_section(kind));
    }
    page
}

/// One kind: what it is, its role, its fields.
pub(super) fn kind_section(kind: &Kind) -> String {
    let mut text = format!("\n## `{}`\n\n{} *Role: {}.*\n", kind.name, prose(kind.doc), role(kind.role));
    if !kind.fields.is_empty() {
        text.push_str("\n| field | type | meaning |\n|---|---|---|\n");
    }
    for field in kind.fields {
        let meaning = prose(field.doc).replace('|', "\\|");
        let _ = writeln!(text, "| `{}` | {} | {meaning} |", field.name, field.kind.word());
    }
    text
}

/// The lines of a doc comment as one.
fn prose(doc: &[&str]) -> String {
    doc.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Death => "death",
        Role::Ending => "ending",
        Role::Trouble => "trouble",
        Role::Context => "context",
    }
}
