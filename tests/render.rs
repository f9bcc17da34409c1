//! Hand-made reports of `fixtures/reports/` against what they look like; `KERNELDOC_BLESS=1` rewrites the latter.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use kerneldoc::{
    render::{Detail, Format, Options, render},
    report::Report,
};
use std::{env, fs, path::Path};

fn report(name: &str) -> Report {
    let text = fs::read_to_string(format!("fixtures/reports/{name}.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn rendered(name: &str, format: Format, options: &Options) -> String {
    let mut out = Vec::new();
    render(&report(name), format, options, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[track_caller]
fn check(name: &str, suffix: &str, format: Format, options: &Options) {
    let text = rendered(name, format, options);
    let path = format!("fixtures/reports/snapshots/{name}.{suffix}");
    if env::var_os("KERNELDOC_BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let expected = fs::read_to_string(Path::new(&path)).unwrap_or_default();
    snapbox::assert_data_eq!(text, snapbox::Data::from(expected).raw());
}

fn at(width: usize) -> Options {
    Options { width, ..Options::default() }
}

#[test]
fn text_looks_as_it_should() {
    for name in ["memory", "many", "nothing", "hostile"] {
        check(name, "80.txt", Format::Text, &at(80));
        check(name, "120.txt", Format::Text, &at(120));
        check(name, "full.txt", Format::Text, &Options { detail: Detail::Full, ..at(80) });
        check(name, "brief.txt", Format::Text, &Options { detail: Detail::Brief, ..at(80) });
    }
    check("memory", "colour.txt", Format::Text, &Options { colour: true, hyperlinks: true, ..at(80) });
}

#[test]
fn json_keeps_everything() {
    for name in ["memory", "many", "nothing", "hostile"] {
        let text = rendered(name, Format::Json, &at(80));
        assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report(name));
    }
    check("memory", "json", Format::Json, &at(80));
    check("hostile", "ndjson", Format::Ndjson, &at(80));
    let lines = rendered("many", Format::Ndjson, &at(80));
    assert_eq!(lines.lines().count(), 42);
    for line in lines.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(value["record"] == "death" || value["record"] == "finding");
    }
}

#[test]
fn nothing_hostile_reaches_a_terminal() {
    for format in Format::ALL {
        for width in [1, 20, 40, 80, 200] {
            let options = Options { detail: Detail::Full, ..at(width) };
            let text = rendered("hostile", format, &options);
            let bad: Vec<char> = text
                .chars()
                .filter(|c| (c.is_control() && *c != '\n') || matches!(*c, '\u{202e}' | '\u{200b}'))
                .collect();
            assert!(bad.is_empty(), "{format:?} at {width}: {bad:?}");
        }
    }
}

#[test]
fn lines_fit_the_width_but_commands() {
    use unicode_width::UnicodeWidthStr;
    for name in ["memory", "many", "nothing", "hostile"] {
        for width in [60, 80, 120] {
            for line in rendered(name, Format::Text, &at(width)).lines() {
                assert!(line.width() <= width || line.contains("$ "), "{width}: {line}");
            }
        }
    }
}

#[test]
fn colour_changes_nothing_but_colour() {
    for name in ["memory", "many", "nothing"] {
        let plain = rendered(name, Format::Text, &at(80));
        let coloured = rendered(name, Format::Text, &Options { colour: true, ..at(80) });
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
    }
}
