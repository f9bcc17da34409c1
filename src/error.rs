//! `Error`: what stops a run, with a guess at the reason and the next step.
//!
//! What is only odd about the input is a note in the report, not an error.

use crate::rule::Fault;
use std::io;
use thiserror::Error;

/// Analysed, and no death at or above `--fail-on`.
pub const EXIT_HEALTHY: u8 = 0;
/// At least one death at or above `--fail-on`.
pub const EXIT_DEATH: u8 = 1;
/// The command line or a rule is wrong, or the result could not be written.
pub const EXIT_USAGE: u8 = 2;
/// There was nothing to analyse.
pub const EXIT_NOTHING: u8 = 3;

/// What stops a run. Messages are lower-case fragments without a full stop, names in backticks.
#[derive(Debug, Error)]
pub enum Error {
    /// No log could be read.
    #[error("nothing to analyse: {}", nothing(.skipped))]
    Nothing {
        /// What was not read, and why.
        skipped: Vec<(String, String)>,
    },
    /// A file named on the command line cannot be read.
    #[error("cannot read `{path}`: {source}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// A file that should be a report is none.
    #[error("`{path}` is no kerneldoc report: {reason}")]
    NoReport {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// Rules are wrong.
    #[error("{} in the rules", if .faults.len() == 1 { "a fault".to_owned() } else { format!("{} faults", .faults.len()) })]
    Rules {
        /// What is wrong.
        faults: Vec<Fault>,
        /// Paths and texts of the rules, to show the places.
        texts: Vec<(String, String)>,
    },
    /// A name that nothing bears.
    #[error("no {what} is called `{word}`")]
    Unknown {
        /// What was looked for: `cause or layer`.
        what: &'static str,
        /// The name.
        word: String,
        /// The nearest name that exists.
        nearest: Option<String>,
    },
    /// Two options or an argument that do not go together.
    #[error("{0}")]
    Usage(String),
    /// Tests of rules failed.
    #[error("{failed} of {total} rule tests failed")]
    RuleTests {
        /// How many failed.
        failed: usize,
        /// Of how many.
        total: usize,
    },
    /// A command cannot be run.
    #[error("cannot run `{command}`: {source}")]
    Command {
        /// The command.
        command: String,
        /// Why.
        source: io::Error,
    },
    /// A result cannot be written.
    #[error("cannot write `{path}`: {source}")]
    Output {
        /// The file; `standard output`.
        path: String,
        /// Why.
        source: io::Error,
    },
}

impl Error {
    /// What to do next, where it can be guessed: a lower-case fragment.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Nothing { skipped } if skipped.is_empty() => {
                Some("name files or folders with logs, or `-` for standard input".to_owned())
            }
            Self::Nothing { skipped } if skipped.iter().all(|(_, reason)| reason.contains("no such file")) => {
                Some("is the path right? it counts from the current folder; `kerneldoc --help` lists the commands".to_owned())
            }
            Self::Nothing { .. } => {
                Some("give text logs; gzip, zstd, xz, bzip2, tar and zip are opened by themselves".to_owned())
            }
            Self::Unreadable { source, .. } => match source.kind() {
                io::ErrorKind::NotFound => Some("is the path right? it counts from the current folder".to_owned()),
                io::ErrorKind::PermissionDenied => Some("copy it to where you may read it, or ask its owner".to_owned()),
                _ => None,
            },
            Self::NoReport { .. } => Some("`kerneldoc diagnose --format json LOGS > report.json` makes one".to_owned()),
            Self::Rules { .. } => Some("`kerneldoc rules new LAYER ID` prints a rule to begin with".to_owned()),
            Self::Unknown { nearest: Some(nearest), .. } => Some(format!("did you mean `{nearest}`?")),
            Self::Unknown { .. } => Some("`kerneldoc rules list` lists the causes of every layer".to_owned()),
            Self::Command { .. } => Some("is it installed, and on the PATH of this environment?".to_owned()),
            Self::Output { source, .. } => match source.kind() {
                io::ErrorKind::NotFound => Some("the folder must exist already".to_owned()),
                io::ErrorKind::PermissionDenied => Some("name a file in a folder where you may write".to_owned()),
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                    Some("the disk or your quota is full: free some space, or name a file on another disk".to_owned())
                }
                io::ErrorKind::IsADirectory => Some("name a file in that folder".to_owned()),
                _ => None,
            },
            Self::Usage(_) | Self::RuleTests { .. } => None,
        }
    }

    /// The exit status.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Nothing { .. } | Self::Unreadable { .. } => EXIT_NOTHING,
            Self::RuleTests { .. } => EXIT_DEATH,
            // As shells have it: not found, or found and not to be run.
            Self::Command { source, .. } if source.kind() == io::ErrorKind::NotFound => 127,
            Self::Command { .. } => 126,
            _ => EXIT_USAGE,
        }
    }
}

/// Why there is nothing.
fn nothing(skipped: &[(String, String)]) -> String {
    match skipped {
        [] => "no file was found".to_owned(),
        [(path, reason)] => format!("`{path}` was not read ({reason})"),
        [(path, reason), ..] => {
            format!("none of {} files was read, `{path}` for one ({reason})", skipped.len())
        }
    }
}
