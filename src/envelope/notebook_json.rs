//! Notebook 6 with `--NotebookApp.log_json=True`: `{"written_at": …, "msg": …, "logger": "NotebookApp", …}`.
//!
//! Access records' `props` are not read; their message says the same.

use super::{Begins, Envelope, Layer, json, prim};
use crate::{
    event::{Channel, Origin},
    line::Logger,
};
use std::borrow::Cow;

/// The envelope.
pub(super) const ENVELOPE: Envelope = Envelope {
    name: "notebook json",
    sample: r#"{"written_at": "2026-11-30T15:22:30.411Z", "msg": "Kernel started", "level": "INFO", "logger": "NotebookApp"}"#,
    begins: Begins::OBJECT,
    peel,
};

/// Takes the record off.
fn peel(text: &str) -> Option<Layer<'_>> {
    if !text.starts_with('{') || !text.contains("\"written_at\"") {
        return None;
    }
    let record = json::object(text)?;
    let rest = json::text(&record, "msg")?;
    let stamp = prim::iso(json::member(&record, "written_at")?).ok().map(|(_, stamp)| stamp);
    let level = json::member(&record, "level").and_then(|level| level.chars().next());
    let line = json::number(&record, "line_no");
    let module = json::member(&record, "module").zip(line).map(|(module, line)| format!("{module}:{line}"));
    let name = Cow::Owned(json::member(&record, "logger").unwrap_or_default().to_owned());
    let module = module.map(Cow::Owned);
    Some(Layer {
        rest: Cow::Owned(rest),
        stamps: stamp.into_iter().collect(),
        origin: Origin { channel: Channel::Process, ..Origin::default() },
        logger: Some(Logger { level, name, module }),
        ..Layer::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logger_is_kept() {
        let line = r#"{"written_at": "2026-11-30T15:22:30.519Z", "written_ts": 1, "msg": "hi", "type": "log", "logger": "NotebookApp", "level": "WARNING", "module": "app", "line_no": 7}"#;
        let layer = peel(line).unwrap();
        let logger = layer.logger.unwrap();
        assert_eq!(
            (layer.rest.as_ref(), logger.level, logger.module.as_deref()),
            ("hi", Some('W'), Some("app:7"))
        );
        assert_eq!(layer.stamps[0].to_string(), "zoned:1796052150519000");
    }
}
