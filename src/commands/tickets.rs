//! A site's values for tickets: `--set`.
//!
//! What they mean stands in `render`.

use super::output;
use crate::{
    cli::TicketArgs,
    render::{Format, Options},
};

/// The options with the site's values.
pub(super) fn with_values(mut options: Options, arguments: &TicketArgs) -> Options {
    options.values = arguments.set.iter().cloned().collect();
    options
}

/// Tells which value a target cannot do without.
pub(super) fn remark(formats: impl Iterator<Item = Format>, arguments: &TicketArgs) {
    for format in formats {
        let Format::Ticket(target) = format else { continue };
        if let Some(name) = target.needs().filter(|name| arguments.set.iter().all(|(set, _)| set != name)) {
            output::remark(&format!(
                "{} needs --set {name}=…; a placeholder stands in its place",
                format.word()
            ));
        }
    }
}
