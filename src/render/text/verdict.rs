//! One death or finding on one screen: headline, who, summary, proof, fix, doubts, where to read more.
//!
//! It adds nothing to what the verdict says.

use super::{
    curve,
    group::Group,
    proof,
    sheet::{Sheet, Styles, fit, styled},
    words,
};
use crate::{
    language::{Messages, fill},
    redact::Redacted,
    render::{safe::safe, view},
    report::{ReportFix, Verdict},
};
use serde_json::Value;
use std::io;
use unicode_width::UnicodeWidthStr;

/// The most times of equal deaths that are listed.
const MOST_TIMES: usize = 6;

/// One line: for `-q`.
pub(super) fn brief(group: &Group<'_>, sheet: &mut Sheet<'_>) -> io::Result<()> {
    let verdict = group.first;
    let time = verdict.time.as_deref().map(words::moment).unwrap_or_default();
    let messages = sheet.messages;
    let mut parts = vec![
        format!("{} {}", messages.mark(&verdict.confidence), messages.what(group.what)),
        messages.layer(&verdict.layer).to_owned(),
        format!("{}{}", verdict.cause, group.times_sign(messages)),
        messages.confidence(&verdict.confidence).to_owned(),
        time,
    ];
    parts.retain(|part| !part.is_empty());
    let width = sheet.width();
    sheet.raw(fit(&parts.join(messages.separator), width))
}

/// The whole verdict.
pub(super) fn write(group: &Group<'_>, numbered: bool, sheet: &mut Sheet<'_>) -> io::Result<()> {
    let verdict = group.first;
    headline(group, numbered, sheet)?;
    who(verdict, sheet)?;
    times(group, sheet)?;
    if let Some(known) = &verdict.known {
        sheet.prose(2, sheet.styles.label, &view::known(known, sheet.messages))?;
    }
    sheet.blank()?;
    // A rule whose figures are not known falls back to its title, which has been said.
    if verdict.summary.as_str() != verdict.title && !verdict.summary.is_empty() {
        sheet.prose(2, anstyle::Style::new(), verdict.summary.as_str())?;
        sheet.blank()?;
    }
    curve::write(verdict, sheet)?;
    proof::write(verdict, sheet)?;
    if sheet.full() {
        figures(verdict, sheet)?;
        if let Some(why) = &verdict.why {
            sheet.labelled(sheet.messages.label_why, why)?;
        }
    }
    sheet.blank()?;
    if let Some(fix) = &verdict.fix {
        steps(fix, sheet)?;
    }
    doubts(verdict, sheet)?;
    let more = format!("kerneldoc explain {}", safe(&verdict.cause));
    sheet.beside(sheet.messages.label_more, &more)
}

/// Layer, title, confidence and time; on two lines where one is too short.
fn headline(group: &Group<'_>, numbered: bool, sheet: &mut Sheet<'_>) -> io::Result<()> {
    let verdict = group.first;
    let messages = sheet.messages;
    let separator = messages.separator;
    let layer = safe(messages.layer(&verdict.layer));
    let number = if numbered {
        format!("{} {}{separator}", messages.what(group.what), group.number)
    } else {
        String::new()
    };
    let title = format!("{}{}", safe(&verdict.title), group.times_sign(messages));
    let mut meta = vec![safe(messages.confidence(&verdict.confidence)).into_owned()];
    if !numbered && group.what == "finding" {
        meta.insert(0, messages.ended_no_kernel.to_owned());
    }
    meta.extend(verdict.time.as_deref().map(|time| safe(&words::moment(time)).into_owned()));
    let meta = meta.join(separator);
    let head = format!("{} {number}{layer}{separator}", messages.mark(&verdict.confidence));
    let start = head.replace(&*layer, &styled(Styles::layer(sheet.options.colour, &verdict.layer), &layer));
    let strong = sheet.styles.strong;
    let faint = sheet.styles.faint;
    let used = head.width() + title.width();
    if used + 3 + meta.width() <= sheet.width() {
        let gap = " ".repeat(sheet.width() - used - meta.width());
        return sheet.raw(format!("{start}{}{gap}{}", styled(strong, &title), styled(faint, &meta)));
    }
    let placeholder = "x".repeat(head.width());
    let whole = format!("{placeholder}{title}");
    let options = textwrap::Options::new(sheet.width()).subsequent_indent("  ");
    for (index, line) in textwrap::wrap(&whole, options).iter().enumerate() {
        let rest = if index == 0 { line.strip_prefix(&placeholder) } else { None };
        let before = if rest.is_some() { start.as_str() } else { "" };
        sheet.raw(format!("{before}{}", styled(strong, rest.unwrap_or(line))))?;
    }
    sheet.raw(format!("  {}", styled(faint, &meta)))
}

/// The notebook, kernel, container, host and user, as far as known.
fn who(verdict: &Verdict, sheet: &mut Sheet<'_>) -> io::Result<()> {
    let messages = sheet.messages;
    let mut parts = Vec::new();
    parts.extend(verdict.notebook.as_ref().map(|notebook| safe(notebook.as_str()).into_owned()));
    if let Some(kernel) = &verdict.kernel {
        let pid = kernel.pid.map(|pid| format!("pid {pid}"));
        parts.push(named(
            messages.kernel,
            kernel.id.as_ref(),
            [kernel.name.as_ref().map(shown), pid],
            messages,
        ));
    }
    if let Some(container) = &verdict.container {
        let id = container.id.as_ref().map(shown);
        let image = container.image.as_ref().map(shown);
        parts.push(match &container.name {
            Some(name) => named(messages.container, Some(name), [id, image], messages),
            None => named(messages.container, container.id.as_ref(), [None, image], messages),
        });
    }
    parts.extend(verdict.host.as_ref().map(|host| format!("{} {}", messages.host, shown(host))));
    parts.extend(verdict.user.as_ref().map(|user| format!("{} {}", messages.user, shown(user))));
    parts.retain(|part| !part.is_empty());
    let mut line = String::new();
    let columns = sheet.width() - 2;
    for part in parts {
        if line.is_empty() {
            line = part;
        } else if line.width() + messages.separator.width() + part.width() <= columns {
            line = format!("{line}{}{part}", messages.separator);
        } else {
            sheet.raw(format!("  {}", fit(&line, columns)))?;
            line = part;
        }
    }
    if line.is_empty() { Ok(()) } else { sheet.raw(format!("  {}", fit(&line, columns))) }
}

/// An id or name, short and safe.
fn shown(text: &Redacted) -> String {
    safe(words::short_id(text.as_str())).into_owned()
}

/// `kernel b273fb86 (python3, pid 19744)`.
fn named(what: &str, name: Option<&Redacted>, more: [Option<String>; 2], messages: &Messages) -> String {
    let more: Vec<String> = more.into_iter().flatten().collect();
    match (name, more.is_empty()) {
        (Some(name), true) => format!("{what} {}", shown(name)),
        (Some(name), false) => {
            messages.with_brackets(&format!("{what} {}", shown(name)), &more.join(messages.comma))
        }
        (None, false) => format!("{what} {}", more.join(messages.comma)),
        (None, true) => String::new(),
    }
}

/// When the equal ones happened.
fn times(group: &Group<'_>, sheet: &mut Sheet<'_>) -> io::Result<()> {
    let times = group.times();
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Ok(()) };
    if group.count() < 2 || times.len() < 2 {
        return Ok(());
    }
    let (messages, count) = (sheet.messages, group.count().to_string());
    let text = if times.len() <= MOST_TIMES {
        let each: Vec<String> = times.iter().map(|time| words::clock_time(time, Some(first))).collect();
        fill(messages.times_listed, &[("n", &count), ("times", &each.join(messages.comma))])
    } else {
        let [first, last] = [first, last].map(|time| words::moment(time));
        fill(messages.times_span, &[("n", &count), ("first", &first), ("last", &last)])
    };
    sheet.prose(2, anstyle::Style::new(), &text)
}

/// The figures, sizes in units too.
fn figures(verdict: &Verdict, sheet: &mut Sheet<'_>) -> io::Result<()> {
    let messages = sheet.messages;
    let mut label = messages.label_figures;
    for (name, value) in &verdict.facts {
        let words = match value {
            Value::Number(number) if name.ends_with("_bytes") => match number.as_u64() {
                Some(bytes) => {
                    fill(messages.bytes, &[("size", &words::size(bytes)), ("n", &bytes.to_string())])
                }
                None => number.to_string(),
            },
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let name = name.trim_end_matches("_bytes").replace('_', " ");
        sheet.labelled(label, &format!("{name}: {words}"))?;
        label = "";
    }
    Ok(())
}

/// What to do, step by step.
fn steps(fix: &ReportFix, sheet: &mut Sheet<'_>) -> io::Result<()> {
    let mut label = sheet.messages.label_fix;
    if !fix.summary.is_empty() {
        sheet.labelled(label, fix.summary.as_str())?;
        label = "";
    }
    for (index, step) in fix.steps.iter().enumerate() {
        sheet.hanging(label, 3, &format!("{}. {}", index + 1, step.text))?;
        label = "";
        if let Some(command) = &step.command {
            sheet.command(3, command.as_str())?;
        }
    }
    if sheet.full() {
        for reference in &fix.references {
            let address = sheet.address(reference);
            sheet.beside(label, &address)?;
            label = "";
        }
    }
    Ok(())
}

/// Why it may be otherwise, and what would settle it.
fn doubts(verdict: &Verdict, sheet: &mut Sheet<'_>) -> io::Result<()> {
    let messages = sheet.messages;
    let mut lines: Vec<String> =
        messages.reservation(&verdict.confidence).map(str::to_owned).into_iter().collect();
    for also in &verdict.also {
        let title = also.title.as_deref().unwrap_or(&also.cause);
        let mut place = format!("{}{}{}", messages.layer(&also.layer), messages.separator, also.cause);
        if also.role != "symptom" {
            place = format!("{place}{}{}", messages.comma, messages.confidence(&also.confidence));
        }
        lines.push(view::also(also, title, &place, messages));
    }
    let mut label = messages.label_doubts;
    for line in lines {
        sheet.hanging(label, 2, &line)?;
        label = "";
    }
    for silent in &verdict.silent {
        let line = fill(messages.silent, &[("path", silent.path.as_str())]);
        sheet.hanging(label, 2, &line)?;
        label = "";
    }
    for missing in &verdict.missing {
        let why = view::missing(missing, messages);
        let step = step_with(verdict, &missing.command);
        let how = step.map_or_else(
            || messages.to_get_it.to_owned(),
            |step| fill(messages.step_gets_it, &[("n", &step.to_string())]),
        );
        sheet.hanging(label, 2, &format!("{why}{}{how}", messages.space))?;
        if step.is_none() {
            sheet.command(2, missing.command.as_str())?;
        }
        label = "";
    }
    Ok(())
}

/// The number of the fix's step that has this very command.
fn step_with(verdict: &Verdict, command: &Redacted) -> Option<usize> {
    let steps = &verdict.fix.as_ref()?.steps;
    Some(1 + steps.iter().position(|step| step.command.as_ref() == Some(command))?)
}
