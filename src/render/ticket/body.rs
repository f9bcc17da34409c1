//! The body of a ticket as blocks, and how it is made to fit: what is dropped first is fixed.
//!
//! It writes no markup; each target does.

use super::Ticket;
use crate::{
    language::{Messages, counted, fill},
    render::{
        safe,
        text::words,
        view::{self, cut},
    },
    report::{Evidence, ReportFix, Verdict},
};

/// A piece of a body. Its texts are safe to show and still to be escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    /// The title of what follows.
    Heading(&'static str),
    /// A paragraph.
    Text(String),
    /// A list without order.
    List(Vec<String>),
    /// Steps, some with a command.
    Steps(Vec<(String, Option<String>)>),
    /// Where a quoted line stands, and the line.
    Quote(String, String),
    /// Addresses.
    Links(Vec<String>),
}

/// How much of a body is told.
#[derive(Debug, Clone, Copy)]
struct Room {
    timeline: usize,
    alternatives: usize,
    evidence: usize,
    excerpt: usize,
    links: usize,
    missing: usize,
    steps: usize,
    text: usize,
}

/// From everything to the verdict alone. The order in which things go is the same for every target.
const ROOMS: [Room; 9] = {
    let all = Room {
        timeline: 12,
        alternatives: 5,
        evidence: 5,
        excerpt: 300,
        links: 5,
        missing: 5,
        steps: 8,
        text: 1000,
    };
    let no_timeline = Room { timeline: 0, ..all };
    let no_alternatives = Room { alternatives: 0, ..no_timeline };
    let two = Room { evidence: 2, ..no_alternatives };
    let short = Room { excerpt: 160, ..two };
    let no_links = Room { links: 0, ..short };
    let no_missing = Room { missing: 0, ..no_links };
    let one_step = Room { steps: 1, text: 300, ..no_missing };
    let verdict = Room { evidence: 0, steps: 0, text: 150, ..one_step };
    [all, no_timeline, no_alternatives, two, short, no_links, no_missing, one_step, verdict]
};

/// Writes the longest body that fits; the shortest one always does in the limits of real targets.
pub(super) fn fitting<T>(
    ticket: &Ticket<'_>,
    limit: usize,
    write: impl Fn(&[Block]) -> T,
    size: impl Fn(&T) -> usize,
) -> T {
    let whole = told(&blocks(ticket, ROOMS[0]));
    let attempt = |room: Room| {
        let mut blocks = blocks(ticket, room);
        let left_out = whole.saturating_sub(told(&blocks));
        if left_out > 0 {
            let items = counted(ticket.messages.items, left_out as u64);
            blocks.push(Block::Text(fill(ticket.messages.left_out, &[("items", &items)])));
        }
        write(&blocks)
    };
    let mut last = attempt(ROOMS[0]);
    for room in ROOMS.into_iter().skip(1) {
        if size(&last) <= limit {
            break;
        }
        last = attempt(room);
    }
    last
}

/// How many things some blocks tell.
fn told(blocks: &[Block]) -> usize {
    let each = blocks.iter().map(|block| match block {
        Block::List(items) | Block::Links(items) => items.len(),
        Block::Steps(steps) => steps.len(),
        Block::Heading(_) => 0,
        Block::Text(_) | Block::Quote(..) => 1,
    });
    each.sum()
}

/// Everything there is room for.
fn blocks(ticket: &Ticket<'_>, room: Room) -> Vec<Block> {
    let Ticket { verdict, messages, .. } = *ticket;
    let short = |text: &str| view::short(text, room.text);
    let mut blocks = vec![Block::Text(short(&headline(verdict, messages)))];
    blocks.extend(view::summary(verdict).map(|summary| Block::Text(short(&summary))));
    let who: Vec<String> =
        view::who(verdict, messages).iter().map(|(word, name)| short(&format!("{word}: {name}"))).collect();
    if !who.is_empty() {
        blocks.push(Block::List(who));
    }
    if let Some(fix) = &verdict.fix {
        steps(fix, room, &short, messages, &mut blocks);
    }
    quotes(verdict, room, messages, &mut blocks);
    timeline(verdict, room.timeline, messages, &mut blocks);
    doubts(verdict, room, &short, messages, &mut blocks);
    if let Some(links) =
        verdict.fix.as_ref().map(|fix| &fix.references).filter(|links| room.links > 0 && !links.is_empty())
    {
        blocks.push(Block::Heading(messages.references));
        blocks.push(Block::Links(links.iter().take(room.links).map(|link| cut(&safe(link), 300)).collect()));
    }
    let names = fill(messages.ticket_names, &[("fingerprint", &verdict.fingerprint), ("id", &verdict.id)]);
    blocks.push(Block::Text(short(&names)));
    blocks
}

/// `host · container-memory-limit · confirmed · 2026-11-30 15:22:30 UTC`.
fn headline(verdict: &Verdict, messages: &Messages) -> String {
    let mut parts = vec![
        messages.layer(&verdict.layer).to_owned(),
        verdict.cause.clone(),
        messages.confidence(&verdict.confidence).to_owned(),
    ];
    parts.extend(verdict.time.as_deref().map(words::moment));
    parts.retain(|part| !part.is_empty());
    parts.join(messages.separator)
}

fn steps(
    fix: &ReportFix,
    room: Room,
    short: &impl Fn(&str) -> String,
    messages: &Messages,
    blocks: &mut Vec<Block>,
) {
    if !fix.summary.is_empty() {
        blocks.push(Block::Heading(messages.what_to_do));
        blocks.push(Block::Text(short(fix.summary.as_str())));
    }
    let steps: Vec<_> = fix
        .steps
        .iter()
        .take(room.steps)
        .map(|step| (short(step.text.as_str()), step.command.as_ref().map(|command| short(command.as_str()))))
        .filter(|(text, _)| !text.is_empty())
        .collect();
    if !steps.is_empty() {
        blocks.push(Block::Steps(steps));
    }
}

fn quotes(verdict: &Verdict, room: Room, messages: &Messages, blocks: &mut Vec<Block>) {
    if verdict.evidence.is_empty() || room.evidence == 0 {
        return;
    }
    blocks.push(Block::Heading(messages.how_known));
    let death = verdict.time.as_deref();
    for evidence in verdict.evidence.iter().take(room.evidence) {
        let circumstances = view::circumstances(evidence, death, messages);
        let place = format!("{}{}{circumstances}", view::place(evidence), messages.separator);
        let text = view::short(evidence.text.as_str(), room.excerpt);
        blocks.push(Block::Quote(
            cut(&place, 200),
            if text.is_empty() { messages.none.to_owned() } else { text },
        ));
    }
}

/// The evidence in the order of time.
fn timeline(verdict: &Verdict, most: usize, messages: &Messages, blocks: &mut Vec<Block>) {
    let mut rows: Vec<(&str, &Evidence)> =
        verdict.evidence.iter().filter_map(|evidence| Some((evidence.time.as_deref()?, evidence))).collect();
    if rows.len() < 2 || most == 0 {
        return;
    }
    rows.sort_by_key(|(time, _)| words::parse(time));
    let row = |(time, evidence): &(&str, &Evidence)| {
        let time = words::clock_time(time, verdict.time.as_deref());
        cut(&safe(&format!("{time} {} {}", messages.layer(&evidence.layer), evidence.event)), 120)
    };
    blocks.push(Block::Heading(messages.timeline_heading));
    blocks.push(Block::List(rows.iter().take(most).map(row).collect()));
}

fn doubts(
    verdict: &Verdict,
    room: Room,
    short: &impl Fn(&str) -> String,
    messages: &Messages,
    blocks: &mut Vec<Block>,
) {
    let mut lines: Vec<String> = Vec::new();
    lines.extend(messages.reservation(&verdict.confidence).map(str::to_owned));
    lines.extend(verdict.also.iter().take(room.alternatives).map(|also| {
        let title = also.title.as_deref().unwrap_or(&also.cause);
        let place = format!("{}{}{}", also.cause, messages.comma, messages.confidence(&also.confidence));
        short(&view::also(also, title, &place, messages))
    }));
    let missing = verdict.missing.iter().take(room.missing);
    lines.extend(missing.map(|log| {
        let cause = messages.with_brackets(messages.source(&log.source), log.command.as_str());
        short(&fill(messages.would_settle, &[("cause", &cause)]))
    }));
    if !lines.is_empty() {
        blocks.push(Block::Heading(messages.doubts_short));
        blocks.push(Block::List(lines));
    }
}
