//! Known issues: a file says which deaths people know of, why they are not fixed yet, and until when that holds.
//!
//! It hides nothing: a known death stays in the report, marked. It reads no clock; the day is given, or is the death's own.

use super::{Known, Report, ReportNote, Verdict};
use crate::redact::Redacted;
use chrono::{DateTime, NaiveDate};
use serde::Deserialize;

/// The issues of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownIssues {
    #[serde(default)]
    known: Vec<Issue>,
}

/// One known issue. All that it names must fit.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Issue {
    fingerprint: Option<String>,
    cause: Option<String>,
    /// A pattern in which `*` stands for anything.
    notebook: Option<String>,
    reason: String,
    ticket: Option<String>,
    until: Option<String>,
}

impl KnownIssues {
    /// Reads a file's text.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let issues: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        for issue in &issues.known {
            if issue.fingerprint.is_none() && issue.cause.is_none() {
                return Err(format!("the issue `{}` names neither fingerprint nor cause", issue.reason));
            }
            if issue.reason.trim().is_empty() {
                return Err("an issue gives no reason".to_owned());
            }
            if let Some(until) = &issue.until {
                until
                    .parse::<NaiveDate>()
                    .map_err(|_| format!("until = \"{until}\" is no day such as 2026-12-31"))?;
            }
        }
        Ok(issues)
    }

    /// Marks the verdicts that are known. Without a day, each is held against its own.
    pub fn apply(&self, report: &mut Report, today: Option<NaiveDate>) {
        let mut notes = Vec::new();
        for verdict in report.deaths.iter_mut().chain(&mut report.findings) {
            let Some(issue) = self.known.iter().find(|issue| issue.fits(verdict)) else { continue };
            match issue.expired(verdict, today) {
                None => verdict.known = Some(issue.told()),
                Some(why) => notes.push(why),
            }
        }
        notes.dedup();
        report.notes.extend(notes.into_iter().map(|text| ReportNote {
            path: None,
            line: None,
            text: Redacted::ours(text),
        }));
    }
}

impl Issue {
    /// Whether it speaks of this verdict.
    fn fits(&self, verdict: &Verdict) -> bool {
        let same = |wanted: &Option<String>, is: &str| wanted.as_ref().is_none_or(|wanted| wanted == is);
        let notebook = verdict.notebook.as_ref().map(Redacted::as_str).unwrap_or_default();
        same(&self.fingerprint, &verdict.fingerprint)
            && same(&self.cause, &verdict.cause)
            && self.notebook.as_ref().is_none_or(|pattern| matches(pattern, notebook))
    }

    /// Why it does not hold any more.
    fn expired(&self, verdict: &Verdict, today: Option<NaiveDate>) -> Option<String> {
        let until: NaiveDate = self.until.as_ref()?.parse().ok()?;
        let own = verdict.time.as_deref().and_then(|time| DateTime::parse_from_rfc3339(time).ok());
        match today.or_else(|| own.map(|time| time.to_utc().date_naive())) {
            None => Some(format!(
                "the known issue `{}` has an end, and no day is known; --today tells it",
                self.reason
            )),
            Some(day) if day > until => Some(format!("the known issue `{}` ended on {until}", self.reason)),
            Some(_) => None,
        }
    }

    fn told(&self) -> Known {
        Known { reason: self.reason.clone(), ticket: self.ticket.clone(), until: self.until.clone() }
    }
}

/// Whether a text fits a pattern of pieces between stars.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(head) else { return false };
    let (middle, tail) = rest.rsplit_once('*').map_or(("", rest), |(middle, tail)| (middle, tail));
    for piece in middle.split('*').filter(|piece| !piece.is_empty()) {
        let Some((_, after)) = text.split_once(piece) else { return false };
        text = after;
    }
    text.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "[[known]]\ncause = 'silent-exit'\nnotebook = '*/train*.ipynb'\nreason = 'waiting for RAM'\n\
                        ticket = 'OPS-12'\nuntil = '2026-12-31'\n";

    fn report(time: &str) -> Report {
        let verdict = Verdict {
            cause: "silent-exit".to_owned(),
            notebook: Some(Redacted::ours("work/train-2.ipynb")),
            time: (!time.is_empty()).then(|| time.to_owned()),
            ..Verdict::default()
        };
        Report { deaths: vec![verdict], ..Report::default() }
    }

    #[track_caller]
    fn check(time: &str, today: Option<&str>, known: bool) {
        let mut report = report(time);
        KnownIssues::parse(FILE).unwrap().apply(&mut report, today.map(|day| day.parse().unwrap()));
        assert_eq!(report.deaths[0].known.is_some(), known);
        assert_eq!(report.notes.is_empty(), known);
    }

    #[test]
    fn an_issue_holds_until_its_day() {
        check("2026-12-31T23:00:00Z", None, true);
        check("2027-01-01T00:00:00Z", None, false);
        check("2026-12-01T00:00:00Z", Some("2027-02-01"), false);
        check("", None, false);
        check("", Some("2026-12-31"), true);
    }

    #[test]
    fn files_are_checked() {
        assert!(KnownIssues::parse("[[known]]\nreason = 'x'").is_err());
        assert!(KnownIssues::parse("[[known]]\ncause = 'a'").is_err());
        assert!(KnownIssues::parse("[[known]]\ncause = 'a'\nreason = 'b'\nuntil = 'soon'").is_err());
        assert!(KnownIssues::parse("[[known]]\ncause = 'a'\nreason = 'b'\nuntill = '2026-01-01'").is_err());
    }

    #[test]
    fn stars_stand_for_anything() {
        assert!(matches("*", "") && matches("a*c", "abc") && matches("*b*", "abc") && matches("abc", "abc"));
        assert!(!matches("a*d", "abc") && !matches("ab", "abc") && !matches("*x*c", "abc"));
    }
}
