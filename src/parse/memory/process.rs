//! What processes hold, as `top`, `ps aux` and `pidstat -r` print it, and the host's memory as `sar -r` does.
//!
//! Columns are found by their names. Only processes that can be a kernel or a server are read.

use super::{Reading, Sample};
use crate::parse::{
    linux,
    prim::{self, rounded},
};

/// The most columns of a header.
const MOST_COLUMNS: usize = 24;

/// The table being read.
#[derive(Default)]
pub(super) struct Table {
    columns: Vec<String>,
}

impl Table {
    /// Whether rows may follow.
    pub(super) fn hungry(&self) -> bool {
        !self.columns.is_empty()
    }

    /// Reads a line.
    pub(super) fn line(&mut self, text: &str) -> Option<Vec<Reading>> {
        if self.columns.is_empty() && !text.contains("PID") && !text.contains("kbmemused") {
            return None;
        }
        let words: Vec<&str> = text.split_whitespace().take(MOST_COLUMNS).collect();
        if is_header(&words) {
            self.columns = words.iter().map(|word| (*word).to_owned()).collect();
            return Some(Vec::new());
        }
        if self.columns.is_empty() {
            return None;
        }
        let row = self.process(&words).or_else(|| self.host(&words));
        if row.is_none() && !words.is_empty() {
            self.columns.clear();
        }
        row.map(|samples| samples.into_iter().map(Reading::Sample).collect())
    }

    /// The cell below a name; none in a row that is too short.
    fn cell<'a>(&self, words: &[&'a str], name: &str) -> Option<&'a str> {
        let index = self.columns.iter().position(|column| column == name)?;
        words.get(index).copied()
    }

    /// A process's row; an empty list for one that is nobody's business here.
    fn process(&self, words: &[&str]) -> Option<Vec<Sample>> {
        let pid = self.cell(words, "PID")?.parse().ok()?;
        let held = self.cell(words, "RES").or_else(|| self.cell(words, "RSS"))?;
        let command = words.get(self.columns.len() - 1)?;
        let name = command.rsplit('/').next().unwrap_or(command);
        // Both print KiB; `top` scales large figures.
        let used = match prim::size(true)(held) {
            Ok((_, bytes)) => bytes,
            Err(_) => held.parse::<i64>().ok()?.checked_mul(1024)?,
        };
        if linux::victim(name) == "stranger" {
            return Some(Vec::new());
        }
        let share = self.cell(words, "%MEM").and_then(number).filter(|percent| *percent >= 1.0);
        Some(vec![Sample {
            pid: Some(pid),
            used_bytes: Some(used),
            total_bytes: share.map(|percent| whole(used, percent)),
            label: Some(name.to_owned()),
            resolution: 1_048_576.0,
            ..Sample::of("process")
        }])
    }

    /// A row of `sar -r`, in KiB. Newer versions say what is available; older ones count caches as used.
    fn host(&self, words: &[&str]) -> Option<Vec<Sample>> {
        let kilobytes = |name: &str| Some(self.cell(words, name)?.parse::<i64>().ok()?.saturating_mul(1024));
        let counted = kilobytes("kbmemused")?;
        let total = whole(counted, number(self.cell(words, "%memused")?).filter(|percent| *percent > 0.0)?);
        let caches = || kilobytes("kbbuffers").unwrap_or(0).saturating_add(kilobytes("kbcached").unwrap_or(0));
        let used = kilobytes("kbavail").map_or_else(|| counted.saturating_sub(caches()), |available| total.saturating_sub(available));
        Some(vec![Sample {
            used_bytes: Some(used),
            total_bytes: Some(total),
            resolution: 1_048_576.0,
            ..Sample::of("host")
        }])
    }
}

/// Whether these are the names of a table's columns.
fn is_header(words: &[&str]) -> bool {
    let has = |name: &str| words.contains(&name);
    let processes = has("PID") && (has("RES") || has("RSS")) && matches!(words.last(), Some(&"COMMAND" | &"CMD" | &"Command"));
    processes || (has("kbmemused") && has("%memused"))
}

/// A number; the decimal mark follows the locale.
fn number(word: &str) -> Option<f64> {
    word.replace(',', ".").parse().ok()
}

/// The whole, of a part and its share in percent.
#[expect(clippy::cast_precision_loss, reason = "memory sizes lie below 2^53")]
fn whole(part: i64, percent: f64) -> i64 {
    rounded(part as f64 * 100.0 / percent)
}
