//! What native code in a process prints before it ends: allocators, C++, assertions, `OpenMP`, MKL, HDF5, Qt …
//!
//! It does not judge whether the process died of it, and leaves what GPU programming interfaces report to the CUDA
//! parsers.

mod assertion;
mod cpp;
mod detail;
mod gui;
mod loader;
mod memory;
mod source_line;
mod table;

use super::{Claim, Found, Parser, Spec};
use crate::{
    event::NativeMessage,
    line::{Line, Mark},
};
use table::{NEEDLES, SIGNATURES};

/// The parser.
pub const PARSER: Spec = Spec { name: "native", needles: &NEEDLES, parts: &[], make: || Box::new(Native::default()) };

/// The longest message kept, in characters.
const LONGEST: usize = 500;
/// How many lines after `terminate called …` are searched for `what():`.
const MOST_AFTER: usize = 12;

/// What a signature's reader makes of a line.
pub(crate) enum Reading {
    /// The words stand there by chance.
    Not,
    /// Understood.
    Is(NativeMessage),
    /// Understood, and the next lines may hold the message: C++'s `what():`.
    Begins(NativeMessage),
    /// Recognised but cut off: what was expected.
    Cut(&'static str),
}

/// A line that was recognised: the text from the signature's literal on, and the whole.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hit<'a> {
    /// The line.
    pub text: &'a str,
    /// Where the literal begins.
    pub at: usize,
    /// The literal's length.
    pub length: usize,
}

impl<'a> Hit<'a> {
    /// What stands before the literal.
    pub(crate) fn before(self) -> &'a str {
        self.text.get(..self.at).unwrap_or_default()
    }

    /// The literal and what follows.
    pub(crate) fn from(self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default().trim_end()
    }

    /// What follows the literal.
    pub(crate) fn after(self) -> &'a str {
        self.text.get(self.at + self.length..).unwrap_or_default().trim_end()
    }
}

/// A message whose second half is still to come.
struct Pending {
    mark: Mark,
    event: NativeMessage,
    left: usize,
}

/// The parser's state.
#[derive(Default)]
struct Native {
    pending: Option<Pending>,
}

impl Parser for Native {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if let Some(pending) = &mut self.pending
            && cpp::what(line.text, &mut pending.event)
        {
            self.finish(found);
            return Claim::Mine;
        }
        let claim = self.signature(line, found);
        if claim == Claim::NotMine {
            self.wait(found);
        }
        claim
    }

    fn hungry(&self) -> bool {
        self.pending.is_some()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        if let Some(pending) = self.pending.take() {
            found.push(Found::at(&pending.mark, pending.event));
        }
    }
}

impl Native {
    /// Asks each signature whose literal stands on the line.
    fn signature(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        // A fatal record's place in the source may have been read as its logger's head.
        let fatal = line.logger.is_some_and(|logger| logger.level == Some('F'));
        let text = if fatal { line.shown } else { line.text };
        for signature in SIGNATURES {
            let Some(at) = text.find(signature.literal) else { continue };
            let hit = Hit { text, at, length: signature.literal.len() };
            match (signature.read)(hit) {
                Reading::Not => {}
                Reading::Cut(expected) => return Claim::Damaged(expected.to_owned()),
                Reading::Is(event) => {
                    self.finish(found);
                    found.push(Found::on(line, signature.complete(event, hit)));
                    return Claim::Mine;
                }
                Reading::Begins(event) => {
                    self.finish(found);
                    let event = signature.complete(event, hit);
                    self.pending = Some(Pending { mark: line.mark(), event, left: MOST_AFTER });
                    return Claim::Mine;
                }
            }
        }
        Claim::NotMine
    }

    /// Counts a line that was not the one waited for.
    fn wait(&mut self, found: &mut Vec<Found>) {
        if let Some(pending) = &mut self.pending {
            pending.left -= 1;
            if pending.left == 0 {
                self.finish(found);
            }
        }
    }
}
