//! Keeps what parsers find in one log: folds repetitions, counts coverage, bounds memory.

use super::{Extract, Span, by_kind::ByKind, thin::Thinner};
use crate::{
    event::{Channel, Origin, Record, Role},
    line::Logger,
    note::Note,
    parse::Found,
    source::{Location, SourceId},
    stamp::Stamp,
};
use std::sync::Arc;

/// The most records kept of one log. Repeated events are folded before they count.
const MOST_RECORDS: usize = 50_000;
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
    latest: ByKind<usize>,
    /// The origin of the last record.
    origin: Arc<Origin>,
    ascending: u64,
    descending: u64,
    dropped: u64,
    thinner: Thinner,
    /// How much background was thinned out.
    thinned: u64,
    damaged: usize,
}

impl Kept {
    /// Nothing yet.
    pub(super) fn new(path: &str, source: SourceId) -> Self {
        let extract = Extract { path: path.to_owned(), ..Extract::default() };
        Self {
            extract,
            source,
            latest: ByKind::new(),
            origin: Arc::default(),
            ascending: 0,
            descending: 0,
            dropped: 0,
            thinner: Thinner::new(),
            thinned: 0,
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
    pub(super) fn channel(&mut self, origin: &Origin, logger: Option<&Logger<'_>>) {
        self.extract.host_log |= origin.channel == Channel::RingBuffer;
        self.extract.output |= origin.channel == Channel::Process && logger.is_none() && origin.is_bare();
    }

    /// Widens what each clock covers, and remembers two clocks that stand on one line.
    pub(super) fn cover(&mut self, stamps: &[Stamp]) {
        self.zone(stamps);
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

    /// Remembers the zone that stamps name. Zero is often only how a program prints every time.
    fn zone(&mut self, stamps: &[Stamp]) {
        let named = stamps.iter().find_map(|stamp| stamp.east).filter(|east| *east != 0);
        self.extract.east = named.or(self.extract.east);
    }

    /// Keeps one event, folding it into an equal one before it.
    pub(super) fn push(&mut self, found: Found) {
        self.zone(&found.mark.stamps);
        let kind = found.event.kind();
        let folds = matches!(kind.role, Role::Trouble | Role::Context);
        let before = self.latest.get_mut(kind).and_then(|index| self.extract.records.get_mut(*index));
        if let Some(before) = before
            && folds
            && before.event == found.event
            && before.origin == found.mark.origin
        {
            before.count += 1;
            before.last = Stamp::best(&found.mark.stamps);
            return;
        }
        if let Some(thinned) = self.thinner.make_room(&mut self.extract.records) {
            self.thinned += thinned as u64;
            // They are numbered by their places.
            self.latest.clear();
        }
        // No death is dropped for what came before it; as many as would fill the memory are nobody's.
        let most = if kind.role == Role::Death { 2 * MOST_RECORDS } else { MOST_RECORDS };
        if self.extract.records.len() >= most {
            self.dropped += 1;
            return;
        }
        if kind.role == Role::Death {
            // What repeats after a death belongs to the next one.
            self.latest.clear();
        }
        if self.origin != found.mark.origin {
            self.origin = found.mark.origin;
        }
        self.latest.insert(kind, self.extract.records.len());
        self.extract.records.push(Record {
            event: found.event,
            at: Location { source: self.source, line: found.mark.number },
            stamps: found.mark.stamps,
            exact: found.mark.exact,
            last: None,
            count: 1,
            text: found.mark.text,
            origin: Arc::clone(&self.origin),
        });
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
        self.extract.records.shrink_to_fit();
        if !ordered {
            self.extract.records.sort_by_key(|record| record.at.line);
        }
        self.extract
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::thin::MANY;
    use crate::{
        event::{Event, FrontendPingTimeout, OomKill, ServerKernelRestarting, SessionClosed},
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
        assert!(extract.records.len() < MANY, "{}", extract.records.len());
        let kills: Vec<usize> = (0..extract.records.len())
            .filter(|at| matches!(extract.records[*at].event, Event::OomKill(_)))
            .collect();
        assert_eq!(kills.len(), 40);
        let last = extract.records[kills[20]].at.line;
        let near = extract.records.iter().filter(|record| record.at.line.abs_diff(last) <= 32);
        assert_eq!(near.count(), 65);
        assert!(extract.notes[0].text.contains("events of the background were not kept"));
    }

    /// A log of trouble, all of it different, with a death at its end.
    #[test]
    fn trouble_that_never_ends_hides_no_death() {
        let mut kept = Kept::new("a.log", SourceId(0));
        for number in 1..=200_000_u32 {
            let milliseconds = Some(i64::from(number));
            let timeout = FrontendPingTimeout { milliseconds, ..FrontendPingTimeout::default() };
            kept.push(found(u64::from(number), timeout.into()));
        }
        kept.push(found(200_001, ServerKernelRestarting::default().into()));
        let extract = kept.finish(false);
        assert!(extract.records.len() < MOST_RECORDS / 2, "{}", extract.records.len());
        assert!(matches!(
            extract.records.last().map(|record| &record.event),
            Some(Event::ServerKernelRestarting(_))
        ));
        assert!(
            extract.notes.iter().any(|note| note.text.contains("events of the background were not kept"))
        );
    }

    #[test]
    fn few_records_are_all_kept() {
        assert_eq!(read(MANY as u64, 10).records.len(), MANY);
    }
}
