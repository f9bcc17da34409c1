//! `Record`: an event with its line, its stamps as read, and what the envelopes said of its origin.

use super::Event;
use crate::{
    source::Location,
    stamp::{Stamp, Stamps},
};
use std::sync::Arc;

/// The channel a line came through. A line that claims to be Linux's own but came through a process's
/// output may be forged or quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub enum Channel {
    /// No envelope said.
    #[default]
    Unknown,
    /// Linux's ring buffer: dmesg, `kernel:` in syslog, journald's kernel transport.
    RingBuffer,
    /// A process's output or its own log.
    Process,
}

/// What the envelopes around a line say of where it came from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// The host that logged it.
    pub host: Option<String>,
    /// The container whose output it is: an id or the beginning of one.
    pub container_id: Option<String>,
    /// The container's name, as compose and kubectl print it.
    pub container_name: Option<String>,
    /// The pod's name.
    pub pod: Option<String>,
    /// The program's name in syslog and journald (`kernel`, `systemd`, `dockerd`).
    pub program: Option<String>,
    /// The program's process id in syslog and journald.
    pub pid: Option<i64>,
    /// `stdout` or `stderr`.
    pub stream: Option<String>,
    /// The systemd unit, from journald.
    pub unit: Option<String>,
    /// The boot it belongs to (journald's `_BOOT_ID`).
    pub boot: Option<String>,
    /// The channel it came through.
    pub channel: Channel,
}

impl Origin {
    /// Whether nothing on the line tells which program or container wrote it, so that whoever else writes to the log
    /// could have written it too.
    pub fn is_bare(&self) -> bool {
        self.program.is_none() && !self.names_container()
    }

    /// Whether it is what a container printed: its carrier names the container, or at least the stream.
    pub fn is_container_output(&self) -> bool {
        self.channel == Channel::Process
            && self.program.is_none()
            && (self.names_container() || self.stream.is_some())
    }

    fn names_container(&self) -> bool {
        self.container_id.is_some() || self.container_name.is_some() || self.pod.is_some()
    }
}

/// An event as found in a log.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// What happened.
    pub event: Event,
    /// The line that says so, or the most telling line of several.
    pub at: Location,
    /// Every stamp on the line, outermost first, as read.
    pub stamps: Stamps,
    /// Whether the stamps stand on this very line; otherwise they are those of the stamped line before it.
    pub exact: bool,
    /// The stamp of the last of several equal events that were folded into this record.
    pub last: Option<Stamp>,
    /// How many equal events, one after the other, this record stands for.
    pub count: u64,
    /// The line's text without its envelopes, cut to a length that can be shown.
    pub text: String,
    /// What the envelopes said; most records of a log share it.
    pub origin: Arc<Origin>,
}

impl Record {
    /// The most telling stamp of the line.
    pub fn stamp(&self) -> Option<Stamp> {
        Stamp::best(&self.stamps)
    }
}
