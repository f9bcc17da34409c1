//! `kerneldoc diagnose`: logs in, a report out, the exit code from the deaths.
//!
//! The exit code does not depend on the format.

use super::{
    halves, output,
    read::{self, Logs},
    reports::Reports,
    rule_files,
    screen::Screen,
    tickets,
};
use crate::{
    cli::{ClockArgs, DiagnoseArgs, FailOn, FilterArgs, GateArgs},
    diagnosis::Confidence,
    error::{EXIT_DEATH, EXIT_HEALTHY, Error},
    pipeline::Settings,
    redact::Mode,
    render::Format,
    report::Report,
};

/// Runs the command.
pub(super) fn run(arguments: &DiagnoseArgs, screen: &Screen) -> Result<u8, Error> {
    if arguments.each_key {
        halves::check_format(arguments.output.format)?;
    }
    let rules = rule_files::load(&arguments.filter.rules)?;
    rule_files::check_words(arguments.filter.select.iter().chain(&arguments.filter.ignore), &rules)?;
    if arguments.output.redact == Mode::Off && !screen.quiet() {
        output::remark("secrets are not taken out of the report (--redact off)");
    }
    let settings = settings(&arguments.clock, &arguments.filter, arguments.output.redact);
    let (logs, notes) = match input(arguments, screen) {
        Input::Logs(logs) => (logs, Vec::new()),
        Input::Events(gathered) if arguments.each_key => {
            return gathered.reports(arguments, (&rules, &settings), screen);
        }
        Input::Events(gathered) => gathered.logs(),
    };
    let nothing = logs.not_empty();
    let wanted = &arguments.output;
    let formats = wanted.outputs.iter().map(|(format, _)| *format).chain([wanted.format]);
    let mut reports = Reports::judge(logs, &rules, &settings, formats.clone(), screen);
    reports.note(&notes, wanted.redact);
    reports.triage(&arguments.triage)?;
    tickets::remark(formats, &arguments.tickets);
    // Whoever reads JSON gets a report even when there was nothing to analyse.
    write(&reports, arguments, screen, nothing.is_ok() || wanted.format != Format::Text)?;
    nothing?;
    Ok(reports.any().map_or(EXIT_HEALTHY, |report| exit_code(report, &arguments.gate)))
}

/// What is diagnosed.
enum Input {
    /// Logs.
    Logs(Logs),
    /// What `kerneldoc events` printed of some.
    Events(halves::Gathered),
}

/// Reads what is diagnosed.
fn input(arguments: &DiagnoseArgs, screen: &Screen) -> Input {
    if arguments.events {
        Input::Events(halves::gather(arguments))
    } else {
        Input::Logs(read::read_with(&arguments.lines, &arguments.paths, screen))
    }
}

/// Writes all that is asked for.
fn write(reports: &Reports, arguments: &DiagnoseArgs, screen: &Screen, on_stdout: bool) -> Result<(), Error> {
    let options = tickets::with_values(screen.options_for_logs_here(), &arguments.tickets);
    let file_options = tickets::with_values(screen.file_options(), &arguments.tickets);
    let format = arguments.output.format;
    if on_stdout {
        output::to_stdout(|out| reports.write(format, &options, screen, out))?;
    }
    for (format, path) in &arguments.output.outputs {
        output::to_file(path, |out| reports.write(*format, &file_options, screen, out))?;
    }
    Ok(())
}

/// What the pipeline is told.
pub(super) fn settings(clock: &ClockArgs, filter: &FilterArgs, redaction: Mode) -> Settings {
    Settings {
        timezones: clock.timezones.iter().map(|zone| (zone.glob.clone(), zone.seconds)).collect(),
        boot_time: clock.boot_time,
        since: clock.since,
        until: clock.until,
        kernel: filter.kernel.clone(),
        select: filter.select.clone(),
        ignore: filter.ignore.clone(),
        min_confidence: filter.min_confidence,
        redaction,
    }
}

/// 1 if a death is sure enough, and no known issue.
pub(super) fn exit_code(report: &Report, gate: &GateArgs) -> u8 {
    let least = match gate.fail_on {
        FailOn::Confirmed => Confidence::Confirmed,
        FailOn::Probable => Confidence::Probable,
        FailOn::Possible => Confidence::Possible,
        FailOn::Never => return EXIT_HEALTHY,
    };
    let sure = |word: &str| Confidence::from_word(word).unwrap_or_default() >= least;
    let died = report.deaths.iter().any(|death| death.known.is_none() && sure(&death.confidence));
    if died && !gate.exit_zero { EXIT_DEATH } else { EXIT_HEALTHY }
}
