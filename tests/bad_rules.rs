//! Every file of `fixtures/bad-rules/` holds one mistake; what the loader says of it stands beside it as `.stderr`.
//!
//! `KERNELDOC_BLESS=1 cargo test --test bad_rules` writes the messages anew; read them before committing.

use kerneldoc::rule::{RuleSet, render_faults};
use libtest_mimic::{Arguments, Failed, Trial};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let entries = fs::read_dir("fixtures/bad-rules").into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    files.sort();
    let trial = |path: PathBuf| {
        let name = format!("bad-rules/{}", path.file_stem().unwrap_or_default().display());
        Trial::test(name, move || check(&path))
    };
    libtest_mimic::run(&arguments, files.into_iter().map(trial).collect()).exit_code()
}

/// Loads the file as a rule of the host layer beside the built-in ones and compares the message.
fn check(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    let as_if = format!("rules/host/{}", path.file_name().unwrap_or_default().display());
    let builtin = RuleSet::builtin().map_err(|faults| format!("the built-in rules: {faults:?}"))?;
    let faults = builtin.with([(as_if, text.clone())]).err().ok_or("it loads")?;
    let said = render_faults(&faults, &text, false);
    let expected = path.with_extension("stderr");
    if env::var_os("KERNELDOC_BLESS").is_some() {
        return Ok(fs::write(expected, said)?);
    }
    let pinned = fs::read_to_string(&expected).unwrap_or_default();
    if said == pinned { Ok(()) } else { Err(format!("expected:\n{pinned}\nsaid:\n{said}").into()) }
}
