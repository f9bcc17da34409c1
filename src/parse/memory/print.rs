//! Lines that programs print about their own memory: `Step 12: Allocated=7.81GB`, `RAM Usage: 93%`,
//! `rss_mb=70 host_used_mb=5119 host_total_mb=31811`, `svmem(total=…, percent=13.2, used=…)`, `显存: 7.81GB`.
//!
//! Such scripts divide by 1024³ and write GB, so GB is 2^30 here. It does not read tables.

use super::{
    Reading, Sample,
    figure::{Figure, Meaning, Meanings, bytes, figures, unit_of_name},
    label,
};
use crate::parse::prim::unit_bytes;

/// Lines that hold such figures but are an error or another program's report.
const FOREIGN: [&str; 6] =
    ["out of memory", "Out of memory", "OutOfMemory", "anon-rss", "Tried to allocate", "large alloc "];
/// Words of a training loop's own line, where a bare `mem` is the running maximum of the GPU's.
const TRAINING: [&str; 5] = ["loss", "it/s", "s/it", "lr ", "eta "];

/// The reader; a pair of lines `Allocated: …`, `Reserved: …` belongs together.
#[derive(Default)]
pub(super) struct Prints {
    after_allocated: bool,
    meanings: Meanings,
}

impl Prints {
    /// Reads a line.
    pub(super) fn line(&mut self, text: &str) -> Option<Vec<Reading>> {
        let after = std::mem::take(&mut self.after_allocated);
        let figures = figures(text);
        let of_gpu = figures.iter().any(|figure| speaks_of_allocator(figure.name));
        let meaning = |figure| (meaning_of(figure, text, of_gpu || after, &mut self.meanings), figure);
        let told: Vec<_> = figures.iter().map(meaning).collect();
        // Most lines tell nothing of memory, and need not be searched for the words of an error.
        let tells = of_gpu || told.iter().any(|(meaning, _)| is_measure(*meaning));
        if !tells || FOREIGN.iter().any(|words| text.contains(words)) {
            return None;
        }
        self.after_allocated = of_gpu;
        read(text, &told)
    }
}

/// Whether a figure's name is one of `PyTorch`'s allocator.
fn speaks_of_allocator(name: &str) -> bool {
    let ends = |end: &str| {
        let start = name.len().checked_sub(end.len());
        start.and_then(|start| name.get(start..)).is_some_and(|last| last.eq_ignore_ascii_case(end))
    };
    ["allocated", "alloc", "已分配"].into_iter().any(ends)
}

/// Whether a figure makes a sample.
fn is_measure(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::Used(_) | Meaning::Peak(_) | Meaning::Percent(_))
}

/// The samples of a line's figures.
fn read(text: &str, told: &[(Meaning, &Figure<'_>)]) -> Option<Vec<Reading>> {
    let context = context(text, told);
    let samples: Vec<Reading> = told
        .iter()
        .filter_map(|(meaning, figure)| sample(*meaning, figure, &context))
        .map(Reading::Sample)
        .collect();
    (!samples.is_empty()).then_some(samples)
}

/// Whether a line is one of these whose figure was not written any more: a killed process leaves `Step 412: Allocated=`.
pub(super) fn is_cut(text: &str) -> bool {
    let text = text.trim_end();
    ["Allocated=", "Allocated:", "allocated=", "RAM Usage:", "rss_mb="].iter().any(|end| text.ends_with(end))
}

/// What a figure of a line means; in psutil's `svmem(…)` the bare names are the host's. `of_gpu` says that the line, or the
/// one before it, speaks of a GPU's allocator.
fn meaning_of(figure: &Figure<'_>, text: &str, of_gpu: bool, meanings: &mut Meanings) -> Meaning {
    let of_system = || text.contains("svmem(");
    match figure.name {
        "used" if of_system() => Meaning::Used("host"),
        "total" if of_system() => Meaning::Total("host"),
        "percent" if of_system() => Meaning::Percent("host"),
        name if name.eq_ignore_ascii_case("mem") && figure.unit != "%" => {
            let training = TRAINING.iter().any(|word| text.contains(word));
            if training { Meaning::Peak("gpu-peak") } else { Meaning::Used("process") }
        }
        _ => meanings.of(figure.name, figure.unit, of_gpu),
    }
}

/// What the whole line says beside its figures.
struct Context {
    label: Option<String>,
    step: Option<i64>,
    pid: Option<i64>,
    gpu: Option<String>,
    totals: Vec<(&'static str, i64)>,
    /// The host's own percentage, beside its bytes.
    percents: Vec<(&'static str, f64)>,
    measured: Vec<&'static str>,
}

/// Gathers the context of a line.
fn context(text: &str, told: &[(Meaning, &Figure<'_>)]) -> Context {
    let whole = |wanted: Meaning| {
        let figure = told.iter().find(|(meaning, _)| *meaning == wanted)?.1;
        Some(crate::parse::prim::rounded(figure.value))
    };
    let first = told.iter().find(|(meaning, _)| matches!(meaning, Meaning::Used(_) | Meaning::Percent(_)));
    let label = first.and_then(|(_, figure)| label::label(text, figure));
    let step = whole(Meaning::Step).or_else(|| label.as_deref().and_then(label::step)).or_else(|| label::progress(text));
    let mut context = Context {
        label,
        step,
        pid: whole(Meaning::Pid),
        gpu: whole(Meaning::Gpu).map(|number| number.to_string()),
        totals: Vec::new(),
        percents: Vec::new(),
        measured: Vec::new(),
    };
    for (meaning, figure) in told {
        match meaning {
            Meaning::Total(what) => context.totals.extend(size(figure).map(|bytes| (*what, bytes))),
            Meaning::Percent(what) => context.percents.push((what, figure.value)),
            Meaning::Used(what) if size(figure).is_some() => context.measured.push(what),
            _ => {}
        }
    }
    context
}

/// The sample a figure stands for.
fn sample(meaning: Meaning, figure: &Figure<'_>, context: &Context) -> Option<Sample> {
    let (what, used_bytes) = match meaning {
        Meaning::Used(what) | Meaning::Peak(what) => (what, Some(size(figure)?)),
        Meaning::Percent(what) if !context.measured.contains(&what) => (what, None),
        _ => return None,
    };
    let percent = match used_bytes {
        None => Some(figure.value).filter(|value| (0.0..=100.0).contains(value)),
        Some(_) => context.percents.iter().find(|(of, _)| *of == what).map(|(_, percent)| *percent),
    };
    let full = figure.of.and_then(|(value, unit)| bytes(value, unit));
    let total = || context.totals.iter().find(|(of, _)| *of == what).map(|(_, bytes)| *bytes);
    let unit = used_bytes.and_then(|_| unit_bytes(unit(figure), true)).unwrap_or(1.0);
    Some(Sample {
        // A process's id says whose memory it is, but not whose the host's is.
        pid: context.pid.filter(|_| what != "host"),
        gpu: context.gpu.clone(),
        label: context.label.clone(),
        step: context.step,
        used_bytes,
        total_bytes: full.or_else(total),
        percent,
        resolution: figure.resolution * unit,
        ..Sample::of(what)
    })
}

/// The unit of a figure, its own or its name's.
fn unit<'a>(figure: &Figure<'a>) -> &'a str {
    if figure.unit.is_empty() { unit_of_name(figure.name) } else { figure.unit }
}

/// A figure in bytes.
fn size(figure: &Figure<'_>) -> Option<i64> {
    bytes(figure.value, unit(figure))
}
