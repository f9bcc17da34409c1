//! What GPU drivers write into Linux's log: NVIDIA's Xid and `SXid`, losses of the card, resets of other drivers.
//!
//! A line that came through a process's output is a quotation and is left alone.

mod drm;
mod nvidia;

use super::{Claim, Found, OneLine, Spec, phrase};
use crate::{
    event::{Channel, Event},
    line::Line,
};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "gpu driver",
    needles: &[
        "Xid (",
        "NVRM: GPU",
        "NVRM: API mismatch",
        "fallen off the bus",
        "GPU is probably locked",
        "amdgpu_job_timedout",
        "GPU fault detected",
        "page fault (src_id",
        " timeout, signaled seq",
        " timeout, but soft recovered",
        "GPU reset",
        "VRAM is lost",
        "MES failed to respond",
        "MES might be in unrecoverable",
        "GPU HANG",
        "SCHED_ERROR",
        "fifo: fault",
    ],
    parts: &[],
    make: || Box::new(OneLine(line)),
};

/// What a line says.
enum Reading {
    /// Something went wrong.
    Event(Event),
    /// A line that goes with another one.
    Companion,
    /// The line breaks off where this was expected.
    Cut(&'static str),
}

/// Looks at one line.
fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    if line.origin.channel == Channel::Process {
        return Claim::NotMine;
    }
    match nvidia::read(line.text).or_else(|| drm::read(line.text)) {
        Some(Reading::Event(event)) => {
            found.push(Found::on(line, event));
            Claim::Mine
        }
        Some(Reading::Companion) => Claim::Mine,
        Some(Reading::Cut(expected)) => Claim::Damaged(expected.to_owned()),
        None => Claim::NotMine,
    }
}
