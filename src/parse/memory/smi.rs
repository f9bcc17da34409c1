//! `nvidia-smi`'s table of every width and driver, `gpustat`, and pairs like `GPU 0 … 1893MiB / 8114MiB`.
//!
//! Rows are known by their content, for the header has changed (R610 calls the driver `KMD Version`). MIG rows and
//! their BAR1 lines are parts of a GPU that was already counted, and are left out.

use super::{Reading, Sample, phrase};
use crate::{
    event::{GpuProcessMemory, GpuState},
    parse::{linux::victim, prim},
};
use nom::{IResult, Parser, bytes::complete::tag, character::complete::space0};

/// The most lines of one table.
const MOST_LINES: u32 = 400;
/// One MiB.
const MIB: f64 = 1_048_576.0;

/// The table being read.
#[derive(Default)]
pub(super) struct Table {
    open: bool,
    lines: u32,
    mig: bool,
    gpu: Option<(String, String)>,
    driver: Option<String>,
    cuda: Option<String>,
    /// The Python processes shown so far: the GPU and what they hold of it.
    pythons: Vec<(String, i64)>,
    /// The GPUs shown so far, and their memory.
    totals: Vec<(String, i64)>,
}

impl Table {
    /// Whether the table goes on.
    pub(super) fn hungry(&self) -> bool {
        self.open
    }

    /// Reads a line.
    pub(super) fn line(&mut self, text: &str) -> Option<Vec<Reading>> {
        if text.contains("NVIDIA-SMI ") && text.contains(" Version: ") {
            self.begin();
            self.driver = version(text, &["Driver Version: ", "KMD Version: "]);
            self.cuda = version(text, &["CUDA Version: ", "CUDA UMD Version: "]);
            return Some(Vec::new());
        }
        let row = text.trim();
        let inside = row.starts_with(['|', '+', '│', '╒', '├', '╞', '╘']);
        if inside && row.contains("Persistence-M") {
            if !self.open {
                *self = Self::default();
            }
            self.begin();
            return Some(Vec::new());
        }
        self.lines += 1;
        self.open &= self.lines < MOST_LINES && (inside || row.is_empty());
        if inside && row.starts_with(['|', '│']) {
            self.row(row)
        } else {
            gpustat(row).or_else(|| pair_line(row))
        }
    }

    /// Opens the table.
    fn begin(&mut self) {
        self.open = true;
        self.lines = 0;
        self.mig = false;
        self.pythons.clear();
        self.totals.clear();
    }

    /// Reads a row of the table.
    fn row(&mut self, row: &str) -> Option<Vec<Reading>> {
        if row.contains("MIG devices:") || row.contains("Processes:") {
            self.mig = row.contains("MIG devices:");
            return self.open.then(Vec::new);
        }
        let cells: Vec<&str> = row.split(['|', '│']).map(str::trim).collect();
        if let Some((used, total)) = cells.iter().find_map(|cell| pair(cell).ok()).map(|(_, pair)| pair) {
            return Some(if self.mig { Vec::new() } else { vec![self.state(used, total)] });
        }
        if let Some(process) = cells.get(1).and_then(|cell| process(cell)) {
            let process = with_neighbours(process, &mut self.pythons);
            let total = self.totals.iter().find(|(gpu, _)| process.gpu.as_ref() == Some(gpu));
            let total_bytes = total.map(|(_, total)| *total);
            return Some(vec![Reading::Process(GpuProcessMemory { total_bytes, ..process })]);
        }
        if let [_, first, second, ..] = cells[..]
            && second.contains(':')
            && let Some(gpu) = name(first)
        {
            self.gpu = Some(gpu);
        }
        self.open.then(Vec::new)
    }

    /// The row of the GPU whose name stood in the line before.
    fn state(&mut self, used: f64, total: f64) -> Reading {
        let (gpu, model) = self.gpu.take().unzip();
        self.totals.extend(gpu.clone().map(|gpu| (gpu, prim::rounded(total * MIB))));
        Reading::State(GpuState {
            gpu,
            model,
            used_bytes: Some(prim::rounded(used * MIB)),
            total_bytes: Some(prim::rounded(total * MIB)),
            driver_version: self.driver.clone(),
            cuda_version: self.cuda.clone(),
        })
    }
}

/// A version behind one of several names.
fn version(text: &str, names: &[&str]) -> Option<String> {
    let rest = names.iter().find_map(|name| phrase::behind(text, name))?;
    let word = rest.split_whitespace().next()?;
    word.starts_with(|c: char| c.is_ascii_digit()).then(|| word.to_owned())
}

/// `2214MiB / 23028MiB`, anywhere in a cell.
fn pair(cell: &str) -> IResult<&str, (f64, f64)> {
    let start = cell.find("MiB").map_or(0, |unit| {
        let head = cell.get(..unit).unwrap_or_default().trim_end();
        head.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |before| before + 1)
    });
    let text = cell.get(start..).unwrap_or_default();
    let (rest, (used, _, _, _, _, _, total, _, _)) =
        (prim::number, space0, tag("MiB"), space0, tag("/"), space0, prim::number, space0, tag("MiB"))
            .parse(text)?;
    Ok((rest, (used, total)))
}

/// `0  NVIDIA A10                     On`: number and model.
fn name(cell: &str) -> Option<(String, String)> {
    let (number, rest) = cell.split_once(' ')?;
    number.parse::<u32>().ok()?;
    let rest = rest.trim();
    let model = rest.strip_suffix("On").or_else(|| rest.strip_suffix("Off")).unwrap_or(rest).trim();
    Some((number.to_owned(), model.to_owned()))
}

/// `0   N/A  N/A     18220      C   ...envs/nb/bin/python      301MiB`; without the two N/A before R450.
fn process(cell: &str) -> Option<GpuProcessMemory> {
    let words: Vec<&str> = cell.split_whitespace().collect();
    let kind = words.iter().position(|word| ["C", "G", "C+G", "M+C", "M"].contains(word))?;
    let pid = words.get(kind.checked_sub(1)?)?.parse().ok()?;
    let gpu = words.first().filter(|word| word.parse::<u32>().is_ok())?;
    // nvitop puts user and memory before the command, nvidia-smi the memory last.
    let size = |word: &&str| word.strip_suffix("MiB").is_some_and(|number| number.parse::<f64>().is_ok());
    let place = words.iter().position(size).filter(|place| *place > kind)?;
    let used: f64 = words.get(place)?.strip_suffix("MiB")?.parse().ok()?;
    let last = place + 1 == words.len();
    let names = if last { words.get(kind + 1..place)? } else { command(&words, place)? };
    let name = (!names.is_empty()).then(|| names.join(" "));
    Some(GpuProcessMemory {
        gpu: Some((*gpu).to_owned()),
        pid: Some(pid),
        program: name.as_deref().and_then(program),
        process: name,
        used_bytes: Some(prim::rounded(used * MIB)),
        ..GpuProcessMemory::default()
    })
}

/// What a process is, by its program. A name that says nothing (`-`, `[Not Found]`: a container's, or another user's) is none.
fn program(name: &str) -> Option<String> {
    let path = name.split_whitespace().next()?;
    let base = path.rsplit(['/', '\\']).next()?;
    let base = base.split('.').next().unwrap_or(base);
    let known = base.chars().filter(char::is_ascii_alphabetic).count() > 1 && !name.starts_with('[');
    known.then(|| if victim(base) == "stranger" { "stranger" } else { "kernel" }.to_owned())
}

/// nvitop's command, behind shares of memory and processor and the time that the process has run.
fn command<'w, 't>(words: &'w [&'t str], size: usize) -> Option<&'w [&'t str]> {
    let is_figure = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let start = (size + 1..words.len()).find(|at| words.get(*at).is_some_and(|word| !is_figure(word)))?;
    words.get(start..start + 1)
}

/// Adds what the Python processes above it in the same table hold of the same GPU, and remembers it for those below.
fn with_neighbours(process: GpuProcessMemory, pythons: &mut Vec<(String, i64)>) -> GpuProcessMemory {
    let python = process.process.as_ref().is_some_and(|name| name.contains("python"));
    let (Some(gpu), Some(used), true) = (&process.gpu, process.used_bytes, python) else { return process };
    let same = pythons.iter().filter(|(other, _)| other == gpu).map(|(_, bytes)| *bytes);
    let neighbour_bytes = same.reduce(i64::saturating_add);
    pythons.push((gpu.clone(), used));
    GpuProcessMemory { neighbour_bytes, ..process }
}

/// gpustat: `[0] NVIDIA GeForce RTX 4090 | 71°C,  98 % | 23987 / 24564 MB | alice(22107M)`. Its MB are MiB.
fn gpustat(row: &str) -> Option<Vec<Reading>> {
    let (number, rest) = row.strip_prefix('[')?.split_once("] ")?;
    number.parse::<u32>().ok()?;
    let cells: Vec<&str> = rest.split('|').map(str::trim).collect();
    let (used, total) = cells.iter().find_map(|cell| cell.strip_suffix(" MB")?.split_once('/'))?;
    let size = |text: &str| text.trim().parse::<f64>().ok().map(|mib| prim::rounded(mib * MIB));
    let state = GpuState {
        gpu: Some(number.to_owned()),
        model: cells.first().map(|model| (*model).to_owned()),
        used_bytes: Some(size(used)?),
        total_bytes: size(total),
        ..GpuState::default()
    };
    let users = cells.get(3).copied().unwrap_or_default();
    let mut pythons = Vec::new();
    let processes = users.split_whitespace().filter_map(|user| gpustat_process(user, number));
    let total_bytes = size(total);
    let processes = processes.map(|process| with_neighbours(process, &mut pythons));
    let processes = processes.map(|process| Reading::Process(GpuProcessMemory { total_bytes, ..process }));
    Some(std::iter::once(Reading::State(state)).chain(processes).collect())
}

/// `alice:python/12345(22107M)`.
fn gpustat_process(user: &str, gpu: &str) -> Option<GpuProcessMemory> {
    let (owner, size) = user.strip_suffix("M)")?.split_once('(')?;
    let (name, pid) = owner.rsplit_once('/')?;
    let name = name.rsplit(':').next();
    Some(GpuProcessMemory {
        gpu: Some(gpu.to_owned()),
        pid: Some(pid.parse().ok()?),
        program: name.and_then(program),
        process: name.map(str::to_owned),
        used_bytes: size.parse::<f64>().ok().map(|mib| prim::rounded(mib * MIB)),
        ..GpuProcessMemory::default()
    })
}

/// `21:57:46  GPU 0 GeForce GTX 1080   1893MiB /  8114MiB`, as people cut it out of the table.
fn pair_line(row: &str) -> Option<Vec<Reading>> {
    let of_gpu = phrase::from(row, "GPU")?;
    let (_, (used, total)) = pair(of_gpu).ok()?;
    let gpu = phrase::integer_behind(of_gpu, "GPU ").or_else(|| phrase::integer_behind(of_gpu, "GPU"));
    Some(vec![Reading::Sample(Sample {
        gpu: gpu.map(|number| number.to_string()),
        used_bytes: Some(prim::rounded(used * MIB)),
        total_bytes: Some(prim::rounded(total * MIB)),
        resolution: MIB,
        ..Sample::of("gpu-device")
    })])
}
