//! The report, version 1: the only shape that is serialised. `docs/report.schema.json` is generated from it.
//!
//! Every field may be absent and every enumeration is open. Whatever comes from a log is [`Redacted`]. Renderers
//! know this module and nothing before it.

mod baseline;
mod build;
mod coverage;
mod curve;
mod directory;
mod known;
mod named;
mod retell;

pub use baseline::leave_out;
pub use build::Builder;
pub use known::KnownIssues;
pub use retell::retell;

use crate::redact::Redacted;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The schema's name and version.
pub const SCHEMA: &str = "kerneldoc.report/1";

/// A report on a set of logs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Report {
    /// `kerneldoc.report/1`.
    pub schema: String,
    /// The program that made it.
    pub tool: Tool,
    /// The partition key of the logs it is about, where reports are made a key at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<Redacted>,
    /// What was read.
    pub inputs: Inputs,
    /// Kernels that ended without their user asking, in the order of their deaths.
    pub deaths: Vec<Verdict>,
    /// Trouble that ended no kernel.
    pub findings: Vec<Verdict>,
    /// What was odd about the input.
    pub notes: Vec<ReportNote>,
}

/// The program that made a report.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Tool {
    /// `kerneldoc`.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Inputs {
    /// Logs read.
    pub files: u64,
    /// Their bytes, after decompression.
    pub bytes: u64,
    /// Their lines.
    pub lines: u64,
    /// Events recognised.
    pub events: u64,
    /// Each log.
    pub sources: Vec<ReportSource>,
    /// What was not read, and why.
    pub skipped: Vec<Skipped>,
}

/// A log that was read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReportSource {
    /// Its path.
    pub path: Redacted,
    /// What it is: `jupyter`, `dmesg`, `docker events` …
    pub kind: String,
    /// Events recognised in it.
    pub events: u64,
    /// The time of its first stamped line, RFC 3339 in UTC, where it could be put on the common clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The time of its last stamped line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// Its clock and how it was put on the common one: `UTC`, `local+02:00`, `boot+2026-11-30T15:14:10Z` …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// What that rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_basis: Option<String>,
}

/// Something that was not read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Skipped {
    /// Its path.
    pub path: Redacted,
    /// Why.
    pub reason: Redacted,
}

/// A death or a finding, and what is said of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Verdict {
    /// Names this occurrence: the same logs give the same id.
    pub id: String,
    /// Names the cause at this place: the same on another day.
    #[serde(default = "named::unknown", deserialize_with = "named::named")]
    pub fingerprint: String,
    /// When, RFC 3339 in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// `frontend`, `server`, `kernel`, `cuda` or `host`.
    #[serde(default = "named::unknown", deserialize_with = "named::named")]
    pub layer: String,
    /// The rule's id.
    #[serde(default = "named::unknown", deserialize_with = "named::named")]
    pub cause: String,
    /// What happened, in a line.
    pub title: String,
    /// `confirmed`, `probable` or `possible`.
    pub confidence: String,
    /// What happened, with the user's own numbers.
    pub summary: Redacted,
    /// Why causes of this kind happen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// How many equal occurrences this stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The kernel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<ReportKernel>,
    /// The container.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<ReportContainer>,
    /// The host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<Redacted>,
    /// The user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<Redacted>,
    /// The notebook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notebook: Option<Redacted>,
    /// Figures, by name; sizes are integers in bytes.
    pub facts: serde_json::Map<String, serde_json::Value>,
    /// How it is known, the most telling first.
    pub evidence: Vec<Evidence>,
    /// How memory went before it, where a log tells.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<ReportMemory>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<ReportFix>,
    /// Symptoms, and other causes that the logs do not rule out.
    pub also: Vec<Also>,
    /// Logs that would settle it.
    pub missing: Vec<ReportMissing>,
    /// Logs that cover the moment and say nothing of it: what they would have told of is ruled out.
    pub silent: Vec<SilentLog>,
    /// Set where a known-issues file speaks of it: people know, and the exit code does not count it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
}

/// What a known-issues file says of a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Known {
    /// Why it is not fixed yet.
    pub reason: String,
    /// Where it is worked on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticket: Option<String>,
    /// The last day on which it counts as known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// The kernel a verdict is about.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReportKernel {
    /// Its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Redacted>,
    /// Its process id, in the numbering of the log that named it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<i64>,
    /// The kernelspec's or the process's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Redacted>,
}

/// The container a verdict is about.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReportContainer {
    /// Its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Redacted>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Redacted>,
    /// Its image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<Redacted>,
}

/// A line that says so.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Evidence {
    /// The log.
    pub path: Redacted,
    /// The line, counted from 1.
    pub line: u64,
    /// When, RFC 3339 in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The layer that speaks.
    pub layer: String,
    /// The kind of event.
    pub event: String,
    /// What ties it to the death: `same kernel`, `same process`, `same container`, `same file`, `time only`.
    pub link: String,
    /// How often it stood there, if more than once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The line, quoted.
    pub text: Redacted,
}

/// How the memory of one thing went, up to a death or a finding.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReportMemory {
    /// `host`, `process`, `container`, `gpu-device`, `gpu-process`, `gpu-allocated`, `gpu-reserved`.
    pub what: String,
    /// The unit of the points: `bytes` or `percent`.
    pub unit: String,
    /// Up to 32 points of the curve, from the first measurement to the last.
    pub points: Vec<i64>,
    /// The time of the first measurement, RFC 3339 in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_time: Option<String>,
    /// The time of the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_time: Option<String>,
    /// The most there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_bytes: Option<i64>,
    /// `leak`, `step`, `plateau`, `warm-up`, `saturating` or `too-short`.
    pub trend: String,
    /// Of a leak: what each step of the program adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_step: Option<i64>,
    /// Of a leak: what a minute adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_minute: Option<i64>,
    /// Of a leak: when the limit would have been reached at this rate, RFC 3339 in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_time: Option<String>,
    /// Whether the death lies where the leak would have filled the memory, to within 15 % of the time it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explains_death: Option<bool>,
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReportFix {
    /// In one sentence.
    pub summary: Redacted,
    /// Step by step.
    pub steps: Vec<ReportStep>,
    /// Where it is documented.
    pub references: Vec<String>,
}

/// One step of a fix.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReportStep {
    /// What to do.
    pub text: Redacted,
    /// The command that does it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Redacted>,
}

/// Another cause that plays a part, or may.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Also {
    /// Its layer.
    pub layer: String,
    /// Its id.
    pub cause: String,
    /// Its confidence.
    pub confidence: String,
    /// `symptom` or `alternative`.
    pub role: String,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// A log that is not there and would help.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReportMissing {
    /// What it is.
    pub source: String,
    /// The command that gets it.
    pub command: Redacted,
    /// Why the log of this kind that was given does not settle it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Redacted>,
}

/// A log that covers the moment and says nothing of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SilentLog {
    /// What it is, in the words of the rule that asked for it: `dmesg`, `docker events` …
    pub source: String,
    /// Its path.
    pub path: Redacted,
    /// From when it covers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// Until when it covers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
}

/// What was odd about the input.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReportNote {
    /// The log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Redacted>,
    /// The line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The remark.
    pub text: Redacted,
}
