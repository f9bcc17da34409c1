//! `kerneldoc schema`: the JSON Schema of what the program reads and writes.
//!
//! `docs/report.schema.json` holds the same text; a test keeps it fresh.

use super::output;
use crate::{
    cli::{SchemaArgs, SchemaOf},
    error::{EXIT_HEALTHY, Error},
    exchange::ExchangeLine,
    report::Report,
    rule::rule_schema,
};

/// Runs the command.
pub(super) fn run(arguments: &SchemaArgs) -> Result<u8, Error> {
    output::text(&schema_text(arguments.what))?;
    Ok(EXIT_HEALTHY)
}

/// A schema, indented, with a newline at its end.
pub fn schema_text(what: SchemaOf) -> String {
    let schema = match what {
        SchemaOf::Report => schemars::schema_for!(Report).to_value(),
        SchemaOf::Event => schemars::schema_for!(ExchangeLine).to_value(),
        SchemaOf::Rule => rule_schema(),
    };
    format!("{schema:#}\n")
}
