//! `Together`: several small parsers that share one source kind and see the same lines.
//!
//! It does not know what they look for.

use crate::{
    line::Line,
    parse::{Claim, Found, Parser},
};

/// Parsers that look at each line one after the other. The first that claims a line speaks for all.
pub(in crate::parse) struct Together {
    parsers: Vec<Box<dyn Parser>>,
    /// Whether they are the parts of a parser, of which each sees the lines with its words.
    by_words: bool,
    /// The parsers that ask for the next line, a bit each: what they ask for changes only when they see a line.
    hungry: u32,
    /// Those that wait for some line, and see whatever comes.
    waiting: u32,
}

impl Together {
    /// Parsers that all see every line.
    pub(in crate::parse) fn new(parsers: Vec<Box<dyn Parser>>) -> Self {
        let hungry = parsers.iter().rev().fold(0, |bits, parser| bits << 1 | u32::from(parser.hungry()));
        Self { parsers, by_words: false, hungry, waiting: 0 }
    }

    /// The parts of a parser, 32 at most, in the order of its words.
    pub(super) fn by_words(parsers: Vec<Box<dyn Parser>>) -> Self {
        Self { by_words: true, ..Self::new(parsers) }
    }
}

impl Parser for Together {
    /// Each parser sees each line, claimed or not: an open record has to see where it ends.
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        let all = u32::MAX >> 32_usize.saturating_sub(self.parsers.len());
        let mut wanted = all & if self.by_words { line.parts | self.hungry | self.waiting } else { u32::MAX };
        let mut claim = Claim::NotMine;
        while wanted != 0 {
            let index = wanted.trailing_zeros();
            wanted &= wanted - 1;
            let Some(parser) = usize::try_from(index).ok().and_then(|index| self.parsers.get_mut(index)) else { break };
            let next = parser.line(line, found);
            self.hungry = self.hungry & !(1 << index) | u32::from(parser.hungry()) << index;
            self.waiting = self.waiting & !(1 << index) | u32::from(parser.waits()) << index;
            if claim == Claim::NotMine {
                claim = next;
            }
        }
        claim
    }

    fn hungry(&self) -> bool {
        self.hungry != 0
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        for parser in &mut self.parsers {
            parser.finish(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::FrontendOutputResumed;
    use std::sync::Arc;

    /// Gives an event before whatever comes after the line that it has seen.
    #[derive(Default)]
    struct Later(bool);

    impl Parser for Later {
        fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
            if std::mem::replace(&mut self.0, line.parts == 1) {
                found.push(Found::on(line, FrontendOutputResumed::default()));
            }
            Claim::NotMine
        }

        fn waits(&self) -> bool {
            self.0
        }
    }

    #[test]
    fn who_waits_sees_the_next_line_whatever_it_holds() {
        let mut parts = Together::by_words(vec![Box::new(Later::default())]);
        let mut found = Vec::new();
        let origin = Arc::default();
        for (number, words) in [(1, 0), (2, 1), (3, 0), (4, 0)] {
            let line = Line {
                number,
                text: "",
                shown: "",
                stamps: &[],
                exact: false,
                origin: &origin,
                logger: None,
                parts: words,
            };
            parts.line(&line, &mut found);
            assert!(!parts.hungry());
        }
        assert_eq!(found.iter().map(|found| found.mark.number).collect::<Vec<_>>(), [3]);
    }
}
