//! One death or finding: what, who, when, why, what to do.
//!
//! The evidence and the doubts stand in modules of their own.

use super::{chart, doubts, evidence, layer_class, overview, writer::Html};
use crate::{
    language::fill,
    render::{
        text::{group::Group, words},
        view,
    },
    report::{ReportFix, Verdict},
};

/// The most times of equal deaths that are listed.
const MOST_TIMES: usize = 12;

/// The whole verdict.
pub(super) fn article(group: &Group<'_>, numbered: bool, html: &mut Html) {
    let verdict = group.first;
    html.element("article", &[("id", &overview::anchor(group))], |html| {
        heading(group, numbered, html);
        who(verdict, html);
        if let Some(known) = &verdict.known {
            html.tag("p", "strong", &view::known(known, html.messages));
        }
        if let Some(summary) = view::summary(verdict) {
            html.element("p", &[("class", "lead")], |html| html.prose(&summary));
        }
        times(group, html);
        chart::timeline(verdict, group.what, html);
        chart::memory(verdict, html);
        evidence::section(verdict, html);
        if let Some(fix) = &verdict.fix {
            fix_section(fix, html);
        }
        doubts::section(verdict, html);
        why(verdict, html);
        figures(verdict, html);
        names(verdict, html);
    });
}

fn heading(group: &Group<'_>, numbered: bool, html: &mut Html) {
    let verdict = group.first;
    let messages = html.messages;
    html.element("p", &[("class", "kicker")], |html| {
        if numbered {
            html.tag("span", "faint", &overview::name(group, messages));
            html.text(" ");
        }
        html.tag("span", layer_class(&verdict.layer), messages.layer(&verdict.layer));
        html.text(" ");
        let confidence = messages.confidence(&verdict.confidence);
        html.tag("span", "confidence", &format!("{} {confidence}", view::mark(&verdict.confidence)));
        if group.what == "finding" {
            html.text(" ");
            html.tag("span", "faint", messages.ended_no_kernel);
        }
        if let Some(time) = &verdict.time {
            html.text(" ");
            html.element("time", &[("datetime", time)], |html| html.text(&words::moment(time)));
        }
    });
    html.tag("h2", "", &view::title(group, messages));
}

fn who(verdict: &Verdict, html: &mut Html) {
    let who = view::who(verdict, html.messages);
    if who.is_empty() {
        return;
    }
    html.element("dl", &[("class", "who")], |html| {
        for (word, name) in who {
            html.element("div", &[], |html| {
                html.tag("dt", "", word);
                html.tag("dd", "", &name);
            });
        }
    });
}

/// When the equal ones happened.
fn times(group: &Group<'_>, html: &mut Html) {
    let times = group.times();
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return };
    if times.len() < 2 {
        return;
    }
    let messages = html.messages;
    let when = if times.len() <= MOST_TIMES {
        let each: Vec<String> = times.iter().map(|time| words::clock_time(time, Some(first))).collect();
        each.join(messages.comma)
    } else {
        fill(messages.from_to, &[("first", &words::moment(first)), ("last", &words::moment(last))])
    };
    let count = group.count().to_string();
    html.tag("p", "times", &fill(messages.times_page, &[("n", &count), ("times", &when)]));
}

fn fix_section(fix: &ReportFix, html: &mut Html) {
    html.element("section", &[("class", "fix")], |html| {
        html.tag("h3", "", html.messages.what_to_do);
        if !fix.summary.is_empty() {
            html.element("p", &[("class", "strong")], |html| html.prose(fix.summary.as_str()));
        }
        html.element("ol", &[], |html| {
            for step in &fix.steps {
                html.element("li", &[], |html| {
                    html.prose(step.text.as_str());
                    if let Some(command) = &step.command {
                        html.tag("pre", "command", command.as_str());
                    }
                });
            }
        });
        references(&fix.references, html);
    });
}

/// Where it is documented. Only addresses of the web become links.
fn references(references: &[String], html: &mut Html) {
    if references.is_empty() {
        return;
    }
    html.element("ul", &[("class", "references")], |html| {
        for reference in references {
            html.element("li", &[], |html| {
                if reference.starts_with("https://") || reference.starts_with("http://") {
                    let attributes = [("href", reference.as_str()), ("rel", "noopener noreferrer")];
                    html.element("a", &attributes, |html| html.text(reference));
                } else {
                    html.text(reference);
                }
            });
        }
    });
}

fn why(verdict: &Verdict, html: &mut Html) {
    let Some(why) = verdict.why.as_deref().filter(|why| !why.is_empty()) else { return };
    html.element("section", &[], |html| {
        html.tag("h3", "", html.messages.why_heading);
        for paragraph in why.split("\n\n") {
            html.element("p", &[], |html| html.prose(paragraph));
        }
    });
}

fn figures(verdict: &Verdict, html: &mut Html) {
    if verdict.facts.is_empty() {
        return;
    }
    html.element("section", &[], |html| {
        html.tag("h3", "", html.messages.figures_heading);
        html.element("dl", &[("class", "figures")], |html| {
            for (name, value) in &verdict.facts {
                let (name, value) = view::figure(name, value);
                html.element("div", &[], |html| {
                    html.tag("dt", "", &name);
                    html.tag("dd", "", &value);
                });
            }
        });
    });
}

/// What a ticketing system and `explain` know it by.
fn names(verdict: &Verdict, html: &mut Html) {
    html.element("p", &[("class", "names")], |html| {
        let command = format!("kerneldoc explain {}", verdict.cause);
        let names = [("command", &*command), ("fingerprint", &verdict.fingerprint), ("id", &verdict.id)];
        html.phrase(html.messages.tells_more, &names);
    });
}
