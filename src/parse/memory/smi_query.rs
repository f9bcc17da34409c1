//! `nvidia-smi -q`: the memory of each GPU and of its processes.
//!
//! GPUs are named by their bus address there, not by a number. Clocks, power and the many other figures are not read.

use super::Reading;
use crate::{
    event::{GpuProcessMemory, GpuState},
    parse::prim,
};

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "NVSMI LOG",
    "FB Memory Usage",
];

/// The most lines between two that belong to one GPU: ECC counters and clocks make some hundred.
const MOST_LINES: u32 = 600;

/// The report being read.
#[derive(Default)]
pub(super) struct Report {
    left: u32,
    bus: Option<String>,
    state: GpuState,
    in_framebuffer: bool,
    process: GpuProcessMemory,
    driver: Option<String>,
    cuda: Option<String>,
}

impl Report {
    /// Whether the report goes on.
    pub(super) fn hungry(&self) -> bool {
        self.left > 0
    }

    /// Reads a line.
    pub(super) fn line(&mut self, text: &str) -> Option<Vec<Reading>> {
        if text.contains("NVSMI LOG") || text.trim_end().ends_with("FB Memory Usage") {
            self.left = MOST_LINES;
        }
        self.left = self.left.checked_sub(1)?;
        let row = text.trim();
        if let Some(bus) = row.strip_prefix("GPU ").filter(|bus| bus.matches(':').count() == 2) {
            self.bus = Some(bus.to_owned());
            self.state = GpuState::default();
            self.left = MOST_LINES;
            return Some(Vec::new());
        }
        let known = ["Timestamp", "Driver Version", "CUDA Version", "Attached GPUs", "=="];
        if !row.is_empty() && !text.starts_with([' ', '\t']) && !known.iter().any(|name| row.starts_with(name)) {
            self.left = 0;
            return None;
        }
        let Some((name, value)) = row.split_once(':').map(|(name, value)| (name.trim(), value.trim())) else {
            self.in_framebuffer = row == "FB Memory Usage";
            return Some(Vec::new());
        };
        Some(self.take(name, value).into_iter().collect())
    }

    /// Takes one figure.
    fn take(&mut self, name: &str, value: &str) -> Option<Reading> {
        let size = prim::size(true)(value).ok().map(|(_, bytes)| bytes);
        match name {
            "Driver Version" => self.driver = Some(value.to_owned()),
            "CUDA Version" => self.cuda = Some(value.to_owned()),
            "Product Name" => self.state.model = Some(value.to_owned()),
            "Total" if self.in_framebuffer => self.state.total_bytes = size,
            "Used" if self.in_framebuffer => {
                self.in_framebuffer = false;
                let state = GpuState {
                    gpu: self.bus.clone(),
                    used_bytes: Some(size?),
                    driver_version: self.driver.clone(),
                    cuda_version: self.cuda.clone(),
                    ..self.state.clone()
                };
                return Some(Reading::State(state));
            }
            "Process ID" => {
                self.process = GpuProcessMemory { pid: value.parse().ok(), ..GpuProcessMemory::default() };
            }
            "Name" if self.process.pid.is_some() => self.process.process = Some(value.to_owned()),
            "Used GPU Memory" => {
                let process = std::mem::take(&mut self.process);
                let gpu = self.bus.clone();
                process.pid?;
                return Some(Reading::Process(GpuProcessMemory { gpu, used_bytes: Some(size?), ..process }));
            }
            _ => {}
        }
        None
    }
}
