//! The task table: one row a process, columns by the names of the header, sizes in pages.
//!
//! Columns came and went (`nr_ptes`, `pgtables_bytes`, `rss_anon` since 6.8), and rows get torn. It does not know
//! who was killed.

use crate::parse::phrase;
use std::collections::BTreeMap;

/// The most rows kept; more are only counted.
const MOST_ROWS: usize = 32_768;
/// The columns that every version has first, for rows whose header was lost.
const FIRST_COLUMNS: [&str; 4] = ["uid", "tgid", "total_vm", "rss"];

/// One process, sizes in pages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Row {
    pub(super) pid: i64,
    pub(super) tgid: i64,
    pub(super) uid: i64,
    pub(super) total_vm: i64,
    pub(super) rss: i64,
    pub(super) rss_anon: Option<i64>,
    pub(super) rss_file: Option<i64>,
    pub(super) rss_shmem: Option<i64>,
    pub(super) adj: Option<i64>,
    pub(super) name: String,
}

/// The table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Table {
    columns: Vec<String>,
    rows: Vec<Row>,
    /// The row of each process id.
    places: BTreeMap<i64, usize>,
    /// The row with the most resident memory.
    largest: Option<usize>,
    count: i64,
}

impl Table {
    /// Takes a header or a row; `false` if the line is neither.
    pub(super) fn take(&mut self, text: &str) -> bool {
        if phrase::holds(text, "Tasks state (memory values in pages)") {
            return true;
        }
        if let Some(columns) = columns(text) {
            self.columns = columns;
            return true;
        }
        let Some(row) = self.row(text) else { return false };
        self.count += 1;
        if self.rows.len() < MOST_ROWS {
            let place = self.rows.len();
            if self.largest().is_none_or(|largest| row.rss > largest.rss) {
                self.largest = Some(place);
            }
            // A torn row has lost digits of its first number, not of the other.
            self.places.entry(row.tgid).or_insert(place);
            self.places.entry(row.pid).or_insert(place);
            self.rows.push(row);
        }
        true
    }

    /// How many rows there were, if any.
    pub(super) fn count(&self) -> Option<i64> {
        (self.count > 0).then_some(self.count)
    }

    /// The row of a process.
    pub(super) fn of(&self, pid: i64) -> Option<&Row> {
        self.rows.get(*self.places.get(&pid)?)
    }

    /// The row with the most resident memory.
    pub(super) fn largest(&self) -> Option<&Row> {
        self.rows.get(self.largest?)
    }

    /// Reads a row: `[  26069]     0 26069    12587    12311 … python3`; some pastes lack the brackets.
    fn row(&self, text: &str) -> Option<Row> {
        let text = text.trim_start();
        let (pid, rest) = match text.strip_prefix('[') {
            Some(inside) => inside.split_once(']')?,
            None if self.columns.is_empty() => return None,
            None => text.split_once(char::is_whitespace)?,
        };
        let pid: i64 = pid.trim().parse().ok()?;
        let (numbers, name) = numbers(rest, self.width());
        let mut row = Row { pid, name: name.to_owned(), ..Row::default() };
        if numbers.len() < FIRST_COLUMNS.len() || name.is_empty() {
            return None;
        }
        let names = self.columns.iter().map(String::as_str).chain(FIRST_COLUMNS).zip(&numbers);
        for (column, value) in names.take(if self.columns.is_empty() { FIRST_COLUMNS.len() } else { self.columns.len() }) {
            row.set(column, *value);
        }
        Some(row)
    }

    /// How many numbers stand between the process id and the name.
    fn width(&self) -> usize {
        if self.columns.is_empty() { usize::MAX } else { self.columns.len() }
    }
}

impl Row {
    /// Sets one column.
    fn set(&mut self, column: &str, value: i64) {
        match column {
            "uid" => self.uid = value,
            "tgid" => self.tgid = value,
            "total_vm" => self.total_vm = value,
            "rss" => self.rss = value,
            "rss_anon" => self.rss_anon = Some(value),
            "rss_file" => self.rss_file = Some(value),
            "rss_shmem" => self.rss_shmem = Some(value),
            "oom_score_adj" => self.adj = Some(value),
            _ => {}
        }
    }
}

/// The names of the columns between `[ pid ]` and `name`.
fn columns(text: &str) -> Option<Vec<String>> {
    if !phrase::holds(text, " total_vm ") || !phrase::holds(text, " rss ") {
        return None;
    }
    let start = text.find("uid")?;
    Some(text.get(start..)?.split_whitespace().filter(|name| *name != "name").map(str::to_owned).collect())
}

/// Up to `most` leading numbers and the text behind them, which is a name that may hold blanks.
fn numbers(text: &str, most: usize) -> (Vec<i64>, &str) {
    let mut rest = text.trim();
    let mut numbers = Vec::new();
    while numbers.len() < most {
        let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let Ok(number) = word.parse() else { break };
        numbers.push(number);
        rest = behind.trim_start();
    }
    (numbers, rest)
}
