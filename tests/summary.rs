//! `kerneldoc summary`: the same counts from whole reports and from lines, valid in every format, and the dashboard asks
//! only for metrics that exist.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

#[path = "common/entries.rs"]
mod entries;

use entries::entries;
use kerneldoc::render::METRICS;
use regex::Regex;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::{Command, Output},
};

fn kerneldoc(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kerneldoc")).args(arguments).output().unwrap()
}

fn out(arguments: &[&str]) -> String {
    let output = kerneldoc(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The reports of every fixture case, and how many there are.
fn reports() -> (Vec<String>, u64) {
    let cases = entries(Path::new("fixtures/cases")).into_iter().map(|case| case.join("report.json"));
    let paths: Vec<String> =
        cases.filter(|path| path.is_file()).map(|path| path.display().to_string()).collect();
    let count = paths.len() as u64;
    (paths, count)
}

fn summary(format: &str, reports: &[String]) -> String {
    let arguments: Vec<&str> =
        ["summary", "-f", format].into_iter().chain(reports.iter().map(String::as_str)).collect();
    out(&arguments)
}

/// What the reports themselves say, counted by other code: deaths by cause.
fn counted(reports: &[String]) -> BTreeMap<String, u64> {
    let mut causes = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for path in reports {
        let report: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        for death in report["deaths"].as_array().unwrap() {
            if seen.insert(death["id"].to_string()) {
                *causes.entry(death["cause"].as_str().unwrap().to_owned()).or_default() +=
                    death["count"].as_u64().unwrap_or(1);
            }
        }
    }
    causes
}

#[test]
fn counts_are_those_of_the_reports() {
    let (reports, count) = reports();
    let json: Value = serde_json::from_str(&summary("json", &reports)).unwrap();
    let expected = counted(&reports);
    assert!(!expected.is_empty());
    assert_eq!(json["reports"], count);
    assert_eq!(json["deaths"], expected.values().sum::<u64>());
    for (kind, rows) in json["by"].as_object().unwrap() {
        let rows = rows.as_array().unwrap();
        let deaths: u64 = rows.iter().map(|row| row["deaths"].as_u64().unwrap()).sum();
        assert_eq!(json["deaths"], deaths, "{kind}: each death counts once");
    }
    let by_cause: BTreeMap<String, u64> = json["by"]["cause"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["value"].as_str().unwrap().to_owned(), row["deaths"].as_u64().unwrap()))
        .filter(|(_, deaths)| *deaths > 0)
        .collect();
    assert_eq!(by_cause, expected);
}

#[test]
fn lines_count_as_whole_reports_do_and_twice_is_once() {
    let folder = tempfile::tempdir().unwrap();
    let (reports, _) = reports();
    let lines: String = reports
        .iter()
        .map(|path| fs::read_to_string(path).unwrap().replace("VERSION", "0"))
        .map(|report| {
            let report: Value = serde_json::from_str(&report).unwrap();
            let line = |record: &str, verdict: &Value| {
                let mut line = verdict.clone();
                line["schema"] = "kerneldoc.report/1".into();
                line["record"] = record.into();
                format!("{line}\n")
            };
            let of = |list: &str, record: &str| {
                report[list]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|verdict| line(record, verdict))
                    .collect::<String>()
            };
            of("deaths", "death") + &of("findings", "finding")
        })
        .collect();
    let path = folder.path().join("all.ndjson");
    fs::write(&path, format!("{lines}{{\"schema\":\n")).unwrap();
    let path = path.display().to_string();
    let by = |text: &str| serde_json::from_str::<Value>(text).unwrap()["by"].clone();
    let whole = by(&summary("json", &reports));
    assert_eq!(by(&summary("json", std::slice::from_ref(&path))), whole);
    let both: Vec<String> = reports.iter().cloned().chain([path.clone()]).collect();
    assert_eq!(by(&summary("json", &both)), whole);
    let stderr = String::from_utf8(kerneldoc(&["summary", &path]).stderr).unwrap();
    assert!(stderr.contains("not a report"), "the damaged line is told: {stderr}");
}

#[test]
fn text_and_html_are_for_people() {
    let (reports, count) = reports();
    let text = summary("text", &reports);
    assert!(
        text.contains(&format!("in {count} reports")) && text.contains("container-memory-limit (host)"),
        "{text}"
    );
    let html = summary("html", &reports);
    assert!(html.starts_with("<!doctype html>") && html.contains("default-src") && !html.contains("<script"));
    assert!(html.contains("container-memory-limit (host)"));
}

/// A line of Prometheus' text format: name, labels, value.
fn sample(line: &str) -> (String, BTreeMap<String, String>, f64) {
    let shape = Regex::new(r#"^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (\S+)$"#).unwrap();
    let label = Regex::new(r#"([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)""#).unwrap();
    let found = shape.captures(line).unwrap_or_else(|| panic!("no sample: {line}"));
    let labels = found.get(2).map_or("", |labels| labels.as_str());
    let labels = label.captures_iter(labels).map(|one| (one[1].to_owned(), one[2].to_owned())).collect();
    (found[1].to_owned(), labels, found[3].parse().unwrap())
}

#[test]
fn prometheus_text_is_valid_and_complete() {
    let (reports, _) = reports();
    let text = summary("prometheus", &reports);
    let mut described = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut deaths = 0.0;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap();
            assert_eq!(kind, "gauge");
            assert!(described.insert(name.to_owned()), "{name} is described twice");
            continue;
        }
        if line.starts_with("# HELP ") {
            continue;
        }
        let (name, labels, value) = sample(line);
        let metric = METRICS.iter().find(|metric| metric.name == name).unwrap();
        assert!(described.contains(&name), "{name} comes before its type");
        assert!(
            labels.keys().map(String::as_str).collect::<BTreeSet<_>>()
                == metric.labels.iter().copied().collect()
        );
        assert!(seen.insert((name.clone(), labels)), "a series stands twice: {line}");
        if name == "kerneldoc_deaths" {
            deaths += value;
        }
    }
    assert_eq!(described.len(), METRICS.len());
    let expected: u64 = counted(&reports).values().sum();
    assert!((deaths - f64::from(u32::try_from(expected).unwrap())).abs() < 0.5);
    assert!(text.ends_with('\n'));
}

#[test]
fn the_dashboard_asks_for_metrics_and_labels_that_exist() {
    let dashboard: Value =
        serde_json::from_str(&fs::read_to_string("docs/grafana/kerneldoc.json").unwrap()).unwrap();
    let name = Regex::new(r"kerneldoc_[a-z_]+").unwrap();
    let label = Regex::new(r#"([a-z_]+)\s*=~?\s*""#).unwrap();
    let by = Regex::new(r"by \(([^)]*)\)").unwrap();
    let legend = Regex::new(r"\{\{(\w+)\}\}").unwrap();
    let mut asked = BTreeSet::new();
    for panel in dashboard["panels"].as_array().unwrap() {
        for target in panel["targets"].as_array().unwrap() {
            let expression = target["expr"].as_str().unwrap();
            let metric = name.find(expression).unwrap().as_str();
            let known =
                METRICS.iter().find(|known| known.name == metric).unwrap_or_else(|| panic!("{metric}"));
            // Prometheus adds the collector's own.
            let mut labels: BTreeSet<&str> = known.labels.iter().copied().collect();
            labels.insert("instance");
            let used = label.captures_iter(expression).map(|one| one.get(1).unwrap().as_str());
            let grouped =
                by.captures_iter(expression).flat_map(|one| one.get(1).unwrap().as_str().split(", "));
            let shown = legend
                .captures_iter(target["legendFormat"].as_str().unwrap())
                .map(|one| one.get(1).unwrap().as_str());
            for used in used.chain(grouped).chain(shown) {
                assert!(labels.contains(used), "{metric} has no label `{used}`: {expression}");
            }
            asked.insert(metric);
        }
    }
    let all: BTreeSet<&str> = METRICS.iter().map(|metric| metric.name).collect();
    assert_eq!(asked, all, "every metric is shown");
}
