//! Writes a report: text, Markdown and HTML for people, the others for programs.
//!
//! Every format is a pure function of the report. It reads no log, no clock and no environment, and judges nothing.

mod github;
mod gitlab;
mod html;
mod json;
mod junit;
mod markdown;
mod prometheus;
mod safe;
mod sarif;
mod summary;
mod text;
mod ticket;
mod view;

pub use json::write_json_line;
pub use markdown::{fence, inline};
pub use prometheus::{METRICS, Metric};
pub use safe::safe;
pub use summary::{SummaryFormat, render_summary};
pub use text::{Sheet, Styles};
pub use ticket::Target;

use crate::{language::Language, report::Report};
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// A form that a report can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Format {
    /// For people: one screen a death.
    #[default]
    Text,
    /// The whole report, indented.
    Json,
    /// One death or finding a line.
    Ndjson,
    /// For people, in a tracker or a chat.
    Markdown,
    /// One page for a browser, with nothing outside it.
    Html,
    /// Annotations of GitHub Actions.
    Github,
    /// GitLab's code quality report.
    Gitlab,
    /// `JUnit`'s XML, as CI systems read it.
    Junit,
    /// SARIF 2.1.0, as code scanners write it.
    Sarif,
    /// A ticket, alert or message a death, for a system that takes them.
    Ticket(Target),
}

/// Every format and the word used on the command line.
const WORDS: [(Format, &str); 21] = [
    (Format::Text, "text"),
    (Format::Json, "json"),
    (Format::Ndjson, "ndjson"),
    (Format::Markdown, "markdown"),
    (Format::Html, "html"),
    (Format::Github, "github"),
    (Format::Gitlab, "gitlab"),
    (Format::Junit, "junit"),
    (Format::Sarif, "sarif"),
    (Format::Ticket(Target::JiraV3), "jira-v3"),
    (Format::Ticket(Target::JiraV2), "jira-v2"),
    (Format::Ticket(Target::Servicenow), "servicenow"),
    (Format::Ticket(Target::ServicenowEvent), "servicenow-event"),
    (Format::Ticket(Target::GithubIssue), "github-issue"),
    (Format::Ticket(Target::GitlabIssue), "gitlab-issue"),
    (Format::Ticket(Target::Zendesk), "zendesk"),
    (Format::Ticket(Target::Pagerduty), "pagerduty"),
    (Format::Ticket(Target::JsmAlert), "jsm-alert"),
    (Format::Ticket(Target::Linear), "linear"),
    (Format::Ticket(Target::Slack), "slack"),
    (Format::Ticket(Target::Teams), "teams"),
];

impl Format {
    /// Every format.
    pub const ALL: [Self; WORDS.len()] = {
        let mut all = [Self::Text; WORDS.len()];
        let mut index = 0;
        while index < WORDS.len() {
            all[index] = WORDS[index].0;
            index += 1;
        }
        all
    };

    /// The word used on the command line.
    pub fn word(self) -> &'static str {
        WORDS.iter().find(|(format, _)| *format == self).map_or("text", |(_, word)| word)
    }

    /// The format of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        WORDS.iter().find(|(_, other)| *other == word).map(|(format, _)| *format)
    }
}

/// How much the text format tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Detail {
    /// One line a death.
    Brief,
    /// One screen a death.
    #[default]
    Normal,
    /// Everything: why, every figure, every source, whole lines.
    Full,
}

/// What a report is written for. Only the text format looks at columns and colours, only tickets at a site's values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Columns.
    pub width: usize,
    /// Whether to colour. Colour never carries meaning alone.
    pub colour: bool,
    /// Whether addresses become links that a terminal can open.
    pub hyperlinks: bool,
    /// The folder that relative paths of logs count from; without it they become no links.
    pub folder: Option<String>,
    /// How much to tell.
    pub detail: Detail,
    /// The language of headings and of words between figures. The report has its own.
    pub language: Language,
    /// What only the site knows, for tickets: `project`, `assignment_group` …
    pub values: BTreeMap<String, String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            width: 100,
            colour: false,
            hyperlinks: false,
            folder: None,
            detail: Detail::Normal,
            language: Language::English,
            values: BTreeMap::new(),
        }
    }
}

/// Writes a report.
///
/// # Errors
/// Only those of the writer.
pub fn render(report: &Report, format: Format, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let messages = options.language.messages();
    match format {
        Format::Text => text::write(report, options, out),
        Format::Json => json::write(report, out),
        Format::Ndjson => json::write_lines(report, out),
        Format::Markdown => markdown::write(report, messages, out),
        Format::Html => html::write(report, options.language, out),
        Format::Github => github::write(report, messages, out),
        Format::Gitlab => gitlab::write(report, messages, out),
        Format::Junit => junit::write(report, messages, out),
        Format::Sarif => sarif::write(report, messages, out),
        Format::Ticket(target) => ticket::write(report, target, options, out),
    }
}
