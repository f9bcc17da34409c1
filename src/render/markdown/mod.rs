//! The report as Markdown, for a job's summary, a tracker or a chat.
//!
//! What came from a log stands in code, where nothing is markup, mentions nobody and links nowhere.

mod inline;

pub use inline::{fence, inline};
pub(super) use inline::{quote as code, span};

use super::{
    text::{
        footer::clock_words,
        group::{Group, groups},
        words,
    },
    view,
};
use crate::{
    language::{Messages, counted, fill},
    report::{Also, Evidence, Report, ReportFix, ReportMissing, Verdict},
};
use std::io::{self, Write};

/// Writes the report.
pub(super) fn write(report: &Report, messages: &Messages, out: &mut dyn Write) -> io::Result<()> {
    let groups = groups(report);
    let files = counted(messages.files, report.inputs.files);
    let said = view::headline(report, messages);
    writeln!(out, "# {}\n", fill(messages.said_in, &[("said", &said), ("read", &files)]))?;
    if groups.len() > 1 {
        table(&groups, messages, out)?;
    }
    for group in &groups {
        verdict(group, messages, out)?;
    }
    logs(report, messages, out)
}

/// One row a group.
fn table(groups: &[Group<'_>], messages: &Messages, out: &mut dyn Write) -> io::Result<()> {
    let columns =
        [messages.column_time, messages.column_layer, messages.column_what, messages.column_confidence];
    writeln!(out, "| | {} |\n|---|---|---|---|---|", columns.join(" | "))?;
    for group in groups {
        let verdict = group.first;
        let time = verdict.time.as_deref().map_or_else(|| messages.none.to_owned(), words::moment);
        let cells = [
            &*inline(&time),
            &inline(messages.layer(&verdict.layer)),
            &inline(&view::title(group, messages)),
            &inline(messages.confidence(&verdict.confidence)),
        ];
        writeln!(out, "| {} {} | {} |", messages.what(group.what), group.number, cells.join(" | "))?;
    }
    writeln!(out)
}

/// One death or finding.
fn verdict(group: &Group<'_>, messages: &Messages, out: &mut dyn Write) -> io::Result<()> {
    let verdict = group.first;
    writeln!(out, "## {}\n", inline(&view::title(group, messages)))?;
    let mut facts = vec![
        format!("**{}**", inline(messages.layer(&verdict.layer))),
        span(&verdict.cause),
        format!("{} {}", view::mark(&verdict.confidence), inline(messages.confidence(&verdict.confidence))),
    ];
    facts.extend(verdict.time.as_deref().map(|time| inline(&words::moment(time))));
    writeln!(out, "{}\n", facts.join(" · "))?;
    let who: Vec<String> =
        view::who(verdict, messages).iter().map(|(word, name)| format!("{word} {}", span(name))).collect();
    if !who.is_empty() {
        writeln!(out, "{}\n", who.join(" · "))?;
    }
    if let Some(known) = &verdict.known {
        writeln!(out, "{}\n", inline(&view::known(known, messages)))?;
    }
    if let Some(summary) = view::summary(verdict) {
        writeln!(out, "{}\n", inline(&summary))?;
    }
    evidence(verdict, messages, out)?;
    if let Some(steps) = &verdict.fix {
        fix(steps, messages, out)?;
    }
    doubts(verdict, messages, out)?;
    let names = [("fingerprint", &*span(&verdict.fingerprint)), ("id", &span(&verdict.id))];
    writeln!(out, "{}\n", fill(messages.names, &names))
}

fn evidence(verdict: &Verdict, messages: &Messages, out: &mut dyn Write) -> io::Result<()> {
    if verdict.evidence.is_empty() {
        return Ok(());
    }
    writeln!(out, "### {}\n", messages.how_known)?;
    for one in &verdict.evidence {
        quote(one, verdict.time.as_deref(), messages, out)?;
    }
    Ok(())
}

fn quote(
    evidence: &Evidence,
    death: Option<&str>,
    messages: &Messages,
    out: &mut dyn Write,
) -> io::Result<()> {
    let circumstances = inline(&view::circumstances(evidence, death, messages));
    writeln!(out, "{} · {circumstances}\n", span(&view::place(evidence)))?;
    writeln!(out, "{}\n", code(evidence.text.as_str()))
}

fn fix(fix: &ReportFix, messages: &Messages, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "### {}\n\n{}\n", messages.what_to_do, inline(fix.summary.as_str()))?;
    for (index, step) in fix.steps.iter().enumerate() {
        writeln!(out, "{}. {}\n", index + 1, inline(step.text.as_str()))?;
        if let Some(command) = &step.command {
            writeln!(out, "{}\n", indented(&code(command.as_str())))?;
        }
    }
    for reference in &fix.references {
        writeln!(out, "- {}", inline::link(reference))?;
    }
    if fix.references.is_empty() { Ok(()) } else { writeln!(out) }
}

fn doubts(verdict: &Verdict, messages: &Messages, out: &mut dyn Write) -> io::Result<()> {
    let reservation = messages.reservation(&verdict.confidence).map(str::to_owned);
    let mut lines: Vec<String> = reservation.into_iter().collect();
    lines.extend(verdict.also.iter().map(|other| also(other, messages)));
    let silent = verdict.silent.iter();
    lines.extend(silent.map(|log| fill(messages.silent, &[("path", &span(log.path.as_str()))])));
    lines.extend(verdict.missing.iter().map(|log| missing(log, messages)));
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "### {}\n", messages.doubts_heading)?;
    for line in lines {
        writeln!(out, "- {line}")?;
    }
    writeln!(out)
}

/// Another cause, in words.
fn also(other: &Also, messages: &Messages) -> String {
    let title = inline(other.title.as_deref().unwrap_or(&other.cause));
    let mut place = vec![inline(messages.layer(&other.layer)), span(&other.cause)];
    if other.role != "symptom" {
        place.push(inline(messages.confidence(&other.confidence)));
    }
    view::also(other, &title, &place.join(messages.comma), messages)
}

/// A log that would help, in words.
fn missing(log: &ReportMissing, messages: &Messages) -> String {
    let why = inline(&view::missing(log, messages));
    let space = messages.space;
    format!("{why}{space}{}{space}{}", messages.to_get_it, span(log.command.as_str()))
}

/// What was read, which clocks were corrected, what was not read, remarks.
fn logs(report: &Report, messages: &Messages, out: &mut dyn Write) -> io::Result<()> {
    let inputs = &report.inputs;
    writeln!(out, "### {}\n", messages.logs_heading)?;
    for source in &inputs.sources {
        let mut more = [inline(&source.kind), counted(messages.events, source.events)].join(messages.comma);
        let clock = source.clock.as_deref().filter(|clock| !matches!(*clock, "" | "UTC" | "zoned"));
        if let Some(clock) = clock {
            more = format!("{more}{}{}", messages.semicolon, inline(&clock_words(clock, messages)));
        }
        writeln!(out, "- {}", messages.with_brackets(&span(source.path.as_str()), &more))?;
    }
    for item in &inputs.skipped {
        let (path, reason) = (span(item.path.as_str()), inline(item.reason.as_str()));
        writeln!(out, "- {}", fill(messages.was_not_read, &[("path", &path), ("reason", &reason)]))?;
    }
    for note in &report.notes {
        let line = note.line.map(|line| format!(":{line}")).unwrap_or_default();
        let place =
            note.path.as_ref().map(|path| format!("{} ", span(&format!("{path}{line}")))).unwrap_or_default();
        writeln!(out, "- {place}{}", inline(messages.remark(note.text.as_str())))?;
    }
    writeln!(out, "\n{}", fill(messages.made_by, &[("version", &inline(&report.tool.version))]))
}

/// A block as part of a list's item.
fn indented(block: &str) -> String {
    block.lines().map(|line| format!("   {line}")).collect::<Vec<_>>().join("\n")
}
