//! Kernels that really died: `tests/real/scenes.py` starts real Jupyter servers, nbconvert and papermill, ends kernels
//! in many ways, and the verdicts on what they logged are held against what was done.
//!
//! It is played in two virtual environments: a stock one, named by `KERNELDOC_REAL_VENV`, and one with kerneldoc's wheel
//! and so its recorder, named by `KERNELDOC_RECORDER_VENV`. Without them the scenes are skipped, with a message. Where
//! stock Jupyter leaves nothing, `silent-exit` is the right answer; a wrong cause is wrong at any confidence. What the
//! recorder saw must be `confirmed`; with its records taken away, the same deaths are `possible` at best.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]
#![expect(clippy::print_stdout, reason = "the table is for people")]

#[path = "common/logs.rs"]
mod logs;

use kerneldoc::{
    pipeline::{Log, Settings, analyze},
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

/// What kerneldoc must say: each verdict as one of several that are true, or nothing.
type Verdicts = &'static [&'static [&'static str]];

/// One way of dying, or of not dying.
struct Scene {
    name: &'static str,
    /// What stock Jupyter's logs, and dmesg where it can be read, allow to say.
    stock: Verdicts,
    /// What the recorder's records allow to say.
    recorded: Verdicts,
    /// Whether Jupyter's own logs say nothing of why.
    silent: bool,
}

const SILENT: &str = "death kernel/silent-exit possible";

/// The scenes. A death that leaves a trace only in dmesg may be silent where dmesg cannot be read.
const SCENES: &[Scene] = &[
    Scene {
        name: "killed",
        stock: &[&[SILENT]],
        recorded: &[&["death host/killed-unknown-sender confirmed"]],
        silent: true,
    },
    Scene {
        name: "segmentation-fault",
        stock: &[&[
            "death kernel/native-segfault probable",
            "death kernel/native-segfault confirmed",
            SILENT,
        ]],
        recorded: &[&["death kernel/native-segfault confirmed"]],
        silent: true,
    },
    // The status says only that it was a segmentation fault; dmesg, at which address.
    Scene {
        name: "stack-overflow",
        stock: &[&["death kernel/stack-overflow probable", "death kernel/stack-overflow confirmed", SILENT]],
        recorded: &[&["death kernel/stack-overflow confirmed", "death kernel/native-segfault confirmed"]],
        silent: true,
    },
    Scene {
        name: "memory-limit",
        stock: &[&[
            "death host/container-memory-limit probable",
            "death host/container-memory-limit confirmed",
            SILENT,
        ]],
        recorded: &[&["death host/container-memory-limit confirmed"]],
        silent: true,
    },
    Scene {
        name: "bad-startup-file",
        stock: &[&["death kernel/startup-file-crash possible", SILENT]],
        recorded: &[&["death kernel/startup-file-crash possible", SILENT]],
        silent: true,
    },
    // The recorder dies with its server.
    same("server-killed", &[&["death host/killed-unknown-sender possible"]]),
    same("restart-by-user", &[]),
    Scene {
        name: "abort",
        stock: &[&[SILENT]],
        recorded: &[&["death kernel/native-abort confirmed"]],
        silent: true,
    },
    Scene {
        name: "recorded-crash",
        stock: &[&[
            "death kernel/native-segfault possible",
            "death kernel/native-segfault probable",
            "death kernel/native-segfault confirmed",
        ]],
        recorded: &[&["death kernel/native-segfault confirmed"]],
        silent: false,
    },
    Scene {
        name: "exit",
        stock: &[&[SILENT]],
        recorded: &[&["death kernel/user-code-exit confirmed"]],
        silent: true,
    },
    same("missing-ipykernel", &[&["death kernel/ipykernel-missing confirmed"]]),
    same("output-flood", &[&["finding frontend/iopub-message-rate confirmed"]]),
    same("culling", &[&["death server/kernel-culled-idle confirmed"]]),
    Scene {
        name: "nbconvert-dead-kernel",
        stock: &[&[SILENT]],
        recorded: &[&["death kernel/native-abort confirmed"]],
        silent: true,
    },
    same("nbconvert-cell-error", &[&["finding kernel/cell-raised-exception confirmed"]]),
    Scene {
        name: "papermill-dead-kernel",
        stock: &[&["death kernel/user-code-exit possible", SILENT]],
        recorded: &[&["death kernel/user-code-exit confirmed"]],
        silent: true,
    },
    same("papermill-cell-error", &[&["finding kernel/cell-raised-exception confirmed"]]),
    same("papermill-out-of-memory", &[&["finding kernel/python-memory-error confirmed"]]),
];

/// Kernels that `kerneldoc run` starts, in a stock server: one recorder is enough. With the exit status on record they
/// are told apart.
const BY_RUN: &[Scene] = &[
    same("recorded-killed", &[&["death host/killed-unknown-sender confirmed"]]),
    same("recorded-segmentation-fault", &[&["death kernel/native-segfault confirmed"]]),
    same("recorded-exit", &[&["death kernel/user-code-exit confirmed"]]),
    same("recorded-and-asked", &[]),
];

/// A scene in which the recorder has nothing to add.
const fn same(name: &'static str, verdicts: Verdicts) -> Scene {
    Scene { name, stock: verdicts, recorded: verdicts, silent: false }
}

/// One virtual environment in which all scenes are played.
struct Round {
    name: &'static str,
    variable: &'static str,
    recorder: bool,
}

const ROUNDS: &[Round] = &[
    Round { name: "real", variable: "KERNELDOC_REAL_VENV", recorder: false },
    Round { name: "recorded", variable: "KERNELDOC_RECORDER_VENV", recorder: true },
];

impl Round {
    /// The environment, if there is one.
    fn venv(&self) -> Option<PathBuf> {
        let venv = std::env::var_os(self.variable).map(PathBuf::from);
        let venv = venv.filter(|venv| venv.join("bin/jupyter-lab").exists());
        if venv.is_none() {
            println!(
                "skipped: {} names no virtual environment with JupyterLab (tests/real/README.md)",
                self.variable
            );
        }
        venv
    }
}

/// The cells of the table: what ended a scene, and what was said of it in each column.
type Rows = Arc<Mutex<BTreeMap<(&'static str, &'static str), String>>>;
/// The columns of the table, as keys of its cells.
const COLUMNS: [&str; 4] = ["what ended it", "stock Jupyter", "with the recorder", "its records taken away"];
/// Two rounds at once would be too much for a small machine.
static STAGE: Mutex<()> = Mutex::new(());

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let rows = Rows::default();
    let mut trials = Vec::new();
    for round in ROUNDS {
        let venv = round.venv();
        let played: Arc<OnceLock<Result<PathBuf, String>>> = Arc::default();
        let by_run: &[Scene] = if round.recorder { &[] } else { BY_RUN };
        for scene in SCENES.iter().chain(by_run) {
            let (venv, played, rows) = (venv.clone(), Arc::clone(&played), Arc::clone(&rows));
            let ignored = venv.is_none();
            let trial = Trial::test(format!("{}/{}", round.name, scene.name), move || {
                let Some(venv) = venv else { return Ok(()) };
                let folder = played.get_or_init(|| play(round, &venv)).clone()?;
                check(round, scene, &folder.join(scene.name), &rows)
            });
            trials.push(trial.with_ignored_flag(ignored));
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    print(&rows.lock().unwrap());
    conclusion.exit_code()
}

/// Plays all scenes, each into its folder, and tells where.
fn play(round: &Round, venv: &Path) -> Result<PathBuf, String> {
    let _stage = STAGE.lock();
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(round.name);
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
fn check(round: &Round, scene: &Scene, folder: &Path, rows: &Rows) -> Result<(), Failed> {
    let truth: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("truth.json"))?)?;
    let cell = |column: &'static str, text: &str| {
        rows.lock().unwrap().insert((scene.name, column), text.to_owned());
    };
    let column = if round.recorder { "with the recorder" } else { "stock Jupyter" };
    if let Some(reason) = truth["skipped"].as_str() {
        cell(column, &format!("skipped: {reason}"));
        return Ok(());
    }
    if let Some(error) = truth["failed"].as_str() {
        cell(column, "not played");
        return Err(
            format!("the scene could not be played; its logs are in {}\n{error}", folder.display()).into()
        );
    }
    cell("what ended it", truth["ended_by"].as_str().unwrap_or_default());
    let logs = logs(&folder.join("logs"));
    let said = said(&logs);
    cell(column, &said.join("; "));
    let wanted = if round.recorder { scene.recorded } else { scene.stock };
    let right = said.len() == wanted.len()
        && said.iter().zip(wanted).all(|(said, true_ones)| true_ones.contains(&said.as_str()));
    if !right {
        return Err(format!(
            "wanted {wanted:?}, kerneldoc says {said:?} of {}",
            folder.join("logs").display()
        )
        .into());
    }
    if round.recorder && scene.silent { without_records(scene, &logs, rows) } else { Ok(()) }
}

/// Takes away what the recorder wrote, and dmesg, which few can read: nothing may be more than possible.
fn without_records(scene: &Scene, logs: &[Log], rows: &Rows) -> Result<(), Failed> {
    let left: Vec<Log> = logs
        .iter()
        .filter(|log| !log.path.starts_with("records-") && log.path != "dmesg.log")
        .cloned()
        .collect();
    let said = said(&left);
    rows.lock().unwrap().insert((scene.name, "its records taken away"), said.join("; "));
    if !said.is_empty() && said.iter().all(|verdict| verdict.ends_with(" possible")) {
        return Ok(());
    }
    Err(format!("without the records kerneldoc says {said:?}").into())
}

/// What kerneldoc says of logs.
fn said(logs: &[Log]) -> Vec<String> {
    verdicts(&analyze(logs, &RuleSet::builtin().unwrap(), &Settings::default()))
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
fn print(rows: &BTreeMap<(&'static str, &'static str), String>) {
    let columns: Vec<&'static str> =
        COLUMNS.into_iter().filter(|column| rows.keys().any(|(_, other)| other == column)).collect();
    let line = |name: &str, cell: &dyn Fn(&'static str) -> String| {
        let cells: Vec<String> = columns.iter().map(|column| format!("{:<44}", cell(column))).collect();
        println!("{name:<24} | {}", cells.join(" | ").trim_end());
    };
    if !columns.is_empty() {
        line("scene", &|column| column.to_owned());
    }
    for scene in SCENES.iter().chain(BY_RUN) {
        if rows.keys().any(|(name, _)| *name == scene.name) {
            let said = |text: &String| if text.is_empty() { "nothing".to_owned() } else { text.clone() };
            line(scene.name, &|column| rows.get(&(scene.name, column)).map(said).unwrap_or_default());
        }
    }
}
