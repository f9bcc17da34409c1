//! Every rule's own tests, with all rules loaded.

use kerneldoc::{rule::RuleSet, selftest};
use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let rules = RuleSet::builtin().expect("the built-in rules load");
    let mut trials = Vec::new();
    for rule in rules.iter() {
        for (name, outcome) in selftest::run(rule, &rules) {
            let name = format!("{}/{}: {name}", rule.layer.word(), rule.id);
            trials.push(Trial::test(name, move || outcome.map_err(Into::into)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
