//! `sacct`'s table: columns by the names of the header and, where there is one, by the ruler below it.
//!
//! Steps (`770214.batch`) have rows of their own and are told only where the job's own row says nothing.

use super::slurm::{job, late, reason_of};
use crate::{
    envelope::prim::iso,
    line::Line,
    event::JobEnded,
    parse::{
        Claim, Found,
        linux::some_text,
        prim,
    },
};
use std::collections::BTreeSet;

/// The table ends after so many lines that are no rows.
const PATIENCE: u32 = 3;

/// The table being read.
#[derive(Default)]
pub(super) struct Accounting {
    columns: Vec<String>,
    /// Where each column begins and ends, from the ruler.
    spans: Vec<(usize, usize)>,
    /// The header stood on the line before, so a ruler may follow.
    fresh: bool,
    told: BTreeSet<String>,
    /// Lines since the last row.
    idle: u32,
}

impl Accounting {
    /// Looks at one line; `None` if it is none of the table's.
    pub(super) fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
        let text = line.text;
        let fresh = std::mem::take(&mut self.fresh);
        if text.contains("JobID") && text.contains("State") && !text.contains("--format") {
            let divide = |c: char| c.is_whitespace() || c == '|';
            self.columns = text.split(divide).filter(|name| !name.is_empty()).map(str::to_owned).collect();
            *self = Self { columns: std::mem::take(&mut self.columns), fresh: true, ..Self::default() };
            return Some(Claim::Mine);
        }
        if fresh && !text.is_empty() && text.chars().all(|c| c == '-' || c == ' ') {
            self.spans = spans(text);
            return Some(Claim::Mine);
        }
        if self.columns.is_empty() {
            return None;
        }
        let claim = self.row(line, found);
        // A job that ended well is a row too.
        let row = claim.is_some() || text.trim_start().starts_with(|c: char| c.is_ascii_digit());
        self.idle = if row { 0 } else { self.idle + 1 };
        if self.idle > PATIENCE {
            self.columns.clear();
        }
        claim
    }

    /// Whether rows may come.
    pub(super) fn hungry(&self) -> bool {
        !self.columns.is_empty()
    }

    /// A job or a step.
    fn row(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
        let cells = self.cells(line.text);
        let cell = |name: &str| {
            let index = self.columns.iter().position(|column| column == name)?;
            cells.get(index).copied().filter(|cell| !cell.is_empty())
        };
        let id = cell("JobID").filter(|id| id.starts_with(|c: char| c.is_ascii_digit()))?;
        let state = cell("State")?;
        let reason = reason_of(state)?;
        let (number, step) = id.split_once('.').map_or((id, false), |(number, _)| (number, true));
        if step && (reason != "memory" || self.told.contains(number)) {
            return Some(Claim::Mine);
        }
        let event = JobEnded {
            reason: Some(reason.to_owned()),
            state: some_text(state.trim_end_matches('+')).map(|state| if reason == "memory" { "OUT_OF_MEMORY".to_owned() } else { state }),
            node: cell("NodeList").and_then(some_text),
            used_bytes: cell("MaxRSS").and_then(|size| prim::size(true)(size).ok()).map(|(_, bytes)| bytes),
            message: some_text(line.text),
            ..job(some_text(number))
        };
        let mut event = Found::on(line, late(event));
        if let Some((_, stamp)) = cell("End").and_then(|end| iso(end).ok()).filter(|_| !line.exact) {
            event.mark.date(stamp);
        }
        if self.told.len() < 10_000 {
            self.told.insert(number.to_owned());
        }
        found.push(event);
        Some(Claim::Mine)
    }

    /// The cells of a row: cut at the ruler, at bars, or at blanks.
    fn cells<'a>(&self, text: &'a str) -> Vec<&'a str> {
        if text.contains('|') {
            return text.split('|').map(str::trim).collect();
        }
        if self.spans.is_empty() {
            return text.split_whitespace().collect();
        }
        self.spans.iter().map(|(start, end)| text.get(*start..(*end).min(text.len())).unwrap_or_default().trim()).collect()
    }
}

/// The runs of dashes.
fn spans(ruler: &str) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let mut at = 0;
    for run in ruler.split(' ') {
        if !run.is_empty() {
            spans.push((at, at + run.len()));
        }
        at += run.len() + 1;
    }
    spans
}
