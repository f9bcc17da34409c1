//! A memory curve as a row of blocks, with its first and last figure, its trend, and when it would have been full.
//!
//! It computes no trend; it only draws what the report holds.

use super::{sheet::Sheet, words};
use crate::{
    language::{Messages, fill},
    render::safe::safe,
    report::{ReportMemory, Verdict},
};
use std::io;

/// Eighths of a block, lowest first.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Room for the figures beside the blocks.
const FIGURES: usize = 34;
/// A curve that spans less than this share of its height is drawn from zero: noise is no mountain.
const LEAST_SPAN: i64 = 10;

/// The curves of a verdict.
pub(super) fn write(verdict: &Verdict, sheet: &mut Sheet<'_>) -> io::Result<()> {
    let most = if sheet.full() { usize::MAX } else { 1 };
    let messages = sheet.messages;
    let mut label = messages.label_memory;
    for curve in verdict.memory.iter().filter(|curve| !curve.points.is_empty()).take(most) {
        let blocks = blocks(&curve.points, sheet.beside_label().saturating_sub(FIGURES).max(8));
        sheet.labelled(label, &format!("{blocks} {}", figures(curve, messages)))?;
        sheet.labelled("", &told(curve, verdict.time.as_deref(), messages))?;
        label = "";
    }
    Ok(())
}

/// The points as blocks, in at most so many columns.
fn blocks(points: &[i64], columns: usize) -> String {
    let count = points.len().min(columns);
    let highest = points.iter().copied().max().unwrap_or_default();
    let lowest = points.iter().copied().min().unwrap_or_default();
    let flat = highest.saturating_sub(lowest).saturating_mul(100) < highest.saturating_mul(LEAST_SPAN);
    let bottom = if flat { 0 } else { lowest };
    let span = highest.saturating_sub(bottom).max(1);
    (0..count)
        .filter_map(|column| {
            let (start, end) = (column * points.len() / count, (column + 1) * points.len() / count);
            let point = points.get(start..end)?.iter().copied().max()?;
            let height = i128::from(point.saturating_sub(bottom)) * 7 / i128::from(span);
            BLOCKS.get(usize::try_from(height).ok()?.min(7))
        })
        .collect()
}

/// `2.1 GiB → 13.9 GiB of 15.9 GiB`.
fn figures(curve: &ReportMemory, messages: &Messages) -> String {
    let size = |figure: i64| match curve.unit.as_str() {
        "percent" => format!("{figure}%"),
        _ => words::size(figure.unsigned_abs()),
    };
    let (first, last) = (curve.points.first(), curve.points.last());
    let limit = curve.limit_bytes.filter(|_| curve.unit != "percent");
    let phrase = if limit.is_some() { messages.curve_limited } else { messages.curve };
    let [first, last, limit] =
        [first.copied(), last.copied(), limit].map(|figure| figure.map_or_else(String::new, size));
    fill(phrase, &[("first", &first), ("last", &last), ("limit", &limit)])
}

/// Whose memory, from when to when, and what of it.
fn told(curve: &ReportMemory, death: Option<&str>, messages: &Messages) -> String {
    let what = safe(whose(&curve.what, messages)).into_owned();
    let span = curve.first_time.as_deref().zip(curve.last_time.as_deref());
    let mut told = span.map_or_else(
        || what.clone(),
        |(first, last)| {
            let [first, last] = [first, last].map(|time| words::second(time, death));
            fill(messages.curve_span, &[("what", &what), ("first", &first), ("last", &last)])
        },
    );
    if curve.trend == "leak" {
        told.push_str(messages.curve_grows);
        let rates =
            [(messages.curve_step, curve.bytes_per_step), (messages.curve_minute, curve.bytes_per_minute)];
        for (phrase, bytes) in rates {
            let size = bytes.map(|bytes| words::size(bytes.unsigned_abs()));
            told.extend(size.map(|size| fill(phrase, &[("size", &size)])));
        }
    }
    told.extend(curve.full_time.as_deref().map(|full| end(full, death, messages)));
    if curve.explains_death == Some(true) {
        told.push_str(messages.curve_explains);
    }
    told
}

/// When it would have been full, and how far from the death that is.
fn end(full: &str, death: Option<&str>, messages: &Messages) -> String {
    let distance = death.and_then(|death| words::distance(full, death, messages));
    let distance = distance.map(|(span, later)| {
        let phrase = if later { messages.curve_after } else { messages.curve_before };
        fill(phrase, &[("span", &span)])
    });
    let full = fill(messages.curve_full, &[("time", &words::second(full, death))]);
    format!("{full}{}", distance.unwrap_or_default())
}

/// Whose memory it is.
pub(in crate::render) fn whose<'a>(what: &'a str, messages: &Messages) -> &'a str {
    match what {
        "host" => messages.of_host,
        "process" => messages.of_process,
        "container" => messages.of_container,
        "gpu-device" => messages.of_gpu,
        "gpu-process" => messages.of_gpu_process,
        "gpu-allocated" => messages.of_gpu_allocated,
        "gpu-reserved" => messages.of_gpu_reserved,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Options;
    use unicode_width::UnicodeWidthStr;

    fn curve(points: Vec<i64>) -> ReportMemory {
        ReportMemory {
            what: "gpu-allocated".to_owned(),
            unit: "bytes".to_owned(),
            points,
            limit_bytes: Some(17_179_869_184),
            trend: "leak".to_owned(),
            bytes_per_step: Some(20 << 20),
            bytes_per_minute: Some(1200 << 20),
            first_time: Some("2026-01-13T20:46:25Z".to_owned()),
            last_time: Some("2026-01-13T20:55:11Z".to_owned()),
            full_time: Some("2026-01-13T20:57:02Z".to_owned()),
            explains_death: Some(true),
        }
    }

    #[test]
    fn blocks_rise_with_the_points() {
        assert_eq!(blocks(&[0, 1, 2, 3, 4, 5, 6, 7], 32), "▁▂▃▄▅▆▇█");
        assert_eq!(blocks(&[1000, 1001, 1000], 32), "▇█▇");
        assert_eq!(blocks(&[0, 9, 0, 0], 2), "█▁");
        assert_eq!(blocks(&[i64::MIN, i64::MAX], 9).chars().count(), 2);
        assert_eq!(blocks(&[], 9), "");
    }

    #[test]
    fn a_curve_fits_the_width() {
        let points = (0..32).map(|at| (2 << 30) + at * 400_000_000).collect();
        let verdict = Verdict {
            memory: vec![curve(points)],
            time: Some("2026-01-13T20:55:30Z".to_owned()),
            ..Verdict::default()
        };
        for width in [40, 80, 100] {
            let mut out = Vec::new();
            let options = Options { width, ..Options::default() };
            write(&verdict, &mut Sheet::new(&options, &mut out)).unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(text.lines().all(|line| line.width() <= width), "{text}");
            if width == 80 {
                let first = text.lines().next().unwrap();
                assert_eq!(
                    first,
                    "  memory  ▁▁▁▁▁▂▂▂▂▃▃▃▃▃▄▄▄▄▅▅▅▅▅▆▆▆▆▇▇▇▇█ 2.0 GiB → 13.5 GiB of 16.0 GiB"
                );
                assert!(text.contains("20.0 MiB a step, 1.2 GiB a minute; full at 20:57:02"), "{text}");
            }
        }
    }
}
