//! NVIDIA's Xids: what the driver writes to dmesg when a GPU, or an `NVSwitch` (`SXid`), is in trouble.
//!
//! Meanings after NVIDIA's Xid catalogue; whom to blame, after the catalogue and the lists of Kubernetes' device plugin.

use super::{
    Entry,
    table::{ids, rows},
};
use std::sync::LazyLock;

/// An Xid.
#[derive(Debug, Clone)]
pub struct Xid {
    /// Its number.
    pub number: i64,
    /// What it says.
    pub meaning: &'static str,
    /// What to make of it.
    pub usual: &'static str,
    /// `program`, `hardware`, `driver`, `echo` (a consequence) or `annotation`.
    pub blame: &'static str,
    /// Causes that show it.
    pub causes: Vec<&'static str>,
}

/// The Xids that are in use, by number.
pub static XIDS: LazyLock<Vec<Xid>> = LazyLock::new(|| read(include_str!("xid.tsv")));
/// Some `SXids`, by number. The line itself says whether one is fatal.
pub static SXIDS: LazyLock<Vec<Xid>> = LazyLock::new(|| read(include_str!("sxid.tsv")));

/// Reads a table.
fn read(table: &'static str) -> Vec<Xid> {
    let row = |[number, meaning, usual, blame, causes]: [&'static str; 5]| {
        Some(Xid { number: number.parse().ok()?, meaning, usual, blame, causes: ids(causes) })
    };
    rows(table).filter_map(row).collect()
}

/// The number at the beginning of a text.
fn number(text: &str) -> Option<i64> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The entry of an Xid. An unknown one is said to be rare.
pub(super) fn entry(text: &str) -> Option<Entry> {
    let number = number(text)?;
    let known = XIDS.iter().find(|xid| xid.number == number);
    known.map(|xid| told("Xid", xid)).or_else(|| {
        (number < 1000).then(|| Entry {
            heading: format!("Xid {number}: a rare or retired code"),
            paragraphs: vec!["See NVIDIA's list: https://docs.nvidia.com/deploy/xid-errors/".to_owned()],
            causes: Vec::new(),
        })
    })
}

/// The entry of an `SXid`.
pub(super) fn switch_entry(text: &str) -> Option<Entry> {
    let number = number(text)?;
    let severity = "The first line of a group says `Fatal` or `Non-fatal`: after a fatal one reset all GPUs and switches and restart the fabric manager, which must be of the driver's version.";
    let known = SXIDS.iter().find(|sxid| sxid.number == number);
    let mut entry = known.map_or_else(
        || Entry {
            heading: format!("SXid {number}: an error of an NVSwitch"),
            paragraphs: vec!["NCCL errors of the same moment are its echoes.".to_owned()],
            causes: vec!["gpu-link-error"],
        },
        |sxid| told("SXid", sxid),
    );
    entry.paragraphs.push(severity.to_owned());
    Some(entry)
}

/// An entry of one of the tables.
fn told(family: &str, xid: &Xid) -> Entry {
    Entry {
        heading: format!("{family} {}: {}", xid.number, xid.meaning),
        paragraphs: vec![xid.usual.to_owned(), format!("To blame: {}.", xid.blame)],
        causes: xid.causes.clone(),
    }
}
