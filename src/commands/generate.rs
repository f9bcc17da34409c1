//! `kerneldoc completions` and `kerneldoc man`: what packages install beside the program.

use super::output;
use crate::{
    cli::{Cli, CompletionsArgs},
    error::{EXIT_HEALTHY, Error},
};
use clap::CommandFactory;

/// Prints the completions of a shell.
pub(super) fn completions(arguments: &CompletionsArgs) -> Result<u8, Error> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "kerneldoc", &mut script);
    output::to_stdout(|out| out.write_all(&script))?;
    Ok(EXIT_HEALTHY)
}

/// Prints the manual page.
pub(super) fn man() -> Result<u8, Error> {
    output::to_stdout(|out| {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page)?;
        out.write_all(&page)
    })?;
    Ok(EXIT_HEALTHY)
}
