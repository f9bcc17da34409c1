//! The text of a new rule file, for `rules new`. It loads as it stands, and says what to replace.
//!
//! It writes no file.

use super::Layer;

/// A rule file to begin with.
pub fn new_rule(layer: Layer, id: &str) -> String {
    TEXT.replace("@id@", id).replace("@layer@", layer.word())
}

const TEXT: &str = r#"# One cause, one file. `kerneldoc rules check` tells what is wrong, `kerneldoc rules test` runs the tests below.
# The format is described in docs/writing-rules.md, the events in docs/events.md.

id      = "@id@"   # the file's name
layer   = "@layer@"   # the folder's name: frontend, server, kernel, cuda or host
title   = "What happened, in one line without a full stop"
summary = "What happened, with the user's own figures: it was process {process}."
ends    = "yes"      # does it end a kernel? yes (a death), no (a finding), either (the evidence tells)
basis   = "record"   # a record names the cause; or "effect": it is inferred
explains = []        # ids of causes that are only echoes of this one, such as "silent-exit"
why = """
Why it happens, as you would tell a colleague who has never met it.
"""
references = []      # ["https://…"]

# What must be there. Also: [[any]] at least one of these, [[refute]] none of these, [[support]] welcome.
[[require]]
event  = "oom.kill"
where  = ["victim == 'kernel'"]   # == != >= <= > < in ['a', 'b'] starts 'a' contains 'a' ~ 'regex' exists absent
window = "-120s..5s"              # around the death
link   = "time only"              # the weakest link that counts; "same container", "same process", "same kernel" …
count  = 1

# Figures for the texts: fields of events, + - * / and ?? (the right side when the left is not known).
[facts]
process = "oom.kill.process"

[fix]
summary = "What to do, in one sentence."

[[fix.step]]
text = "The most useful step first."
# command = "docker inspect {container}"

# A log that would settle it, asked for when it is not there.
# [[missing]]
# source  = "docker events"
# unless  = ["docker events"]
# command = "docker events --since {time_before|time} --until {time_after|time}"

# The same in Chinese, for readers who choose it. What is left out is told in English.
# [text.zh]
# title   = "…"
# summary = "……{process}……"   # the same placeholders
# why     = "……"
# fix     = "……"              # the summary of the fix
# steps   = ["……"]            # one text for each [[fix.step]]

[[test]]
name   = "what it looks like"
expect = "cause"     # cause, finding, explained (another rule explains it) or silent
[test.logs]
"dmesg.log" = '''
[Mon Nov 30 09:14:28 2026] replace this by real lines
'''

[[test]]
name    = "what it is easily mistaken for"
expect  = "silent"
because = "the rule that owns it, or what it is"
[test.logs]
"jupyter.log" = '''
[I 2026-11-30 09:14:31.402 ServerApp] replace this by real lines
'''
"#;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{load, render_faults};

    #[test]
    fn a_new_rule_loads() {
        for layer in Layer::ALL {
            let text = new_rule(layer, "a-new-cause");
            let path = format!("rules/{}/a-new-cause.toml", layer.word());
            let faults = load(&path, &text).err().unwrap_or_default();
            assert!(faults.is_empty(), "{}", render_faults(&faults, &text, false));
        }
    }
}
