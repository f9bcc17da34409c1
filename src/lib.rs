//! Tells why a Jupyter kernel died, from whatever logs are left.
//!
//! Data flows one way: discover → open → envelope → parse → event → timeline → incident → rules → diagnosis →
//! report → render. `docs/architecture.md` says what each stage knows and must not know.

pub mod cli;
pub mod commands;
pub mod diagnosis;
pub mod discover;
pub mod encyclopedia;
pub mod envelope;
pub mod error;
pub mod event;
pub mod extract;
pub mod incident;
pub mod language;
pub mod line;
pub mod note;
pub mod open;
pub mod parse;
pub mod pipeline;
pub mod redact;
pub mod render;
pub mod report;
pub mod rule;
pub mod selftest;
pub mod source;
pub mod stamp;
pub mod timeline;
