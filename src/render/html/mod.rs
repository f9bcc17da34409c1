//! The report as one page for a browser: no script, nothing from outside, dark and light, printable.
//!
//! Everything goes through [`writer::Html`], which escapes; the page's policy forbids what a mistake could let in.

mod chart;
mod doubts;
mod evidence;
mod logs;
mod overview;
mod page;
pub(super) mod summary;
mod verdict;
mod writer;

use crate::{language::Language, report::Report};
use std::io::{self, Write};

/// Writes the page.
pub(super) fn write(report: &Report, language: Language, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(page::page(report, language).as_bytes())
}

/// The class of a layer, for its colour. A word that is no layer has none.
fn layer_class(layer: &str) -> &'static str {
    match layer {
        "frontend" => "layer frontend",
        "server" => "layer server",
        "kernel" => "layer kernel",
        "cuda" => "layer cuda",
        "host" => "layer host",
        _ => "layer",
    }
}
