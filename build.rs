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

/// A condition's event.
#[derive(Deserialize)]
struct Condition {
    event: String,
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
        let events = |list: &[Condition]| list.iter().map(|one| one.event.clone()).collect::<Vec<_>>();
        writeln!(
            list,
            "Shipped {{ id: {:?}, path: {path:?}, text: include_str!({:?}), explains: &{:?}, require: &{:?}, any: &{:?} }},",
            head.id,
            file.display().to_string(),
            head.explains,
            events(&head.require),
            events(&head.any)
        )?;
    }
    list.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("shipped.rs"), list)?;
    Ok(())
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
