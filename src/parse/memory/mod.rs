//! Memory logs: what people print, sample or tabulate about host, process, container and GPU memory.
//!
//! Samples are summed up into series while they are read, so that ten million of them cost no memory. It does not
//! read out-of-memory messages.

mod allocator;
mod bare;
mod columns;
mod docker;
mod figure;
mod framework;
mod gpustat_json;
mod hash_table;
mod host;
mod label;
mod lost;
mod print;
mod process;
mod prometheus;
mod recorded;
mod sample;
mod series;
mod single;
mod smi;
mod smi_query;
mod streams;
mod summary;
mod trend;

use super::{Claim, Found, Parser, Spec, phrase};
use crate::{
    envelope::record::PROGRAM,
    event::{Channel, Event, GpuProcessMemory, GpuState},
    line::{Line, Mark},
    stamp::Stamp,
};
use memchr::memmem::Finder;
use sample::Sample;
use series::Collection;
use std::sync::LazyLock;

/// The parser.
pub const PARSER: Spec = Spec {
    name: "memory log",
    needles: &[
        "llocated=",
        "llocated:",
        "llocated :",
        "eserved: ",
        "eserved=",
        "RAM Usage",
        "RAM usage",
        "RAM Used",
        "RAM used",
        "ram_used",
        "ram_percent",
        "emory usage",
        "emory Usage",
        "emory used",
        "emory Used",
        "GPU memory: ",
        "GPU Memory: ",
        "gpu_mem",
        "vram_",
        "VRAM: ",
        "rss_",
        "rss=",
        "rss,",
        "rss: ",
        "RSS=",
        "RSS: ",
        "used_mb",
        "used_mib",
        "used_gb",
        "used_gib",
        "used_bytes",
        "mem_used",
        "mem_mb",
        "mem_percent",
        "memory_mb",
        "memory_percent",
        "memory.used",
        "used_memory",
        "svmem(",
        "MiB, ",
        "MiB |",
        "MiB /",
        "iB / ",
        " MB |",
        "NVIDIA-SMI ",
        "Persistence-M",
        "MEM USAGE / LIMIT",
        "buff/cache",
        "used       free",
        "Mem:",
        "Mem :",
        "%MEM",
        "kbmemused",
        "PyTorch CUDA memory summary",
        "| Allocated memory",
        "| GPU reserved memory",
        "| Non-releasable memory",
        "llocated memory",
        "erved memory",
        "emory allocated",
        "emory reserved",
        "mem_alloc",
        "alloc=",
        "alloc: ",
        "alloc ",
        "ached: ",
        " mem ",
        "mem=",
        "mem: ",
        "Mem: ",
        "em usage",
        "CUDA memory: ",
        "vram=",
        "vram: ",
        "VRAM=",
        "显存",
        "已分配",
        "预留",
        "内存",
        "VRAM ",
        " MiB",
        "MEM ",
        "CHLD ",
        "Maximum resident set size",
        "emory usage is ",
        "peak memory: ",
        "limits",
        "Max_MA ",
        "CPU Virtual Memory",
        "memory (MB) |",
        "max_mem: ",
        "max mem: ",
        "memory: ",
        "GPU_mem ",
        "# gpu ",
        "#Date ",
        "#Entity",
        "_bytes.all.current",
        "allocated_size",
        "device_free",
        "query_time",
        "FB Memory Usage",
        "GPU is lost",
        "[GPU requires reset]",
        "((Unknown Error))",
        "MemTotal:",
        "MemAvailable:",
        "VmRSS:",
        "MemUsage",
        "MEMORY(bytes)",
        "urrent: ",
        "NVSMI LOG",
        "DCGM_FI_DEV_FB_",
        "DCGM_FI_DEV_XID_ERRORS",
        "_memory_usage ",
        "node_memory_Mem",
        "container_memory_working_set_bytes",
        "container_spec_memory_limit_bytes",
        "process_resident_memory_bytes",
        "record/1",
    ],
    // The readers that look only at lines with one of their words, in the order in which they are asked.
    parts: &[
        summary::WORDS,
        allocator::WORDS,
        smi_query::WORDS,
        gpustat_json::WORDS,
        prometheus::WORDS,
        single::WORDS,
        framework::WORDS,
        host::WORDS,
    ],
    make: || Box::new(Memory::default()),
};

/// What Linux's report of a cgroup says and what a segment of the allocator's has. Searched in each of millions of rows.
static CGROUP_STATS: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("Memory cgroup stats for "));
static ALLOCATED_SIZE: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("allocated_size"));

/// The most monitors' rows given one by one; later ones count only in their series.
const MOST_ROWS: u32 = 400;

/// What a line says.
enum Reading {
    /// A measurement.
    Sample(Sample),
    /// A monitor's row about a GPU.
    State(GpuState),
    /// A monitor's row about a process on a GPU.
    Process(GpuProcessMemory),
    /// Anything else that it tells.
    Event(Event),
}

/// The parser at work.
#[derive(Default)]
struct Memory {
    collection: Collection,
    smi: smi::Table,
    columns: columns::Table,
    docker: docker::Table,
    free: host::Free,
    processes: process::Table,
    summary: summary::Summary,
    snapshot: allocator::Snapshot,
    query: smi_query::Report,
    object: gpustat_json::Object,
    marked: hash_table::Table,
    metrics: prometheus::Metrics,
    frameworks: framework::Frameworks,
    prints: print::Prints,
    bare: bare::Rows,
    lost: lost::Lost,
    streams: streams::Streams,
    rows: u32,
    /// The line of the last row whose GPU is not known yet.
    row_mark: Mark,
    /// The line of the allocator's snapshot.
    mark: Mark,
}

impl Memory {
    /// The readings of a line, from the first reader that knows it.
    fn read(&mut self, line: &Line<'_>) -> Option<Vec<Reading>> {
        let text = line.text;
        // A table's rows are its own, and there may be millions of them: nobody else needs to look.
        let in_table = self.columns.hungry();
        if in_table && let Some(readings) = self.columns.line(text) {
            return Some(readings);
        }
        // A line that is no row has been counted, and must not be counted again as long as the table lasts.
        let table_is_over = !in_table || !self.columns.hungry();
        let [summary, snapshot, query, object, metrics, single, frameworks, free] = line.parts();
        let when = |looks: bool| looks.then_some(());
        when(summary)
            .and_then(|()| self.summary.line(text))
            .or_else(|| when(snapshot).and_then(|()| self.snapshot.line(text)))
            .or_else(|| when(query || self.query.hungry()).and_then(|()| self.query.line(text)))
            .or_else(|| when(object || self.object.hungry()).and_then(|()| self.object.line(text)))
            .or_else(|| self.marked.line(text))
            .or_else(|| when(metrics).and_then(|()| self.metrics.line(text)))
            .or_else(|| when(single).and_then(|()| single::read(text)))
            .or_else(|| when(frameworks || self.frameworks.hungry()).and_then(|()| self.frameworks.line(text)))
            .or_else(|| self.smi.line(text))
            .or_else(|| when(table_is_over).and_then(|()| self.columns.line(text)))
            .or_else(|| self.docker.line(text))
            .or_else(|| when(free).and_then(|()| self.free.line(text)))
            .or_else(|| self.processes.line(text))
            .or_else(|| self.prints.line(text))
    }

    /// Keeps a reading.
    fn keep(&mut self, reading: Reading, line: &Line<'_>, found: &mut Vec<Found>) {
        let row = self.rows < MOST_ROWS;
        match reading {
            Reading::Sample(sample) if !self.streams.is_one() && is_row_of_some_gpu(&sample) => {
                let stamp = sample.stamp.or_else(|| Stamp::best(line.stamps).filter(|_| line.exact));
                for sample in self.streams.take(Sample { stamp, ..sample }) {
                    self.collection.add(sample, line, found);
                }
                if self.streams.waits() {
                    self.row_mark = line.mark();
                }
            }
            Reading::Sample(sample) => self.collection.add(sample, line, found),
            Reading::State(state) => {
                let sample = Sample {
                    gpu: state.gpu.clone(),
                    used_bytes: state.used_bytes,
                    total_bytes: state.total_bytes,
                    resolution: f64::from(1u32 << 20),
                    row: true,
                    stamp: self.object.stamp,
                    ..Sample::of("gpu-device")
                };
                self.collection.add(sample, line, found);
                if row {
                    self.rows += 1;
                    found.push(Found::on(line, state));
                }
            }
            Reading::Event(event) => found.push(Found::on(line, event)),
            Reading::Process(process) => {
                if row {
                    self.rows += 1;
                    found.push(Found::on(line, process));
                }
            }
        }
    }
}

impl Parser for Memory {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        let stamp = Stamp::best(line.stamps).filter(|_| line.exact);
        if let Some(samples) = self.bare.line(line.text, stamp) {
            for sample in samples {
                self.keep(Reading::Sample(sample), line, found);
            }
            return Claim::Mine;
        }
        if line.origin.channel == Channel::RingBuffer || CGROUP_STATS.find(line.text.as_bytes()).is_some() {
            return Claim::NotMine;
        }
        if line.origin.program.as_deref() == Some(PROGRAM) {
            for sample in recorded::samples(line.text) {
                self.collection.add(sample, line, found);
            }
            return Claim::NotMine;
        }
        let lost = self.lost.line(line.text);
        let told = lost.is_some();
        if let Some(reading) = lost {
            self.keep(reading, line, found);
        }
        match self.read(line) {
            None if told => Claim::Mine,
            Some(readings) => {
                if ALLOCATED_SIZE.find(line.text.as_bytes()).is_some() {
                    self.mark = line.mark();
                }
                for reading in readings {
                    self.keep(reading, line, found);
                }
                Claim::Mine
            }
            None if print::is_cut(line.text) => Claim::Damaged("a figure".to_owned()),
            None => Claim::NotMine,
        }
    }

    fn hungry(&self) -> bool {
        self.smi.hungry()
            || self.columns.hungry()
            || self.docker.hungry()
            || self.query.hungry()
            || self.object.hungry()
            || self.marked.hungry()
            || self.frameworks.hungry()
            || self.processes.hungry()
            || self.bare.hungry()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        let mark = std::mem::take(&mut self.row_mark);
        for sample in self.streams.finish() {
            self.collection.add(sample, &mark.line(), found);
        }
        for reading in self.snapshot.finish() {
            if let Reading::Sample(sample) = reading {
                found.push(Found::at(&self.mark, sample.event()));
            }
        }
        self.collection.finish(found);
    }
}

/// Whether a sample is a monitor's row of a GPU that the row does not name.
fn is_row_of_some_gpu(sample: &Sample) -> bool {
    sample.what == "gpu-device" && sample.gpu.is_none() && sample.of_monitor
}
