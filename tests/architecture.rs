//! Data flows one way: a module uses only what stands before it. This test reads the `use crate::` lines (and other
//! `crate::` paths) of every source file and fails on anything else.
#![expect(clippy::unwrap_used, clippy::string_slice, reason = "a test may fail loudly")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// What each module may use, itself aside.
const MAY_USE: &[(&str, &[&str])] = &[
    ("stamp", &[]),
    ("source", &[]),
    ("note", &[]),
    ("error", &["rule"]),
    ("redact", &[]),
    ("language", &[]),
    ("encyclopedia", &[]),
    ("discover", &["error"]),
    ("open", &[]),
    ("event", &["source", "stamp"]),
    ("line", &["event", "stamp"]),
    ("envelope", &["event", "line", "stamp"]),
    ("parse", &["encyclopedia", "event", "line", "stamp", "envelope"]),
    ("extract", &["envelope", "event", "line", "note", "parse", "source", "stamp"]),
    ("partition", &["event"]),
    ("exchange", &["event", "extract", "note", "partition", "redact", "source", "stamp"]),
    ("timeline", &["event", "extract", "note", "source", "stamp"]),
    ("incident", &["event", "source", "stamp", "timeline"]),
    ("rule", &["event", "incident", "language", "stamp"]),
    ("diagnosis", &["event", "incident", "rule", "source", "stamp", "timeline"]),
    (
        "report",
        &[
            "diagnosis",
            "event",
            "incident",
            "language",
            "note",
            "redact",
            "rule",
            "source",
            "stamp",
            "timeline",
            "parse",
        ],
    ),
    (
        "pipeline",
        &[
            "diagnosis",
            "extract",
            "incident",
            "language",
            "note",
            "redact",
            "report",
            "rule",
            "source",
            "stamp",
            "timeline",
        ],
    ),
    ("selftest", &["pipeline", "report", "rule"]),
    ("summary", &["report", "redact"]),
    ("render", &["language", "report", "redact", "summary"]),
];

/// Modules of the rim, which may use everything.
const RIM: &[&str] = &["commands", "cli", "main", "lib"];

#[test]
fn modules_use_only_what_stands_before_them() {
    let allowed: BTreeMap<_, _> = MAY_USE.iter().copied().collect();
    let mut faults = Vec::new();
    for file in rust_sources() {
        let module = module_of(&file);
        if RIM.contains(&module.as_str()) {
            continue;
        }
        let Some(may) = allowed.get(module.as_str()) else {
            faults.push(format!("{}: module `{module}` is not in the table of this test", file.display()));
            continue;
        };
        let text = fs::read_to_string(&file).unwrap();
        // Tests inside a module may call whatever makes them readable.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for used in used_modules(code) {
            if used != module && !may.contains(&used.as_str()) {
                faults.push(format!("{}: `{module}` must not know `{used}`", file.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_core_does_no_input_or_output() {
    let forbidden = [
        "std::fs",
        "std::env",
        "std::process",
        "std::net",
        "println!",
        "eprintln!",
        "SystemTime",
        "Utc::now",
        "Instant::now",
    ];
    let mut faults = Vec::new();
    for file in rust_sources() {
        let module = module_of(&file);
        if RIM.contains(&module.as_str()) || module == "discover" {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let found = forbidden.iter().filter(|word| {
            code.lines().any(|line| !line.trim_start().starts_with("//") && line.contains(**word))
        });
        faults.extend(found.map(|word| format!("{}: {word}", file.display())));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_engine_names_no_cause() {
    let ids: Vec<String> = sources(Path::new("rules"))
        .iter()
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    assert!(!ids.is_empty());
    let mut faults = Vec::new();
    for file in rust_sources() {
        if !["diagnosis", "incident", "timeline", "pipeline", "report", "render"]
            .contains(&module_of(&file).as_str())
        {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            faults.extend(
                ids.iter()
                    .filter(|id| line.contains(&format!("\"{id}\"")))
                    .map(|id| format!("{}: {id}", file.display())),
            );
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The program's own files. What stands below `src/python` is no part of the crate.
fn rust_sources() -> Vec<PathBuf> {
    let files = sources(Path::new("src")).into_iter();
    files.filter(|path| path.extension().is_some_and(|ending| ending == "rs")).collect()
}

/// All files below a folder, in order. `src/python` is another language's, and another test's.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries.retain(|path| !path.ends_with("python"));
    entries.into_iter().flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// The top-level module a file belongs to.
fn module_of(file: &Path) -> String {
    let first = file.strip_prefix("src").unwrap_or(file).components().next().unwrap();
    first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned()
}

/// The modules named behind `crate::`, braces unfolded.
fn used_modules(code: &str) -> Vec<String> {
    let mut used = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if let Some(inner) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut word = String::new();
            for character in inner.chars() {
                match character {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => used.push(std::mem::take(&mut word)),
                    c if depth == 0 => word.push(c),
                    _ => {}
                }
            }
            used.push(word);
        } else {
            used.push(rest.to_owned());
        }
    }
    let name = |path: &String| {
        path.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
    };
    let mut names: Vec<String> = used.iter().map(name).filter(|name| !name.is_empty()).collect();
    names.sort();
    names.dedup();
    names
}
