//! `kerneldoc collect`: gathers what this host knows into one archive that `kerneldoc diagnose` reads.
//!
//! Every command stands in `table`. Nothing needs root, nothing is changed, and what cannot be had is told with the
//! reason.

mod archive;
mod places;
mod program;
mod table;

use super::{clock, output};
use crate::{cli::CollectArgs, error::Error};
use archive::{Archive, Entry};
use chrono::{DateTime, SecondsFormat, Utc};
use std::{
    io,
    path::{Path, PathBuf},
    time::{Duration, UNIX_EPOCH},
};
use table::{ITEMS, Item, LIST_CONTAINERS, TELLING};

/// The most containers of one engine that are asked about.
const MOST_CONTAINERS: usize = 20;
/// How far back is looked if nobody says.
const A_DAY: u64 = 86_400;

/// The stretch of time that is asked for, in seconds since the epoch.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    since: u64,
    now: u64,
}

/// Runs the command.
pub(super) fn run(arguments: &CollectArgs) -> Result<u8, Error> {
    let now = clock::seconds();
    let since = arguments.since.map_or(now.saturating_sub(A_DAY), |since| since.seconds(now));
    let stretch = Stretch { since, now };
    if arguments.print {
        return print(stretch).map(|()| 0);
    }
    let name = format!("kerneldoc-collect-{}", moment(now).format("%Y%m%dT%H%M%SZ"));
    let path = arguments.output.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.tar.gz")));
    let entries = gather(arguments, &path, &name, stretch)
        .map_err(|source| Error::Output { path: path.display().to_string(), source })?;
    tell(&entries, &path);
    Ok(0)
}

/// Gathers everything.
fn gather(arguments: &CollectArgs, path: &Path, name: &str, stretch: Stretch) -> io::Result<Vec<Entry>> {
    let mut archive = Archive::create(path, name, arguments.redact, stretch.now)?;
    let docker = containers("docker", stretch);
    let podman = containers("podman", stretch);
    for item in ITEMS {
        match item.each {
            None => take(&mut archive, item, stretch, "")?,
            Some(engine) => {
                for container in if engine == "docker" { &docker } else { &podman } {
                    take(&mut archive, item, stretch, container)?;
                }
            }
        }
    }
    let counters = places::counters();
    if counters.is_empty() {
        archive
            .lack("/sys/fs/cgroup", "no cgroup that can be seen here counts a kill or a refusal".to_owned());
    } else {
        archive.add("host/cgroups.txt", "/sys/fs/cgroup", &counters, None)?;
    }
    let since = UNIX_EPOCH + Duration::from_secs(stretch.since);
    for file in places::files(since).iter().chain(&arguments.paths) {
        let shown = file.display().to_string();
        let inside = format!("files/{}", shown.trim_start_matches(['/', '.']).replace(['/', '\\'], "__"));
        match places::read(file) {
            Ok(content) => archive.add(&inside, &shown, &content, None)?,
            Err(problem) => archive.lack(&shown, problem),
        }
    }
    let written = |seconds| moment(seconds).to_rfc3339_opts(SecondsFormat::Secs, true);
    archive.finish(&written(stretch.now), &written(stretch.since))
}

/// Takes one file of the table by the first of its commands that works.
fn take(archive: &mut Archive, item: &Item, stretch: Stretch, container: &str) -> io::Result<()> {
    let mut problems: Vec<String> = Vec::new();
    for command in item.commands {
        let words = words(command, stretch, container);
        match program::run(&words, Duration::from_secs(item.seconds)) {
            Ok(printed) => {
                let file = item.file.replace("{container}", container);
                return archive.add(&file, &words.join(" "), &printed.stdout, printed.complaint);
            }
            Err(problem) => problems.push(problem),
        }
    }
    problems.dedup();
    let first = item.commands.first().copied().unwrap_or_default();
    archive.lack(&words(first, stretch, container).join(" "), problems.join("; "));
    Ok(())
}

/// The words of a command of the table. `{{json .}}` is one word, the engine's own template.
fn words(command: &str, stretch: Stretch, container: &str) -> Vec<String> {
    let kept = command.replace("{{json .}}", "{{json\u{a0}.}}");
    let filled = |word: &str| {
        word.replace("{since}", &stretch.since.to_string())
            .replace("{now}", &stretch.now.to_string())
            .replace("{container}", container)
            .replace('\u{a0}', " ")
    };
    kept.split(' ').map(filled).collect()
}

/// The names of an engine's containers in which notebooks run.
fn containers(engine: &str, stretch: Stretch) -> Vec<String> {
    let command = words(&LIST_CONTAINERS.replace("{engine}", engine), stretch, "");
    let Ok(printed) = program::run(&command, Duration::from_secs(15)) else { return Vec::new() };
    let text = String::from_utf8_lossy(&printed.stdout).into_owned();
    let telling = |line: &&str| {
        let line = line.to_lowercase();
        TELLING.iter().any(|word| line.contains(word))
    };
    let names = text.lines().filter(telling).filter_map(|line| line.split('\t').nth(1));
    let safe = |name: &&str| !name.starts_with('-') && !name.contains(['/', '\\']);
    names.filter(safe).take(MOST_CONTAINERS).map(str::to_owned).collect()
}

/// Prints the commands instead of running them.
fn print(stretch: Stretch) -> Result<(), Error> {
    let heading =
        "# What kerneldoc collect would run; nothing needs root, and nothing is changed.".to_owned();
    let asked = ITEMS.iter().map(|item| {
        let shown = |command: &&str| {
            words(command, stretch, "CONTAINER").iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
        };
        let commands: Vec<String> = item.commands.iter().map(shown).collect();
        format!("timeout {} {}   # {}", item.seconds, commands.join("  || "), item.file)
    });
    let files = table::FILES
        .iter()
        .map(|(folder, begins, ends)| format!("cat {folder}/{begins}*{ends}").replace("**", "*"));
    let lines: Vec<String> = std::iter::once(heading).chain(asked).chain(files).collect();
    let text = format!("{}\n", lines.join("\n"));
    output::text(&text)
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    if word.contains([' ', '{', '*', '\t']) { format!("'{word}'") } else { word.to_owned() }
}

/// Says what came of it.
fn tell(entries: &[Entry], path: &Path) {
    for entry in entries.iter().filter(|entry| entry.file.is_none()) {
        let problem = entry.problem.as_deref().unwrap_or_default();
        output::remark(&format!("not had: {}: {problem}", entry.source));
    }
    let had = entries.iter().filter(|entry| entry.file.is_some()).count();
    let path = path.display();
    output::remark(&format!(
        "{had} of {} sources are in {path}; read it with: kerneldoc diagnose {path}",
        entries.len()
    ));
}

/// A time.
fn moment(seconds: u64) -> DateTime<Utc> {
    i64::try_from(seconds).ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0)).unwrap_or_default()
}
