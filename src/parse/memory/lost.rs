//! A GPU that a monitor cannot reach any more: nvidia-smi, gpustat and nvitop put words in place of its figures.
//!
//! It is told once a log: the monitor repeats it with every sample. Fields that a GPU merely does not have (`[N/A]`,
//! `[Not Supported]`) are not meant.

use super::Reading;
use crate::event::GpuError;

/// What stands in place of a name or a figure.
const WORDS: [&str; 5] =
    ["[GPU is lost]", "((GPU is lost))", "| GPU is lost ", "[GPU requires reset]", "((Unknown Error))"];
/// The same of a row of figures, after the GPU had some.
const AFTER_FIGURES: &str = "[Unknown Error]";

/// What is known of the log's GPUs.
#[derive(Default)]
pub(super) struct Lost {
    told: bool,
    seen_figures: bool,
}

impl Lost {
    /// Reads a line of a monitor.
    pub(super) fn line(&mut self, text: &str) -> Option<Reading> {
        self.seen_figures = self.seen_figures || super::phrase::find(text, " MiB,").is_some();
        // Each of the words has one of these, and hardly any row of figures.
        if self.told || memchr::memchr3(b'[', b'(', b'|', text.as_bytes()).is_none() {
            return None;
        }
        let after = self.seen_figures && text.contains(AFTER_FIGURES);
        if !after && !WORDS.iter().any(|words| text.contains(words)) {
            return None;
        }
        self.told = true;
        let event = GpuError {
            api: Some("nvml".to_owned()),
            name: Some("gpu-is-lost".to_owned()),
            message: Some(super::phrase::excerpt(text)),
            ..GpuError::default()
        };
        Some(Reading::Event(event.into()))
    }
}
