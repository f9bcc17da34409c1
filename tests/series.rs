//! How well the trend of a memory series is told: generated series of ten classes, seven of them harmless.
//!
//! Base 1–16 GiB, 20–300 samples, autocorrelated noise, printed with two decimals as the articles' scripts do. A short
//! run (20 of each class) is part of the tests; `KERNELDOC_SERIES=600 cargo test --release --test series -- --nocapture`
//! prints the whole table and reads a million samples. Synthetic series rank rules; they are no error rate in the field.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]
#![expect(clippy::print_stdout, reason = "the table is asked for")]

use kerneldoc::{event::Event, extract::extract, source::SourceId};
use std::{collections::BTreeMap, fmt::Write as _, io::Read};

/// Whether a class is a leak, and its name.
const CLASSES: [(&str, bool); 10] = [
    ("plateau", false),
    ("warm-up", false),
    ("load, then plateau", false),
    ("step", false),
    ("saw (garbage collection)", false),
    ("train and evaluation", false),
    ("grows, then flat", false),
    ("leak", true),
    ("leak in stairs", true),
    ("saw and leak", true),
];

/// A small generator of random numbers, the same on every machine.
struct Random(u64);

impl Random {
    /// In 0..1.
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        f64::from(u32::try_from(self.0 >> 32).unwrap()) / f64::from(u32::MAX)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Roughly normal, with variance 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    fn whole(&mut self, low: u32, high: u32) -> u32 {
        low + u32::try_from(self.0 >> 33).unwrap() % (high - low + 1) + u32::from(self.unit() > 2.0)
    }
}

/// A series of a class, in GiB.
fn series(class: &str, random: &mut Random) -> Vec<f64> {
    random.unit();
    let length = random.whole(20, 300);
    let base = random.between(1.0, 16.0);
    let noise = base * random.between(0.0005, 0.01);
    let memory = random.between(0.0, 0.9);
    let shape = shape(class, base, f64::from(length), random);
    let mut state = 0.0;
    (0..length)
        .map(|at| {
            state = memory * state + (1.0 - memory * memory).sqrt() * random.normal();
            shape(f64::from(at)) + noise * state
        })
        .collect()
}

/// The curve of a class without its noise.
fn shape(class: &str, base: f64, length: f64, random: &mut Random) -> Box<dyn Fn(f64) -> f64> {
    let grown = base * random.between(0.3, 2.0);
    let place = random.between(0.25, 0.75) * length;
    let period = random.between(4.0, (length / 6.0).max(5.0)).round();
    let height = base * random.between(0.05, 0.6);
    match class {
        "plateau" => Box::new(move |_| base),
        "warm-up" => Box::new(move |at| if at < 3.0 { base * (0.2 + 0.25 * at) } else { base }),
        "load, then plateau" => {
            let loaded = length * random.between(0.05, 0.15);
            Box::new(move |at| base * (at / loaded).clamp(0.1, 1.0))
        }
        "step" => Box::new(move |at| if at < place { base } else { base + grown }),
        "saw (garbage collection)" => Box::new(move |at| base + height * (at % period) / period),
        "train and evaluation" => {
            Box::new(move |at| if at % (2.0 * period) < period { base + height } else { base })
        }
        "grows, then flat" => {
            let speed = random.between(8.0, 16.0) / length;
            Box::new(move |at| base + grown * (1.0 - (-speed * at).exp()))
        }
        "leak" => Box::new(move |at| base + grown * at / length),
        "leak in stairs" => {
            let stairs = random.between(8.0, 24.0).round().min(length / 2.0);
            Box::new(move |at| base + grown * (at / length * stairs).floor() / stairs)
        }
        _ => {
            Box::new(move |at| base + grown * at / length + height.min(grown / 2.0) * (at % period) / period)
        }
    }
}

/// A log of such a series.
fn log(figures: &[f64]) -> String {
    let mut log = String::new();
    for (step, figure) in figures.iter().enumerate() {
        let (minute, second) = (step / 60, step % 60);
        writeln!(log, "2026-01-13 20:{minute:02}:{second:02}.500000 - Step {step}: Allocated={figure:.2}GB")
            .unwrap();
    }
    log
}

/// What is said of the only series of a log.
fn summary(log: impl Read) -> kerneldoc::event::MemorySeries {
    let found = extract("mem_log.txt", SourceId(0), log).unwrap();
    let mut series = found.records.into_iter().filter_map(|record| match record.event {
        Event::MemorySeries(series) => Some(*series),
        _ => None,
    });
    let one = series.next().expect("a series");
    assert!(series.next().is_none(), "one series only");
    one
}

/// How many series of each class are asked for.
fn asked_for() -> Option<u32> {
    std::env::var("KERNELDOC_SERIES").ok()?.parse().ok()
}

#[test]
fn trends_of_generated_series() {
    let count = asked_for().unwrap_or(20);
    let mut table = String::from("class                      | leaks | said\n");
    let mut failures = Vec::new();
    for (class, leaks) in CLASSES {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut said: BTreeMap<String, u32> = BTreeMap::new();
        for _ in 0..count {
            let trend = summary(log(&series(class, &mut random)).as_bytes()).trend.unwrap();
            *said.entry(trend).or_default() += 1;
        }
        let found = said.get("leak").copied().unwrap_or(0);
        let share = f64::from(found) * 100.0 / f64::from(count);
        writeln!(table, "{class:26} | {share:4.1}% | {said:?}").unwrap();
        if (leaks && share < 95.0) || (!leaks && found > 0) {
            failures.push(class);
        }
    }
    println!("{table}");
    assert!(failures.is_empty(), "{failures:?}\n{table}");
}

/// Makes lines while they are read, so that the log itself takes no memory.
struct Endless {
    next: u32,
    count: u32,
    rest: Vec<u8>,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.rest.is_empty() && self.next < self.count {
            let mut lines = String::new();
            for step in self.next..self.count.min(self.next + 1000) {
                let figure = 2.0 + f64::from(step) * 20.0 / f64::from(self.count);
                writeln!(lines, "step {step} allocated: {figure:.4} GB").unwrap();
            }
            self.next = self.count.min(self.next + 1000);
            self.rest = lines.into_bytes();
        }
        let length = self.rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.rest[..length]);
        self.rest.drain(..length);
        Ok(length)
    }
}

#[test]
fn any_number_of_samples_are_two_events() {
    let count = if asked_for().is_some() { 1_000_000 } else { 30_000 };
    let series = summary(Endless { next: 0, count, rest: Vec::new() });
    assert_eq!(series.sample_count, Some(i64::from(count)));
    assert_eq!(series.trend.as_deref(), Some("leak"));
    let points = series.points_bytes.unwrap();
    assert_eq!(points.split(',').count(), 32);
    let per_step = series.bytes_per_step.unwrap();
    assert!((per_step - 20.0 * 1_073_741_824.0 / f64::from(count)).abs() < 100.0, "{per_step}");
}
