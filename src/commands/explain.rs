//! `kerneldoc explain`: what a cause, a layer, an exit code, a signal, an Xid or an error means.
//!
//! A word may mean several things; all of them are told.

use super::{catalogue, output, rule_files, rules, screen::Screen};
use crate::{
    cli::ExplainArgs,
    encyclopedia::{self, Entry},
    error::{EXIT_HEALTHY, Error},
    event::kind_named,
    rule::{Layer, RuleSet, page},
};
use std::{
    fmt::Write as _,
    io::{self, Write},
};

/// The widest that an explanation is set.
const WIDEST: usize = 100;

/// Runs the command.
pub(super) fn run(arguments: &ExplainArgs, screen: &Screen) -> Result<u8, Error> {
    let word = arguments.words.join(" ");
    let word = word.trim();
    let set = rule_files::load(&arguments.rules)?;
    if let Some(rule) = set.get(word.rsplit('/').next().unwrap_or(word)) {
        output::text(&page(rule, &set))?;
    } else if let Some(layer) = Layer::from_word(word) {
        output::to_stdout(|out| write_layer(layer, &set, out))?;
    } else if let Some(kind) = kind_named(word) {
        output::text(catalogue::kind_section(kind).trim_start())?;
    } else {
        let entries = encyclopedia::look_up(word);
        if entries.is_empty() {
            return Err(unknown(word, &set));
        }
        let width = screen.options().width.min(WIDEST);
        let texts: Vec<String> = entries.iter().map(|entry| entry_text(entry, &set, width)).collect();
        output::text(&texts.join("\n"))?;
    }
    Ok(EXIT_HEALTHY)
}

/// What a layer is, and its causes.
fn write_layer(layer: Layer, set: &RuleSet, out: &mut dyn Write) -> io::Result<()> {
    let meaning = match layer {
        Layer::Frontend => "The browser, the websocket, output limits: the kernel only looks dead.",
        Layer::Server => "The Jupyter server or hub, its proxy configuration, culling, start-up.",
        Layer::Kernel => "The Python (R, Julia …) process itself.",
        Layer::Cuda => "GPU memory, CUDA, ROCm or Metal, the driver, the GPU's hardware.",
        Layer::Host => "OOM killers, limits of containers and schedulers, disks, hardware, reboots.",
    };
    writeln!(out, "{meaning}\n")?;
    rules::write_layer(layer, set, out)
}

/// An entry as text, with the causes it points to.
fn entry_text(entry: &Entry, set: &RuleSet, width: usize) -> String {
    let mut text = format!("{}\n", entry.heading);
    for paragraph in &entry.paragraphs {
        let options = textwrap::Options::new(width).initial_indent("  ").subsequent_indent("  ");
        let _ = writeln!(text, "{}", textwrap::fill(paragraph, options));
    }
    let causes: Vec<_> = entry.causes.iter().filter(|id| set.get(id).is_some()).collect();
    for (index, id) in causes.into_iter().enumerate() {
        let label = if index == 0 { "causes" } else { "" };
        let title = set.get(id).map_or("", |rule| rule.title.as_str());
        let _ = writeln!(text, "  {label:6}  {id}: {title}");
    }
    text
}

/// Nothing bears that name.
fn unknown(word: &str, set: &RuleSet) -> Error {
    let mut names: Vec<&str> = encyclopedia::names().collect();
    names.extend(set.iter().map(|rule| rule.id.as_str()));
    let nearest = rule_files::nearest(word, names);
    Error::Unknown { what: "cause, layer, exit code, signal or error", word: word.to_owned(), nearest }
}
