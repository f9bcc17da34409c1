//! The server's start: what it is, which version, and in which container.
//!
//! The status block that Ctrl-C prints looks the same but has no logger's head; it is no start.

use crate::{
    event::ServerStarted,
    line::{Line, Mark},
    parse::{Claim, Found, Parser, phrase, prim},
};

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "Starting jupyterhub",
    "Serving notebooks from",
    " is running at",
];

/// The lines after `Serving notebooks from …` within which the version and the URLs follow.
const BANNER_LINES: usize = 12;

/// An open banner: its first line, what is known, and how many lines more it may take.
#[derive(Default)]
pub(super) struct Banner(Option<(Mark, ServerStarted, usize)>);

impl Parser for Banner {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if let Some(started) = single_user(line.text) {
            found.push(Found::on(line, started));
            return Claim::Mine;
        }
        if line.logger.is_some() && line.text.contains("Serving notebooks from") {
            self.finish(found);
            self.0 = Some((line.mark(), ServerStarted::default(), BANNER_LINES));
            return Claim::Mine;
        }
        if line.logger.is_some() && self.named(line) {
            self.url(line.text, found);
            return Claim::Mine;
        }
        self.follow(line, found)
    }

    fn hungry(&self) -> bool {
        self.0.is_some()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        if let Some((mark, event, _)) = self.0.take() {
            found.push(Found::at(&mark, event));
        }
    }
}

impl Banner {
    /// `Jupyter Server 2.21.1 is running at:`, `The Jupyter Notebook is running at: http://localhost:8888/`.
    fn named(&mut self, line: &Line<'_>) -> bool {
        let Some((before, _)) = phrase::around(line.text, " is running at") else { return false };
        let Some((_, name)) = before.rsplit_once("Jupyter ") else { return false };
        let (program, version) = name.split_once(' ').unwrap_or((name, ""));
        let (_, event, _) =
            self.0.get_or_insert_with(|| (line.mark(), ServerStarted::default(), BANNER_LINES));
        event.program = Some(format!("Jupyter {program}"));
        event.version = Some(version.to_owned()).filter(|version| !version.is_empty());
        true
    }

    /// A line inside the banner.
    fn follow(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if self.0.is_none() {
            return Claim::NotMine;
        }
        if self.url(line.text, found) {
            return Claim::Mine;
        }
        if let Some((_, _, left)) = &mut self.0 {
            *left -= 1;
            if *left == 0 || line.text.contains("Use Control-C") {
                self.finish(found);
            }
        }
        Claim::NotMine
    }

    /// Takes the container's id from the server's own URL, which completes the banner.
    fn url(&mut self, text: &str, found: &mut Vec<Found>) -> bool {
        let Some((_, event, _)) = &mut self.0 else { return false };
        let Some(id) = container_in(text) else { return false };
        event.container_id = Some(id.to_owned());
        self.finish(found);
        true
    }
}

/// `Starting jupyterhub-singleuser server version 2.3.0`, `Starting jupyterhub single-user server extension version …`.
fn single_user(text: &str) -> Option<ServerStarted> {
    let (_, rest) = phrase::around(text, "Starting jupyterhub")?;
    let (_, version) = phrase::around(rest, "version ")?;
    let (_, version) = prim::word(version).ok()?;
    Some(ServerStarted {
        version: Some(version.to_owned()),
        program: Some("jupyterhub-singleuser".to_owned()),
        container_id: None,
    })
}

/// The host of a URL, if it is a container's: docker names a container's host by the first 12 digits of its id.
/// Notebook 5 and 6 write `http://(3f0a9c1b2d4e or 127.0.0.1):8888/`.
fn container_in(text: &str) -> Option<&str> {
    let (_, rest) = phrase::around(text, "://")?;
    let host = rest.trim_start_matches('(').split([':', '/', ' ', ')']).next()?;
    let hexadecimal = host.len() == 12 && host.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'));
    hexadecimal.then_some(host)
}
