//! The CI platforms: how each is recognised, folds text and is told of a fault.
//!
//! It reads the environment and nothing else.

use crate::report::Report;
use std::{env, fmt::Write, path::Path};

/// Where the program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Platform {
    Github,
    Gitlab,
    Azure,
    Buildkite,
    Jenkins,
    /// None that is known: the text stands as it is.
    Other,
}

/// Variables that a platform sets in every job.
const SIGNS: [(&str, Platform); 5] = [
    ("GITHUB_ACTIONS", Platform::Github),
    ("GITLAB_CI", Platform::Gitlab),
    ("TF_BUILD", Platform::Azure),
    ("BUILDKITE", Platform::Buildkite),
    ("JENKINS_URL", Platform::Jenkins),
];

impl Platform {
    /// The platform of this job.
    pub(super) fn here() -> Self {
        let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty() && value != "false");
        SIGNS.into_iter().find(|(name, _)| set(name)).map_or(Self::Other, |(_, platform)| platform)
    }

    /// What folds the text that follows.
    pub(super) fn open(self, title: &str, token: &str) -> String {
        match self {
            Self::Github => format!("::group::kerneldoc: {title}\n::stop-commands::{token}"),
            // GitLab wants a time; the section takes none worth telling.
            Self::Gitlab => format!("\u{1b}[0Ksection_start:0:kerneldoc\r\u{1b}[0Kkerneldoc: {title}"),
            Self::Azure => format!("##[group]kerneldoc: {title}"),
            Self::Buildkite => format!("+++ kerneldoc: {title}"),
            Self::Jenkins | Self::Other => format!("kerneldoc: {title}"),
        }
    }

    /// What ends the fold.
    pub(super) fn close(self, token: &str) -> String {
        match self {
            Self::Github => format!("::{token}::\n::endgroup::"),
            Self::Gitlab => "\u{1b}[0Ksection_end:0:kerneldoc\r\u{1b}[0K".to_owned(),
            Self::Azure => "##[endgroup]".to_owned(),
            Self::Buildkite | Self::Jenkins | Self::Other => String::new(),
        }
    }

    /// What is shown beside the files or on the build's page.
    pub(super) fn annotations(self, report: &Report, github: &str, folder: &Path) -> String {
        match self {
            Self::Github => github.to_owned(),
            Self::Azure => azure(report, folder),
            Self::Buildkite => format!(
                "To show it on the build's page: buildkite-agent annotate --style error < {}\n",
                folder.join("kerneldoc.md").display()
            ),
            Self::Gitlab | Self::Jenkins | Self::Other => {
                format!("The reports are in {}\n", folder.display())
            }
        }
    }
}

/// Azure's logging commands: an issue a death, and the summary.
fn azure(report: &Report, folder: &Path) -> String {
    let mut out = String::new();
    for death in report.deaths.iter().filter(|death| death.known.is_none()).take(10) {
        let message = format!("{}: {} {}", death.cause, death.title, death.summary);
        let message = crate::render::safe(&message).replace('%', "%AZP25").replace("##", "# #");
        // Writing into a String cannot fail.
        let _ = writeln!(out, "##vso[task.logissue type=error]{message}");
    }
    let _ = writeln!(out, "##vso[task.uploadsummary]{}", folder.join("kerneldoc.md").display());
    out
}
