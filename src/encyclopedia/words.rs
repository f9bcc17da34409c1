//! The words by which a report says how it knows and how sure it is.

use super::Entry;

/// A word of the report, and what it promises.
const WORDS: &[(&str, &str)] = &[
    (
        "confirmed",
        "A record names the cause, and an identity ties that record to this death: the kernel's id, its process, its \
         container, pod or cgroup, its user's unit or job, or the log of a server that knows only this kernel.",
    ),
    (
        "probable",
        "A record names the cause, and only time and place tie it to this death: it may be a neighbour's.",
    ),
    (
        "possible",
        "The cause is inferred from its effects, or from silence. `doubts` says which other causes the logs leave open, \
         and which command would settle it.",
    ),
    ("same kernel", "The line names the kernel's id (a UUID, the same before and after a restart)."),
    (
        "same process",
        "The line names the process that died. Linux's log counts processes as the host does; inside a container the \
         same process has another number, and the two are never compared.",
    ),
    (
        "same container",
        "The line names the container, pod or cgroup in which the kernel ran, or another log that speaks of the same \
         moment names the same one.",
    ),
    (
        "same owner",
        "The line names the user, the systemd unit or the batch job to which the kernel belonged.",
    ),
    (
        "same file",
        "The line stands in the log that tells of the death, after the death before it. If several kernels write to \
         that log, it may be another's.",
    ),
    (
        "time only",
        "Nothing but the time ties the line to the death: it happened in the seconds in which a cause of this kind \
         happens. The clocks of the logs were compared for this; `clock` says how.",
    ),
    (
        "clock",
        "How a log's times were put on the common clock. `assumed`: the log names no zone and nothing contradicts UTC. \
         Otherwise the offset was read off events that belong together: a kill in dmesg and dockerd's `oom` with the \
         same container id, a kill and the restarter's line up to three seconds after it. Zones are whole quarter-hours. \
         `--timezone` and `--boot-time` settle it.",
    ),
    ("symptom", "Another rule fits too, but the cause explains it: it is an effect or an echo."),
    ("alternative", "Another cause fits as well, and the logs do not rule it out."),
];

/// What a word of the report promises.
pub(super) fn entry(word: &str) -> Option<Entry> {
    let (name, meaning) = WORDS.iter().find(|(name, _)| *name == word)?;
    Some(Entry {
        heading: format!("{name}, as reports say it"),
        paragraphs: vec![(*meaning).to_owned()],
        causes: Vec::new(),
    })
}
