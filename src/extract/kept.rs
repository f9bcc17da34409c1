//! Keeps what parsers find in one log: folds repetitions, counts coverage, bounds memory.

use super::{Extract, Span, thin::thin};
use crate::{
    event::{Channel, Origin, Record, Role},
    line::Logger,
    note::Note,
    parse::Found,
    source::{Location, SourceId},
    stamp::Stamp,
};
use std::collections::BTreeMap;

/// The most records kept of one log. Repeated events are folded before they count.
const MOST_RECORDS: usize = 50_000;
/// From so many records on the background among them is thinned out.
const MANY_RECORDS: usize = 12_000;
/// The most pairs of clocks kept of one log.
const MOST_PAIRS: usize = 32;
/// The most notes kept of one log.
const MOST_NOTES: usize = 50;

/// What is kept of a log while it is read.
pub(super) struct Kept {
    /// The log's part of the result.
    pub(super) extract: Extract,
    source: SourceId,
    /// The last record of each kind, for folding.
    latest: BTreeMap<&'static str, usize>,
    ascending: u64,
    descending: u64,
    dropped: u64,
    /// Background that was thinned out.
    thinned: u64,
    /// How many records there may be before it is thinned out again.
    room: usize,
    damaged: usize,
}

impl Kept {
    /// Nothing yet.
    pub(super) fn new(path: &str, source: SourceId) -> Self {
        let extract = Extract { path: path.to_owned(), ..Extract::default() };
        Self {
            extract,
            source,
            latest: BTreeMap::new(),
            ascending: 0,
            descending: 0,
            dropped: 0,
            thinned: 0,
            room: MANY_RECORDS,
            damaged: 0,
        }
    }

    /// Adds a remark.
    pub(super) fn note(&mut self, line: Option<u64>, text: impl Into<String>) {
        if self.extract.notes.len() < MOST_NOTES {
            self.extract.notes.push(Note { path: self.extract.path.clone(), line, text: text.into() });
        }
    }

    /// Adds a remark about a damaged line.
    pub(super) fn damaged(&mut self, line: u64, parser: &str, expected: &str) {
        self.damaged += 1;
        self.note(Some(line), format!("damaged {parser} line: expected {expected}"));
    }

    /// Remembers through which channel a line came. A logger's head alone does not tell whose output it is: daemons of
    /// the host have some too.
    pub(super) fn channel(&mut self, origin: &Origin, logger: Option<&Logger>) {
        self.extract.host_log |= origin.channel == Channel::RingBuffer;
        self.extract.output |= origin.channel == Channel::Process && logger.is_none() && origin.is_bare();
    }

    /// Widens what each clock covers, and remembers two clocks that stand on one line.
    pub(super) fn cover(&mut self, stamps: &[Stamp]) {
        for stamp in stamps {
            let at = stamp.micros;
            let fresh = Span { first: at, last: at, earliest: at, latest: at };
            let span = self.extract.spans.entry(stamp.clock).or_insert(fresh);
            if Stamp::best(stamps) == Some(*stamp) {
                self.ascending += u64::from(at > span.last);
                self.descending += u64::from(at < span.last);
            }
            span.last = at;
            span.earliest = span.earliest.min(at);
            span.latest = span.latest.max(at);
        }
        if let [outer, .., inner] = stamps
            && outer.clock != inner.clock
            && self.extract.pairs.len() < MOST_PAIRS
        {
            self.extract.pairs.push((*outer, *inner));
        }
    }

    /// Keeps one event, folding it into an equal one before it.
    pub(super) fn push(&mut self, found: Found) {
        let kind = found.event.kind();
        let folds = matches!(kind.role, Role::Trouble | Role::Context);
        let before = self.latest.get(kind.name).and_then(|index| self.extract.records.get_mut(*index));
        if let Some(before) = before
            && folds
            && before.event == found.event
            && before.origin == found.mark.origin
        {
            before.count += 1;
            before.last = Stamp::best(&found.mark.stamps);
            return;
        }
        if self.extract.records.len() >= self.room {
            self.make_room();
        }
        if self.extract.records.len() >= MOST_RECORDS {
            self.dropped += 1;
            return;
        }
        if kind.role == Role::Death {
            // What repeats after a death belongs to the next one.
            self.latest.clear();
        }
        self.latest.insert(kind.name, self.extract.records.len());
        self.extract.records.push(Record {
            event: found.event,
            at: Location { source: self.source, line: found.mark.number },
            stamps: found.mark.stamps,
            exact: found.mark.exact,
            last: None,
            count: 1,
            text: found.mark.text,
            origin: found.mark.origin,
        });
    }

    /// Thins out the background. Where most records matter, there is more room until the next time.
    fn make_room(&mut self) {
        let before = self.extract.records.len();
        thin(&mut self.extract.records);
        let left = self.extract.records.len();
        self.thinned += (before - left) as u64;
        self.room = MANY_RECORDS.max(left + left / 4);
        // They are numbered by their places.
        self.latest.clear();
    }

    /// Ends the log; `ordered` if its lines came in the order of time.
    pub(super) fn finish(mut self, ordered: bool) -> Extract {
        if self.dropped > 0 {
            self.note(None, format!("{} more events were not kept", self.dropped));
        }
        if self.thinned > 0 {
            let text = "events of the background were not kept: it has too many, far from any trouble";
            self.note(None, format!("{} {text}", self.thinned));
        }
        if self.damaged > MOST_NOTES {
            self.extract.notes.truncate(MOST_NOTES - 1);
            self.note(None, format!("{} damaged lines in all", self.damaged));
        }
        self.extract.newest_first = !ordered && self.descending > self.ascending;
        if !ordered {
            self.extract.records.sort_by_key(|record| record.at.line);
        }
        self.extract
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        event::{Event, OomKill, SessionClosed},
        line::Mark,
    };

    fn found(number: u64, event: Event) -> Found {
        let user = format!("user{number}");
        let mark = Mark { number, text: user, ..Mark::default() };
        Found { event, mark }
    }

    /// A log of background with a kill every so many lines.
    fn read(lines: u64, kills: u64) -> Extract {
        let mut kept = Kept::new("a.log", SourceId(0));
        for number in 1..=lines {
            let closed = SessionClosed { user: Some(format!("user{number}")), ..SessionClosed::default() };
            let kill = number % (lines / kills) == 0;
            kept.push(found(number, if kill { OomKill::default().into() } else { closed.into() }));
        }
        kept.finish(false)
    }

    #[test]
    fn background_gives_way_to_what_matters() {
        let extract = read(200_000, 40);
        assert!(extract.records.len() < MANY_RECORDS, "{}", extract.records.len());
        let kills: Vec<usize> = (0..extract.records.len())
            .filter(|at| matches!(extract.records[*at].event, Event::OomKill(_)))
            .collect();
        assert_eq!(kills.len(), 40);
        let last = extract.records[kills[20]].at.line;
        let near = extract.records.iter().filter(|record| record.at.line.abs_diff(last) <= 32);
        assert_eq!(near.count(), 65);
        assert!(extract.notes[0].text.contains("events of the background were not kept"));
    }

    #[test]
    fn few_records_are_all_kept() {
        assert_eq!(read(MANY_RECORDS as u64, 10).records.len(), MANY_RECORDS);
    }
}
