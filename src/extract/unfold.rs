//! Makes lines of a JSON document that holds a log: a serial console's text, an array of records, records printed
//! over many lines (`journalctl -o json-pretty`, `gcloud logging read --format json`, `dmesg --json`, Loki's API, a search's
//! answer), what a store delivers or answers.
//!
//! Which objects are records is the envelopes' to say. Documents that are no logs are left whole.

use super::stored;
use crate::envelope;
use serde_json::Value;

/// Members of which a document that holds a log has one.
const MARKS: &[&str] = &[
    "\"textPayload\"",
    "\"jsonPayload\"",
    "\"MESSAGE\"",
    "\"dmesg\"",
    "\"Output\"",
    "\"contents\"",
    "\"ingestionTime\"",
    "\"_source\"",
    "\"values\"",
    "\"logEvents\"",
    "\"@message\"",
    "\"resultType\"",
];
/// How deep objects may lie: `{"data": {"result": [{"values": …`.
const DEEPEST: usize = 6;

/// A line of the log, and the number of the document's line where it begins.
pub(super) type Unfolded = (u64, String);

/// Whether a text may begin such a document. Records that stand a line each are read as lines.
pub(super) fn recognise(head: &str) -> bool {
    let head = head.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']);
    if !head.starts_with(['{', '[']) || !MARKS.iter().any(|mark| head.contains(mark)) {
        return false;
    }
    let first = head.lines().next().unwrap_or_default().trim_end();
    !first.starts_with('{') || envelope::peel(first).names.is_empty()
}

/// The lines; empty if the document holds no log.
pub(super) fn lines(text: &str) -> Vec<Unfolded> {
    let mut lines = Vec::new();
    let mut behind = 0;
    let mut place = Place::default();
    for (start, end) in objects(text) {
        if start < behind {
            continue;
        }
        let Some(object) = text.get(start..end).and_then(|object| serde_json::from_str::<Value>(object).ok())
        else {
            continue;
        };
        let number = place.of(text, start);
        if let Some(found) = record(&object)
            .or_else(|| console(&object))
            .or_else(|| stream(&object))
            .or_else(|| stored::lines(&object))
        {
            lines.extend(found.into_iter().map(|line| (number, line)));
            behind = end;
        }
    }
    lines
}

/// Counts lines up to places that only go forward.
#[derive(Default)]
struct Place {
    at: usize,
    newlines: u64,
}

impl Place {
    /// The number of the line in which a byte lies.
    fn of(&mut self, text: &str, byte: usize) -> u64 {
        let passed = text.as_bytes().get(self.at..byte).unwrap_or_default();
        self.newlines += memchr::memchr_iter(b'\n', passed).count() as u64;
        self.at = byte;
        self.newlines + 1
    }
}

/// Where objects begin and end, the outer before the inner.
fn objects(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let (mut quoted, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' if !quoted => open.push(at),
            b'}' if !quoted => {
                let Some(start) = open.pop() else { continue };
                if open.len() < DEEPEST {
                    found.push((start, at + 1));
                }
            }
            _ => {}
        }
    }
    found.sort_unstable_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)));
    found
}

/// A record of an envelope's: the same object on one line.
fn record(object: &Value) -> Option<Vec<String>> {
    let members = object.as_object()?;
    let line = object.to_string();
    // The array around them has a name; a record has a text.
    let whole = members.values().any(Value::is_string) && !envelope::peel(&line).names.is_empty();
    whole.then(|| vec![line])
}

/// A serial console: `{"contents": "…", "next": "9", "start": "0"}` of gcloud, `{"InstanceId": …, "Output": "…"}` of aws.
fn console(object: &Value) -> Option<Vec<String>> {
    let text = match (object.get("contents"), object.get("Output")) {
        (Some(contents), _) if object.get("start").is_some() || object.get("next").is_some() => contents,
        (_, Some(output)) if object.get("InstanceId").is_some() => output,
        _ => return None,
    };
    Some(text.as_str()?.lines().map(str::to_owned).collect())
}

/// A stream of Loki's API: `{"stream": {"pod": …}, "values": [["1796052150411378443", "text"], …]}`.
fn stream(object: &Value) -> Option<Vec<String>> {
    let (labels, values) = (object.get("stream")?, object.get("values")?.as_array()?);
    let line = |value: &Value| {
        let nanos: i64 = value.get(0)?.as_str()?.parse().ok()?;
        let stamp =
            chrono::DateTime::from_timestamp_nanos(nanos).to_rfc3339_opts(chrono::SecondsFormat::Nanos, true);
        Some(
            serde_json::json!({"labels": labels, "line": value.get(1)?.as_str()?, "timestamp": stamp})
                .to_string(),
        )
    };
    Some(values.iter().filter_map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_know_their_lines() {
        let text = "[\n  {\n    \"textPayload\": \"a } {\",\n    \"timestamp\": \"2026-11-30T15:22:30Z\"\n  },\n  {\n    \"textPayload\": \"b\"\n  }\n]\n";
        assert!(recognise(text));
        let found = lines(text);
        let numbers: Vec<_> = found.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [2, 6]);
        assert_eq!(envelope::peel(&found[0].1).shown, "a } {");
    }

    #[test]
    fn consoles_and_streams() {
        let console = r#"{"contents":"[    1.000000] a\r\n[    2.000000] b\r\n","next":"9","start":"0"}"#;
        assert!(recognise(console));
        assert_eq!(lines(console).len(), 2);
        let loki = r#"{"status":"success","data":{"result":[{"stream":{"pod":"p-1"},"values":[["1796052150411378443","a"]]}]}}"#;
        assert!(recognise(loki));
        let peeled = lines(loki);
        assert_eq!(envelope::peel(&peeled[0].1).origin.pod.as_deref(), Some("p-1"));
    }

    #[test]
    fn other_documents_and_lines_are_left() {
        assert!(!recognise("{\"MESSAGE\":\"a\",\"__REALTIME_TIMESTAMP\":\"1\"}\n{\"MESSAGE\":\"b\""));
        assert!(!recognise("[{\"State\": {}}]"));
        assert!(lines("{\"contents\": 3, \"x\": {\"values\": [}").is_empty());
    }
}
