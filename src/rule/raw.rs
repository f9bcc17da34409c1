//! A rule file as TOML gives it: words and texts with their places, nothing checked yet but the keys.
//!
//! The published JSON Schema of the rule format comes from here, so the comments are written for its readers.

use schemars::JsonSchema;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use std::{collections::BTreeMap, fmt};
use toml::Spanned;

/// A text and where it stands.
pub(super) type Text = Spanned<String>;

/// One cause of a kernel's death, or of trouble that looks like one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRule {
    /// The cause, in words joined by hyphens. Equals the file's name.
    #[schemars(with = "String", regex(pattern = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"))]
    pub(super) id: Option<Text>,
    /// Who ended the kernel. Equals the folder's name.
    #[schemars(with = "String", extend("enum" = ["frontend", "server", "kernel", "cuda", "host"]))]
    pub(super) layer: Option<Text>,
    /// What happened, in one line without a full stop.
    #[schemars(with = "String")]
    pub(super) title: Option<Text>,
    /// What happened, with the user's own figures: a template over the facts. Of several lines the first whose figures
    /// are known is taken.
    #[schemars(with = "Option<String>", extend("type" = "string"))]
    pub(super) summary: Option<Text>,
    /// Whether it ends a kernel: always (a death), never (a finding), or as the evidence tells.
    #[schemars(with = "String", extend("enum" = ["yes", "no", "either"]))]
    pub(super) ends: Option<Text>,
    /// How the rule knows: a record names the cause, or it is inferred from effects (at most `possible`).
    #[schemars(with = "String", extend("enum" = ["record", "effect"]))]
    pub(super) basis: Option<Text>,
    /// Takes a death that no other rule explains.
    #[serde(default)]
    pub(super) fallback: bool,
    /// Ids of causes that are only echoes or effects of this one.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) explains: Vec<Text>,
    /// Why it happens, as an experienced person would tell it.
    #[schemars(with = "String")]
    pub(super) why: Option<Text>,
    /// Where it is documented.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) references: Vec<Text>,
    /// All of these must be there; the first is what the rule is about.
    #[serde(default)]
    #[schemars(with = "Vec<RawCondition>")]
    pub(super) require: Vec<Spanned<RawCondition>>,
    /// At least one of these must be there.
    #[serde(default)]
    #[schemars(with = "Vec<RawCondition>")]
    pub(super) any: Vec<Spanned<RawCondition>>,
    /// None of these may be there.
    #[serde(default)]
    #[schemars(with = "Vec<RawCondition>")]
    pub(super) refute: Vec<Spanned<RawCondition>>,
    /// Shown as evidence when there.
    #[serde(default)]
    #[schemars(with = "Vec<RawCondition>")]
    pub(super) support: Vec<Spanned<RawCondition>>,
    /// Figures computed from the evidence: a name and an expression each.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, String>")]
    pub(super) facts: Ordered,
    /// What to do.
    #[schemars(with = "RawFix")]
    pub(super) fix: Option<Spanned<RawFix>>,
    /// Logs that would settle it, asked for when they are not there.
    #[serde(default)]
    #[schemars(with = "Vec<RawMissing>")]
    pub(super) missing: Vec<Spanned<RawMissing>>,
    /// The rule's texts in other languages.
    #[serde(default)]
    #[schemars(with = "RawTexts")]
    pub(super) text: Option<RawTexts>,
    /// The rule's own tests.
    #[serde(default)]
    #[schemars(with = "Vec<RawTest>")]
    pub(super) test: Vec<Spanned<RawTest>>,
}

/// Asks for an event near a death.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Condition")]
pub(super) struct RawCondition {
    /// The kind of event, out of the catalogue.
    #[schemars(with = "String")]
    pub(super) event: Option<Text>,
    /// What must hold of its fields, all together: `scope == 'memcg'`.
    #[serde(default, rename = "where")]
    #[schemars(with = "Vec<String>")]
    pub(super) clauses: Vec<Text>,
    /// When, counted from the death: `-15s..2s`, `start..5s`. Default `-120s..5s`.
    #[schemars(with = "Option<String>", extend("type" = "string"))]
    pub(super) window: Option<Text>,
    /// The weakest link to the death that counts. Default `time only`.
    #[schemars(with = "Option<String>",
        extend("type" = "string"), extend("enum" = ["time only", "same file", "same owner", "same container", "same process", "same kernel"]))]
    pub(super) link: Option<Text>,
    /// What its record is worth, if not what the rule's `basis` says.
    #[schemars(with = "Option<String>", extend("type" = "string"), extend("enum" = ["record", "effect"]))]
    pub(super) basis: Option<Text>,
    /// At least this many. Default 1.
    #[schemars(with = "Option<u64>", range(min = 1), extend("type" = "integer"))]
    pub(super) count: Option<Spanned<u64>>,
    /// What must be there as well for this condition to hold.
    #[serde(default)]
    #[schemars(with = "Vec<RawCondition>")]
    pub(super) with: Vec<Spanned<Self>>,
}

/// What to do.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Fix")]
pub(super) struct RawFix {
    /// In one sentence.
    #[schemars(with = "String")]
    pub(super) summary: Option<Text>,
    /// Step by step, the most useful first.
    #[serde(default)]
    #[schemars(with = "Vec<RawStep>")]
    pub(super) step: Vec<Spanned<RawStep>>,
}

/// One step of a fix. It is left out when a figure in it is not known.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Step")]
pub(super) struct RawStep {
    /// What to do: a template.
    #[schemars(with = "String")]
    pub(super) text: Option<Text>,
    /// The command that does it: a template.
    #[schemars(with = "Option<String>", extend("type" = "string"))]
    pub(super) command: Option<Text>,
}

/// A log that would help.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Missing")]
pub(super) struct RawMissing {
    /// What it is.
    #[schemars(with = "String")]
    pub(super) source: Option<Text>,
    /// Not asked for if one of these source kinds was given.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) unless: Vec<Text>,
    /// The command that gets it: a template.
    #[schemars(with = "String")]
    pub(super) command: Option<Text>,
}

/// The languages besides English.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Texts")]
pub(super) struct RawTexts {
    /// Simplified Chinese.
    #[serde(default)]
    #[schemars(with = "RawTranslation")]
    pub(super) zh: Option<Spanned<RawTranslation>>,
}

/// The texts of a rule in another language. What is left out is told in English.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Translation")]
pub(super) struct RawTranslation {
    /// The title.
    #[schemars(with = "Option<String>", extend("type" = "string"))]
    pub(super) title: Option<Text>,
    /// The summary, there exactly when the rule has one: as many lines, each with the same placeholders.
    #[schemars(with = "Option<String>", extend("type" = "string"))]
    pub(super) summary: Option<Text>,
    /// Why it happens.
    #[schemars(with = "Option<String>", extend("type" = "string"))]
    pub(super) why: Option<Text>,
    /// The summary of the fix.
    #[schemars(with = "Option<String>", extend("type" = "string"))]
    pub(super) fix: Option<Text>,
    /// The text of each step of the fix, in their order, with the same placeholders.
    #[schemars(with = "Option<Vec<String>>", extend("type" = "array"))]
    pub(super) steps: Option<Spanned<Vec<Text>>>,
}

/// A test: raw logs and what is expected of them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Test")]
pub(super) struct RawTest {
    /// What it shows.
    #[schemars(with = "String")]
    pub(super) name: Option<Text>,
    /// The verdict on a death, a finding, a match that another rule explains, or nothing.
    #[schemars(with = "String", extend("enum" = ["cause", "finding", "explained", "silent"]))]
    pub(super) expect: Option<Text>,
    /// Why the rule must be silent; needed for `silent`.
    #[schemars(with = "Option<String>", extend("type" = "string"))]
    pub(super) because: Option<Text>,
    /// The logs: file name and text.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, String>")]
    pub(super) logs: Ordered,
}

/// A table of texts in the order of the file. TOML's own tables have none, but keys know their place.
#[derive(Debug, Default)]
pub(super) struct Ordered(pub(super) Vec<(Text, Text)>);

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OrderedVisitor)
    }
}

struct OrderedVisitor;

impl<'de> Visitor<'de> for OrderedVisitor {
    type Value = Ordered;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of texts")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry::<Text, Text>()? {
            entries.push(entry);
        }
        entries.sort_by_key(|(key, _)| key.span().start);
        Ok(Ordered(entries))
    }
}

/// The JSON Schema of the rule format, for editors and for `schema rule`.
pub fn rule_schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(RawRule);
    schema.insert("title".to_owned(), "kerneldoc rule".into());
    schema.to_value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_file_is_kept() {
        let text = "[facts]\nzebra = \"1\"\nape = \"2\"\nmouse = \"3\"\n";
        let raw: RawRule = toml::from_str(text).unwrap();
        let names: Vec<_> = raw.facts.0.iter().map(|(name, _)| name.get_ref().as_str()).collect();
        assert_eq!(names, ["zebra", "ape", "mouse"]);
    }

    #[test]
    fn the_schema_names_what_is_required() {
        let schema = rule_schema();
        let required = schema["required"].to_string();
        for name in ["id", "layer", "title", "ends", "basis", "why", "fix"] {
            assert!(required.contains(&format!("\"{name}\"")), "{name}: {schema:#}");
        }
        assert!(!required.contains("summary") && !required.contains("explains"), "{required}");
    }
}
