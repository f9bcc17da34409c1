//! The commands that README shows do what it says, and what it names exists.

use std::{fs, path::Path};

/// `console` blocks of Markdown files run as they stand.
#[test]
fn the_examples_of_the_docs_run() {
    let bin = Path::new(env!("CARGO_BIN_EXE_kerneldoc"));
    let cases = trycmd::TestCases::new();
    cases.register_bin("kerneldoc", bin);
    // The two opening commands build and test the project itself; `.ci/run` runs them.
    cases.register_bin("cargo", trycmd::schema::Bin::Ignore);
    cases.env("KERNELDOC_LANG", "en");
    cases.case("README.md");
    cases.case("README.zh-CN.md");
    cases.run();
}

#[test]
fn what_the_readme_names_exists() {
    for name in ["README.md", "README.zh-CN.md"] {
        let readme = fs::read_to_string(name).expect("a readme");
        for link in readme.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert!(link.starts_with("https://") || Path::new(link).exists(), "{name} links to {link}");
        }
    }
    let readme = fs::read_to_string("README.md").expect("README.md");
    let first = readme.lines().find(|line| line.starts_with("$ ")).expect("a command");
    let folder = first.split_whitespace().last().expect("a folder");
    assert!(Path::new(folder).is_dir(), "{folder}");
}

#[test]
fn the_causes_that_the_readme_names_are_rules() {
    let rules = kerneldoc::rule::RuleSet::builtin().expect("the built-in rules load");
    let readme = fs::read_to_string("README.md").expect("README.md");
    let questions =
        readme.split("## Six questions").nth(1).and_then(|rest| rest.split("## ").next()).expect("the table");
    let named = questions.split('`').skip(1).step_by(2);
    for cause in named {
        assert!(rules.get(cause).is_some(), "README.md names `{cause}`, which is no rule");
    }
}
