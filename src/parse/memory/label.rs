//! The text beside a printed figure: its label without stamps, and the step that it counts.
//!
//! It does not read figures.

use super::figure::Figure;
use crate::parse::prim;

/// The longest label kept, in characters.
const LONGEST_LABEL: usize = 60;
/// The words of a stamp: days, months and levels.
const STAMP_WORDS: [&str; 22] = [
    "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep",
    "Oct", "Nov", "Dec", "INFO", "DEBUG", "INFO:root",
];

/// The text before the first figure of memory, without a stamp: `Step 12`, `[In loop]`; of `step 12 allocated: …`, where
/// no sign divides them, the words up to the number. A progress bar or a dictionary is no label: it changes with every
/// line.
pub(super) fn label(text: &str, figure: &Figure<'_>) -> Option<String> {
    let mut head = text.get(..figure.start)?.trim();
    if head.is_empty() {
        let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
        let number = figure.name.split(' ').rfind(is_number)?;
        head = figure.name.get(..figure.name.rfind(number)? + number.len())?;
    }
    while let Some((word, rest)) = head.split_once(' ')
        && (is_stamp(word) || (rest.contains(char::is_whitespace) && is_stamp_word(word, rest)))
    {
        head = rest.trim_start();
    }
    let head = head.trim_matches(|c: char| c.is_whitespace() || ":-|,(".contains(c));
    let label: String = head.chars().take(LONGEST_LABEL).collect();
    let changing = label.contains(['=', '{', '|', '█', '"']);
    (!label.is_empty() && !is_stamp(&label) && !changing).then_some(label)
}

/// Whether a word is a date, a time, seconds since the epoch or a dash between them and the text.
fn is_stamp(word: &str) -> bool {
    let digits = word.chars().all(|c| c.is_ascii_digit() || ":.-/TZ+,[]".contains(c));
    word == "-" || (digits && (word.contains([':', '-', '/']) || is_epoch(word)))
}

/// Seconds or milliseconds since the epoch.
fn is_epoch(word: &str) -> bool {
    let whole = word.split('.').next().unwrap_or_default();
    (10..=13).contains(&whole.len()) && whole.starts_with('1') && whole.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word belongs to a stamp in words, `Tue Jan 13 20:46:25 2026`, or is a logger's level.
fn is_stamp_word(word: &str, rest: &str) -> bool {
    let number = word.bytes().all(|byte| byte.is_ascii_digit());
    let dated = rest.split_whitespace().take(2).any(|word| word.contains(':') && is_stamp(word));
    STAMP_WORDS.contains(&word.trim_end_matches(':'))
        || (number && word.len() <= 2 && dated)
        || (word.len() == 4 && word.starts_with("20") && number)
}

/// The number of a step in a label; within epochs it begins anew and is of no use.
pub(super) fn step(label: &str) -> Option<i64> {
    let label = label.to_ascii_lowercase();
    if label.contains("epoch") {
        return None;
    }
    ["step", "iter", "batch"].iter().find_map(|word| {
        let rest = label.get(label.find(word)? + word.len()..)?;
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == ' ' || c == '#');
        prim::integer(digits).ok().map(|(_, number)| number)
    })
}

/// The count of a progress bar: `12/1000 [00:05<07:10, 2.29it/s, …]`. A bar for each epoch counts anew.
pub(super) fn progress(text: &str) -> Option<i64> {
    let (bar, _) = text.split_once(" [").filter(|(_, rest)| rest.contains('<') && rest.contains('/'))?;
    let count = bar.rsplit(['|', ' ']).next()?;
    let (done, all) = count.split_once('/')?;
    all.parse::<u32>().ok()?;
    done.parse().ok()
}
