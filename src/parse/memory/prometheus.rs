//! Metrics in Prometheus' text form: dcgm-exporter, jupyter-resource-usage, cAdvisor, `node_exporter`, client libraries.
//!
//! A total may stand in a metric of its own; it is remembered until the figure comes. Other metrics are not read.

use super::{Reading, hash_table::changed, sample::Sample};
use crate::{
    parse::prim::{self, rounded},
    stamp::{ClockKind, Stamp},
};
use nom::{
    IResult, Parser,
    bytes::complete::{take_until, take_while1},
    character::complete::{char, space1},
    combinator::opt,
    sequence::delimited,
};
use std::collections::BTreeMap;

/// Words of which each line has one that is looked at here.
pub(super) const WORDS: &[&str] = &[
    "DCGM_FI_DEV_",
    "_memory_usage",
    "node_memory_Mem",
    "container_spec_memory_limit_bytes",
    "container_memory_working_set_bytes",
    "process_resident_memory_bytes",
];

/// One MiB: DCGM's framebuffer figures.
const MIB: f64 = 1_048_576.0;
/// The most totals remembered.
const MOST_TOTALS: usize = 4_096;

/// What is remembered of one log.
#[derive(Default)]
pub(super) struct Metrics {
    totals: BTreeMap<(&'static str, String), i64>,
    xids: BTreeMap<String, i64>,
}

/// A line `name{labels} value timestamp`.
struct Metric<'a> {
    name: &'a str,
    labels: &'a str,
    value: f64,
    stamp: Option<Stamp>,
}

impl Metrics {
    /// Reads a line.
    pub(super) fn line(&mut self, text: &str) -> Option<Vec<Reading>> {
        let (_, metric) = metric(text.trim()).ok()?;
        let gpu = || label(metric.labels, "gpu").unwrap_or_default().to_owned();
        let container = || label(metric.labels, "container").or_else(|| label(metric.labels, "name"));
        match metric.name {
            "DCGM_FI_DEV_FB_FREE" => self.remember("free", gpu(), metric.value * MIB),
            "DCGM_FI_DEV_FB_RESERVED" => self.remember("reserved", gpu(), metric.value * MIB),
            "DCGM_FI_DEV_FB_USED" => return Some(vec![self.framebuffer(&metric, &gpu())]),
            "DCGM_FI_DEV_XID_ERRORS" => {
                let news = changed(&mut self.xids, gpu(), rounded(metric.value));
                return Some(news.into_iter().collect());
            }
            "max_memory_usage" => self.remember("server", String::new(), metric.value),
            "total_memory_usage" => {
                let sample = self.sample("process", "server", "", &metric);
                let label = Some("server and kernels".to_owned());
                return Some(vec![Reading::Sample(Sample { label, ..sample })]);
            }
            "node_memory_MemTotal_bytes" => self.remember("host", String::new(), metric.value),
            "node_memory_MemAvailable_bytes" => return self.available(&metric),
            "container_spec_memory_limit_bytes" => {
                self.remember("container", container()?.to_owned(), metric.value);
            }
            "container_memory_working_set_bytes" => {
                let name = container().filter(|name| !["", "POD"].contains(name))?;
                let sample = self.sample("container", "container", name, &metric);
                let container_name = Some(name.to_owned());
                return Some(vec![Reading::Sample(Sample { container_name, ..sample })]);
            }
            "process_resident_memory_bytes" => return Some(vec![Reading::Sample(self.sample("process", "", "", &metric))]),
            _ => return None,
        }
        Some(Vec::new())
    }

    /// Keeps a total until its figure comes. No limit is written as 0 or as a number beyond every machine.
    fn remember(&mut self, of: &'static str, whose: String, value: f64) {
        if self.totals.len() < MOST_TOTALS && value > 0.0 && value < 1e15 {
            self.totals.insert((of, whose), rounded(value));
        }
    }

    /// A sample and the total that belongs to it.
    fn sample(&self, what: &'static str, of: &'static str, whose: &str, metric: &Metric<'_>) -> Sample {
        let total_bytes = self.totals.get(&(of, whose.to_owned())).copied();
        let stamp = metric.stamp;
        Sample { total_bytes, stamp, ..Sample::bytes(what, rounded(metric.value), 4096.0) }
    }

    /// A GPU's memory: what is used, free and reserved make the whole.
    fn framebuffer(&self, metric: &Metric<'_>, gpu: &str) -> Reading {
        let used = rounded(metric.value * MIB);
        let part = |of: &'static str| self.totals.get(&(of, gpu.to_owned())).copied();
        let total_bytes = part("free").map(|free| free + used + part("reserved").unwrap_or_default());
        let stamp = metric.stamp;
        let gpu = Some(gpu.to_owned()).filter(|gpu| !gpu.is_empty());
        Reading::Sample(Sample { gpu, total_bytes, stamp, ..Sample::bytes("gpu-device", used, MIB) })
    }

    /// `node_exporter` tells what is available, not what is used; its metrics are in alphabetical order, so the total
    /// of the first scrape comes after it.
    fn available(&self, metric: &Metric<'_>) -> Option<Vec<Reading>> {
        let Some(total) = self.totals.get(&("host", String::new())) else { return Some(Vec::new()) };
        let used = total.checked_sub(rounded(metric.value))?;
        let (total_bytes, stamp) = (Some(*total), metric.stamp);
        Some(vec![Reading::Sample(Sample { total_bytes, stamp, ..Sample::bytes("host", used, 4096.0) })])
    }
}

/// A whole line.
fn metric(input: &str) -> IResult<&str, Metric<'_>> {
    let name = take_while1(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':');
    let labels = delimited(char('{'), take_until("}"), char('}'));
    let (rest, (name, labels, _, value, time)) =
        (name, opt(labels), space1, prim::number, opt((space1, prim::integer))).parse(input)?;
    nom::combinator::eof(rest)?;
    let stamp = time.and_then(|(_, millis)| Some(Stamp::new(ClockKind::Zoned, millis.checked_mul(1000)?)));
    Ok((rest, Metric { name, labels: labels.unwrap_or_default(), value, stamp }))
}

/// A label's value: `gpu="0"`.
fn label<'a>(labels: &'a str, name: &str) -> Option<&'a str> {
    labels.split(',').find_map(|pair| {
        let (key, value) = pair.trim().split_once('=')?;
        (key == name).then(|| value.trim_matches('"'))
    })
}
