//! Generated pages are what the code would generate now; `KERNELDOC_BLESS=1` writes them anew. Sample reports and
//! events obey the published schemas.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use kerneldoc::{
    cli::SchemaOf,
    commands::{catalogue_page, schema_text},
};
use std::{env, fs};

#[track_caller]
fn fresh(path: &str, text: &str) {
    if env::var_os("KERNELDOC_BLESS").is_some() {
        fs::write(path, text).unwrap();
    }
    let there = fs::read_to_string(path).unwrap_or_default();
    assert!(there == text, "{path} is stale: KERNELDOC_BLESS=1 cargo test --test docs writes it anew");
}

#[test]
fn generated_pages_are_fresh() {
    fresh("docs/report.schema.json", &schema_text(SchemaOf::Report));
    fresh("docs/event.schema.json", &schema_text(SchemaOf::Event));
    fresh("docs/events.md", &catalogue_page());
}

#[test]
fn sample_reports_obey_the_schema() {
    let schema = serde_json::from_str(&schema_text(SchemaOf::Report)).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut samples = 0;
    for entry in fs::read_dir("fixtures/reports").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|end| end != "json") {
            continue;
        }
        let sample = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let faults: Vec<_> = validator.iter_errors(&sample).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{}: {faults:?}", path.display());
        samples += 1;
    }
    assert!(samples > 0);
    assert!(!validator.is_valid(&serde_json::json!({"deaths": 3})));
}
