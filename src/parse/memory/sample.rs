//! `Sample`: one measurement, as every reader of this parser hands it on.
//!
//! It does not know which series it will belong to.

use crate::{event::MemorySample, stamp::Stamp};

/// The longest label that is compared, in characters.
const LONGEST_LABEL: usize = 80;

/// One measurement.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sample {
    /// As `memory.sample` names it.
    pub(super) what: &'static str,
    /// The process measured.
    pub(super) pid: Option<i64>,
    /// The GPU.
    pub(super) gpu: Option<String>,
    /// The container.
    pub(super) container_id: Option<String>,
    /// Its name.
    pub(super) container_name: Option<String>,
    /// The text beside the figure.
    pub(super) label: Option<String>,
    /// The step the text names.
    pub(super) step: Option<i64>,
    /// In use.
    pub(super) used_bytes: Option<i64>,
    /// Of how much.
    pub(super) total_bytes: Option<i64>,
    /// In use, in percent.
    pub(super) percent: Option<f64>,
    /// The smallest difference that the print shows, in the figure's own unit.
    pub(super) resolution: f64,
    /// Whether the line itself already is an event of another kind, so that no sample need be given.
    pub(super) row: bool,
    /// Whether it is one of a monitor's rows, of which each GPU has its own.
    pub(super) of_monitor: bool,
    /// The time that the record itself prints where no envelope reads it: mprof's epoch, gpustat's `query_time`.
    pub(super) stamp: Option<Stamp>,
}

impl Sample {
    /// A sample of something.
    pub(super) fn of(what: &'static str) -> Self {
        Self { what, ..Self::default() }
    }

    /// So many bytes of something, printed in units of `resolution` bytes.
    pub(super) fn bytes(what: &'static str, used_bytes: i64, resolution: f64) -> Self {
        Self { used_bytes: Some(used_bytes), resolution, ..Self::of(what) }
    }

    /// The figure: bytes where there are any, else percent.
    #[expect(clippy::cast_precision_loss, reason = "memory sizes lie below 2^53")]
    pub(super) fn figure(&self) -> Option<f64> {
        self.used_bytes.map(|bytes| bytes as f64).or(self.percent)
    }

    /// The label with `#` for numbers: what all labels of one place in the program have in common.
    pub(super) fn label_kind(&self) -> Option<String> {
        let mut kind = String::new();
        for character in self.label.as_deref()?.chars().take(LONGEST_LABEL) {
            match character {
                '0'..='9' if kind.ends_with('#') => {}
                '0'..='9' => kind.push('#'),
                other => kind.push(other),
            }
        }
        Some(kind)
    }

    /// The sample as an event.
    pub(super) fn event(self) -> MemorySample {
        MemorySample {
            what: Some(self.what.to_owned()),
            pid: self.pid,
            gpu: self.gpu,
            label: self.label,
            used_bytes: self.used_bytes,
            total_bytes: self.total_bytes,
            percent: self.percent,
            container_id: self.container_id,
            container_name: self.container_name,
        }
    }
}
