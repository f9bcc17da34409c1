//! What the logs that were given cover, and what they do not: a log that covers the moment and is silent rules
//! something out, one that does not is a gap.

use super::{
    ReportMissing, SilentLog,
    build::{Builder, Words},
};
use crate::{
    diagnosis::Diagnosis,
    language::fill,
    rule::Missing,
    source::SourceId,
    stamp::SECOND,
    timeline::{Source, Timeline, rfc3339},
};
use std::collections::BTreeSet;

/// The name by which rules ask for Linux's own log, whatever program wrote it down.
const HOST_LOG: &str = "host log";
/// Clocks differ by this much.
const SLACK: i64 = 5 * SECOND;

/// How a log lies to a moment.
enum Coverage {
    /// It says something of this death.
    Speaks,
    /// It covers the moment and says nothing.
    Silent,
    /// It does not help, and why.
    Gap(Gap),
}

/// Why a log does not help.
enum Gap {
    /// Its times, or the death's, are not known.
    NoTime,
    /// It ends before, at this time.
    Ends(i64),
    /// It begins after, at this time.
    Begins(i64),
    /// Lines of it were lost.
    Lost,
}

impl Gap {
    /// The reason in words.
    fn told(&self, builder: &Builder<'_>, source: &Source) -> String {
        let (path, messages) = (("path", source.path.as_str()), builder.messages());
        let at = |time: i64| builder.timeline.show(time).or_else(|| rfc3339(time)).unwrap_or_default();
        match self {
            Self::NoTime => fill(messages.gap_no_time, &[path]),
            Self::Ends(last) => fill(messages.gap_ends, &[path, ("time", &at(*last))]),
            Self::Begins(first) => fill(messages.gap_begins, &[path, ("time", &at(*first))]),
            Self::Lost => fill(messages.gap_lost, &[path]),
        }
    }
}

/// The logs that say something of a death.
fn speaking(words: &Words<'_>) -> BTreeSet<SourceId> {
    words.moments().map(|moment| moment.record.at.source).collect()
}

/// Logs that would settle a verdict and were not given, or do not cover the moment.
pub(super) fn missing(
    builder: &Builder<'_>,
    diagnosis: &Diagnosis<'_>,
    words: &Words<'_>,
) -> Vec<ReportMissing> {
    let speaking = speaking(words);
    let asked = diagnosis.cause.rule.missing.iter().filter_map(|missing| {
        let mut gap = None;
        for (id, source) in sources_of(builder.timeline, diagnosis, missing) {
            match coverage(diagnosis, &speaking, id, source) {
                Coverage::Gap(why) => gap = gap.or(Some((why, source))),
                Coverage::Speaks | Coverage::Silent => return None,
            }
        }
        let reason = gap.map(|(why, source)| why.told(builder, source));
        let command = words.command(&missing.command)?;
        Some(ReportMissing {
            source: missing.source.clone(),
            command: builder.redact(&command),
            reason: reason.map(|reason| builder.redact(&reason)),
        })
    });
    asked.collect()
}

/// Logs that were asked for, cover the moment, and say nothing of it.
pub(super) fn silent(builder: &Builder<'_>, diagnosis: &Diagnosis<'_>, words: &Words<'_>) -> Vec<SilentLog> {
    let speaking = speaking(words);
    let mut silent: Vec<SilentLog> = Vec::new();
    for missing in &diagnosis.cause.rule.missing {
        for (id, source) in sources_of(builder.timeline, diagnosis, missing) {
            if !matches!(coverage(diagnosis, &speaking, id, source), Coverage::Silent) {
                continue;
            }
            let path = builder.redact(&source.path);
            if !silent.iter().any(|log| log.path == path) {
                let show = |time| builder.timeline.show(time);
                let (first, last) =
                    source.covers.map_or((None, None), |(first, last)| (show(first), show(last)));
                silent.push(SilentLog { source: missing.source.clone(), path, first, last });
            }
        }
    }
    silent
}

/// The logs of the kinds that make a rule's request superfluous, if they may be of the same machine.
fn sources_of<'a>(
    timeline: &'a Timeline,
    diagnosis: &'a Diagnosis<'_>,
    missing: &'a Missing,
) -> impl Iterator<Item = (SourceId, &'a Source)> + 'a {
    let own = timeline.source(diagnosis.incident.source).and_then(|source| source.place.as_ref());
    let sources = timeline.sources.iter().enumerate().map(|(index, source)| (SourceId(index), source));
    let sources = sources.filter(move |(_, source)| own.is_none() || source.place.as_ref() == own);
    sources.filter(|(_, source)| {
        missing.unless.iter().any(|kind| *kind == source.kind || (kind == HOST_LOG && source.host_log))
    })
}

/// How a log lies to the death, of which some logs speak.
fn coverage(
    diagnosis: &Diagnosis<'_>,
    speaking: &BTreeSet<SourceId>,
    id: SourceId,
    source: &Source,
) -> Coverage {
    if speaking.contains(&id) {
        return Coverage::Speaks;
    }
    let (Some(time), Some((first, last))) = (diagnosis.incident.time(), source.covers) else {
        return Coverage::Gap(Gap::NoTime);
    };
    if last + SLACK < time {
        // A log that only events write to is quiet between them: nobody knows when it was saved.
        Coverage::Gap(Gap::Ends(last))
    } else if first - SLACK > time {
        Coverage::Gap(Gap::Begins(first))
    } else if source.lost_lines {
        Coverage::Gap(Gap::Lost)
    } else {
        Coverage::Silent
    }
}
