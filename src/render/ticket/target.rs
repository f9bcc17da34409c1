//! The targets: their words, what a site must tell, where its values go.
//!
//! The payloads themselves stand beside this file, a family a file.

use super::{Ticket, alerts, chat, issues, jira, servicenow};
use serde_json::Value;

/// A system that takes tickets, alerts or messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// Jira Cloud, `POST /rest/api/3/issue`.
    JiraV3,
    /// Jira Server and Data Center, `POST /rest/api/2/issue`.
    JiraV2,
    /// `ServiceNow`, `POST /api/now/table/incident`.
    Servicenow,
    /// `ServiceNow` Event Management, `POST /api/global/em/jsonv2`.
    ServicenowEvent,
    /// GitHub, `POST /repos/{owner}/{repo}/issues`.
    GithubIssue,
    /// GitLab, `POST /api/v4/projects/{id}/issues`.
    GitlabIssue,
    /// Zendesk, `POST /api/v2/tickets`.
    Zendesk,
    /// `PagerDuty` Events v2, `POST /v2/enqueue`.
    Pagerduty,
    /// Jira Service Management operations, formerly Opsgenie, `POST /v2/alerts`.
    JsmAlert,
    /// Linear's GraphQL.
    Linear,
    /// An incoming webhook of Slack.
    Slack,
    /// A workflow's webhook of Microsoft Teams.
    Teams,
}

impl Target {
    /// The payload.
    pub(super) fn payload(self, ticket: &Ticket<'_>) -> Value {
        match self {
            Self::JiraV3 => jira::cloud(ticket),
            Self::JiraV2 => jira::server(ticket),
            Self::Servicenow => servicenow::incident(ticket),
            Self::ServicenowEvent => servicenow::event(ticket),
            Self::GithubIssue => issues::github(ticket),
            Self::GitlabIssue => issues::gitlab(ticket),
            Self::Zendesk => issues::zendesk(ticket),
            Self::Linear => issues::linear(ticket),
            Self::Pagerduty => alerts::pagerduty(ticket),
            Self::JsmAlert => alerts::jsm(ticket),
            Self::Slack => chat::slack(ticket),
            Self::Teams => chat::teams(ticket),
        }
    }

    /// Where `--set` puts a field of the target's own.
    pub(super) fn pointer(self) -> &'static str {
        match self {
            Self::JiraV3 | Self::JiraV2 => "/fields",
            Self::ServicenowEvent => "/records/0",
            Self::Zendesk => "/ticket",
            Self::Linear => "/variables/input",
            _ => "",
        }
    }

    /// What the target cannot do without, and only the site knows.
    pub fn needs(self) -> Option<&'static str> {
        match self {
            Self::JiraV3 | Self::JiraV2 => Some("project"),
            Self::Pagerduty => Some("routing_key"),
            Self::Linear => Some("team"),
            _ => None,
        }
    }
}
