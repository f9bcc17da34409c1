//! Makes lines of what stores of logs and metrics answer with: `CloudWatch`'s subscriptions and Logs Insights, Prometheus'
//! query API.
//!
//! A record becomes a line that an envelope or a parser already reads, so that nothing downstream knows of stores.

use chrono::NaiveDateTime;
use serde_json::{Value, json};

/// Metrics that tell how much there is, which the parser must know before it hears how much is used.
const TOTALS: &[&str] = &["max", "limit", "Total", "FREE", "RESERVED"];
/// The most samples made lines of.
const MOST_SAMPLES: usize = 500_000;

/// The lines of an object that a store answered with.
pub(super) fn lines(object: &Value) -> Option<Vec<String>> {
    delivered(object).or_else(|| insights(object)).or_else(|| series(object))
}

/// A subscription's delivery: `{"logGroup": …, "logStream": …, "logEvents": [{"id", "timestamp", "message"}]}`.
fn delivered(object: &Value) -> Option<Vec<String>> {
    let stream = object.get("logStream");
    let events = object.get("logEvents")?.as_array()?;
    Some(
        events
            .iter()
            .filter_map(|event| cloudwatch(event.get("timestamp")?.as_i64()?, event.get("message")?, stream))
            .collect(),
    )
}

/// Rows of Logs Insights: `{"results": [[{"field": "@timestamp", "value": …}, {"field": "@message", "value": …}]]}`.
fn insights(object: &Value) -> Option<Vec<String>> {
    let rows = object.get("results")?.as_array()?;
    let line = |row: &Value| {
        let field = |name: &str| {
            let found =
                row.as_array()?.iter().find(|cell| cell.get("field").is_some_and(|field| field == name));
            found?.get("value")
        };
        let printed = field("@timestamp")?.as_str()?;
        // Insights prints UTC and says so nowhere.
        let time = NaiveDateTime::parse_from_str(printed, "%Y-%m-%d %H:%M:%S%.f").ok()?.and_utc();
        cloudwatch(time.timestamp_millis(), field("@message")?, field("@logStream"))
    };
    Some(rows.iter().filter_map(line).collect())
}

/// An event as `aws logs get-log-events` prints it.
fn cloudwatch(millis: i64, message: &Value, stream: Option<&Value>) -> Option<String> {
    message.is_string().then(|| {
        json!({"timestamp": millis, "message": message, "ingestionTime": millis, "logStreamName": stream})
            .to_string()
    })
}

/// Prometheus' answer, `{"resultType": "matrix", "result": [{"metric": {…}, "values": [[1796052150.4, "1"], …]}]}`, as
/// lines of its text form, by time.
fn series(object: &Value) -> Option<Vec<String>> {
    object.get("resultType")?;
    let mut samples = Vec::new();
    for series in object.get("result")?.as_array()? {
        let Some((name, labels)) = series.get("metric").and_then(metric) else { continue };
        let figure = !TOTALS.iter().any(|word| name.contains(word));
        let one = series.get("value");
        let values = series.get("values").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        for (millis, value) in values.iter().chain(one).filter_map(sample).take(MOST_SAMPLES) {
            samples.push((millis, figure, format!("{name}{labels} {value} {millis}")));
        }
    }
    samples.sort();
    Some(samples.into_iter().take(MOST_SAMPLES).map(|(_, _, line)| line).collect())
}

/// A metric's name and its labels. The result of a calculation has no name, and nobody can tell what it measures.
fn metric(metric: &Value) -> Option<(String, String)> {
    let labels = metric.as_object()?;
    let name = labels.get("__name__")?.as_str()?.to_owned();
    let plain = |value: &str| value.replace(['"', '\\', ',', '{', '}', '\n', '\r'], "_");
    let pairs = labels.iter().filter(|(label, _)| *label != "__name__");
    let pairs = pairs.filter_map(|(label, value)| Some(format!("{label}=\"{}\"", plain(value.as_str()?))));
    let pairs = pairs.collect::<Vec<_>>().join(",");
    Some((name, if pairs.is_empty() { String::new() } else { format!("{{{pairs}}}") }))
}

/// A sample: milliseconds since the epoch, and the value.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a time beyond the year 9999 is no time, and is held back before"
)]
fn sample(pair: &Value) -> Option<(i64, f64)> {
    let (seconds, value) = (pair.get(0)?.as_f64()?, pair.get(1)?.as_str()?.parse::<f64>().ok()?);
    let known = value.is_finite() && (0.0..253_402_300_800.0).contains(&seconds);
    known.then_some(((seconds * 1000.0).round() as i64, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(document: &str, expected: &[&str]) {
        let object = serde_json::from_str(document).unwrap();
        assert_eq!(lines(&object).unwrap_or_default(), expected);
    }

    #[test]
    fn cloudwatch_delivers_and_answers() {
        let expected =
            r#"{"timestamp":1796052150411,"message":"hi","ingestionTime":1796052150411,"logStreamName":"s"}"#;
        check(
            r#"{"messageType":"DATA_MESSAGE","logGroup":"g","logStream":"s","logEvents":[{"id":"1","timestamp":1796052150411,"message":"hi"}]}"#,
            &[expected],
        );
        check(
            r#"{"results":[[{"field":"@timestamp","value":"2026-11-30 15:22:30.411"},{"field":"@message","value":"hi"},{"field":"@logStream","value":"s"},{"field":"@ptr","value":"x"}]],"status":"Complete"}"#,
            &[expected],
        );
        check(r#"{"results":[[{"field":"@message","value":"hi"}],3]}"#, &[]);
    }

    #[test]
    fn totals_come_before_figures_and_the_oldest_first() {
        check(
            r#"{"resultType":"matrix","result":[
                {"metric":{"__name__":"total_memory_usage","pod":"a,b"},"values":[[1796052150.411,"7"],[1796052140,"6"]]},
                {"metric":{"__name__":"max_memory_usage"},"values":[[1796052140,"9"]]},
                {"metric":{"pod":"sum"},"values":[[1796052140,"9"]]},
                {"metric":{"__name__":"total_memory_usage"},"values":[[1796052140,"NaN"],["x"]]}]}"#,
            &[
                "max_memory_usage 9 1796052140000",
                "total_memory_usage{pod=\"a_b\"} 6 1796052140000",
                "total_memory_usage{pod=\"a_b\"} 7 1796052150411",
            ],
        );
    }
}
