//! `kerneldoc diagnose`: logs in, a report out, the exit code from the deaths.
//!
//! The exit code does not depend on the format.

use super::{
    halves, output,
    read::{self, Logs},
    rule_files,
    screen::Screen,
    tickets, triage,
};
use crate::{
    cli::{ClockArgs, DiagnoseArgs, FailOn, FilterArgs, GateArgs},
    diagnosis::Confidence,
    error::{EXIT_DEATH, EXIT_HEALTHY, Error},
    pipeline::{Settings, judge},
    redact::Mode,
    render::{Format, render},
    report::Report,
};

/// Runs the command.
pub(super) fn run(arguments: &DiagnoseArgs, screen: &Screen) -> Result<u8, Error> {
    let rules = rule_files::load(&arguments.filter.rules)?;
    rule_files::check_words(arguments.filter.select.iter().chain(&arguments.filter.ignore), &rules)?;
    if arguments.output.redact == Mode::Off && !screen.quiet() {
        output::remark("secrets are not taken out of the report (--redact off)");
    }
    let DiagnoseArgs { output, clock, filter, .. } = arguments;
    let settings = settings(clock, filter, output.redact);
    if arguments.each_key {
        halves::check_format(output.format)?;
        return halves::gather(arguments, true).reports(arguments, (&rules, &settings), screen);
    }
    let (mut report, nothing) = if arguments.events {
        halves::gather(arguments, false).report(&rules, &settings)
    } else {
        let logs = read::read(&arguments.paths);
        let nothing = logs.not_empty();
        let Logs { extracts, skipped } = logs;
        (judge(extracts, &skipped, &rules, &settings), nothing)
    };
    triage::apply(&arguments.triage, &mut report)?;
    // Whoever reads JSON gets a report even when there was nothing to analyse.
    tickets::remark(
        output.outputs.iter().map(|(format, _)| *format).chain([output.format]),
        &arguments.tickets,
    );
    let options = tickets::with_values(screen.options(), &arguments.tickets);
    let file_options = tickets::with_values(screen.file_options(), &arguments.tickets);
    if nothing.is_ok() || arguments.output.format != Format::Text {
        output::to_stdout(|out| render(&report, arguments.output.format, &options, out))?;
    }
    for (format, path) in &arguments.output.outputs {
        output::to_file(path, |out| render(&report, *format, &file_options, out))?;
    }
    nothing?;
    Ok(exit_code(&report, &arguments.gate))
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
