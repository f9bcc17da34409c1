//! A summary in Prometheus' text format, for the textfile collector of the node exporter.
//!
//! All metrics are gauges: they tell what the reports given this time say, not what has been counted since a start.

use super::safe::safe;
use crate::summary::{Dimension, Summary};
use chrono::DateTime;
use std::io::{self, Write};

/// The most series of one metric: users and notebooks may be very many, and every series costs its server memory.
const MOST_SERIES: usize = 1_000;

/// A metric: its name, its labels, what it tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// Its name.
    pub name: &'static str,
    /// The names of its labels.
    pub labels: &'static [&'static str],
    /// What it tells.
    pub help: &'static str,
}

/// Every metric that is written.
pub const METRICS: &[Metric] = &[
    Metric { name: "kerneldoc_reports", labels: &[], help: "Whole reports that were read." },
    Metric { name: "kerneldoc_deaths", labels: &["layer", "cause"], help: "Kernel deaths by cause." },
    Metric {
        name: "kerneldoc_findings",
        labels: &["layer", "cause"],
        help: "Findings that ended no kernel, by cause.",
    },
    Metric { name: "kerneldoc_deaths_by_user", labels: &["user"], help: "Kernel deaths by user." },
    Metric {
        name: "kerneldoc_deaths_by_notebook",
        labels: &["notebook"],
        help: "Kernel deaths by notebook.",
    },
    Metric {
        name: "kerneldoc_deaths_by_image",
        labels: &["image"],
        help: "Kernel deaths by container image.",
    },
    Metric { name: "kerneldoc_deaths_by_node", labels: &["node"], help: "Kernel deaths by machine." },
    Metric { name: "kerneldoc_deaths_by_gpu", labels: &["gpu"], help: "Kernel deaths by machine and GPU." },
    Metric { name: "kerneldoc_deaths_by_week", labels: &["week"], help: "Kernel deaths by ISO week." },
    Metric {
        name: "kerneldoc_last_death_timestamp_seconds",
        labels: &[],
        help: "When the last kernel died, in seconds since the Unix epoch.",
    },
];

/// Writes the metrics.
pub(super) fn write(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    for metric in METRICS {
        let series = series(metric, summary);
        writeln!(out, "# HELP {} {}", metric.name, metric.help)?;
        writeln!(out, "# TYPE {} gauge", metric.name)?;
        for (values, value) in series.iter().take(MOST_SERIES) {
            let labels = metric.labels.iter().zip(values);
            let labels: Vec<String> =
                labels.map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
            let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
            writeln!(out, "{}{labels} {value}", metric.name)?;
        }
    }
    Ok(())
}

/// A metric's series: the values of its labels, and its value.
fn series(metric: &Metric, summary: &Summary) -> Vec<(Vec<String>, i64)> {
    let whole = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    match metric.name {
        "kerneldoc_reports" => vec![(Vec::new(), whole(summary.reports))],
        "kerneldoc_last_death_timestamp_seconds" => {
            let last = summary.last.as_deref().and_then(|last| DateTime::parse_from_rfc3339(last).ok());
            last.map(|last| (Vec::new(), last.timestamp())).into_iter().collect()
        }
        "kerneldoc_deaths" | "kerneldoc_findings" => summary
            .by(Dimension::Cause)
            .into_iter()
            .map(|(cause, count)| {
                let value = if metric.name == "kerneldoc_deaths" { count.deaths } else { count.findings };
                (vec![summary.layer(cause).to_owned(), cause.to_owned()], whole(value))
            })
            .filter(|(_, value)| *value > 0)
            .collect(),
        _ => {
            let dimension = Dimension::ALL.into_iter().find(|one| metric.labels == [one.word()]);
            let counts = dimension.map(|dimension| summary.by(dimension)).unwrap_or_default();
            counts
                .into_iter()
                .filter(|(_, count)| count.deaths > 0)
                .map(|(value, count)| (vec![value.to_owned()], whole(count.deaths)))
                .collect()
        }
    }
}

/// A label's value, as the text format wants it.
fn escaped(value: &str) -> String {
    // A new line becomes a visible `\n` here; its backslash is then escaped like any other.
    safe(value).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{redact::Redactor, report::Verdict};

    #[test]
    fn hostile_values_stay_inside_their_quotes() {
        let mut summary = Summary::default();
        let user = "a\"} 9\nkerneldoc_deaths{x=\"\\\u{202e}";
        summary.take(
            &Verdict { user: Some(Redactor::default().redact(user)), ..Verdict::default() },
            true,
            None,
        );
        let mut out = Vec::new();
        write(&summary, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let line = text.lines().find(|line| line.starts_with("kerneldoc_deaths_by_user")).unwrap();
        assert!(line.ends_with("} 1") && line.contains("\\\"} 9") && !line.contains('\u{202e}'), "{line}");
    }
}
