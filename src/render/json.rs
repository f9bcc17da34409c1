//! The report as JSON, whole or a verdict a line.
//!
//! It adds and leaves out nothing. Characters that a terminal would obey are written as `\u` escapes, which mean the
//! same to every reader of JSON.

use super::safe::is_unsafe;
use crate::{
    redact::Redacted,
    report::{Report, Verdict},
};
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};
use std::io::{self, Write};

/// Writes the whole report, indented.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    write_indented(report, out)
}

/// Writes any value, indented.
pub(super) fn write_indented(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let formatter = Escaping { inner: PrettyFormatter::new() };
    value.serialize(&mut Serializer::with_formatter(&mut *out, formatter))?;
    writeln!(out)
}

/// A line of the ndjson format.
#[derive(Serialize)]
struct VerdictLine<'a> {
    schema: &'a str,
    /// `death` or `finding`.
    record: &'a str,
    /// The partition key of the report, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    partition: Option<&'a Redacted>,
    #[serde(flatten)]
    verdict: &'a Verdict,
}

/// Writes one death or finding a line.
pub(super) fn write_lines(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let deaths = report.deaths.iter().map(|verdict| ("death", verdict));
    let findings = report.findings.iter().map(|verdict| ("finding", verdict));
    for (record, verdict) in deaths.chain(findings) {
        write_json_line(
            &VerdictLine { schema: &report.schema, record, partition: report.partition.as_ref(), verdict },
            out,
        )?;
    }
    Ok(())
}

/// Writes any value as one line of JSON.
///
/// # Errors
/// Those of the writer, and of a value that JSON cannot hold.
pub fn write_json_line(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let formatter = Escaping { inner: CompactFormatter };
    value.serialize(&mut Serializer::with_formatter(&mut *out, formatter))?;
    writeln!(out)
}

/// A formatter that escapes what a terminal would obey and JSON would let through.
struct Escaping<F> {
    inner: F,
}

/// Passes a call on to the inner formatter.
macro_rules! pass {
    ($($name:ident $(($argument:ident: $type:ty))?),*) => {$(
        fn $name<W: ?Sized + Write>(&mut self, writer: &mut W $(, $argument: $type)?) -> io::Result<()> {
            self.inner.$name(writer $(, $argument)?)
        }
    )*};
}

impl<F: Formatter> Formatter for Escaping<F> {
    pass!(
        begin_array, end_array, begin_array_value(first: bool), end_array_value,
        begin_object, end_object, begin_object_key(first: bool), end_object_key, begin_object_value, end_object_value
    );

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, character)) = rest.char_indices().find(|(_, character)| is_unsafe(*character)) {
            writer.write_all(rest.get(..at).unwrap_or_default().as_bytes())?;
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = rest.get(at + character.len_utf8()..).unwrap_or_default();
        }
        writer.write_all(rest.as_bytes())
    }
}
