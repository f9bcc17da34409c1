//! Lists the rules that come with the program, and what must be known of each before it is read: a start reads only
//! those that can fit what is in the logs.

use serde::Deserialize;
use std::{
    env,
    error::Error,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

/// What the list says of a rule. Everything else is checked when the rule is loaded.
#[derive(Deserialize)]
struct Head {
    id: String,
    #[serde(default)]
    explains: Vec<String>,
    #[serde(default)]
    require: Vec<Condition>,
    #[serde(default)]
    any: Vec<Condition>,
}

/// What a condition wants of an event.
#[derive(Deserialize)]
struct Condition {
    event: String,
    #[serde(default, rename = "where")]
    clauses: Vec<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=rules");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let mut files = Vec::new();
    collect(&root.join("rules"), &mut files)?;
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let text = fs::read_to_string(&file)?;
        let head: Head = toml::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        let path = file.strip_prefix(&root)?.to_string_lossy().replace('\\', "/");
        writeln!(
            list,
            "Shipped {{ id: {:?}, path: {path:?}, text: include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?})), tests_at: {}, explains: &{:?}, require: &[{}], any: &[{}] }},",
            head.id,
            format!("/{path}"),
            tests_at(&text),
            head.explains,
            wants(&head.require),
            wants(&head.any)
        )?;
    }
    list.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("shipped.rs"), list)?;
    Ok(())
}

/// Where a rule's tests begin: its last part, unless somebody wrote it otherwise.
fn tests_at(text: &str) -> usize {
    let table = |text: &str| text.parse::<toml::Table>().unwrap_or_default();
    let begin = text.find("\n[[test]]").unwrap_or(text.len());
    let mut whole = table(text);
    whole.remove("test");
    if text.get(..begin).is_some_and(|head| table(head) == whole) { begin } else { text.len() }
}

/// Conditions as `src/rule/entry.rs` holds them.
fn wants(conditions: &[Condition]) -> String {
    let want = |one: &Condition| format!("Want {{ event: {:?}, clauses: &{:?} }}, ", one.event, one.clauses);
    conditions.iter().map(want).collect()
}

/// The rule files of a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|end| end == "toml") {
            files.push(path);
        }
    }
    Ok(())
}
