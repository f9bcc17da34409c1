//! `kerneldoc diagnose`: logs in, a report out, the exit code from the deaths.
//!
//! The exit code does not depend on the format.

use super::{
    output,
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
use std::{panic::resume_unwind, thread::scope};

/// Runs the command.
pub(super) fn run(arguments: &DiagnoseArgs, screen: &Screen) -> Result<u8, Error> {
    // Of a small folder the rules take longer to load than the logs to read.
    let (rules, logs) = scope(|scope| {
        let rules = scope.spawn(|| rule_files::load(&arguments.filter.rules));
        let logs = read::read(&arguments.paths);
        (rules.join().unwrap_or_else(|panic| resume_unwind(panic)), logs)
    });
    let rules = rules?;
    rule_files::check_words(arguments.filter.select.iter().chain(&arguments.filter.ignore), &rules)?;
    if arguments.output.redact == Mode::Off && !screen.quiet() {
        output::remark("secrets are not taken out of the report (--redact off)");
    }
    let nothing = logs.not_empty();
    let Logs { extracts, skipped } = logs;
    let DiagnoseArgs { output, clock, filter, .. } = arguments;
    let mut report = judge(extracts, &skipped, &rules, &settings(clock, filter, output.redact));
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
