//! Kernels that really died: `tests/real/scenes.py` starts real Jupyter servers, nbconvert and papermill, ends kernels
//! in many ways, and the verdicts on what they logged are held against what was done.
//!
//! It needs a virtual environment, named by `KERNELDOC_REAL_VENV`; without one the scenes are skipped, with a message.
//! Where stock Jupyter leaves nothing, `silent-exit` is the right answer; a wrong cause is wrong at any confidence.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]
#![expect(clippy::print_stdout, reason = "the table is for people")]

#[path = "common/logs.rs"]
mod logs;

use kerneldoc::{
    pipeline::{Settings, analyze},
    report::Report,
    rule::RuleSet,
};
use libtest_mimic::{Arguments, Failed, Trial};
use logs::logs;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    sync::{Arc, Mutex, OnceLock},
};

/// What kerneldoc must say of a scene: each verdict as one of several that are true, or nothing.
struct Scene {
    name: &'static str,
    verdicts: &'static [&'static [&'static str]],
}

const SILENT: &str = "death kernel/silent-exit possible";

/// The scenes. A death that leaves a trace only in dmesg may be silent where dmesg cannot be read.
const SCENES: &[Scene] = &[
    Scene { name: "killed", verdicts: &[&[SILENT]] },
    Scene {
        name: "segmentation-fault",
        verdicts: &[&[
            "death kernel/native-segfault probable",
            "death kernel/native-segfault confirmed",
            SILENT,
        ]],
    },
    Scene {
        name: "stack-overflow",
        verdicts: &[&[
            "death kernel/stack-overflow probable",
            "death kernel/stack-overflow confirmed",
            SILENT,
        ]],
    },
    Scene {
        name: "memory-limit",
        verdicts: &[&[
            "death host/container-memory-limit probable",
            "death host/container-memory-limit confirmed",
            SILENT,
        ]],
    },
    Scene { name: "bad-startup-file", verdicts: &[&["death kernel/startup-file-crash possible", SILENT]] },
    Scene { name: "server-killed", verdicts: &[&["death host/killed-unknown-sender possible"]] },
    Scene { name: "restart-by-user", verdicts: &[] },
    Scene { name: "abort", verdicts: &[&[SILENT]] },
    Scene {
        name: "recorded-crash",
        verdicts: &[&[
            "death kernel/native-segfault possible",
            "death kernel/native-segfault probable",
            "death kernel/native-segfault confirmed",
        ]],
    },
    Scene { name: "exit", verdicts: &[&[SILENT]] },
    Scene { name: "missing-ipykernel", verdicts: &[&["death kernel/ipykernel-missing confirmed"]] },
    Scene { name: "output-flood", verdicts: &[&["finding frontend/iopub-message-rate confirmed"]] },
    Scene { name: "culling", verdicts: &[&["death server/kernel-culled-idle confirmed"]] },
    Scene { name: "nbconvert-dead-kernel", verdicts: &[&[SILENT]] },
    Scene { name: "nbconvert-cell-error", verdicts: &[&["finding kernel/cell-raised-exception confirmed"]] },
    Scene { name: "papermill-dead-kernel", verdicts: &[&["death kernel/user-code-exit possible", SILENT]] },
    Scene { name: "papermill-cell-error", verdicts: &[&["finding kernel/cell-raised-exception confirmed"]] },
    // With the exit status on record they are told apart.
    Scene { name: "recorded-killed", verdicts: &[&["death host/killed-unknown-sender confirmed"]] },
    Scene { name: "recorded-segmentation-fault", verdicts: &[&["death kernel/native-segfault confirmed"]] },
    Scene { name: "recorded-exit", verdicts: &[&["death kernel/user-code-exit confirmed"]] },
    Scene { name: "recorded-and-asked", verdicts: &[] },
    Scene { name: "papermill-out-of-memory", verdicts: &[&["finding kernel/python-memory-error confirmed"]] },
];

/// One line of the table.
type Rows = Arc<Mutex<BTreeMap<&'static str, (String, String)>>>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let venv = std::env::var_os("KERNELDOC_REAL_VENV").map(PathBuf::from);
    let venv = venv.filter(|venv| venv.join("bin/jupyter-lab").exists());
    if venv.is_none() {
        println!(
            "skipped: KERNELDOC_REAL_VENV names no virtual environment with JupyterLab (tests/real/README.md)"
        );
    }
    let played: Arc<OnceLock<Result<PathBuf, String>>> = Arc::default();
    let rows = Rows::default();
    let trials = SCENES.iter().map(|scene| {
        let (venv, played, rows) = (venv.clone(), Arc::clone(&played), Arc::clone(&rows));
        let ignored = venv.is_none();
        Trial::test(format!("real/{}", scene.name), move || {
            let Some(venv) = venv else { return Ok(()) };
            let folder = played.get_or_init(|| play(&venv)).clone()?;
            check(scene, &folder.join(scene.name), &rows)
        })
        .with_ignored_flag(ignored)
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    print(&rows.lock().unwrap());
    conclusion.exit_code()
}

/// Plays all scenes, each into its folder, and tells where.
fn play(venv: &Path) -> Result<PathBuf, String> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("real");
    let mut command = Command::new(venv.join("bin/python"));
    let status = command
        .arg("tests/real/scenes.py")
        .arg(venv)
        .arg(&out)
        .env("KERNELDOC", env!("CARGO_BIN_EXE_kerneldoc"))
        .status();
    match status {
        Ok(status) if status.success() => Ok(out),
        Ok(status) => Err(format!("tests/real/scenes.py ended with {status}")),
        Err(error) => Err(format!("tests/real/scenes.py could not be started: {error}")),
    }
}

/// Holds the verdict on a scene against the truth.
fn check(scene: &Scene, folder: &Path, rows: &Rows) -> Result<(), Failed> {
    let truth: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("truth.json"))?)?;
    let row = |ended_by: &str, verdict: &str| {
        rows.lock().unwrap().insert(scene.name, (ended_by.to_owned(), verdict.to_owned()));
    };
    if let Some(reason) = truth["skipped"].as_str() {
        row("", &format!("skipped: {reason}"));
        return Ok(());
    }
    if let Some(error) = truth["failed"].as_str() {
        row("", "not played");
        return Err(
            format!("the scene could not be played; its logs are in {}\n{error}", folder.display()).into()
        );
    }
    let rules = RuleSet::builtin().unwrap();
    let said = verdicts(&analyze(&logs(&folder.join("logs")), &rules, &Settings::default()));
    row(truth["ended_by"].as_str().unwrap_or_default(), &said.join("; "));
    let right = said.len() == scene.verdicts.len()
        && said.iter().zip(scene.verdicts).all(|(said, true_ones)| true_ones.contains(&said.as_str()));
    if right {
        return Ok(());
    }
    let logs = folder.join("logs");
    Err(format!("wanted {:?}, kerneldoc says {said:?} of {}", scene.verdicts, logs.display()).into())
}

/// What is said, one line a death or finding.
fn verdicts(report: &Report) -> Vec<String> {
    let deaths = report.deaths.iter().map(|one| ("death", one));
    let findings = report.findings.iter().map(|one| ("finding", one));
    deaths
        .chain(findings)
        .map(|(kind, one)| format!("{kind} {}/{} {}", one.layer, one.cause, one.confidence))
        .collect()
}

/// Prints what was done and what was said.
fn print(rows: &BTreeMap<&'static str, (String, String)>) {
    if rows.is_empty() {
        return;
    }
    println!("{:<24} | {:<36} | verdict", "scene", "what ended it");
    for scene in SCENES {
        if let Some((ended_by, verdict)) = rows.get(scene.name) {
            let verdict = if verdict.is_empty() { "nothing" } else { verdict };
            println!("{:<24} | {ended_by:<36} | {verdict}", scene.name);
        }
    }
}
