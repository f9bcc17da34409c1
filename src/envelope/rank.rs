//! `[rank0]:` of `torch` ≥ 2.3, `[default0]:` of `torchrun`, `[1,0]<stderr>:` of Open MPI: which worker of a job
//! printed the line.
//!
//! The rank is not kept; lines of several ranks are told apart by what they say.

use super::{Begins, Envelope, Layer};
use crate::event::{Channel, Origin};
use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::tag,
    character::complete::{char, digit1},
    combinator::{opt, value},
    sequence::delimited,
};
use std::borrow::Cow;

/// The envelope.
pub(super) const ENVELOPE: Envelope =
    Envelope { name: "torch rank", sample: "[rank3]: Killed", begins: Begins::of(b"["), peel };

/// Takes the rank off.
fn peel(text: &str) -> Option<Layer<'_>> {
    let (rest, ()) = prefix(text).ok()?;
    let origin = Origin { channel: Channel::Process, ..Origin::default() };
    Some(Layer { rest: Cow::Borrowed(rest), origin, ..Layer::default() })
}

/// `[rank0]: `; C++ lines follow without a blank. `[1,0]<stderr>:` is job, rank and stream (`mpirun --tag-output`).
fn prefix(input: &str) -> IResult<&str, ()> {
    let torch = value((), (char('['), alt((tag("rank"), tag("default"))), digit1, tag("]:"), opt(char(' '))));
    let stream = delimited(char('<'), alt((tag("stdout"), tag("stderr"), tag("stddiag"))), tag(">:"));
    let mpi = value((), (char('['), digit1, char(','), digit1, char(']'), stream));
    alt((torch, mpi)).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks() {
        assert_eq!(peel("[rank0]: Traceback").unwrap().rest, "Traceback");
        assert_eq!(
            peel("[rank12]:[E1130 15:22:30.1 a.cpp:1] x").unwrap().rest,
            "[E1130 15:22:30.1 a.cpp:1] x"
        );
        assert_eq!(peel("[1,3]<stderr>:x").unwrap().rest, "x");
        assert!(peel("[rank]: x").is_none());
        assert!(peel("[1,3]: x").is_none());
    }
}
