//! Turns diagnoses into the report: quotes the evidence, computes the figures, fills in the fix.
//!
//! It decides nothing; it redacts everything that came from a log.

use super::{
    Also, Evidence, Inputs, Report, ReportContainer, ReportFix, ReportKernel, ReportNote, ReportSource,
    ReportStep, SCHEMA, Skipped, Tool, Verdict, coverage, curve::Curves, directory::Directory,
};
use crate::{
    diagnosis::{Diagnoses, Diagnosis, Match, Part, Witness},
    event::{Event, Value},
    incident::{Incidents, Link},
    language::{Language, Messages, flowing},
    note::Note,
    redact::{Redacted, Redactor},
    rule::{Layer, TIME_FIELD, Texts},
    stamp::SECOND,
    timeline::{Certainty, Domain, Moment, Source, Timeline, rfc3339},
};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fmt::Write as _};

/// The most lines quoted for one verdict.
const MOST_EVIDENCE: usize = 8;
/// Commands that ask for logs ask for this long before and after the death.
const AROUND: i64 = 300 * SECOND;

/// What a report is built from.
pub struct Builder<'a> {
    /// The timeline.
    pub timeline: &'a Timeline,
    /// The incidents.
    pub incidents: &'a Incidents,
    /// Takes secrets out.
    pub redactor: &'a Redactor,
    /// The language of what rules say.
    pub language: Language,
    directory: Directory,
    curves: Curves,
}

impl<'a> Builder<'a> {
    /// Prepares to build a report.
    pub fn new(
        timeline: &'a Timeline,
        incidents: &'a Incidents,
        redactor: &'a Redactor,
        language: Language,
    ) -> Self {
        Self {
            timeline,
            incidents,
            redactor,
            language,
            directory: Directory::new(timeline),
            curves: Curves::new(timeline),
        }
    }
}

impl Builder<'_> {
    /// Builds the report.
    pub fn report(&self, inputs: Inputs, diagnoses: &Diagnoses<'_>, notes: &[Note]) -> Report {
        Report {
            schema: SCHEMA.to_owned(),
            tool: Tool { name: "kerneldoc".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
            partition: None,
            inputs,
            deaths: diagnoses.deaths.iter().map(|death| self.verdict(death)).collect(),
            findings: diagnoses.findings.iter().map(|finding| self.verdict(finding)).collect(),
            notes: notes.iter().map(|note| self.note(note)).collect(),
        }
    }

    /// What was read.
    pub fn inputs(&self, bytes: u64, lines: u64, skipped: &[(String, String)]) -> Inputs {
        let sources = &self.timeline.sources;
        Inputs {
            files: sources.len() as u64,
            bytes,
            lines,
            events: sources.iter().map(|source| source.events).sum(),
            sources: sources.iter().map(|source| self.source(source)).collect(),
            skipped: skipped
                .iter()
                .map(|(path, reason)| Skipped { path: self.redact(path), reason: self.redact(reason) })
                .collect(),
        }
    }

    pub(super) fn redact(&self, text: &str) -> Redacted {
        self.redactor.redact(text)
    }

    /// The words of the report's language.
    pub(super) fn messages(&self) -> &'static Messages {
        self.language.messages()
    }

    fn note(&self, note: &Note) -> ReportNote {
        let path = (!note.path.is_empty()).then(|| self.redact(&note.path));
        ReportNote { path, line: note.line, text: self.redact(&note.text) }
    }

    fn source(&self, source: &Source) -> ReportSource {
        let best = source.domains.first();
        let time = |micros: i64| self.timeline.show(micros);
        ReportSource {
            path: self.redact(&source.path),
            kind: source.kind.clone(),
            events: source.events,
            first: source.covers.and_then(|(first, _)| time(first)),
            last: source.covers.and_then(|(_, last)| time(last)),
            clock: best.map(clock),
            clock_basis: best.filter(|domain| !domain.basis.is_empty()).map(|domain| domain.basis.clone()),
        }
    }

    /// One death or finding.
    fn verdict(&self, diagnosis: &Diagnosis<'_>) -> Verdict {
        let rule = diagnosis.cause.rule;
        let texts = rule.texts(self.language);
        let words = Words::new(self, diagnosis);
        let summaries = texts.summary.iter().flat_map(|summary| summary.lines());
        let summary = summaries.into_iter().find_map(|summary| words.render(&summary));
        Verdict {
            id: self.id(diagnosis),
            fingerprint: words.fingerprint(),
            time: words.time.and_then(|time| self.timeline.show(time)),
            layer: rule.layer.word().to_owned(),
            cause: rule.id.clone(),
            title: texts.title.to_owned(),
            confidence: diagnosis.cause.confidence.word().to_owned(),
            summary: self.redact(summary.as_deref().unwrap_or(texts.title)),
            why: Some(flowing(texts.why)),
            count: (diagnosis.count > 1).then_some(diagnosis.count),
            kernel: words.kernel(self),
            container: words.container(self),
            host: words.text("host").map(|host| self.redact(&host)),
            user: words.text("user").map(|user| self.redact(&user)),
            notebook: words.text("notebook").map(|notebook| self.redact(&notebook)),
            facts: words.facts_json(self),
            evidence: self.evidence(diagnosis),
            memory: self.curves.of(self.timeline, self.incidents, diagnosis, words.time),
            fix: Some(self.fix(diagnosis, &texts, &words)),
            also: diagnosis.also.iter().map(|(part, other)| also(*part, other, self.language)).collect(),
            missing: coverage::missing(self, diagnosis, &words),
            silent: coverage::silent(self, diagnosis, &words),
            known: None,
        }
    }

    /// Names this occurrence.
    fn id(&self, diagnosis: &Diagnosis<'_>) -> String {
        let sign = diagnosis.incident.signs.first().and_then(|sign| self.timeline.moments.get(*sign));
        let place = sign
            .map(|sign| (self.timeline.path(&sign.record), sign.record.at.line, sign.record.text.as_str()));
        let (path, line, text) = place.unwrap_or_default();
        // Without secrets, so that the id is the same where the events came redacted, and gives nothing away.
        let public = |text: &str| Redactor::default().redact(text);
        hash(&[&diagnosis.cause.rule.id, public(path).as_str(), &line.to_string(), public(text).as_str()])
    }

    /// The lines that say so: the main one, then the others by how they are tied and by time.
    fn evidence(&self, diagnosis: &Diagnosis<'_>) -> Vec<Evidence> {
        let incident = &diagnosis.incident;
        // A cause that is inferred from silence alone has no main record: there the death itself comes first.
        let fallback = diagnosis.cause.rule.fallback;
        let mut witnesses = if fallback { Vec::new() } else { diagnosis.cause.witnesses.clone() };
        let more = incident.signs.iter().chain(&incident.claimed);
        for moment in more {
            if diagnosis.death && !witnesses.iter().any(|witness| witness.moment == *moment) {
                let window = (i64::MIN / 4, i64::MAX / 4);
                let link =
                    self.incidents.link(self.timeline, incident, *moment, window).unwrap_or(Link::TimeOnly);
                witnesses.push(Witness { moment: *moment, link });
            }
        }
        if fallback {
            let signs: Vec<usize> = witnesses.iter().map(|witness| witness.moment).collect();
            let others = diagnosis.cause.witnesses.iter();
            witnesses.extend(others.filter(|witness| !signs.contains(&witness.moment)).copied());
        }
        if let Some(others) = witnesses.get_mut(1..) {
            others.sort_by_key(|witness| (std::cmp::Reverse(witness.link), witness.moment));
        }
        witnesses.truncate(MOST_EVIDENCE);
        witnesses
            .iter()
            .filter_map(|witness| Some(self.quote(self.timeline.moments.get(witness.moment)?, witness.link)))
            .collect()
    }

    /// One line, quoted.
    fn quote(&self, moment: &Moment, link: Link) -> Evidence {
        let record = &moment.record;
        Evidence {
            path: self.redact(self.timeline.path(record)),
            line: record.at.line,
            time: moment.when.filter(|_| record.exact).and_then(|when| self.timeline.show(when.earliest)),
            layer: layer_of(&record.event).word().to_owned(),
            event: record.event.kind().name.to_owned(),
            link: link.words().to_owned(),
            count: (record.count > 1).then_some(record.count),
            text: self.redact(&record.text),
        }
    }

    fn fix(&self, diagnosis: &Diagnosis<'_>, texts: &Texts<'_>, words: &Words<'_>) -> ReportFix {
        let rule = diagnosis.cause.rule;
        let steps = rule.fix.steps.iter().zip(&texts.steps).filter_map(|(step, text)| {
            let text = words.render(text)?;
            let command = step.command.as_ref().map(|command| words.command(command));
            // A step whose command needs a figure nobody knows is still worth its text.
            Some(ReportStep {
                text: self.redact(&text),
                command: command.flatten().map(|command| self.redact(&command)),
            })
        });
        ReportFix {
            summary: self.redact(texts.fix),
            steps: steps.collect(),
            references: rule.references.clone(),
        }
    }
}

/// How a clock was put on the common one.
fn clock(domain: &Domain) -> String {
    let Some(offset) = domain.offset else {
        return format!("{}: not on the common clock", domain.clock.word());
    };
    match domain.clock {
        crate::stamp::ClockKind::Zoned => "UTC".to_owned(),
        crate::stamp::ClockKind::Boot => {
            format!(
                "boot+{}",
                rfc3339(offset.div_euclid(SECOND) * SECOND).unwrap_or_else(|| offset.to_string())
            )
        }
        other => {
            let day = 86_400 * SECOND;
            let east = -(offset - (offset + day / 2).div_euclid(day) * day) / SECOND;
            let sign = if east < 0 { '-' } else { '+' };
            let assumed = if domain.certainty == Certainty::Assumed { ", assumed" } else { "" };
            format!("{}{sign}{:02}:{:02}{assumed}", other.word(), east.abs() / 3600, east.abs() % 3600 / 60)
        }
    }
}

/// Another cause.
fn also(part: Part, other: &Match<'_>, language: Language) -> Also {
    let role = match part {
        Part::Symptom => "symptom",
        Part::Alternative => "alternative",
    };
    Also {
        layer: other.rule.layer.word().to_owned(),
        cause: other.rule.id.clone(),
        confidence: other.confidence.word().to_owned(),
        role: role.to_owned(),
        title: Some(other.rule.texts(language).title.to_owned()),
    }
}

/// The layer an event speaks of.
fn layer_of(event: &Event) -> Layer {
    match event.kind().name.split('.').next().unwrap_or_default() {
        "frontend" => Layer::Frontend,
        "server" | "hub" => Layer::Server,
        "gpu" => Layer::Cuda,
        "kernel" | "runner" | "editor" | "python" | "native" | "worker" | "code" => Layer::Kernel,
        _ => Layer::Host,
    }
}

/// The first half of a SHA-256 over some texts, in hex.
fn hash(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part.as_bytes());
    }
    let mut hex = String::new();
    for byte in digest.finalize().iter().take(8) {
        // Writing into a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// What the templates of a rule may speak of.
pub(super) struct Words<'a> {
    builder: &'a Builder<'a>,
    diagnosis: &'a Diagnosis<'a>,
    /// When it happened.
    time: Option<i64>,
    names: BTreeMap<&'static str, Value>,
    facts: Vec<(String, Value)>,
}

impl<'a> Words<'a> {
    fn new(builder: &'a Builder<'a>, diagnosis: &'a Diagnosis<'a>) -> Self {
        let mut words = Self {
            builder,
            diagnosis,
            time: diagnosis.time(builder.timeline),
            names: BTreeMap::new(),
            facts: Vec::new(),
        };
        words.time = words.time.or_else(|| words.given_up());
        words.gather();
        for (name, expression) in &diagnosis.cause.rule.facts {
            let known = |name: &str| {
                let fact = words.facts.iter().find(|(fact, _)| fact == name).map(|(_, value)| value.clone());
                fact.or_else(|| words.names.get(name).cloned())
            };
            if let Some(value) = expression.value(&|kind, field| words.field(kind, field), &known) {
                words.facts.push((name.clone(), value));
            }
        }
        words
    }

    /// Where a runner's log has no times: when it gave the notebook's cell up.
    fn given_up(&self) -> Option<i64> {
        let mut moments = self.moments().filter(|_| self.diagnosis.death);
        let seconds = moments.find_map(|moment| moment.record.event.integer("ended_epoch_seconds"));
        seconds.map(|seconds| seconds.saturating_mul(SECOND))
    }

    /// The moments that speak: the evidence first, then the signs and what was claimed.
    pub(super) fn moments(&self) -> impl Iterator<Item = &'a Moment> + '_ {
        let incident = &self.diagnosis.incident;
        let evidence = self.diagnosis.cause.witnesses.iter().map(|witness| witness.moment);
        let all = evidence.chain(incident.claimed.iter().copied()).chain(incident.signs.iter().copied());
        all.filter_map(|index| self.builder.timeline.moments.get(index))
    }

    /// Collects the names that every template may use.
    fn gather(&mut self) {
        let everyone = self.diagnosis.incident.everyone();
        let owner =
            |kind: &str| everyone.owners.iter().find_map(|owner| owner.strip_prefix(kind).map(str::to_owned));
        let first =
            |names: &std::collections::BTreeSet<String>| names.iter().max_by_key(|name| name.len()).cloned();
        let mut texts = vec![
            ("kernel_id", first(&everyone.kernels)),
            ("container_id", first(&everyone.containers)),
            ("container_name", first(&everyone.container_names)),
            ("host", first(&everyone.hosts)),
            ("user", owner("user:")),
            ("unit", owner("unit:")),
            ("job", owner("job:")),
            (
                "notebook",
                owner("notebook:")
                    .or_else(|| self.builder.directory.only_notebook(self.diagnosis.incident.source)),
            ),
        ];
        for field in ["image", "gpu", "process"] {
            texts.push((field, self.moments().find_map(|moment| moment.record.event.text(field))));
        }
        for (name, text) in texts {
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                self.names.insert(name, Value::Text(text));
            }
        }
        for name in ["container_name", "image"] {
            let details =
                self.text("container_id").and_then(|id| self.builder.directory.container(&id, name));
            if let Some(text) = details {
                self.names.entry(name).or_insert(Value::Text(text));
            }
        }
        let short = self.text("container_id").map(|id| id.chars().take(12).collect());
        if let Some(container) = self.text("container_name").or(short) {
            self.names.insert("container", Value::Text(container));
        }
        for field in ["pid", "exit_code"] {
            let number = self.moments().find_map(|moment| moment.record.event.integer(field));
            self.names.extend(number.map(|number| (field, Value::Integer(number))));
        }
        self.names.insert("count", Value::Integer(i64::try_from(self.diagnosis.count).unwrap_or(i64::MAX)));
        if let Some(time) = self.time.filter(|_| self.builder.timeline.dated) {
            self.names.insert("time", Value::Integer(time));
            self.names.insert("time_before", Value::Integer(time - AROUND));
            self.names.insert("time_after", Value::Integer(time + AROUND));
        }
    }

    /// A field of the first record of a kind that has it.
    fn field(&self, kind: &str, field: &str) -> Option<Value> {
        self.moments().filter(|moment| moment.record.event.kind().name == kind).find_map(|moment| match field
        {
            TIME_FIELD => self.time_of(moment),
            _ => moment.record.event.get(field),
        })
    }

    /// When something was logged, if the common clock has a date.
    fn time_of(&self, moment: &Moment) -> Option<Value> {
        moment.when.filter(|_| self.builder.timeline.dated).map(|when| Value::Integer(when.earliest))
    }

    fn lookup(&self, name: &str) -> Option<Value> {
        let fact = self.facts.iter().find(|(fact, _)| fact == name).map(|(_, value)| value.clone());
        fact.or_else(|| self.names.get(name).cloned())
    }

    fn text(&self, name: &str) -> Option<String> {
        self.names.get(name).and_then(|value| value.text().map(str::to_owned))
    }

    fn render(&self, template: &crate::rule::Template) -> Option<String> {
        template.render(&|name| self.lookup(name))
    }

    /// A command, with what came from a log quoted for a shell.
    pub(super) fn command(&self, template: &crate::rule::Template) -> Option<String> {
        template.render_command(&|name| self.lookup(name), self.zone_known())
    }

    /// Whether the zone of the death's time is known, and not only assumed.
    fn zone_known(&self) -> bool {
        let source = self.builder.timeline.sources.get(self.diagnosis.incident.source.0);
        let clock = source.and_then(|source| source.domains.first());
        clock.is_none_or(|clock| clock.certainty != Certainty::Assumed)
    }

    /// Names the cause at this place, on any day.
    fn fingerprint(&self) -> String {
        let place =
            ["notebook", "container_name", "user", "unit", "host"].iter().find_map(|name| self.text(name));
        format!("kd1-{}", hash(&[&self.diagnosis.cause.rule.id, &place.unwrap_or_default()]))
    }

    fn kernel(&self, builder: &Builder<'_>) -> Option<ReportKernel> {
        let id = self.text("kernel_id").map(|id| builder.redact(&id));
        let claimed = self.diagnosis.incident.claimed.iter().chain(&self.diagnosis.incident.signs);
        let mut moments = claimed.filter_map(|index| builder.timeline.moments.get(*index));
        let pid = moments.find_map(|moment| moment.record.event.integer("pid"));
        let name = builder.directory.kernel_name(self.diagnosis.incident.source, self.text("kernel_id"));
        let name =
            name.or_else(|| self.text("process").filter(|_| pid.is_some())).map(|name| builder.redact(&name));
        (id.is_some() || pid.is_some()).then_some(ReportKernel { id, pid, name })
    }

    fn container(&self, builder: &Builder<'_>) -> Option<ReportContainer> {
        let id = self.text("container_id").map(|id| builder.redact(&id));
        let name = self.text("container_name").map(|name| builder.redact(&name));
        let image = self.text("image").map(|image| builder.redact(&image));
        (id.is_some() || name.is_some()).then_some(ReportContainer { id, name, image })
    }

    fn facts_json(&self, builder: &Builder<'_>) -> serde_json::Map<String, serde_json::Value> {
        let facts = self.facts.iter().map(|(name, value)| (name.clone(), json(name, value, builder)));
        facts.collect()
    }
}

/// A fact as JSON: sizes are whole numbers.
fn json(name: &str, value: &Value, builder: &Builder<'_>) -> serde_json::Value {
    match value {
        Value::Integer(number) if name.ends_with("_time") => rfc3339(*number).into(),
        Value::Integer(number) => (*number).into(),
        Value::Number(number) if name.ends_with("_bytes") => crate::parse::prim::rounded(*number).into(),
        Value::Number(number) => {
            serde_json::Number::from_f64(*number).map_or(serde_json::Value::Null, Into::into)
        }
        Value::Text(text) => builder.redact(text).as_str().into(),
    }
}
