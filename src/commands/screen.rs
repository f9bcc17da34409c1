//! What is known of the terminal: its width, whether to colour, how much to say.
//!
//! It writes nothing.

use crate::{
    cli::{ColorWhen, Lang, ScreenArgs},
    language::Language,
    render::{Detail, Format, Options},
};
use anstyle::{AnsiColor, Color, Style};
use std::{
    env,
    io::{self, IsTerminal},
};

/// The width of a file or a pipe.
const WIDTH_OF_A_PIPE: usize = 100;

/// The terminal and what the user wants of it.
pub(super) struct Screen {
    arguments: ScreenArgs,
}

impl Screen {
    /// The screen of these options.
    pub(super) fn new(arguments: ScreenArgs) -> Self {
        Self { arguments }
    }

    /// Whether only verdicts are wanted.
    pub(super) fn quiet(&self) -> bool {
        self.arguments.quiet
    }

    /// What a report on standard output is written for.
    pub(super) fn options(&self) -> Options {
        let terminal = io::stdout().is_terminal();
        let width = if terminal {
            terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
        } else {
            None
        };
        let colour = self.colour(terminal);
        Options {
            width: width.unwrap_or(WIDTH_OF_A_PIPE),
            colour,
            hyperlinks: match self.arguments.hyperlinks {
                ColorWhen::Always => true,
                ColorWhen::Never => false,
                ColorWhen::Auto => colour && terminal && !set("CI"),
            },
            detail: self.detail(),
            language: self.spoken(),
            ..Options::default()
        }
    }

    /// The same for logs that were read just now: their paths can become links.
    pub(super) fn options_for_logs_here(&self) -> Options {
        let mut options = self.options();
        if options.hyperlinks {
            options.folder = env::current_dir().ok().map(|folder| folder.to_string_lossy().into_owned());
        }
        options
    }

    /// Whether progress is worth a line: someone watches.
    pub(super) fn shows_progress(&self) -> bool {
        io::stderr().is_terminal() && !self.quiet() && !set("CI")
    }

    /// What a report on standard error is written for.
    pub(super) fn stderr_options(&self) -> Options {
        Options { colour: self.stderr_colour(), ..self.file_options() }
    }

    /// What a report in a file is written for: no colours.
    pub(super) fn file_options(&self) -> Options {
        Options {
            width: WIDTH_OF_A_PIPE,
            colour: false,
            hyperlinks: false,
            detail: self.detail(),
            language: self.spoken(),
            ..Options::default()
        }
    }

    /// The language of what people read: as named, else as the environment says.
    pub(super) fn spoken(&self) -> Language {
        match self.arguments.lang {
            Lang::En => Language::English,
            Lang::Zh => Language::Chinese,
            Lang::Auto => locale(),
        }
    }

    /// The language of a format: a colleague's locale must not change what reaches a program or a tracker.
    pub(super) fn language(&self, format: Format) -> Language {
        let for_people = matches!(format, Format::Text | Format::Markdown | Format::Html);
        if for_people || self.arguments.lang != Lang::Auto { self.spoken() } else { Language::English }
    }

    /// Whether standard error is coloured.
    pub(super) fn stderr_colour(&self) -> bool {
        self.colour(io::stderr().is_terminal())
    }

    /// The styles of `error:` and `help:`.
    pub(super) fn error_styles(&self) -> (Style, Style) {
        if self.stderr_colour() {
            (Style::new().bold().fg_color(Some(Color::Ansi(AnsiColor::Red))), Style::new().bold())
        } else {
            (Style::new(), Style::new())
        }
    }

    fn detail(&self) -> Detail {
        match (self.arguments.quiet, self.arguments.verbose) {
            (true, _) => Detail::Brief,
            (_, true) => Detail::Full,
            _ => Detail::Normal,
        }
    }

    /// The flag decides, then the environment, then whether it is a terminal.
    fn colour(&self, terminal: bool) -> bool {
        match self.arguments.color {
            ColorWhen::Always => true,
            ColorWhen::Never => false,
            ColorWhen::Auto if set("NO_COLOR") => false,
            ColorWhen::Auto if set("CLICOLOR_FORCE") || set("FORCE_COLOR") => true,
            ColorWhen::Auto => terminal && env::var_os("TERM").is_none_or(|term| term != "dumb"),
        }
    }
}

/// Whether a variable is set to anything but nothing and `0`.
fn set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0")
}

/// The language of the environment: the first of its variables that says something.
fn locale() -> Language {
    let variables = ["KERNELDOC_LANG", "LC_ALL", "LC_MESSAGES", "LANG"];
    let said = variables.iter().filter_map(env::var_os).find(|value| !value.is_empty() && value != "auto");
    said.map_or(Language::English, |locale| Language::of_locale(&locale.to_string_lossy()))
}
