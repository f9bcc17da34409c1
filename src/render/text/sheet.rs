//! The sheet the text is written on: its width, its colours, wrapped and labelled lines.
//!
//! It knows nothing of reports.

use crate::{
    language::Messages,
    render::{Detail, Options, safe::safe},
};
use anstyle::{AnsiColor, Color, Style};
use std::{
    fmt::{Display, Write as _},
    io::{self, Write},
};
use textwrap::{Options as Wrap, WordSplitter};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Where the text beside a label begins.
const LABEL: usize = 10;
/// The widest that prose is set; longer lines are hard to read.
const WIDEST: usize = 110;
/// The narrowest that is honoured.
const NARROWEST: usize = 40;

/// The styles used, all of them plain when colour is off.
#[derive(Debug, Clone, Copy, Default)]
pub struct Styles {
    /// Titles.
    pub strong: Style,
    /// What is there for reference.
    pub faint: Style,
    /// Labels.
    pub label: Style,
    /// Commands to copy.
    pub command: Style,
}

impl Styles {
    /// The styles of a sheet with or without colour.
    pub fn new(colour: bool) -> Self {
        if !colour {
            return Self::default();
        }
        Self {
            strong: Style::new().bold(),
            faint: Style::new().dimmed(),
            label: Style::new().fg_color(Some(Color::Ansi(AnsiColor::Cyan))),
            command: Style::new().fg_color(Some(Color::Ansi(AnsiColor::Green))),
        }
    }

    /// The style of a layer's name.
    pub fn layer(colour: bool, layer: &str) -> Style {
        let ansi = match layer {
            "frontend" => AnsiColor::Blue,
            "server" => AnsiColor::Cyan,
            "kernel" => AnsiColor::Yellow,
            "cuda" => AnsiColor::Green,
            "host" => AnsiColor::Magenta,
            _ => AnsiColor::White,
        };
        if colour { Style::new().bold().fg_color(Some(Color::Ansi(ansi))) } else { Style::new() }
    }
}

/// A text in a style.
pub(super) fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// The sheet.
pub struct Sheet<'a> {
    out: &'a mut dyn Write,
    width: usize,
    pub(super) options: Options,
    pub(super) styles: Styles,
    pub(super) messages: &'static Messages,
}

impl<'a> Sheet<'a> {
    /// An empty sheet.
    pub fn new(options: &Options, out: &'a mut dyn Write) -> Self {
        let width = options.width.max(NARROWEST);
        Self {
            out,
            width,
            options: options.clone(),
            styles: Styles::new(options.colour),
            messages: options.language.messages(),
        }
    }

    /// Columns.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Whether everything is told.
    pub(super) fn full(&self) -> bool {
        self.options.detail == Detail::Full
    }

    /// The columns beside a label.
    pub(super) fn beside_label(&self) -> usize {
        self.width - LABEL
    }

    /// An empty line.
    pub fn blank(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }

    /// A line as it is; the caller has made it safe.
    pub(super) fn raw(&mut self, line: impl Display) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    /// Prose, wrapped, behind an indent of blanks.
    pub(super) fn prose(&mut self, indent: usize, style: Style, text: &str) -> io::Result<()> {
        let pad = " ".repeat(indent);
        for line in wrap(text, self.width.min(WIDEST).saturating_sub(indent)) {
            writeln!(self.out, "{pad}{style}{line}{style:#}")?;
        }
        Ok(())
    }

    /// Prose beside a label, which stands on the first line only. An empty label continues the one above.
    pub(super) fn labelled(&mut self, label: &str, text: &str) -> io::Result<()> {
        self.hanging(label, 0, text)
    }

    /// As [`Sheet::labelled`], with following lines indented further, as under a number.
    pub(super) fn hanging(&mut self, label: &str, hang: usize, text: &str) -> io::Result<()> {
        let columns = self.width.min(WIDEST) - LABEL;
        let lines = wrap_hanging(text, columns, hang);
        for (index, line) in lines.iter().enumerate() {
            let label = if index == 0 { label } else { "" };
            self.beside(label, line)?;
        }
        Ok(())
    }

    /// One line beside a label, not wrapped; the caller has made it safe.
    pub(super) fn beside(&mut self, label: &str, line: &str) -> io::Result<()> {
        let gap = " ".repeat(LABEL.saturating_sub(2 + label.width()));
        let label = styled(self.styles.label, label);
        writeln!(self.out, "  {label}{gap}{line}")
    }

    /// A command to copy: never wrapped, so that it can be pasted.
    pub(super) fn command(&mut self, indent: usize, command: &str) -> io::Result<()> {
        let pad = " ".repeat(LABEL + indent);
        for (index, line) in command.trim_end().split('\n').enumerate() {
            let prompt = if index == 0 { "$" } else { " " };
            let prompt = styled(self.styles.faint, prompt);
            let line = styled(self.styles.command, safe(line));
            writeln!(self.out, "{pad}{prompt} {line}")?;
        }
        Ok(())
    }

    /// A log's place, as a link to the file where the terminal can open one. `place` begins with `shown`.
    pub(super) fn file_link(&self, place: &str, shown: &str, path: &str, line: u64) -> String {
        let folder = self.options.folder.as_deref().filter(|_| self.options.hyperlinks);
        let (Some(folder), Some(rest)) = (folder, place.strip_prefix(shown)) else { return place.to_owned() };
        let whole = if path.starts_with('/') { path.to_owned() } else { format!("{folder}/{path}") };
        format!("\x1b]8;;file://{}#{line}\x1b\\{shown}\x1b]8;;\x1b\\{rest}", percent_encoded(&whole))
    }

    /// An address, as a link where the terminal can open one.
    pub(super) fn address(&self, address: &str) -> String {
        let address = safe(address);
        let plain = address.bytes().all(|byte| byte.is_ascii_graphic());
        if self.options.hyperlinks && plain && address.starts_with("https://") {
            format!("\x1b]8;;{address}\x1b\\{address}\x1b]8;;\x1b\\")
        } else {
            address.into_owned()
        }
    }
}

/// A path as a part of an address: nothing in it can end the link or steer the terminal.
fn percent_encoded(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing into a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Safe, wrapped lines.
fn wrap(text: &str, columns: usize) -> Vec<String> {
    wrap_hanging(text, columns, 0)
}

/// Safe, wrapped lines, the following ones indented. Paragraphs are kept apart.
fn wrap_hanging(text: &str, columns: usize, hang: usize) -> Vec<String> {
    let indent = " ".repeat(hang);
    let options =
        Wrap::new(columns.max(20)).subsequent_indent(&indent).word_splitter(WordSplitter::NoHyphenation);
    let lines = text.trim().lines().flat_map(|paragraph| {
        let paragraph = safe(paragraph);
        textwrap::wrap(&paragraph, &options).into_iter().map(std::borrow::Cow::into_owned).collect::<Vec<_>>()
    });
    lines.collect()
}

/// A safe text cut to a number of columns, with a mark where it was cut.
pub(super) fn fit(text: &str, columns: usize) -> String {
    let text = safe(text);
    if text.width() <= columns {
        return text.into_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for character in text.chars() {
        used += character.width().unwrap_or(0);
        if used >= columns {
            break;
        }
        out.push(character);
    }
    format!("{}…", out.trim_end())
}

/// A safe text of which the end is kept, with a mark where it was cut.
pub(super) fn fit_end(text: &str, columns: usize) -> String {
    let text = safe(text);
    if text.width() <= columns {
        return text.into_owned();
    }
    let mut kept: Vec<char> = Vec::new();
    let mut used = 1;
    for character in text.chars().rev() {
        used += character.width().unwrap_or(0);
        if used > columns {
            break;
        }
        kept.push(character);
    }
    kept.push('…');
    kept.into_iter().rev().collect()
}

/// How many columns a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}
