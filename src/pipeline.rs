//! The pure core: logs and rules in, a report out. It knows no disk, clock, environment or terminal.

use crate::{
    diagnosis::{self, Confidence, Diagnoses, Diagnosis},
    extract::{Extract, extract, without_copies},
    incident::Incidents,
    language::Language,
    note::Note,
    redact,
    report::{Builder, Report},
    rule::RuleSet,
    source::SourceId,
    timeline::{Overrides, Timeline},
};

/// What the user asked for.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Zones of logs without one: a path pattern, or all, and seconds east of UTC.
    pub timezones: Vec<(Option<String>, i64)>,
    /// When the host booted, microseconds since the epoch.
    pub boot_time: Option<i64>,
    /// Report nothing before this.
    pub since: Option<i64>,
    /// Report nothing after this.
    pub until: Option<i64>,
    /// Report only this kernel, by the beginning of its id.
    pub kernel: Option<String>,
    /// Report only these causes and layers.
    pub select: Vec<String>,
    /// Do not report these causes and layers.
    pub ignore: Vec<String>,
    /// Report nothing less sure.
    pub min_confidence: Confidence,
    /// What to take out of quoted text.
    pub redaction: redact::Mode,
}

/// A log in memory.
#[derive(Debug, Clone)]
pub struct Log {
    /// Its path, as reports shall show it.
    pub path: String,
    /// Its decoded text.
    pub text: Vec<u8>,
}

/// Judges some logs in memory: the whole pipeline in one call, as rule tests and properties use it.
pub fn analyze(logs: &[Log], rules: &RuleSet, settings: &Settings) -> Report {
    let extracts = logs.iter().enumerate().filter_map(|(index, log)| {
        // Reading from memory cannot fail.
        extract(&log.path, SourceId(index), log.text.as_slice()).ok()
    });
    judge(extracts.collect(), &[], rules, settings)
}

/// The second half: judges what was extracted from logs. `skipped` are the paths that were not read, and why.
pub fn judge(
    extracts: Vec<Extract>,
    skipped: &[(String, String)],
    rules: &RuleSet,
    settings: &Settings,
) -> Report {
    let mut reports = judge_in(&[Language::English], extracts, skipped, rules, settings);
    reports.pop().unwrap_or_default()
}

/// As [`judge`]: one analysis, and a report in each of some languages.
pub fn judge_in(
    languages: &[Language],
    extracts: Vec<Extract>,
    skipped: &[(String, String)],
    rules: &RuleSet,
    settings: &Settings,
) -> Vec<Report> {
    let (mut extracts, copies) = without_copies(extracts);
    let mut skipped = skipped.to_vec();
    skipped.extend(copies);
    skipped.sort();
    // The order in which files were given must not matter.
    let place =
        |extract: &Extract| (extract.path.clone(), extract.bytes, extract.lines, extract.records.len());
    extracts.sort_by_cached_key(place);
    for (index, extract) in extracts.iter_mut().enumerate() {
        extract.records.iter_mut().for_each(|record| record.at.source = SourceId(index));
    }
    let (bytes, lines) =
        extracts.iter().fold((0, 0), |(bytes, lines), one| (bytes + one.bytes, lines + one.lines));
    let mut notes: Vec<Note> = extracts.iter().flat_map(|extract| extract.notes.clone()).collect();
    let overrides = Overrides { timezones: settings.timezones.clone(), boot_time: settings.boot_time };
    let timeline = Timeline::new(extracts, &overrides);
    notes.extend(clock_notes(&timeline));
    let incidents = Incidents::new(&timeline);
    let mut diagnoses = diagnosis::diagnose(&timeline, &incidents, rules);
    diagnoses.retain(|diagnosis| wanted(diagnosis, settings));
    notes.extend(hearsay_notes(&timeline, &diagnoses));
    let redactor = redact::Redactor::new(settings.redaction);
    let report = |language: &Language| {
        let builder = Builder::new(&timeline, &incidents, &redactor, *language);
        builder.report(builder.inputs(bytes, lines, &skipped), &diagnoses, &notes)
    };
    languages.iter().map(report).collect()
}

/// Says which logs could not be put on the common clock.
fn clock_notes(timeline: &Timeline) -> Vec<Note> {
    let lost = timeline.sources.iter().filter(|source| {
        timeline.sources.len() > 1
            && source.events > 0
            && source.domains.first().is_some_and(|domain| domain.offset.is_none())
    });
    lost.map(|source| {
        let text = "its clock cannot be tied to the other logs, so nothing in it is joined by time; --boot-time or --timezone settles it";
        Note::about(&source.path, text)
    })
    .collect()
}

/// Says which verdicts would be surer if their main record stood in the host's own log.
fn hearsay_notes(timeline: &Timeline, diagnoses: &Diagnoses<'_>) -> Vec<Note> {
    let verdicts = diagnoses.deaths.iter().chain(&diagnoses.findings);
    let mains = verdicts.filter_map(|verdict| timeline.moments.get(verdict.cause.witnesses.first()?.moment));
    let mut places: Vec<_> = mains
        .filter(|main| timeline.is_hearsay(main))
        .map(|main| (timeline.path(&main.record), main.record.at.line))
        .collect();
    places.sort_unstable();
    places.dedup();
    let text = "it speaks for the host, but code of users can print it into this log, so it confirms nothing; the host's own log would";
    places.into_iter().map(|(path, line)| Note::at(path, line, text)).collect()
}

/// Whether the user wants to hear of it.
fn wanted(diagnosis: &Diagnosis<'_>, settings: &Settings) -> bool {
    let rule = diagnosis.cause.rule;
    let named = |names: &[String]| names.iter().any(|name| *name == rule.id || name == rule.layer.word());
    let time = diagnosis.incident.time();
    let kernel = settings.kernel.as_deref().is_none_or(|wanted| {
        diagnosis.incident.everyone().kernels.iter().any(|kernel| kernel.starts_with(wanted))
    });
    diagnosis.cause.confidence >= settings.min_confidence
        && (settings.select.is_empty() || named(&settings.select))
        && !named(&settings.ignore)
        && kernel
        && settings.since.is_none_or(|since| time.is_none_or(|time| time >= since))
        && settings.until.is_none_or(|until| time.is_none_or(|time| time <= until))
}

impl Diagnoses<'_> {
    /// Keeps only what fits.
    fn retain(&mut self, keep: impl Fn(&Diagnosis<'_>) -> bool) {
        self.deaths.retain(&keep);
        self.findings.retain(&keep);
    }
}
