//! `Together`: several small parsers that share one source kind and see the same lines.
//!
//! It knows nothing of what they look for.

use crate::{
    line::Line,
    parse::{Claim, Found, Parser},
};

/// Parsers that look at each line one after the other. The first that claims a line speaks for all.
pub(in crate::parse) struct Together(pub(in crate::parse) Vec<Box<dyn Parser>>);

impl Parser for Together {
    /// Each parser sees each line, claimed or not: an open record has to see where it ends.
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        let claims = self.0.iter_mut().map(|parser| parser.line(line, found));
        claims.fold(Claim::NotMine, |first, next| if first == Claim::NotMine { next } else { first })
    }

    fn hungry(&self) -> bool {
        self.0.iter().any(|parser| parser.hungry())
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        for parser in &mut self.0 {
            parser.finish(found);
        }
    }
}
