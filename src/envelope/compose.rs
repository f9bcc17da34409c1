//! The names that `docker compose logs`, `kubectl logs --prefix`, k9s, stern and kail put before each line.
//!
//! Ambiguity: `word | rest` is also a row of a table, and the name becomes an identity by which incidents are
//! joined. So a name counts only if it is a compose replica (`nb-1`, `nb_1`), or if what follows is plainly a log
//! line: a logger's head, a zoned stamp, an indented or opening line of a traceback.

use super::{Begins, Envelope, Layer, logger, prim};
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
pub(super) const COMPOSE: Envelope =
    Envelope { name: "compose", sample: "lab-jupyter-1  | Killed", begins: Begins::WORD, peel: compose };
/// `kubectl logs --prefix`, and k9s' screen.
pub(super) const KUBECTL: Envelope = Envelope {
    name: "kubectl",
    sample: "[pod/jupyter-ada/notebook] Killed",
    begins: Begins::of(b"[").and_beyond(),
    peel: kubectl,
};
/// stern and kail.
pub(super) const STERN: Envelope = Envelope {
    name: "stern",
    sample: "jupyter-ada notebook [I 2026-11-30 15:22:30.411 ServerApp] Kernel started",
    begins: Begins::WORD,
    peel: stern,
};

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
    let name = take_while1(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
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
    // Zoned stamps are envelopes, not heads.
    let stamped = prim::iso(text).is_ok_and(|(rest, _)| prim::blank_or_end(rest).is_ok());
    headed || stamped || text.starts_with("  ") || text.starts_with("Traceback (most recent call last)")
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
    let part =
        |input| take_while1(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))(input);
    let container = preceded(char('/'), part);
    let (rest, (_, pod, container, _, _)) =
        (tag("[pod/"), part, container, char(']'), opt(char(' '))).parse(input)?;
    Ok((rest, (pod, container)))
}

/// `jupyter-ada notebook text`, with the namespace before it for all namespaces; kail's
/// `hub/jupyter-ada[notebook]: text`. Two words are the beginning of many a sentence: a log line must follow.
fn stern(text: &str) -> Option<Layer<'_>> {
    if let Ok((rest, (_, _, pod, _, container, _))) =
        (name, char('/'), name, char('['), name, tag("]: ")).parse(text)
    {
        return Some(layer(rest, Some(pod), container));
    }
    let (rest, (first, _, second, _)) = (name, char(' '), name, char(' ')).parse(text).ok()?;
    if !is_pod(first) && !is_pod(second) {
        return None;
    }
    if is_log(rest) {
        return is_pod(first).then(|| layer(rest, Some(first), second));
    }
    let (rest, (container, _)) = (name, char(' ')).parse(rest).ok()?;
    (is_pod(second) && is_log(rest)).then(|| layer(rest, Some(second), container))
}

/// Whether a word can be the name of a pod that stern follows: lower case, and of several parts.
fn is_pod(word: &str) -> bool {
    word.contains('-')
        && word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte))
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

    #[test]
    fn followers_of_pods() {
        for text in [
            "jupyter-ada notebook [I 2026-11-30 15:22:30.171 ServerApp] x",
            "hub jupyter-ada notebook [I 2026-11-30 15:22:30.171 ServerApp] x",
            "hub/jupyter-ada[notebook]: [I 2026-11-30 15:22:30.171 ServerApp] x",
        ] {
            let layer = stern(text).unwrap();
            let names = (layer.origin.pod.as_deref(), layer.origin.container_name.as_deref());
            assert_eq!(names, (Some("jupyter-ada"), Some("notebook")), "{text}");
            assert_eq!(layer.rest, "[I 2026-11-30 15:22:30.171 ServerApp] x");
        }
        assert!(stern("not-ready container 2026 is").is_none());
        assert!(stern("Kernel died [I 2026-11-30 15:22:30.171 ServerApp] x").is_none());
    }
}
