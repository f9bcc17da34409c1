//! Events as tables: `kubectl get events`, `kubectl events`, and the end of `kubectl describe`.
//!
//! They give ages, not times, so these events bear no stamp of their own.

use super::event::KubernetesEvent;
use crate::{
    line::Line,
    parse::{
        Claim, Found,
        linux::{integer_after, some_text},
    },
};

/// The last header seen.
#[derive(Default)]
pub(super) struct Table {
    columns: Vec<String>,
}

impl Table {
    /// Looks at one line; `None` if it is no row and no header. `described` is the pod of a `describe` around it.
    pub(super) fn line(&mut self, line: &Line<'_>, described: Option<(&str, Option<&str>)>, found: &mut Vec<Found>) -> Option<Claim> {
        let cells = cells(line.text);
        if is_header(&cells) {
            self.columns = cells.iter().map(|cell| cell.to_ascii_uppercase()).collect();
            return Some(Claim::Mine);
        }
        let kind = cells.iter().position(|cell| matches!(*cell, "Normal" | "Warning"))?;
        let reason = cells.get(kind + 1).filter(|reason| is_reason(reason))?;
        let Some(object) = cells.iter().skip(kind + 2).find(|cell| is_object(cell)) else {
            return described_row(&cells, kind, reason, line, described, found);
        };
        let (kind_of, name) = object.split_once('/')?;
        let event = KubernetesEvent {
            reason: (*reason).to_owned(),
            message: self.message(&cells),
            object: capital(kind_of),
            name: some_text(name),
            namespace: self.cell("NAMESPACE", &cells).and_then(some_text),
            count: self.cell("COUNT", &cells).and_then(|count| count.parse().ok()),
            component: self.cell("SOURCE", &cells).and_then(|source| some_text(source.split(',').next()?)),
            ..KubernetesEvent::default()
        };
        found.push(Found::on(line, event.event()));
        Some(Claim::Mine)
    }

    /// The cell below a header, if the row has as many cells as the header.
    fn cell<'a>(&self, name: &str, cells: &[&'a str]) -> Option<&'a str> {
        let index = self.columns.iter().position(|column| column == name)?;
        cells.get(index).copied().filter(|_| cells.len() == self.columns.len())
    }

    /// The message: the cell of that name, else the last one.
    fn message(&self, cells: &[&str]) -> String {
        self.cell("MESSAGE", cells).or_else(|| cells.last().copied()).unwrap_or_default().to_owned()
    }
}

/// A row of `describe`: type, reason, age, from, message; the pod is the one described.
fn described_row(
    cells: &[&str],
    kind: usize,
    reason: &str,
    line: &Line<'_>,
    described: Option<(&str, Option<&str>)>,
    found: &mut Vec<Found>,
) -> Option<Claim> {
    // Such words stand in other tables too: the age tells.
    let age = cells.get(kind + 2).filter(|age| age.starts_with(|c: char| c.is_ascii_digit()) || age.starts_with("<unknown>"))?;
    let (age, glued) = split_age(age);
    let first = if glued.is_empty() { cells.get(kind + 3).copied().unwrap_or_default() } else { glued };
    let rest = cells.get(kind + 3 + usize::from(glued.is_empty())..).unwrap_or_default();
    let (component, node) = first.split_once(',').map_or((first, None), |(component, node)| (component, some_text(node)));
    let event = KubernetesEvent {
        reason: reason.to_owned(),
        message: rest.join("  "),
        object: "Pod".to_owned(),
        name: described.map(|(pod, _)| pod.to_owned()),
        namespace: described.and_then(|(_, namespace)| namespace).map(str::to_owned),
        component: some_text(component),
        node,
        count: integer_after(age, "(x"),
        ..KubernetesEvent::default()
    };
    found.push(Found::on(line, event.event()));
    Some(if rest.is_empty() { Claim::Damaged("a message".to_owned()) } else { Claim::Mine })
}

/// The age of a row, and what one blank behind it divides: the widest age reaches up to the next column.
fn split_age(cell: &str) -> (&str, &str) {
    let end = if cell.contains(" (x") { cell.find(')').map(|at| at + 1) } else { cell.find(' ') };
    let (age, rest) = cell.split_at_checked(end.unwrap_or(cell.len())).unwrap_or((cell, ""));
    (age, rest.trim())
}

/// The cells of a row: columns stand at least two blanks apart.
fn cells(text: &str) -> Vec<&str> {
    text.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

/// Whether these are the names of an event table's columns.
fn is_header(cells: &[&str]) -> bool {
    let has = |name: &str| cells.iter().any(|cell| cell.eq_ignore_ascii_case(name));
    has("REASON") && has("MESSAGE") && has("TYPE")
}

/// A reason is one word in camel case.
fn is_reason(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase()) && word.chars().all(|c| c.is_ascii_alphanumeric())
}

/// `pod/jupyter-alice`, `Node/gpu-3`.
fn is_object(cell: &str) -> bool {
    let Some((kind, name)) = cell.split_once('/') else { return false };
    !name.is_empty() && !cell.contains(' ') && kind.chars().all(|c| c.is_ascii_alphabetic() || c == '.')
}

/// `kubectl get events` prints kinds in lower case.
fn capital(kind: &str) -> String {
    let mut characters = kind.chars();
    characters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + characters.as_str())
}
