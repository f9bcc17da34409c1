//! `docker ps -a` and `podman ps -a`: how each container stands; and `inspect`'s flag in a line of its own.
//!
//! How long ago a container ended depends on when the list was printed, which it does not say: there is no time.

use super::{
    Claim, Found, Parser, Spec,
    linux::{between, integer_after, leading_integer, some_text},
};
use crate::{
    event::ContainerState,
    line::Line,
};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "docker ps",
    needles: &["CONTAINER ID", "OOMKilled"],
    parts: &[],
    make: || Box::new(List::default()),
};

/// The list being read.
#[derive(Default)]
struct List {
    open: bool,
}

impl Parser for List {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if let Some(event) = flag(line.text) {
            found.push(Found::on(line, event));
            return Claim::Mine;
        }
        if line.text.contains("CONTAINER ID") && line.text.contains("STATUS") {
            self.open = true;
            return Claim::Mine;
        }
        let row = row(line.text).filter(|_| self.open);
        self.open &= row.is_some();
        let Some(event) = row else { return Claim::NotMine };
        found.push(Found::on(line, event));
        Claim::Mine
    }

    fn hungry(&self) -> bool {
        self.open
    }
}

/// A row. Columns stand three blanks apart and cells hold single ones; ports may be missing.
fn row(text: &str) -> Option<ContainerState> {
    let cells: Vec<&str> = text.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    let id = cells.first().filter(|id| id.len() >= 12 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let (status, exit_code) = cells.iter().skip(2).find_map(|cell| status(cell))?;
    Some(ContainerState {
        container_id: some_text(id),
        container_name: cells.last().filter(|_| cells.len() >= 5).and_then(|name| some_text(name)),
        image: cells.get(1).and_then(|image| some_text(image)),
        status: Some(status.to_owned()),
        exit_code,
        ..ContainerState::default()
    })
}

/// `Exited (137) 3 minutes ago`, `Up 7 seconds (Paused)`, `Restarting (1) …`, `Created`, `Dead`.
fn status(text: &str) -> Option<(&'static str, Option<i64>)> {
    let code = || between(text, "(", ")").and_then(leading_integer);
    Some(match text.split_whitespace().next()? {
        "Exited" => ("exited", Some(code()?)),
        "Restarting" => ("restarting", code()),
        "Up" if text.contains("(Paused)") => ("paused", None),
        "Up" => ("running", None),
        "Created" => ("created", None),
        "Dead" => ("dead", None),
        _ => return None,
    })
}

/// `"OOMKilled": true,` of `docker inspect … | grep OOM`, `OOMKilled=true exit=137` of a format string.
fn flag(text: &str) -> Option<ContainerState> {
    let (_, rest) = text.split_once("OOMKilled")?;
    let value = rest.trim_start_matches(['"', ':', '=', ' ']);
    let killed = [("true", "yes"), ("false", "no")].iter().find(|(word, _)| value.starts_with(word))?.1;
    let code = ["ExitCode=", "ExitCode:", "ExitCode\": ", "exit="].iter().find_map(|key| integer_after(rest, key));
    Some(ContainerState { oom_killed: Some(killed.to_owned()), exit_code: code, ..ContainerState::default() })
}
