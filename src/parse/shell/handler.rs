//! The failure handlers of Abseil and glog, which name the signal before the process dies of it.
//!
//! The stack that follows is not read.

use super::signal;
use crate::{event::ProcessExit, parse::{linux::leading_integer, phrase}};

/// `*** SIGSEGV received at time=1796052150 on cpu 1 ***` (Abseil, in TensorFlow, gRPC and Colab's programs),
/// `*** SIGSEGV (@0x0) received by PID 4411 (TID 0x7f2a) from PID 0; stack trace: ***` (glog, in Paddle and others).
pub(super) fn dying(text: &str) -> Option<ProcessExit> {
    let (_, rest) = phrase::around(text, "*** SIG")?;
    let (word, rest) = rest.split_once(' ')?;
    let number = signal::number(&format!("SIG{word}"))?;
    let by = phrase::around(rest, "received by PID ");
    if by.is_none() && !rest.starts_with("received at time=") {
        return None;
    }
    Some(ProcessExit {
        program: None,
        exit_code: Some(128 + number),
        signal: signal::name(number).map(str::to_owned),
        pid: by.and_then(|(_, pid)| leading_integer(pid)),
        reporter: Some("failure handler".to_owned()),
        ..ProcessExit::default()
    })
}
