//! The rim: files are read, settings parsed, results written, errors told.
//!
//! Everything between is pure and stands in other modules.

mod catalogue;
mod ci;
mod clock;
mod collect;
mod convert;
mod default_verb;
mod diagnose;
mod events;
mod explain;
mod generate;
mod halves;
mod listing;
mod output;
mod progress;
mod read;
mod redact;
mod reports;
mod rule_files;
mod rule_pages;
mod rules;
mod run;
mod schema;
mod screen;
mod summary;
mod tickets;
mod triage;

pub use catalogue::catalogue_page;
pub use rule_pages::rule_pages;
pub use schema::schema_text;

use crate::{
    cli::{Cli, Command},
    error::{EXIT_HEALTHY, EXIT_USAGE, Error},
    rule::render_faults_of,
};
use clap::Parser;
use screen::Screen;
use std::{
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
};

/// Runs the program and gives its exit status.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(default_verb::with_default_verb(arguments.into_iter().collect())) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and the version are no errors; what cannot be printed cannot be reported either.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { EXIT_USAGE } else { EXIT_HEALTHY });
        }
    };
    let screen = Screen::new(cli.screen);
    match run(&cli.command, &screen) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            report(&error, &screen);
            ExitCode::from(error.exit_code())
        }
    }
}

/// Runs a command.
fn run(command: &Command, screen: &Screen) -> Result<u8, Error> {
    match command {
        Command::Diagnose(arguments) => diagnose::run(arguments, screen),
        Command::Events(arguments) => events::run(arguments, screen),
        Command::Plan(arguments) => listing::plan(arguments),
        Command::Explain(arguments) => explain::run(arguments, screen),
        Command::Convert(arguments) => convert::run(arguments, screen),
        Command::Summary(arguments) => summary::run(arguments, screen),
        Command::Ci(arguments) => ci::run(arguments, screen),
        Command::Run(arguments) => run::run(arguments, screen),
        Command::Collect(arguments) => collect::run(arguments),
        Command::RunStage(arguments) => run::stage(arguments),
        Command::RunCanary => run::canary(),
        Command::Rules(command) => rules::run(command, screen),
        Command::Redact(arguments) => redact::run(arguments),
        Command::Schema(arguments) => schema::run(arguments),
        Command::Completions(arguments) => generate::completions(arguments),
        Command::Man => generate::man(),
    }
}

/// Tells an error on standard error, with the next step.
fn report(error: &Error, screen: &Screen) {
    let mut stderr = io::stderr().lock();
    let (red, bold) = screen.error_styles();
    if let Error::Rules { faults, texts } = error {
        let _ = write!(stderr, "{}", render_faults_of(faults, texts, screen.stderr_colour()));
    }
    let message = error.to_string();
    let message = crate::render::safe(&message);
    let _ = writeln!(stderr, "{red}error:{red:#} {message}");
    if let Some(help) = error.help() {
        let _ = writeln!(stderr, "{bold}help:{bold:#} {}", crate::render::safe(&help));
    }
}
