//! Finds `name=figure`, `name: figure unit` and `name figure unit` in a line and says which of them speak of memory.
//!
//! People write these lines by hand, so names are understood word by word. It does not group figures into samples.

use crate::parse::prim::{self, rounded, unit_bytes};

/// The longest name that is looked at, in bytes.
const LONGEST_NAME: usize = 40;
/// The most figures read of one line.
const MOST_FIGURES: usize = 48;
/// Numbers without a unit below this are not taken for bytes.
const LEAST_BARE_BYTES: f64 = 1e6;
/// Names that people leave without a sign before the figure, as in `alloc 7.81G reserved 8.20G`.
const UNSIGNED: [&str; 9] =
    ["alloc", "allocated", "reserved", "cached", "mem", "memory", "vram", "gpu_mem", "rss"];

/// The colon of Chinese texts.
const WIDE_COLON: &str = "：";
/// What may stand between a sign and its figure.
const BEFORE_VALUE: [char; 4] = [' ', '\t', '"', '\''];

/// The most names remembered.
const MOST_KNOWN: usize = 16;

/// A figure with its name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure<'a> {
    /// Where the name begins in the line.
    pub(super) start: usize,
    /// The name.
    pub(super) name: &'a str,
    /// The number.
    pub(super) value: f64,
    /// The smallest difference that the number's decimals show.
    pub(super) resolution: f64,
    /// The unit, `%` too; empty if there is none.
    pub(super) unit: &'a str,
    /// The number behind a slash, with its unit: `7.8/23.6 GB`.
    pub(super) of: Option<(f64, &'a str)>,
}

/// What a figure says of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// In use, in bytes.
    Used(&'static str),
    /// In use, in percent.
    Percent(&'static str),
    /// The most ever in use.
    Peak(&'static str),
    /// How much there is.
    Total(&'static str),
    /// The process measured.
    Pid,
    /// The GPU's number.
    Gpu,
    /// The step.
    Step,
    /// Nothing of interest.
    Other,
}

/// All figures of a line.
pub(super) fn figures(text: &str) -> Vec<Figure<'_>> {
    let signs = memchr::memchr3_iter(b':', b'=', WIDE_COLON.as_bytes()[0], text.as_bytes());
    let mut figures: Vec<Figure<'_>> =
        signs.filter_map(|at| figure(text, at, at + sign(text, at)?)).take(MOST_FIGURES).collect();
    if figures.len() < MOST_FIGURES {
        figures.extend(unsigned(text));
        figures.sort_by_key(|figure| figure.start);
    }
    figures
}

/// How long the sign at a place is; none, where another character begins with the same byte.
fn sign(text: &str, at: usize) -> Option<usize> {
    let sign = text.get(at..)?;
    if sign.starts_with([':', '=']) { Some(1) } else { sign.starts_with(WIDE_COLON).then_some(WIDE_COLON.len()) }
}

/// `alloc 7.81G`, `mem 7521MB`: a known name, a blank, and a number whose unit leaves no doubt.
fn unsigned(text: &str) -> impl Iterator<Item = Figure<'_>> {
    // Behind few blanks stands a number.
    let numbered = move |at: &usize| {
        let value = text.get(at + 1..).map(|text| text.trim_start_matches(BEFORE_VALUE));
        value.is_some_and(|value| value.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
    };
    memchr::memchr_iter(b' ', text.as_bytes()).filter(numbered).filter_map(move |at| {
        let head = text.get(..at)?;
        let start = head.rfind([' ', '\t', '|', ',', '[', '(']).map_or(0, |before| before + 1);
        let word = head.get(start..)?;
        let known = UNSIGNED.iter().any(|known| known.eq_ignore_ascii_case(word));
        let figure = known.then(|| figure(text, at, at + 1)).flatten()?;
        (!figure.unit.is_empty() && figure.unit != "%").then(|| Figure { start, name: text.get(start..at).unwrap_or_default(), ..figure })
    })
}

/// The figure behind a sign that stands from `at` to `behind`, if there is one.
fn figure(text: &str, at: usize, behind: usize) -> Option<Figure<'_>> {
    let value_text = text.get(behind..)?.trim_start_matches(BEFORE_VALUE);
    let (rest, value) = prim::number(value_text).ok()?;
    let digits = value_text.get(..value_text.len() - rest.len())?;
    let (rest, unit) = unit(rest);
    let (unit, of) = match total(rest) {
        Some((full, full_unit)) => (if unit.is_empty() { full_unit } else { unit }, Some((full, full_unit))),
        None => (unit, None),
    };
    let (start, name) = name(text.get(..at)?)?;
    Some(Figure { start, name, value, resolution: resolution(digits), unit, of })
}

/// The unit at the beginning of a text, and what follows it.
fn unit(text: &str) -> (&str, &str) {
    let word = text.trim_start_matches(' ');
    if let Some(rest) = word.strip_prefix('%') {
        return (rest, "%");
    }
    let end = word.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(word.len());
    match word.split_at_checked(end) {
        Some((unit, rest)) if unit_bytes(unit, true).is_some() => (rest, unit),
        _ => (text, ""),
    }
}

/// `/ 23.6 GB`.
fn total(text: &str) -> Option<(f64, &str)> {
    let behind = text.trim_start().strip_prefix('/')?.trim_start();
    let (rest, value) = prim::number(behind).ok()?;
    let (_, unit) = unit(rest);
    Some((value, unit))
}

/// The smallest difference shown by a number with these digits.
pub(super) fn resolution(digits: &str) -> f64 {
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len().min(12));
    10f64.powi(-i32::try_from(decimals).unwrap_or(0))
}

/// The name that ends a text, and where it begins.
fn name(head: &str) -> Option<(usize, &str)> {
    let head = head.trim_end_matches([' ', '\t', '"', '\'']);
    let fits = |c: char| c.is_alphanumeric() || "_. -".contains(c);
    let start = head
        .char_indices()
        .rev()
        .take_while(|(at, c)| fits(*c) && head.len() - at <= LONGEST_NAME)
        .last()
        .map(|(at, _)| at)?;
    let name = head.get(start..)?;
    let trimmed = name.trim_start_matches([' ', '-', '.']);
    Some((start + name.len() - trimmed.len(), trimmed))
}

/// A size in bytes; a number without a unit is bytes if it is large enough.
pub(super) fn bytes(value: f64, unit: &str) -> Option<i64> {
    match unit_bytes(unit, true) {
        Some(factor) => Some(rounded(value * factor)),
        None if unit.is_empty() && value >= LEAST_BARE_BYTES => Some(rounded(value)),
        None => None,
    }
}

/// The unit that ends a name: `rss_mb`.
pub(super) fn unit_of_name(name: &str) -> &str {
    let last = name.rsplit(['_', ' ', '.']).next().unwrap_or_default();
    match last.to_ascii_lowercase().as_str() {
        "mb" | "mib" | "gb" | "gib" | "kb" | "kib" | "bytes" if last.len() < name.len() => last,
        _ => "",
    }
}

/// Names of figures that are not what is in use now.
const OTHERS: [&str; 20] = [
    "free",
    "available",
    "avail",
    "min",
    "tried",
    "requested",
    "other",
    "virtual",
    "vms",
    "virt",
    "swap",
    "shared",
    "text",
    "data",
    "currently",
    "delta",
    "diff",
    "increment",
    "anon",
    "file",
];

/// What a figure of this name and unit means; `of_gpu` says that the line speaks of a GPU's allocator.
pub(super) fn meaning(name: &str, unit: &str, of_gpu: bool) -> Meaning {
    let name = name.to_ascii_lowercase();
    let words: Vec<&str> =
        name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
    let says = |wanted: &[&str]| wanted.iter().any(|part| name.contains(part));
    let gpu = says(&["gpu", "显存"]) || has(&["vram", "cuda"]);
    let memory = has(&["mem", "memory", "ram", "vram"]) || says(&["显存", "内存"]);
    let allocated = has(&["allocated", "alloc"]) || says(&["已分配"]);
    if has(&["max", "peak"]) || says(&["峰值", "最大"]) {
        let of_allocator = allocated || ((gpu || of_gpu) && (memory || has(&["reserved"])));
        return if of_allocator && !has(&["limit", "total"]) { Meaning::Peak("gpu-peak") } else { Meaning::Other };
    }
    if has(&OTHERS) {
        return Meaning::Other;
    }
    match words.last().copied() {
        Some("pid") => return Meaning::Pid,
        Some("gpu" | "device" | "index") if unit.is_empty() => return Meaning::Gpu,
        Some("step" | "iter" | "iteration" | "batch") => return Meaning::Step,
        _ => {}
    }
    if has(&["total", "capacity", "limit"]) {
        return Meaning::Total(thing(gpu, has(&["container", "cgroup", "limit"])));
    }
    if unit == "%" || has(&["percent", "pct"]) {
        return if memory {
            Meaning::Percent(thing(gpu, has(&["container", "cgroup"])))
        } else {
            Meaning::Other
        };
    }
    if has(&["rss"]) {
        return Meaning::Used("process");
    }
    if allocated {
        return Meaning::Used("gpu-allocated");
    }
    if has(&["reserved", "cached"]) || says(&["预留", "保留"]) {
        return if of_gpu || gpu || memory { Meaning::Used("gpu-reserved") } else { Meaning::Other };
    }
    if has(&["container", "cgroup"]) && has(&["used", "usage", "current", "mem", "memory"]) {
        return Meaning::Used("container");
    }
    if gpu && (memory || has(&["used", "usage"])) {
        return Meaning::Used("gpu-device");
    }
    if has(&["host", "ram", "system"]) || (memory && has(&["used"])) || says(&["内存"]) {
        return Meaning::Used("host");
    }
    if memory && has(&["usage", "process", "mb", "mib", "gb"]) {
        return Meaning::Used("process");
    }
    Meaning::Other
}

/// What was made of the last names. A log repeats its own, line after line.
#[derive(Default)]
pub(super) struct Meanings(Vec<(String, String, bool, Meaning)>);

impl Meanings {
    /// As [`meaning`] says.
    pub(super) fn of(&mut self, name: &str, unit: &str, of_gpu: bool) -> Meaning {
        let same = |known: &&(String, String, bool, Meaning)| known.0 == name && known.1 == unit && known.2 == of_gpu;
        if let Some((.., meaning)) = self.0.iter().find(same) {
            return *meaning;
        }
        let meaning = meaning(name, unit, of_gpu);
        if self.0.len() >= MOST_KNOWN {
            self.0.clear();
        }
        self.0.push((name.to_owned(), unit.to_owned(), of_gpu, meaning));
        meaning
    }
}

/// The thing whose whole is meant.
fn thing(gpu: bool, container: bool) -> &'static str {
    match (gpu, container) {
        (true, _) => "gpu-device",
        (false, true) => "container",
        (false, false) => "host",
    }
}
