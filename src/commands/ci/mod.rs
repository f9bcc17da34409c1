//! `kerneldoc ci`: logs in, and everything that the CI platform shows, in one step.
//!
//! It sends nothing anywhere: the platform reads its standard output and the files.

mod files;
mod github;
mod guard;
mod platform;

use super::{
    diagnose::{exit_code, settings},
    output,
    read::{self, Logs},
    rule_files,
    screen::Screen,
    triage,
};
use crate::{
    cli::CiArgs,
    error::Error,
    pipeline::judge,
    render::{Format, Options, render},
    report::Report,
};
use platform::Platform;

/// Runs the command.
pub(super) fn run(arguments: &CiArgs, screen: &Screen) -> Result<u8, Error> {
    let rules = rule_files::load(&arguments.filter.rules)?;
    rule_files::check_words(arguments.filter.select.iter().chain(&arguments.filter.ignore), &rules)?;
    let logs = read::read(&arguments.paths);
    logs.not_empty()?;
    let Logs { extracts, skipped } = logs;
    let settings = settings(&arguments.clock, &arguments.filter, arguments.redact);
    let mut report = judge(extracts, &skipped, &rules, &settings);
    triage::apply(&arguments.triage, &mut report)?;
    files::write(&report, &arguments.out_dir)?;
    let platform = Platform::here();
    tell(&report, platform, screen, arguments)?;
    if platform == Platform::Github {
        github::summary(&report)?;
        github::outputs(&report, &arguments.out_dir)?;
    }
    Ok(exit_code(&report, &arguments.gate))
}

/// The text, folded as the platform folds, and its annotations.
fn tell(report: &Report, platform: Platform, screen: &Screen, arguments: &CiArgs) -> Result<(), Error> {
    let options = Options { hyperlinks: false, ..screen.options() };
    let text = guard::guarded(&rendered(report, Format::Text, &options));
    let title = text.lines().next().unwrap_or_default().to_owned();
    let token = guard::token(&text);
    let annotations =
        platform.annotations(report, &rendered(report, Format::Github, &options), &arguments.out_dir);
    output::to_stdout(|out| {
        writeln!(out, "{}", platform.open(&title, &token))?;
        write!(out, "{text}")?;
        writeln!(out, "{}", platform.close(&token))?;
        write!(out, "{annotations}")
    })
}

/// A report in a format. Writing into memory cannot fail.
fn rendered(report: &Report, format: Format, options: &Options) -> String {
    let mut out = Vec::new();
    let _ = render(report, format, options, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}
