//! The reports of one analysis: one for each language that the formats of a run are read in.
//!
//! It says nothing itself; the report and the renderers do.

use super::{read::Logs, rule_files, screen::Screen, triage};
use crate::{
    cli::TriageArgs,
    error::Error,
    language::Language,
    note::Note,
    pipeline::{Settings, judge_in},
    redact::{Mode, Redacted, Redactor},
    render::{Format, Options, render},
    report::{Report, ReportNote, retell},
    rule::RuleSet,
};
use std::{
    collections::BTreeSet,
    io::{self, Write},
};

/// Reports that differ in their language alone.
pub(super) struct Reports {
    reports: Vec<(Language, Report)>,
}

impl Reports {
    /// Judges logs, once, for all these formats.
    pub(super) fn judge(
        logs: Logs,
        rules: &RuleSet,
        settings: &Settings,
        formats: impl IntoIterator<Item = Format>,
        screen: &Screen,
    ) -> Self {
        let languages = languages(formats, screen);
        let reports = judge_in(&languages, logs.extracts, &logs.skipped, rules, settings);
        Self { reports: languages.into_iter().zip(reports).collect() }
    }

    /// A report that is there already, for all these formats.
    pub(super) fn of(
        report: &Report,
        formats: impl IntoIterator<Item = Format>,
        screen: &Screen,
    ) -> Result<Self, Error> {
        let mut reports = Vec::new();
        for language in languages(formats, screen) {
            let mut told = report.clone();
            if language != Language::English {
                retell(&mut told, &rule_files::load(&[])?, language);
            }
            reports.push((language, told));
        }
        Ok(Self { reports })
    }

    /// Leaves out and marks what is known, in all of them.
    pub(super) fn triage(&mut self, arguments: &TriageArgs) -> Result<(), Error> {
        self.reports.iter_mut().try_for_each(|(_, report)| triage::apply(arguments, report))
    }

    /// Adds what was odd about the input.
    pub(super) fn note(&mut self, notes: &[Note], mode: Mode) {
        let redactor = Redactor::new(mode);
        let note = |note: &Note| ReportNote {
            path: (!note.path.is_empty()).then(|| redactor.redact(&note.path)),
            line: note.line,
            text: redactor.redact(&note.text),
        };
        for (_, report) in &mut self.reports {
            report.notes.extend(notes.iter().map(note));
        }
    }

    /// Says which share of a fleet's logs this is about.
    pub(super) fn partition(&mut self, key: Option<&Redacted>) {
        for (_, report) in &mut self.reports {
            report.partition = key.cloned();
        }
    }

    /// The report in a language, or what comes nearest to it.
    pub(super) fn report(&self, language: Language) -> Option<&Report> {
        let exact = self.reports.iter().find(|(other, _)| *other == language);
        exact.or(self.reports.first()).map(|(_, report)| report)
    }

    /// Any of them: they hold the same verdicts.
    pub(super) fn any(&self) -> Option<&Report> {
        self.reports.first().map(|(_, report)| report)
    }

    /// Writes a format in its own language.
    pub(super) fn write(
        &self,
        format: Format,
        options: &Options,
        screen: &Screen,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let language = screen.language(format);
        let Some(report) = self.report(language) else { return Ok(()) };
        render(report, format, &Options { language, ..options.clone() }, out)
    }
}

/// The languages that some formats are read in, each once, in a fixed order.
fn languages(formats: impl IntoIterator<Item = Format>, screen: &Screen) -> Vec<Language> {
    let languages: BTreeSet<Language> = formats.into_iter().map(|format| screen.language(format)).collect();
    languages.into_iter().collect()
}
