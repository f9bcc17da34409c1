//! `kerneldoc ./logs` is `kerneldoc diagnose ./logs`.
//!
//! It looks only at the first argument that is no option of every command.

use crate::cli::Cli;
use clap::CommandFactory;
use std::ffi::OsString;

/// The arguments with `diagnose` put in where no command stands.
pub(super) fn with_default_verb(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.is_empty() {
        arguments.push("kerneldoc".into());
    }
    if !names_a_command(&arguments) {
        arguments.insert(1, "diagnose".into());
    }
    arguments
}

/// Whether a command, or help or the version, is asked for.
fn names_a_command(arguments: &[OsString]) -> bool {
    let mut words = arguments.iter().skip(1).map(|argument| argument.to_string_lossy());
    while let Some(word) = words.next() {
        match &*word {
            "-q" | "-v" | "--quiet" | "--verbose" => {}
            "--color" | "--hyperlinks" | "--lang" => drop(words.next()),
            "help" | "-h" | "--help" | "-V" | "--version" => return true,
            other if ["--color=", "--hyperlinks=", "--lang="].iter().any(|name| other.starts_with(name)) => {}
            other => return Cli::command().get_subcommands().any(|command| command.get_name() == other),
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &str, expected: &str) {
        let arguments = input.split(' ').map(OsString::from).collect();
        let words: Vec<_> =
            with_default_verb(arguments).into_iter().map(|word| word.into_string().unwrap()).collect();
        assert_eq!(words.join(" "), expected);
    }

    #[test]
    fn diagnose_is_the_default() {
        check("kerneldoc", "kerneldoc diagnose");
        check("kerneldoc ./logs", "kerneldoc diagnose ./logs");
        check("kerneldoc -f json events", "kerneldoc diagnose -f json events");
        check("kerneldoc --color never -q rules list", "kerneldoc --color never -q rules list");
        check("kerneldoc --lang zh explain 137", "kerneldoc --lang zh explain 137");
        check("kerneldoc --lang=zh logs", "kerneldoc diagnose --lang=zh logs");
        check("kerneldoc -q -", "kerneldoc diagnose -q -");
        check("kerneldoc --help", "kerneldoc --help");
    }
}
