//! Statuses of CUDA's libraries: cuBLAS, cuDNN, cuSOLVER, cuSPARSE, cuFFT, cuRAND and NCCL.
//!
//! Numbers as the headers give them; cuDNN 9 renumbered its own and only their names are certain.

use super::{
    Entry,
    table::{ids, rows},
};
use std::sync::LazyLock;

/// A status of a library.
#[derive(Debug, Clone)]
pub struct LibraryStatus {
    /// `cuBLAS` …
    pub library: &'static str,
    /// Its number, where the header gives one that stayed.
    pub number: Option<i64>,
    /// Its name.
    pub name: &'static str,
    /// What usually gives it, and what to do.
    pub usual: &'static str,
    /// Causes that show it.
    pub causes: Vec<&'static str>,
}

/// The statuses that are errors.
pub static LIBRARY_STATUSES: LazyLock<Vec<LibraryStatus>> = LazyLock::new(|| {
    let row = |[library, number, name, usual, causes]: [&'static str; 5]| LibraryStatus {
        library,
        number: number.parse().ok(),
        name,
        usual,
        causes: ids(causes),
    };
    rows(include_str!("library.tsv")).map(row).collect()
});

/// The status whose name stands in a text: alone, or in the message that names it.
pub(super) fn by_word(word: &str) -> Vec<Entry> {
    let lower = word.to_lowercase();
    let named = |status: &&LibraryStatus| lower.contains(&status.name.to_lowercase());
    LIBRARY_STATUSES.iter().filter(named).map(entry).collect()
}

/// A status's entry.
fn entry(status: &LibraryStatus) -> Entry {
    let number = status.number.map(|number| format!(" ({number})")).unwrap_or_default();
    Entry {
        heading: format!("{}: {}{number}", status.library, status.name),
        paragraphs: vec![status.usual.to_owned()],
        causes: status.causes.clone(),
    }
}
