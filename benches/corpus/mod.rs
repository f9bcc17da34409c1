//! Logs made on the spot: the same seed gives the same bytes, so that two runs measure the same thing.
//!
//! The lines are those that the programs print; which of them stand how often follows a small hub's day. Nothing here
//! knows kerneldoc.

mod lines;
pub(crate) mod random;

use lines::Lines;
use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::Path,
};

/// What the logs are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// (a) A hub's logs side by side: the hub's, its proxy's, two single-user servers', the host's syslog.
    Hub,
    /// (b) One container's log as docker's `json-file` driver writes it.
    Docker,
    /// (c) One syslog that is all OOM reports.
    OomReports,
    /// (d) A memory log: one sample a second.
    Samples,
    /// (e) Every other line is one that some parser claims.
    Half,
}

/// How much to make.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    /// About how many bytes.
    pub(crate) bytes: u64,
    /// How many kernels die in them, spread evenly.
    pub(crate) deaths: u64,
}

/// Writes logs into an empty folder.
///
/// # Errors
/// Those of the disk.
pub(crate) fn write(kind: Kind, size: Size, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut outputs = Vec::new();
    for name in file_names(kind) {
        outputs.push(BufWriter::with_capacity(1 << 20, File::create(folder.join(name))?));
    }
    let mut written = 0;
    let mut lines = Lines::new(7);
    let every = size.bytes / (size.deaths + 1);
    let mut died = 0;
    while written < size.bytes {
        let (file, text) = if died < size.deaths && written >= every * (died + 1) {
            died += 1;
            lines.death(kind)
        } else {
            lines.next(kind)
        };
        written += text.len() as u64;
        if let Some(output) = outputs.get_mut(file) {
            output.write_all(text.as_bytes())?;
        }
        for (file, text) in lines.pending() {
            written += text.len() as u64;
            if let Some(output) = outputs.get_mut(file) {
                output.write_all(text.as_bytes())?;
            }
        }
    }
    outputs.iter_mut().try_for_each(Write::flush)
}

/// The names of a kind's files.
fn file_names(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Hub => &["hub.log", "proxy.log", "jupyter-ada.log", "jupyter-noor.log", "syslog"],
        Kind::Docker => &["ada-json.log"],
        Kind::OomReports => &["syslog"],
        Kind::Samples => &["memory.csv"],
        Kind::Half => &["jupyter.log"],
    }
}
