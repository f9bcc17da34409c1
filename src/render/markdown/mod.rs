//! The report as Markdown, for a job's summary, a tracker or a chat.
//!
//! What came from a log stands in code, where nothing is markup, mentions nobody and links nowhere.

mod inline;

pub(super) use inline::{fence, inline, span};

use super::{
    text::{
        footer::clock_words,
        group::{Group, groups},
        verdict::{mark, reservation},
        words,
    },
    view,
};
use crate::report::{Also, Evidence, Report, ReportFix, ReportMissing, Verdict};
use std::io::{self, Write};

/// Writes the report.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let groups = groups(report);
    writeln!(out, "# {}\n", headline(report))?;
    if groups.len() > 1 {
        table(&groups, out)?;
    }
    for group in &groups {
        verdict(group, out)?;
    }
    logs(report, out)
}

/// `2 kernel deaths and 1 finding in 3 files`.
pub(super) fn headline(report: &Report) -> String {
    let total = |verdicts: &[Verdict]| verdicts.iter().map(|verdict| verdict.count.unwrap_or(1)).sum::<u64>();
    let deaths = words::count(total(&report.deaths), "kernel death");
    let findings = words::count(total(&report.findings), "finding");
    let files = words::count(report.inputs.files, "file");
    match (report.deaths.is_empty(), report.findings.is_empty()) {
        (true, true) => format!("No kernel death found in {files}"),
        (true, false) => format!("No kernel death, but {findings} in {files}"),
        (false, true) => format!("{deaths} in {files}"),
        (false, false) => format!("{deaths} and {findings} in {files}"),
    }
}

/// One row a group.
fn table(groups: &[Group<'_>], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "| | time | layer | what happened | confidence |\n|---|---|---|---|---|")?;
    for group in groups {
        let verdict = group.first;
        let time = verdict.time.as_deref().map_or_else(|| "–".to_owned(), words::moment);
        let cells = [
            &*inline(&time),
            &inline(&verdict.layer),
            &inline(&view::title(group)),
            &inline(&verdict.confidence),
        ];
        writeln!(out, "| {} {} | {} |", group.what, group.number, cells.join(" | "))?;
    }
    writeln!(out)
}

/// One death or finding.
fn verdict(group: &Group<'_>, out: &mut dyn Write) -> io::Result<()> {
    let verdict = group.first;
    writeln!(out, "## {}\n", inline(&view::title(group)))?;
    let mut facts = vec![
        format!("**{}**", inline(&verdict.layer)),
        span(&verdict.cause),
        format!("{} {}", mark(&verdict.confidence), inline(&verdict.confidence)),
    ];
    facts.extend(verdict.time.as_deref().map(|time| inline(&words::moment(time))));
    writeln!(out, "{}\n", facts.join(" · "))?;
    let who: Vec<String> =
        view::who(verdict).iter().map(|(word, name)| format!("{word} {}", span(name))).collect();
    if !who.is_empty() {
        writeln!(out, "{}\n", who.join(" · "))?;
    }
    if let Some(known) = &verdict.known {
        writeln!(out, "{}\n", inline(&view::known(known)))?;
    }
    if let Some(summary) = view::summary(verdict) {
        writeln!(out, "{}\n", inline(&summary))?;
    }
    evidence(verdict, out)?;
    if let Some(steps) = &verdict.fix {
        fix(steps, out)?;
    }
    doubts(verdict, out)?;
    writeln!(out, "Fingerprint {}, occurrence {}\n", span(&verdict.fingerprint), span(&verdict.id))
}

fn evidence(verdict: &Verdict, out: &mut dyn Write) -> io::Result<()> {
    if verdict.evidence.is_empty() {
        return Ok(());
    }
    writeln!(out, "### How it is known\n")?;
    for one in &verdict.evidence {
        quote(one, verdict.time.as_deref(), out)?;
    }
    Ok(())
}

fn quote(evidence: &Evidence, death: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
    let circumstances = inline(&view::circumstances(evidence, death));
    writeln!(out, "{} · {circumstances}\n", span(&view::place(evidence)))?;
    writeln!(out, "{}\n", fence(evidence.text.as_str()))
}

fn fix(fix: &ReportFix, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "### What to do\n\n{}\n", inline(fix.summary.as_str()))?;
    for (index, step) in fix.steps.iter().enumerate() {
        writeln!(out, "{}. {}\n", index + 1, inline(step.text.as_str()))?;
        if let Some(command) = &step.command {
            writeln!(out, "{}\n", indented(&fence(command.as_str())))?;
        }
    }
    for reference in &fix.references {
        writeln!(out, "- {}", inline::link(reference))?;
    }
    if fix.references.is_empty() { Ok(()) } else { writeln!(out) }
}

fn doubts(verdict: &Verdict, out: &mut dyn Write) -> io::Result<()> {
    let mut lines: Vec<String> = reservation(&verdict.confidence).map(str::to_owned).into_iter().collect();
    lines.extend(verdict.also.iter().map(also));
    lines.extend(
        verdict
            .silent
            .iter()
            .map(|log| format!("{} covers the moment and shows nothing of it", span(log.path.as_str()))),
    );
    lines.extend(verdict.missing.iter().map(missing));
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "### Doubts, and what would settle them\n")?;
    for line in lines {
        writeln!(out, "- {line}")?;
    }
    writeln!(out)
}

/// Another cause, in words.
pub(super) fn also(also: &Also) -> String {
    let title = inline(also.title.as_deref().unwrap_or(&also.cause));
    let (layer, cause) = (inline(&also.layer), span(&also.cause));
    if also.role == "symptom" {
        format!("an effect of it, not another cause: {title} ({layer}, {cause})")
    } else {
        format!("it could also be: {title} ({layer}, {cause}, {})", inline(&also.confidence))
    }
}

/// A log that would help, in words.
pub(super) fn missing(log: &ReportMissing) -> String {
    let source = inline(&log.source);
    let command = span(log.command.as_str());
    match &log.reason {
        Some(reason) => format!("{source} would help, but {}. To get it: {command}", inline(reason.as_str())),
        None => format!("not among the logs: {source}. To get it: {command}"),
    }
}

/// What was read, which clocks were corrected, what was not read, remarks.
fn logs(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let inputs = &report.inputs;
    writeln!(out, "### The logs\n")?;
    for source in &inputs.sources {
        let clock = source.clock.as_deref().filter(|clock| !matches!(*clock, "" | "UTC" | "zoned"));
        let clock = clock.map(|clock| format!("; {}", inline(&clock_words(clock)))).unwrap_or_default();
        let events = words::count(source.events, "event");
        writeln!(out, "- {} ({}, {events}{clock})", span(source.path.as_str()), inline(&source.kind))?;
    }
    for item in &inputs.skipped {
        writeln!(out, "- {} was not read: {}", span(item.path.as_str()), inline(item.reason.as_str()))?;
    }
    for note in &report.notes {
        let line = note.line.map(|line| format!(":{line}")).unwrap_or_default();
        let place =
            note.path.as_ref().map(|path| format!("{} ", span(&format!("{path}{line}")))).unwrap_or_default();
        writeln!(out, "- {place}{}", inline(note.text.as_str()))?;
    }
    writeln!(out, "\nMade by kerneldoc {}. Times are UTC.", inline(&report.tool.version))
}

/// A block as part of a list's item.
fn indented(block: &str) -> String {
    block.lines().map(|line| format!("   {line}")).collect::<Vec<_>>().join("\n")
}
