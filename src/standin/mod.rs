//! STAND-INS, to be deleted in the merge: modules that others write at the same time, as far as the rim calls them.
//!
//! The merge removes this folder and the `pub use standin::…` line of `lib.rs` and declares the real modules instead;
//! nothing else changes, because everything is called by its real path (`crate::rule::RuleSet` …).

#![expect(
    missing_docs,
    clippy::needless_pass_by_value,
    clippy::format_collect,
    reason = "deleted in the merge"
)]

pub mod diagnosis {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
    pub enum Confidence {
        #[default]
        Possible,
        Probable,
        Confirmed,
    }
    impl Confidence {
        pub const ALL: [Self; 3] = [Self::Possible, Self::Probable, Self::Confirmed];
        pub fn word(self) -> &'static str {
            match self {
                Self::Possible => "possible",
                Self::Probable => "probable",
                Self::Confirmed => "confirmed",
            }
        }
        pub fn from_word(word: &str) -> Option<Self> {
            Self::ALL.into_iter().find(|confidence| confidence.word() == word)
        }
    }
}

pub mod pipeline {
    use super::{diagnosis::Confidence, rule::RuleSet};
    use crate::{
        extract::Extract,
        redact::{self, Redactor},
        report::{Inputs, Report, ReportSource, SCHEMA, Skipped, Tool},
    };

    #[derive(Debug, Clone, Default)]
    pub struct Settings {
        pub timezones: Vec<(Option<String>, i64)>,
        pub boot_time: Option<i64>,
        pub since: Option<i64>,
        pub until: Option<i64>,
        pub kernel: Option<String>,
        pub select: Vec<String>,
        pub ignore: Vec<String>,
        pub min_confidence: Confidence,
        pub redaction: redact::Mode,
    }

    pub fn judge(
        extracts: Vec<Extract>,
        skipped: &[(String, String)],
        _: &RuleSet,
        settings: &Settings,
    ) -> Report {
        let redactor = Redactor::new(settings.redaction);
        let source = |extract: &Extract| ReportSource {
            path: redactor.redact(&extract.path),
            kind: extract.kind.clone(),
            events: extract.records.len() as u64,
            first: None,
            last: None,
            clock: None,
            clock_basis: None,
        };
        let inputs = Inputs {
            files: extracts.len() as u64,
            bytes: extracts.iter().map(|extract| extract.bytes).sum(),
            lines: extracts.iter().map(|extract| extract.lines).sum(),
            events: extracts.iter().map(|extract| extract.records.len() as u64).sum(),
            sources: extracts.iter().map(source).collect(),
            skipped: skipped
                .iter()
                .map(|(path, reason)| Skipped {
                    path: redactor.redact(path),
                    reason: redactor.redact(reason),
                })
                .collect(),
        };
        let tool = Tool { name: "kerneldoc".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() };
        Report { schema: SCHEMA.to_owned(), tool, inputs, deaths: vec![], findings: vec![], notes: vec![] }
    }
}

pub mod rule {
    use std::ops::Range;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Layer {
        Frontend,
        Server,
        Kernel,
        Cuda,
        Host,
    }
    impl Layer {
        pub const ALL: [Self; 5] = [Self::Frontend, Self::Server, Self::Kernel, Self::Cuda, Self::Host];
        pub fn word(self) -> &'static str {
            ["frontend", "server", "kernel", "cuda", "host"][self as usize]
        }
        pub fn from_word(word: &str) -> Option<Self> {
            Self::ALL.into_iter().find(|layer| layer.word() == word)
        }
    }
    #[derive(Debug, Clone)]
    pub struct Rule {
        pub id: String,
        pub layer: Layer,
        pub title: String,
        pub tests: Vec<()>,
        pub path: String,
        pub text: String,
    }
    #[derive(Debug, Clone)]
    pub struct Fault {
        pub path: String,
        pub span: Range<usize>,
        pub message: String,
        pub help: Option<String>,
    }
    pub fn render_faults_of(faults: &[Fault], _: &[(String, String)], _: bool) -> String {
        faults.iter().map(|fault| format!("error: {}: {}\n", fault.path, fault.message)).collect()
    }
    #[derive(Debug, Clone, Default)]
    pub struct RuleSet {
        rules: Vec<Rule>,
    }
    impl RuleSet {
        pub fn builtin() -> Result<Self, Vec<Fault>> {
            Ok(Self::default())
        }
        pub fn with(mut self, texts: Vec<(String, String)>) -> Result<Self, Vec<Fault>> {
            for (path, text) in &texts {
                if !text.contains("id =") {
                    let message = "no id".to_owned();
                    return Err(vec![Fault { path: path.clone(), span: 0..0, message, help: None }]);
                }
                let id = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".toml").to_owned();
                let (title, text) = (id.clone(), text.clone());
                self.rules.push(Rule {
                    id,
                    layer: Layer::Kernel,
                    title,
                    tests: vec![],
                    path: path.clone(),
                    text,
                });
            }
            Ok(self)
        }
        pub fn get(&self, id: &str) -> Option<&Rule> {
            self.rules.iter().find(|rule| rule.id == id)
        }
        pub fn iter(&self) -> impl Iterator<Item = &Rule> {
            self.rules.iter()
        }
    }
    pub fn builtin_texts() -> Vec<(String, String)> {
        Vec::new()
    }
    pub fn page(rule: &Rule, _: &RuleSet) -> String {
        format!("# {}\n", rule.title)
    }
    pub fn new_rule(layer: Layer, id: &str) -> String {
        format!("id = \"{id}\"\nlayer = \"{}\"\n", layer.word())
    }
    pub fn rule_schema() -> serde_json::Value {
        serde_json::json!({ "title": "Rule" })
    }
}

pub mod selftest {
    use super::rule::{Rule, RuleSet};
    pub fn run(_: &Rule, _: &RuleSet) -> Vec<(String, Result<(), String>)> {
        Vec::new()
    }
}

pub mod discover {
    use std::path::PathBuf;
    #[derive(Debug, Default)]
    pub struct Discovery {
        pub files: Vec<PathBuf>,
        pub skipped: Vec<(String, String)>,
        pub missing: Vec<Missing>,
    }
    #[derive(Debug)]
    pub struct Missing {
        pub path: PathBuf,
        pub cause: String,
    }
    pub fn discover(paths: &[PathBuf]) -> Discovery {
        let mut found = Discovery::default();
        for path in paths {
            if path.as_os_str() == "-" || path.is_file() {
                found.files.push(path.clone());
            } else if path.is_dir() {
                let mut inner: Vec<_> = std::fs::read_dir(path)
                    .into_iter()
                    .flatten()
                    .flatten()
                    .map(|entry| entry.path())
                    .collect();
                inner.sort();
                let deeper = discover(&inner);
                found.files.extend(deeper.files);
                found.skipped.extend(deeper.skipped);
                found.missing.extend(deeper.missing);
            } else {
                found
                    .missing
                    .push(Missing { path: path.clone(), cause: "no such file or folder".to_owned() });
            }
        }
        found
    }
}

pub mod open {
    use std::io::Read;
    #[derive(Debug, Default)]
    pub struct Limits {
        pub members: usize,
    }
    pub enum Opened<'a> {
        Text { path: &'a str, reader: &'a mut dyn Read },
        Skipped { path: &'a str, reason: &'a str },
    }
    pub fn open(name: &str, mut reader: Box<dyn Read>, _: &Limits, take: &mut dyn FnMut(Opened<'_>)) {
        if name.is_empty() {
            take(Opened::Skipped { path: name, reason: "binary" });
        } else {
            take(Opened::Text { path: name, reader: &mut reader });
        }
    }
}
