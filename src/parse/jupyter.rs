//! The Jupyter server's own lines, of every generation. (Placeholder body until the parser lands.)

use super::{Claim, Found, OneLine, Spec, prim};
use crate::{event::ServerKernelRestarted, line::Line};
use nom::{IResult, Parser, bytes::complete::tag};

/// The parser.
pub const PARSER: Spec = Spec { name: "jupyter", needles: &[" restarted"], make: || Box::new(OneLine(line)) };

/// Looks at one line.
fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    match restarted(line.text) {
        Ok((_, id)) => {
            found.push(Found::on(line, ServerKernelRestarted { kernel_id: Some(id.to_owned()) }));
            Claim::Mine
        }
        Err(_) => Claim::NotMine,
    }
}

/// `kernel b273fb86-… restarted`: lower case is automatic, after a death; `Kernel restarted: …` is a person.
fn restarted(input: &str) -> IResult<&str, &str> {
    let (rest, (_, id, _)) = (tag("kernel "), prim::uuid, tag(" restarted")).parse(input)?;
    Ok((rest, id))
}
