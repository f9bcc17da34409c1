//! `kerneldoc rules`: list, show, check, test and begin rules.
//!
//! It knows no rule; it passes them on.

use super::{output, rule_files, screen::Screen};
use crate::{
    cli::{NewRuleArgs, RuleArgs, RuleTestArgs, RulesArgs, RulesCommand},
    error::{EXIT_HEALTHY, Error},
    language::Language,
    render::safe,
    rule::{Layer, Rule, RuleSet, builtin_texts, new_rule},
    selftest,
};
use std::io::{self, Write};

/// Runs one of the commands.
pub(super) fn run(command: &RulesCommand, screen: &Screen) -> Result<u8, Error> {
    match command {
        RulesCommand::List(arguments) => list(arguments, screen)?,
        RulesCommand::Show(arguments) => show(arguments)?,
        RulesCommand::Check(arguments) => check(arguments)?,
        RulesCommand::Test(arguments) => test(arguments, screen)?,
        RulesCommand::New(arguments) => new(arguments)?,
    }
    Ok(EXIT_HEALTHY)
}

/// The rules of both ways to name folders.
fn load(arguments: &RulesArgs) -> Result<RuleSet, Error> {
    let folders: Vec<_> = arguments.rules.iter().chain(&arguments.folders).cloned().collect();
    rule_files::load(&folders)
}

/// The causes, layer by layer.
fn list(arguments: &RulesArgs, screen: &Screen) -> Result<(), Error> {
    let language = screen.spoken();
    let rules = load(arguments)?;
    output::to_stdout(|out| {
        Layer::ALL.iter().try_for_each(|layer| write_layer(*layer, &rules, language, out))
    })
}

/// A layer's causes and their titles.
pub(super) fn write_layer(
    layer: Layer,
    rules: &RuleSet,
    language: Language,
    out: &mut dyn Write,
) -> io::Result<()> {
    let of_layer: Vec<&Rule> = rules.iter().filter(|rule| rule.layer == layer).collect();
    let widest = of_layer.iter().map(|rule| rule.id.len()).max().unwrap_or_default();
    writeln!(out, "{} ({})", layer.word(), of_layer.len())?;
    for rule in of_layer {
        writeln!(out, "  {:widest$}  {}", safe(&rule.id), safe(rule.texts(language).title))?;
    }
    Ok(())
}

/// A rule's file.
fn show(arguments: &RuleArgs) -> Result<(), Error> {
    let rules = rule_files::load(&arguments.rules)?;
    if let Some(rule) = rules.get(&arguments.id) {
        return output::text(&rule.text);
    }
    let nearest = rule_files::nearest(&arguments.id, rules.ids());
    Err(Error::Unknown { what: "cause", word: arguments.id.clone(), nearest })
}

/// Loading is checking.
fn check(arguments: &RulesArgs) -> Result<(), Error> {
    let rules = load(arguments)?;
    let faults = rules.faults();
    if !faults.is_empty() {
        return Err(Error::Rules { faults, texts: builtin_texts() });
    }
    output::text(&format!("{} rules are right\n", rules.len()))
}

/// Runs the rules' own tests.
fn test(arguments: &RuleTestArgs, screen: &Screen) -> Result<(), Error> {
    let rules = rule_files::load(&arguments.rules)?;
    rule_files::check_words(&arguments.only, &rules)?;
    let chosen = |rule: &&Rule| {
        arguments.only.is_empty()
            || arguments.only.iter().any(|word| *word == rule.id || word == rule.layer.word())
    };
    let (mut total, mut failed) = (0, 0);
    output::to_stdout(|out| {
        for rule in rules.iter().filter(chosen) {
            for (name, result) in selftest::run(rule, &rules) {
                total += 1;
                let id = safe(&rule.id);
                match result {
                    Ok(()) if screen.quiet() => {}
                    Ok(()) => writeln!(out, "ok      {id}: {}", safe(&name))?,
                    Err(why) => {
                        failed += 1;
                        writeln!(out, "failed  {id}: {}", safe(&name))?;
                        why.lines().try_for_each(|line| writeln!(out, "        {}", safe(line)))?;
                    }
                }
            }
        }
        writeln!(out, "{} of {total} tests passed", total - failed)
    })?;
    if failed > 0 { Err(Error::RuleTests { failed, total }) } else { Ok(()) }
}

/// A rule to begin with.
fn new(arguments: &NewRuleArgs) -> Result<(), Error> {
    output::text(&new_rule(arguments.layer, &arguments.id))
}
