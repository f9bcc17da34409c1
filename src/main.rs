//! The command line of kerneldoc.

use std::process::ExitCode;

fn main() -> ExitCode {
    kerneldoc::commands::main(std::env::args_os())
}
