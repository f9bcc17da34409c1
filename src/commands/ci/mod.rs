//! `kerneldoc ci`: logs in, and everything that the CI platform shows, in one step.
//!
//! It sends nothing anywhere: the platform reads its standard output and the files.

mod files;
mod github;
mod guard;
mod platform;

use super::{
    diagnose::{exit_code, settings},
    output, read,
    reports::Reports,
    rule_files,
    screen::Screen,
};
use crate::{
    cli::CiArgs,
    error::{EXIT_HEALTHY, Error},
    render::{Format, Options},
};
use platform::Platform;

/// Runs the command.
pub(super) fn run(arguments: &CiArgs, screen: &Screen) -> Result<u8, Error> {
    let rules = rule_files::load(&arguments.filter.rules)?;
    rule_files::check_words(arguments.filter.select.iter().chain(&arguments.filter.ignore), &rules)?;
    let logs = read::read(&arguments.paths, screen);
    logs.not_empty()?;
    let settings = settings(&arguments.clock, &arguments.filter, arguments.redact);
    let mut reports = Reports::judge(logs, &rules, &settings, Format::ALL, screen);
    reports.triage(&arguments.triage)?;
    files::write(&reports, screen, &arguments.out_dir)?;
    let platform = Platform::here();
    tell(&reports, platform, screen, arguments)?;
    let Some(report) = reports.report(screen.language(Format::Github)) else { return Ok(EXIT_HEALTHY) };
    if platform == Platform::Github {
        let markdown = screen.language(Format::Markdown);
        github::summary(reports.report(markdown).unwrap_or(report), markdown)?;
        github::outputs(report, &arguments.out_dir)?;
    }
    Ok(exit_code(report, &arguments.gate))
}

/// The text, folded as the platform folds, and its annotations.
fn tell(reports: &Reports, platform: Platform, screen: &Screen, arguments: &CiArgs) -> Result<(), Error> {
    let options = Options { hyperlinks: false, ..screen.options() };
    let rendered = |format: Format| {
        let mut out = Vec::new();
        // Writing into memory cannot fail.
        let _ = reports.write(format, &options, screen, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    };
    let text = guard::guarded(&rendered(Format::Text));
    let title = text.lines().next().unwrap_or_default().to_owned();
    let token = guard::token(&text);
    let report = reports.report(screen.language(Format::Github));
    let annotations =
        report.map(|report| platform.annotations(report, &rendered(Format::Github), &arguments.out_dir));
    output::to_stdout(|out| {
        writeln!(out, "{}", platform.open(&title, &token))?;
        write!(out, "{text}")?;
        writeln!(out, "{}", platform.close(&token))?;
        write!(out, "{}", annotations.unwrap_or_default())
    })
}
