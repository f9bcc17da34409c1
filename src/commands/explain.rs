//! `kerneldoc explain`: what a cause, a layer, an exit code, a signal, an Xid or an error means.
//!
//! A word may mean several things; all of them are told.

use super::{catalogue, output, rule_files, rules, screen::Screen};
use crate::{
    cli::ExplainArgs,
    encyclopedia::{self, Entry},
    error::{EXIT_HEALTHY, Error},
    event::kind_named,
    language::Language,
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
    let language = screen.spoken();
    if let Some(rule) = set.get(word.rsplit('/').next().unwrap_or(word)) {
        output::text(&page(rule, &set, language))?;
    } else if let Some(layer) = Layer::from_word(word) {
        output::to_stdout(|out| write_layer(layer, &set, language, out))?;
    } else if let Some(kind) = kind_named(word) {
        output::text(catalogue::kind_section(kind).trim_start())?;
    } else {
        let entries = encyclopedia::look_up(word);
        if entries.is_empty() {
            return Err(unknown(word, &set));
        }
        let width = screen.options().width.min(WIDEST);
        let texts: Vec<String> =
            entries.iter().map(|entry| entry_text(entry, &set, language, width)).collect();
        output::text(&texts.join("\n"))?;
    }
    Ok(EXIT_HEALTHY)
}

/// What a layer is, and its causes.
fn write_layer(layer: Layer, set: &RuleSet, language: Language, out: &mut dyn Write) -> io::Result<()> {
    let messages = language.messages();
    let meaning = match layer {
        Layer::Frontend => messages.meaning_frontend,
        Layer::Server => messages.meaning_server,
        Layer::Kernel => messages.meaning_kernel,
        Layer::Cuda => messages.meaning_cuda,
        Layer::Host => messages.meaning_host,
    };
    writeln!(out, "{meaning}\n")?;
    rules::write_layer(layer, set, language, out)
}

/// An entry as text, with the causes it points to.
fn entry_text(entry: &Entry, set: &RuleSet, language: Language, width: usize) -> String {
    let mut text = format!("{}\n", entry.heading);
    for paragraph in &entry.paragraphs {
        let options = textwrap::Options::new(width).initial_indent("  ").subsequent_indent("  ");
        let _ = writeln!(text, "{}", textwrap::fill(paragraph, options));
    }
    let causes: Vec<_> = entry.causes.iter().filter(|id| set.get(id).is_some()).collect();
    for (index, id) in causes.into_iter().enumerate() {
        let label = if index == 0 { language.messages().page_causes } else { "" };
        let title = set.get(id).map_or("", |rule| rule.texts(language).title);
        let _ = writeln!(text, "  {label:6}  {id}: {title}");
    }
    text
}

/// Nothing bears that name.
fn unknown(word: &str, set: &RuleSet) -> Error {
    let mut names: Vec<&str> = encyclopedia::names().collect();
    names.extend(set.ids());
    let nearest = rule_files::nearest(word, names);
    Error::Unknown { what: "cause, layer, exit code, signal or error", word: word.to_owned(), nearest }
}
