//! The first half in memory.

use kerneldoc::{
    exchange::lines,
    extract::{Extract, extract},
    pipeline::Log,
    redact::Redactor,
    render::write_json_line,
    source::SourceId,
};
use std::collections::BTreeMap;

/// What one `events` process prints of these logs.
pub(crate) fn first_half(logs: &[&Log]) -> Vec<String> {
    let read = |log: &&Log| extract(&log.path, SourceId(0), log.text.as_slice()).expect("memory can be read");
    let extracts: Vec<Extract> = logs.iter().map(read).collect();
    let mut printed = Vec::new();
    lines(&extracts, &[], &BTreeMap::new(), Redactor::default(), &mut |line| {
        let mut text = Vec::new();
        write_json_line(line, &mut text)?;
        printed.push(String::from_utf8(text).expect("JSON is text"));
        Ok(())
    })
    .expect("memory takes everything");
    printed
}
