//! The names that `docker compose logs`, `kubectl logs --prefix` and k9s put before each line.
//!
//! Ambiguity: `word | rest` is also a row of a table, and the name becomes an identity by which incidents are
//! joined. So a name counts only if it is a compose replica (`nb-1`, `nb_1`), or if what follows is plainly a log
//! line: a logger's head, a zoned stamp, an indented or opening line of a traceback.

use super::{Envelope, Layer, logger, prim};
use crate::event::{Channel, Origin};
use nom::{
    IResult, Parser,
    bytes::complete::{tag, take_while1},
    character::complete::{char, space0},
    combinator::{opt, verify},
    sequence::preceded,
};
use std::borrow::Cow;

/// `docker compose logs`.
pub(super) const COMPOSE: Envelope = Envelope { name: "compose", peel: compose };
/// `kubectl logs --prefix`, and k9s' screen.
pub(super) const KUBECTL: Envelope = Envelope { name: "kubectl", peel: kubectl };

/// A layer that names a container.
fn layer<'a>(rest: &'a str, pod: Option<&str>, container: &str) -> Layer<'a> {
    Layer {
        rest: Cow::Borrowed(rest),
        origin: Origin {
            pod: pod.map(str::to_owned),
            container_name: Some(container.to_owned()),
            channel: Channel::Process,
            ..Origin::default()
        },
        ..Layer::default()
    }
}

/// `name-1  | text`.
fn compose(text: &str) -> Option<Layer<'_>> {
    let (rest, (name, _, _)) = (name, space0, tag("|")).parse(text).ok()?;
    let (rest, _) = prim::blank_or_end(rest).ok()?;
    (is_replica(name) || is_log(rest)).then(|| layer(rest, None, name))
}

/// A container's name.
fn name(input: &str) -> IResult<&str, &str> {
    let name = take_while1(|c: char| c.is_ascii_alphanumeric() || "._-".contains(c));
    verify(name, |name: &str| name.len() <= 128 && name.starts_with(|c: char| c.is_ascii_alphanumeric()))
        .parse(input)
}

/// Whether compose numbered it: `nb-1`, `project_nb_1`.
fn is_replica(name: &str) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    stem.len() < name.len()
        && stem.ends_with(['-', '_'])
        && stem.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Whether a text is plainly a line of a log.
fn is_log(text: &str) -> bool {
    let headed = logger::head(text).is_some_and(|head| head.logger.is_some() || head.stamp.is_some());
    headed || text.starts_with("  ") || text.starts_with("Traceback (most recent call last)")
}

/// `[pod/jupyter-ada/notebook] text`, `│ notebook [I 2026-…│`.
fn kubectl(text: &str) -> Option<Layer<'_>> {
    if let Ok((rest, (pod, container))) = prefix(text) {
        return Some(layer(rest, Some(pod), container));
    }
    let text = text.trim_end().strip_prefix("│ ")?;
    let text = text.strip_suffix('│').unwrap_or(text).trim_end();
    let (rest, (container, _)) = (name, char(' ')).parse(text).ok()?;
    is_log(rest).then(|| layer(rest, None, container))
}

/// `[pod/jupyter-ada/notebook] `.
fn prefix(input: &str) -> IResult<&str, (&str, &str)> {
    let part = |input| take_while1(|c: char| c.is_ascii_alphanumeric() || "._-".contains(c))(input);
    let container = preceded(char('/'), part);
    let (rest, (_, pod, container, _, _)) =
        (tag("[pod/"), part, container, char(']'), opt(char(' '))).parse(input)?;
    Ok((rest, (pod, container)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_and_tables() {
        let of =
            |text| compose(text).map(|layer| (layer.rest.into_owned(), layer.origin.container_name.unwrap()));
        assert_eq!(of("ada-jupyter-1   | text"), Some(("text".into(), "ada-jupyter-1".into())));
        assert_eq!(of("nb_1 | text"), Some(("text".into(), "nb_1".into())));
        assert_eq!(of("nb-1  |"), Some((String::new(), "nb-1".into())));
        assert_eq!(
            of("hub | [I 2026-11-30 15:22:30.902 JupyterHub app:1] x").map(|(_, name)| name),
            Some("hub".into())
        );
        assert_eq!(of("hub |   File \"a.py\", line 1").map(|(_, name)| name), Some("hub".into()));
        assert_eq!(of("Timestamp | Level | Message"), None);
        assert_eq!(of("python3 | 1234"), None);
        assert_eq!(of("2 | 7"), None);
        assert_eq!(of("jupyterlab | extension was successfully linked."), None);
    }

    #[test]
    fn pods() {
        let layer = kubectl("[pod/jupyter-ada/notebook] text").unwrap();
        assert_eq!((layer.rest.as_ref(), layer.origin.pod.as_deref()), ("text", Some("jupyter-ada")));
        let layer =
            kubectl("│ notebook [I 2026-11-30 15:22:30.171 SingleUserNotebookApp manager:91] x      │")
                .unwrap();
        assert_eq!(layer.rest, "[I 2026-11-30 15:22:30.171 SingleUserNotebookApp manager:91] x");
        assert!(kubectl("│ CPU │ 17 │").is_none());
    }
}
