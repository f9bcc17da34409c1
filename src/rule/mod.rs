//! Rules: all knowledge of causes, one TOML file each. The engine knows no cause by name.
//!
//! It knows the event catalogue and the words of an incident; it knows no parser, no file and no output format.

mod clause;
mod entry;
mod expression;
mod fault;
mod filter;
mod load;
mod nearest;
mod page;
mod place;
mod raw;
mod scaffold;
mod set;
mod template;
mod texts;
mod token;
mod window;

pub use clause::{Clause, Operand, Operator};
pub use entry::builtin_texts;
pub use expression::{Expression, TIME_FIELD};
pub use fault::{Fault, Problem, render_faults, render_faults_of};
pub use filter::Filter;
pub use load::load;
pub use page::{Block, RulePage, Section, page};
pub use raw::rule_schema;
pub use scaffold::new_rule;
pub use set::{Candidates, RuleSet};
pub use template::{TEMPLATE_NAMES, Template};
pub use texts::{Texts, Translation};
pub use window::Window;

use crate::{event::Kind, incident::Link};

/// The layer that ended, or hurt, the kernel. In the order of the causal chain, outermost first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Browser, websocket, output limits: the kernel only looks dead.
    Frontend,
    /// Jupyter server, hub, proxy configuration, culling, start-up.
    Server,
    /// The Python process itself.
    Kernel,
    /// GPU memory, CUDA/ROCm/Metal, driver, GPU hardware.
    Cuda,
    /// OOM killers, container and scheduler limits, disks, hardware, reboots.
    Host,
}

impl Layer {
    /// All layers, outermost first.
    pub const ALL: [Self; 5] = [Self::Frontend, Self::Server, Self::Kernel, Self::Cuda, Self::Host];

    /// The word used in rule files, reports and folder names.
    pub fn word(self) -> &'static str {
        match self {
            Self::Frontend => "frontend",
            Self::Server => "server",
            Self::Kernel => "kernel",
            Self::Cuda => "cuda",
            Self::Host => "host",
        }
    }

    /// The layer of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| layer.word() == word)
    }
}

/// Whether a cause ends a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// Always: it is a death.
    Yes,
    /// Never: it is a finding.
    No,
    /// The evidence tells: the cause of a death when a kernel ended by it, else a finding.
    Either,
}

/// How a rule knows its cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// A record names the cause.
    Record,
    /// The cause is inferred from its effects or from silence: at most `possible`.
    Effect,
}

/// One cause: how it is recognised, why it happens, what to do.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The cause's id: the file's name.
    pub id: String,
    /// The layer: the folder's name.
    pub layer: Layer,
    /// What happened, in one line without a full stop.
    pub title: String,
    /// One or two sentences with the user's own numbers. Falls back to the title when a figure is missing.
    pub summary: Option<Template>,
    /// Whether it ends a kernel.
    pub ends: Ends,
    /// How the rule knows.
    pub basis: Basis,
    /// Takes a death that no other rule explains.
    pub fallback: bool,
    /// Causes that are only echoes or effects of this one.
    pub explains: Vec<String>,
    /// Why it happens, as an experienced person would tell it.
    pub why: String,
    /// All of these must be there. The first is what the rule is about.
    pub require: Vec<Condition>,
    /// At least one of these must be there, if there are any.
    pub any: Vec<Condition>,
    /// None of these may be there.
    pub refute: Vec<Condition>,
    /// Shown as evidence when there.
    pub support: Vec<Condition>,
    /// Figures computed from the evidence, in the order of the file.
    pub facts: Vec<(String, Expression)>,
    /// What to do.
    pub fix: Fix,
    /// Its texts in Simplified Chinese, where the file has them; [`Rule::texts`] chooses.
    pub chinese: Option<Translation>,
    /// Where it is documented.
    pub references: Vec<String>,
    /// Logs that would settle it, asked for when they are not there.
    pub missing: Vec<Missing>,
    /// The rule's own tests.
    pub tests: Vec<RuleTest>,
    /// The file it came from, as given to the loader.
    pub path: String,
    /// The file's text, for `rules show`.
    pub text: String,
}

/// Asks for an event near a death.
#[derive(Debug, Clone)]
pub struct Condition {
    /// The kind of event.
    pub event: &'static Kind,
    /// What must hold of its fields.
    pub clauses: Vec<Clause>,
    /// When, counted from the death.
    pub window: Window,
    /// The weakest link to the death that counts.
    pub link: Link,
    /// What its record is worth, if not what the rule says.
    pub basis: Option<Basis>,
    /// At least this many, repeated equal ones counted each. 1 if not given.
    pub count: u64,
    /// What must be there as well for it to hold.
    pub with: Vec<Condition>,
    /// The span to be shown in messages: the condition as written.
    pub text: String,
}

/// What to do.
#[derive(Debug, Clone, Default)]
pub struct Fix {
    /// In one sentence.
    pub summary: String,
    /// Step by step, the most useful first. A step whose figures are not known is left out.
    pub steps: Vec<Step>,
}

/// One step of a fix.
#[derive(Debug, Clone)]
pub struct Step {
    /// What to do.
    pub text: Template,
    /// The command that does it.
    pub command: Option<Template>,
}

/// A log that is not there and would help.
#[derive(Debug, Clone)]
pub struct Missing {
    /// What it is.
    pub source: String,
    /// Not asked for if one of these source kinds was given.
    pub unless: Vec<String>,
    /// The command that gets it.
    pub command: Template,
}

/// What a rule's own test expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expectation {
    /// The rule is the verdict on a death, with all rules loaded.
    Cause,
    /// The rule is reported as a finding.
    Finding,
    /// The rule matches a death or finding, but another rule explains it.
    Explained,
    /// The rule says nothing.
    Silent,
}

/// A rule's own test: raw logs and what is expected of them.
#[derive(Debug, Clone)]
pub struct RuleTest {
    /// What it shows.
    pub name: String,
    /// What is expected.
    pub expect: Expectation,
    /// Why the rule must be silent: which rule owns it, or what it is.
    pub because: Option<String>,
    /// The logs: name and text.
    pub logs: Vec<(String, String)>,
}
