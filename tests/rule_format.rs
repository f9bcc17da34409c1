//! The rule format, its schema and its page in `docs/` say the same.

use kerneldoc::language::Language;
use kerneldoc::rule::{
    Filter, Layer, Operator, RuleSet, TEMPLATE_NAMES, load, new_rule, render_faults, rule_schema,
};

const DOCS: &str = include_str!("../docs/writing-rules.md");

#[test]
fn the_documented_rule_loads() {
    let (_, rest) = DOCS.split_once("```toml\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let faults = load("rules/host/scratch-disk-full.toml", example).err().unwrap_or_default();
    assert!(faults.is_empty(), "{}", render_faults(&faults, example, false));
}

/// Users' own rules may speak one language; those that come along speak both, each in its own punctuation.
#[test]
fn every_rule_speaks_both_languages() {
    let mixed = regex::Regex::new(r"\p{Han}[,;:!?]|[,;!?]\p{Han}|\p{Han}\.(\s|$)").unwrap();
    let mut faults = Vec::new();
    for rule in RuleSet::builtin().unwrap().iter() {
        if !rule.speaks(Language::Chinese) {
            faults.push(format!("{} lacks a Chinese text", rule.path));
            continue;
        }
        let texts = rule.texts(Language::Chinese);
        // A summary may be nothing but the log's own message.
        let said = [texts.title, texts.why, texts.fix].map(str::to_owned);
        let foreign = said.iter().find(|text| !text.chars().any(|c| c > '\u{2e80}')).cloned();
        let outlines = texts.steps.iter().chain(&texts.summary).map(|template| template.outline());
        let odd = said.clone().into_iter().chain(outlines).filter(|text| mixed.is_match(text)).chain(foreign);
        faults.extend(odd.map(|text| format!("{}: {text}", rule.path)));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_docs_name_everything() {
    let schema = rule_schema();
    let keys = schema["properties"].as_object().unwrap().keys().map(String::as_str);
    let names = keys.chain(TEMPLATE_NAMES.map(|(name, _)| name)).chain(Filter::ALL.map(Filter::word));
    for name in names.chain(Layer::ALL.map(Layer::word)) {
        let shown = [format!("`{name}`"), format!("[{name}]")].iter().any(|shown| DOCS.contains(shown));
        assert!(shown, "docs/writing-rules.md does not tell of `{name}`");
    }
    for operator in Operator::ALL {
        assert!(
            DOCS.contains(operator.sign()),
            "docs/writing-rules.md does not tell of `{}`",
            operator.sign()
        );
    }
}

#[test]
fn the_schema_accepts_what_the_loader_accepts() {
    let validator = jsonschema::validator_for(&rule_schema()).unwrap();
    assert!(!rule_schema().to_string().contains("\"null\""), "TOML has no null");
    let read = |text: &str| toml::from_str::<serde_json::Value>(text).unwrap();
    for rule in RuleSet::builtin().unwrap().iter() {
        let errors: Vec<_> =
            validator.iter_errors(&read(&rule.text)).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", rule.path);
    }
    let text = new_rule(Layer::Host, "disk-full");
    assert!(validator.is_valid(&read(&text)));
    for (from, to) in [("basis  ", "bases  "), ("\"yes\"", "\"sure\""), ("count  = 1", "count = 0")] {
        assert!(!validator.is_valid(&read(&text.replacen(from, to, 1))), "{from}");
    }
}
