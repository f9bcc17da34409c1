//! The command line: every command, option and help text.
//!
//! It does nothing; `commands` does.

mod values;

pub use values::{FailOn, Since, Zone};

use crate::{
    diagnosis::Confidence,
    redact,
    render::{Format, SummaryFormat},
};
use chrono::NaiveDate;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use std::{ffi::OsString, path::PathBuf};

const EXIT_CODES: &str = "\
Exit codes:
  0  analysed, no kernel death (or --exit-zero)
  1  at least one kernel death at or above --fail-on
  2  wrong usage, or a bad rule
  3  nothing to analyse

`kerneldoc ./logs` is short for `kerneldoc diagnose ./logs`.";

const EXAMPLES: &str = "\
Examples:
  kerneldoc diagnose ./logs
  journalctl -k -b -o short-iso | kerneldoc diagnose jupyter.log -
  kerneldoc diagnose --line 'Out of memory: Killed process 4711 (python3) total-vm:9438104kB'
  kerneldoc diagnose ./logs --timezone '*/jupyter*.log=+08:00' --kernel b273fb86
  kerneldoc diagnose ./logs -o json=report.json -o html=report.html --fail-on probable";

const EVENTS_EXAMPLES: &str = "\
Examples:
  kerneldoc events web1/ > web1.ndjson && kerneldoc diagnose --events web1.ndjson
  kerneldoc plan listing.txt | kerneldoc events --listing - | kerneldoc diagnose --events - --each-key -f ndjson";

const PLAN_HELP: &str = "\
The key is the first of these that a path has:
  host:NAME[/BOOT]  a folder `host=NAME` (also hostname=, node=, instance=), with `boot=ID`
  folder:ROOT       the folder above var/log, var/lib, run/log or sys/fs: the root of a machine's files
  pod:NAME          `pod=NAME`, or kubelet's pods/NAMESPACE_POD_UID/ and containers/POD_NAMESPACE_CONTAINER-ID.log
  container:ID      `container=ID`, or docker's ID-json.log
  folder:ARCHIVE    an archive (tar, zip), which is one machine's
  folder:DIR        the file's folder, without inner ones that hold one kind of log (jupyter, host, docker, logs …)";

const CONVERT_EXAMPLES: &str = "\
Examples:
  kerneldoc convert report.json --to html > report.html
  kerneldoc convert report.json --to sarif
  kerneldoc convert report.json --to jira-v3 --set project=ML --baseline yesterday.json --only-new
  kerneldoc diagnose ./logs -f json | kerneldoc convert - --to markdown";

const SUMMARY_EXAMPLES: &str = "\
Examples:
  kerneldoc summary reports/
  kerneldoc summary reports/*.ndjson -o html=week.html -o prometheus=/var/lib/node_exporter/kerneldoc.prom";

const CI_HELP: &str = "\
The platform is told by its environment: GitHub Actions, GitLab CI, Azure Pipelines, Buildkite, Jenkins.

Written into --out-dir: kerneldoc.json, kerneldoc.md, kerneldoc.html, kerneldoc.junit.xml, kerneldoc.sarif and
gl-code-quality-report.json. On GitHub also annotations, the job's summary, and the outputs deaths, findings, layer,
cause, confidence, fingerprint and report.";

const RUN_HELP: &str = "\
Output, input, signals and the exit status pass through unchanged; of a command that dies by signal N the exit status is
128 + N. What is recorded (docs/recorder.md) lies in kerneldoc-run-TIME-PID/record.ndjson.

Examples:
  kerneldoc run -- papermill train.ipynb out.ipynb
  kerneldoc run --dir logs -- jupyter lab
  a kernelspec's argv: [\"kerneldoc\", \"run\", \"--\", \"python\", \"-m\", \"ipykernel_launcher\", \"-f\", \"{connection_file}\"]";

/// Tells why a Jupyter kernel died, from whatever logs are left
///
/// Reads a folder of logs (Jupyter, dmesg, journald, docker, Kubernetes, Slurm, CUDA …) and says for each kernel that
/// died which layer ended it, how that is known, and what to do. Nothing opens the network.
#[derive(Debug, Parser)]
#[command(name = "kerneldoc", version, after_help = EXIT_CODES, arg_required_else_help = true, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// How much to say.
    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say why kernels died (the default command)
    #[command(after_long_help = EXAMPLES)]
    Diagnose(Box<DiagnoseArgs>),
    /// Write every event found in the logs, one a line of JSON
    #[command(after_long_help = EVENTS_EXAMPLES)]
    Events(EventsArgs),
    /// Say which of many logs belong to the same machine, one `key<TAB>path` a line
    #[command(after_long_help = PLAN_HELP)]
    Plan(PlanArgs),
    /// Explain a cause, a layer, an exit code, a signal, an Xid or a CUDA error
    #[command(
        after_help = "Examples: container-memory-limit · host · 137 · -11 · SIGBUS · \"xid 79\" · 0xC0000005 · cudaErrorAssert"
    )]
    Explain(ExplainArgs),
    /// Turn a JSON report into another format or into tickets, without a second analysis
    #[command(after_long_help = CONVERT_EXAMPLES)]
    Convert(ConvertArgs),
    /// Count the deaths of many reports by cause, user, notebook, image, node, GPU and week
    #[command(after_long_help = SUMMARY_EXAMPLES)]
    Summary(SummaryArgs),
    /// Do in one step what the CI platform expects
    #[command(after_long_help = CI_HELP)]
    Ci(Box<CiArgs>),
    /// Run a command or a kernel, record how it ends, and diagnose it if it fails
    #[command(after_long_help = RUN_HELP)]
    Run(RunArgs),
    /// Gather what this host knows (dmesg, journal, containers, pods, GPUs, logs) into one archive
    Collect(CollectArgs),
    /// Restores what `run` changed for itself, and becomes the command
    #[command(hide = true)]
    RunStage(RunStageArgs),
    /// Tells `run` which signals reach its whole process group
    #[command(hide = true)]
    RunCanary,
    /// List, show, check, test and begin rules
    #[command(subcommand)]
    Rules(RulesCommand),
    /// Take secrets out of a log, so that it can be shared
    Redact(RedactArgs),
    /// Print a JSON Schema
    Schema(SchemaArgs),
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Print the manual page
    Man,
}

/// How much to say, and in which colours.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct ScreenArgs {
    /// Say less: only the verdicts
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Screen")]
    pub quiet: bool,
    /// Say more: why, every figure, every source, whole lines
    #[arg(short, long, global = true, help_heading = "Screen")]
    pub verbose: bool,
    /// Colour the output; `auto` obeys `NO_COLOR`, `CLICOLOR_FORCE` and `FORCE_COLOR`
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Screen")]
    pub color: ColorWhen,
    /// Make files and addresses links that a terminal opens
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Screen")]
    pub hyperlinks: ColorWhen,
    /// The language of reports
    ///
    /// `auto` obeys `KERNELDOC_LANG`, `LC_ALL`, `LC_MESSAGES` and `LANG` for text, Markdown and HTML; formats for programs
    /// and tickets stay English unless a language is named here.
    #[arg(long, global = true, value_name = "LANGUAGE", default_value = "auto", help_heading = "Screen")]
    pub lang: Lang,
}

/// The language of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Lang {
    /// What the environment says
    #[default]
    Auto,
    /// English
    En,
    /// Simplified Chinese
    Zh,
}

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal
    #[default]
    Auto,
    /// In files and pipes too
    Always,
    /// Nowhere
    Never,
}

/// Options of `diagnose`.
#[derive(Debug, Args)]
pub struct DiagnoseArgs {
    /// Logs, folders and archives of logs; `-` is standard input [default: the current folder]
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
    /// Diagnose this text as if it were a log; may be repeated, or hold several lines
    #[arg(long = "line", value_name = "TEXT", allow_hyphen_values = true)]
    pub lines: Vec<String>,
    /// The paths hold what `kerneldoc events` printed, not logs
    #[arg(long, conflicts_with = "lines")]
    pub events: bool,
    /// Make one report for each partition key of the events, one after the other
    #[arg(long, requires = "events", conflicts_with = "outputs")]
    pub each_key: bool,
    /// Where the report goes.
    #[command(flatten)]
    pub output: OutputArgs,
    /// What the logs cannot tell of their clocks.
    #[command(flatten)]
    pub clock: ClockArgs,
    /// What is reported.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// What only the site knows.
    #[command(flatten)]
    pub tickets: TicketArgs,
    /// What is known already.
    #[command(flatten)]
    pub triage: TriageArgs,
    /// What the exit code tells.
    #[command(flatten)]
    pub gate: GateArgs,
}

/// Options of `ci`.
#[derive(Debug, Args)]
pub struct CiArgs {
    /// Logs, folders and archives of logs; `-` is standard input [default: the current folder]
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
    /// Where the reports go
    #[arg(long, value_name = "DIR", default_value = "kerneldoc-report", value_hint = ValueHint::DirPath)]
    pub out_dir: PathBuf,
    /// What to take out of quoted text
    #[arg(long, value_name = "MODE", default_value = "secrets", value_parser = values::redaction())]
    pub redact: redact::Mode,
    /// What the logs cannot tell of their clocks.
    #[command(flatten)]
    pub clock: ClockArgs,
    /// What is reported.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// What is known already.
    #[command(flatten)]
    pub triage: TriageArgs,
    /// What the exit code tells.
    #[command(flatten)]
    pub gate: GateArgs,
}

/// What only the site knows.
#[derive(Debug, Args)]
#[command(next_help_heading = "Tickets")]
pub struct TicketArgs {
    /// A value for ticket formats: `project`, `team`, `routing_key` or a field of theirs; KEY:=JSON; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = values::pair)]
    pub set: Vec<(String, String)>,
}

/// What is known already, and by whom.
#[derive(Debug, Args)]
#[command(next_help_heading = "Known already")]
pub struct TriageArgs {
    /// Leave out the occurrences that an older JSON report has
    #[arg(long, value_name = "REPORT", value_hint = ValueHint::FilePath)]
    pub baseline: Option<PathBuf>,
    /// Leave out also what the baseline has seen before at the same place
    #[arg(long, requires = "baseline")]
    pub only_new: bool,
    /// A TOML file of known issues: they are marked with their reason, and do not count for the exit code
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub known: Option<PathBuf>,
    /// The day on which known issues expire or not: 2026-11-30 [default: the day of each death]
    #[arg(long, value_name = "DATE", value_parser = values::date)]
    pub today: Option<NaiveDate>,
}

/// Where the report goes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// The format on standard output
    #[arg(short, long, value_name = "FORMAT", default_value = "text", value_parser = values::format())]
    pub format: Format,
    /// Write the report to a file too; may be repeated
    #[arg(short, long = "output", value_name = "FORMAT=FILE", value_parser = values::output)]
    pub outputs: Vec<(Format, PathBuf)>,
    /// What to take out of quoted text
    ///
    /// `secrets` takes out tokens, keys, passwords and cookies; `strict` email addresses and user names in paths too.
    #[arg(long, value_name = "MODE", default_value = "secrets", value_parser = values::redaction())]
    pub redact: redact::Mode,
}

/// What the logs cannot tell of their clocks.
#[derive(Debug, Args)]
#[command(next_help_heading = "Time")]
pub struct ClockArgs {
    /// The zone of logs that name none, `+08:00` or `UTC`; for some files with a pattern; may be repeated
    #[arg(long = "timezone", value_name = "[GLOB=]ZONE", value_parser = values::zone, allow_hyphen_values = true)]
    pub timezones: Vec<Zone>,
    /// When the host booted, for dmesg without dates: 2026-11-30T15:14:10Z
    #[arg(long, value_name = "TIME", value_parser = values::time)]
    pub boot_time: Option<i64>,
    /// Report nothing before this time
    #[arg(long, value_name = "TIME", value_parser = values::time)]
    pub since: Option<i64>,
    /// Report nothing after this time
    #[arg(long, value_name = "TIME", value_parser = values::time)]
    pub until: Option<i64>,
}

/// What is reported.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules and filters")]
pub struct FilterArgs {
    /// Report only this kernel, by its id or the beginning of it
    #[arg(long, value_name = "ID")]
    pub kernel: Option<String>,
    /// Add the rules of a folder; may be repeated
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub rules: Vec<PathBuf>,
    /// Report only these causes and layers; may be repeated, or divided by commas
    #[arg(long, value_name = "ID|LAYER", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Do not report these causes and layers
    #[arg(long, value_name = "ID|LAYER", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Report nothing less sure
    #[arg(long, value_name = "LEVEL", default_value = "possible", value_parser = values::confidence())]
    pub min_confidence: Confidence,
}

/// What the exit code tells.
#[derive(Debug, Args)]
#[command(next_help_heading = "Exit code")]
pub struct GateArgs {
    /// Exit with 1 only for deaths at least this sure
    #[arg(long, value_name = "LEVEL", default_value = "possible")]
    pub fail_on: FailOn,
    /// Exit with 0 whatever died
    #[arg(long)]
    pub exit_zero: bool,
}

/// Options of `events`.
#[derive(Debug, Args)]
pub struct EventsArgs {
    /// Logs, folders and archives of logs; `-` is standard input [default: the current folder]
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
    /// Read the logs that a file lists, one path a line, with or without the keys of `plan`; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "paths", value_hint = ValueHint::FilePath)]
    pub listing: Option<PathBuf>,
    /// What to take out of quoted text
    #[arg(long, value_name = "MODE", default_value = "secrets", value_parser = values::redaction())]
    pub redact: redact::Mode,
}

/// Options of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Where the folder of records is made [default: the current folder; for kernels ~/.local/state/kerneldoc]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub dir: Option<PathBuf>,
    /// How often memory is measured, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = values::interval)]
    pub interval: f64,
    /// The command and its arguments
    #[arg(value_name = "COMMAND", required = true, trailing_var_arg = true, allow_hyphen_values = true,
          value_hint = ValueHint::CommandWithArguments)]
    pub command: Vec<OsString>,
}

/// Options of `collect`.
#[derive(Debug, Args)]
pub struct CollectArgs {
    /// More files to put in
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub paths: Vec<PathBuf>,
    /// The archive [default: kerneldoc-collect-TIME.tar.gz]
    #[arg(short, long, value_name = "FILE.tar.gz", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Print the commands instead of running them
    #[arg(long)]
    pub print: bool,
    /// How far back: 90m, 24h, 7d, or a time like 2026-11-30T15:00:00Z [default: 24h]
    #[arg(long, value_name = "TIME", value_parser = values::since)]
    pub since: Option<Since>,
    /// What to take out of what is gathered
    #[arg(long, value_name = "MODE", default_value = "secrets", value_parser = values::redaction())]
    pub redact: redact::Mode,
}

/// Options of `run-stage`.
#[derive(Debug, Args)]
pub struct RunStageArgs {
    /// The process that must still be the parent
    #[arg(long)]
    pub parent: i32,
    /// Signals that stay blocked, as they were
    #[arg(long, value_delimiter = ',')]
    pub blocked: Vec<i32>,
    /// The command and its arguments
    #[arg(required = true, last = true)]
    pub command: Vec<OsString>,
}

/// Options of `plan`.
#[derive(Debug, Args)]
pub struct PlanArgs {
    /// A file of paths, one a line; `-` is standard input
    #[arg(value_name = "LISTING", value_hint = ValueHint::FilePath)]
    pub listing: PathBuf,
}

/// Options of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// What to explain; several words are one: xid 79
    #[arg(value_name = "WORD", required = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
    /// Add the rules of a folder; may be repeated
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub rules: Vec<PathBuf>,
}

/// Options of `convert`.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// A report of `diagnose --format json`; `-` is standard input
    #[arg(value_name = "REPORT", value_hint = ValueHint::FilePath)]
    pub report: PathBuf,
    /// The format to write
    #[arg(long, value_name = "FORMAT", value_parser = values::format())]
    pub to: Format,
    /// Write the report to a file too; may be repeated
    #[arg(short, long = "output", value_name = "FORMAT=FILE", value_parser = values::output)]
    pub outputs: Vec<(Format, PathBuf)>,
    /// What only the site knows.
    #[command(flatten)]
    pub tickets: TicketArgs,
    /// What is known already.
    #[command(flatten)]
    pub triage: TriageArgs,
}

/// Options of `summary`.
#[derive(Debug, Args)]
pub struct SummaryArgs {
    /// JSON and NDJSON reports, and folders of them; `-` is standard input [default: -]
    #[arg(value_name = "REPORT", value_hint = ValueHint::AnyPath)]
    pub reports: Vec<PathBuf>,
    /// The format on standard output
    #[arg(short, long, value_name = "FORMAT", default_value = "text", value_parser = values::summary_format())]
    pub format: SummaryFormat,
    /// Write the summary to a file too; may be repeated
    #[arg(short, long = "output", value_name = "FORMAT=FILE", value_parser = values::summary_output)]
    pub outputs: Vec<(SummaryFormat, PathBuf)>,
    /// How many values of each kind people are shown
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
}

/// Commands on rules.
#[derive(Debug, Subcommand)]
pub enum RulesCommand {
    /// List the causes of every layer
    List(RulesArgs),
    /// Print a rule's file
    Show(RuleArgs),
    /// Check rule files, and say where they are wrong
    Check(RulesArgs),
    /// Run the tests that rules bring
    Test(RuleTestArgs),
    /// Print a rule to begin with
    New(NewRuleArgs),
}

/// Options of `rules list` and `rules check`.
#[derive(Debug, Args)]
pub struct RulesArgs {
    /// Add the rules of a folder; may be repeated
    #[arg(long = "rules", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub rules: Vec<PathBuf>,
    /// Folders of rules, as with --rules
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub folders: Vec<PathBuf>,
}

/// Options of `rules show`.
#[derive(Debug, Args)]
pub struct RuleArgs {
    /// The cause
    #[arg(value_name = "ID")]
    pub id: String,
    /// Add the rules of a folder; may be repeated
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub rules: Vec<PathBuf>,
}

/// Options of `rules test`.
#[derive(Debug, Args)]
pub struct RuleTestArgs {
    /// Test only these causes and layers
    #[arg(value_name = "ID|LAYER")]
    pub only: Vec<String>,
    /// Add the rules of a folder; may be repeated
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub rules: Vec<PathBuf>,
}

/// Options of `rules new`.
#[derive(Debug, Args)]
pub struct NewRuleArgs {
    /// frontend, server, kernel, cuda or host
    #[arg(value_name = "LAYER", value_parser = values::layer())]
    pub layer: crate::rule::Layer,
    /// The new cause, in lower-case words joined by dashes
    #[arg(value_name = "ID", value_parser = values::rule_id)]
    pub id: String,
}

/// Options of `redact`.
#[derive(Debug, Args)]
pub struct RedactArgs {
    /// The log; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// What to take out
    #[arg(long, value_name = "MODE", default_value = "secrets", value_parser = values::redaction())]
    pub redact: redact::Mode,
}

/// Options of `schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Of what
    #[arg(value_name = "WHAT")]
    pub what: SchemaOf,
}

/// What has a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// The JSON report
    Report,
    /// A line of `events`: an event, a log, or a path that was not read
    Event,
    /// A rule file
    Rule,
}

/// Options of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}
