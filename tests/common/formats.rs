//! What makes a text valid in its format, told by other programs' rules: parsers, required fields, limits.

use serde_json::Value;
use std::collections::BTreeSet;

type Check = Result<(), String>;

/// Checks a text by the word of its format.
pub(crate) fn check(format: &str, text: &str) -> Check {
    match format {
        "text" => Ok(()),
        "json" => json(text).map(|_| ()),
        "ndjson" => text.lines().try_for_each(|line| json(line).map(|_| ())),
        "markdown" => markdown(text),
        "html" => html(text),
        "github" => github(text),
        "gitlab" => gitlab(&json(text)?),
        "junit" => junit(text),
        "sarif" => sarif(&json(text)?),
        target => text.lines().try_for_each(|line| super::tickets::check(target, &json(line)?, line)),
    }
}

fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn ensure(holds: bool, what: &str) -> Check {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

/// Outside code nothing hostile may stand bare.
fn markdown(text: &str) -> Check {
    let mut fence: Option<String> = None;
    for line in text.lines() {
        let bare = line.trim_start();
        match &fence {
            Some(ticks) if bare == ticks => fence = None,
            Some(_) => {}
            None if bare.starts_with("```") => {
                fence = Some(bare.chars().take_while(|c| *c == '`').collect());
            }
            None => outside(line)?,
        }
    }
    ensure(fence.is_none(), "a fence is left open")
}

/// A line outside a fence, code spans taken out.
fn outside(line: &str) -> Check {
    let mut rest = line;
    let mut plain = String::new();
    while let Some(at) = unescaped_tick(rest) {
        plain.push_str(&rest[..at]);
        let ticks: String = rest[at..].chars().take_while(|c| *c == '`').collect();
        let after = &rest[at + ticks.len()..];
        let end = close(after, ticks.len()).ok_or_else(|| format!("a code span is left open: {line}"))?;
        rest = &after[end..];
    }
    plain.push_str(rest);
    let links: Vec<&str> = plain.match_indices('<').map(|(at, _)| &plain[at..]).collect();
    for link in links {
        let escaped = plain[..plain.len() - link.len()].ends_with('\\');
        ensure(escaped || link.starts_with("<https://"), &format!("bare markup: {line}"))?;
    }
    ensure(!plain.contains("@everyone"), &format!("a mention: {line}"))
}

/// The first backtick that is not escaped.
fn unescaped_tick(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '`' => return Some(at),
            _ => {}
        }
    }
    None
}

/// Where a run of exactly that many backticks ends.
fn close(text: &str, ticks: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text[at..].find('`') {
        let start = at + found;
        let run = text[start..].bytes().take_while(|byte| *byte == b'`').count();
        if run == ticks {
            return Some(start + run);
        }
        at = start + run;
    }
    None
}

/// Well-formed: elements nest, attributes are quoted, no element but those of the page, no handler, no script.
fn html(text: &str) -> Check {
    const VOID: [&str; 1] = ["meta"];
    let mut rest = text.strip_prefix("<!doctype html>\n").ok_or("no document type")?;
    let mut open: Vec<String> = Vec::new();
    while let Some(at) = rest.find('<') {
        let end = rest[at..].find('>').ok_or("a tag is left open")? + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let last = open.pop().ok_or_else(|| format!("nothing is open at </{name}>"))?;
            ensure(last == name, &format!("<{last}> is closed by </{name}>"))?;
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        ensure(
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()),
            &format!("<{tag}>"),
        )?;
        ensure(!["script", "img", "iframe", "object", "link"].contains(&name), &format!("<{name}>"))?;
        self::attributes(attributes)?;
        if !VOID.contains(&name) {
            open.push(name.to_owned());
        }
    }
    ensure(open.is_empty(), &format!("left open: {open:?}"))?;
    ensure(text.contains("default-src 'none'") || text.contains("default-src &#39;none&#39;"), "no policy")
}

/// `name="value"` over and over.
fn attributes(text: &str) -> Check {
    let mut rest = text;
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"").ok_or_else(|| format!("attributes: {text}"))?;
        let (value, after) = after.split_once('"').ok_or_else(|| format!("attributes: {text}"))?;
        ensure(!name.starts_with("on") && name != "style", &format!("attribute {name}"))?;
        ensure(
            name != "href" || value.starts_with('#') || value.starts_with("http"),
            &format!("link to {value}"),
        )?;
        rest = after.trim_start();
    }
    Ok(())
}

/// Each line is one command with a file and a title, and there are at most ten.
fn github(text: &str) -> Check {
    ensure(text.lines().count() <= 10, "more than ten annotations")?;
    for line in text.lines() {
        let rest = line.strip_prefix("::").ok_or_else(|| format!("no command: {line}"))?;
        let (head, message) = rest.split_once("::").ok_or_else(|| format!("no message: {line}"))?;
        let (command, properties) = head.split_once(' ').ok_or_else(|| format!("no properties: {line}"))?;
        ensure(["error", "warning", "notice"].contains(&command), command)?;
        for property in properties.split(',') {
            let (name, value) = property.split_once('=').ok_or_else(|| format!("property {property}"))?;
            ensure(["file", "line", "title"].contains(&name) && !value.contains(':'), property)?;
        }
        ensure(!message.is_empty(), "an empty message")?;
    }
    Ok(())
}

/// The fields that GitLab asks for.
fn gitlab(value: &Value) -> Check {
    let mut fingerprints = BTreeSet::new();
    for issue in value.as_array().ok_or("no list")? {
        let text = |name: &str| issue[name].as_str().filter(|text| !text.is_empty()).ok_or(name.to_owned());
        text("description")?;
        text("check_name")?;
        let severity = text("severity")?;
        ensure(["info", "minor", "major", "critical", "blocker"].contains(&severity), severity)?;
        ensure(fingerprints.insert(text("fingerprint")?), "a fingerprint stands twice")?;
        ensure(issue["location"]["lines"]["begin"].as_u64().is_some_and(|line| line > 0), "no line")?;
        let path = issue["location"]["path"].as_str().ok_or("no path")?;
        ensure(!path.is_empty() && !path.starts_with('/') && !path.starts_with("./"), path)?;
    }
    Ok(())
}

/// Well-formed, and the counts are those of its tests.
fn junit(text: &str) -> Check {
    use quick_xml::{Reader, events::Event};
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let (mut cases, mut failures) = (0, 0);
    let mut counts = Vec::new();
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Eof => break,
            Event::Start(tag) | Event::Empty(tag) => {
                for attribute in tag.attributes() {
                    attribute.map_err(|error| error.to_string())?;
                }
                let number = |name: &str| -> Option<usize> {
                    let value = tag.try_get_attribute(name).ok()??;
                    String::from_utf8_lossy(&value.value).parse().ok()
                };
                match tag.name().as_ref() {
                    b"testsuites" | b"testsuite" => counts.push((number("tests"), number("failures"))),
                    b"testcase" => cases += 1,
                    b"failure" => failures += 1,
                    _ => {}
                }
            }
            _ => {}
        }
    }
    ensure(cases > 0, "no test")?;
    ensure(
        counts.len() == 2 && counts.iter().all(|one| *one == (Some(cases), Some(failures))),
        "counts are off",
    )
}

/// The required properties of SARIF 2.1.0, and that its indices point at something.
fn sarif(value: &Value) -> Check {
    ensure(value["version"] == "2.1.0" && value["$schema"].is_string(), "no version")?;
    let run = &value["runs"][0];
    ensure(run["tool"]["driver"]["name"] == "kerneldoc", "no driver")?;
    let rules = run["tool"]["driver"]["rules"].as_array().ok_or("no rules")?;
    let ids: BTreeSet<&str> = rules.iter().filter_map(|rule| rule["id"].as_str()).collect();
    ensure(ids.len() == rules.len(), "a rule stands twice")?;
    for rule in rules {
        for name in ["shortDescription", "fullDescription", "help"] {
            ensure(rule[name]["text"].as_str().is_some_and(|text| !text.is_empty()), name)?;
        }
    }
    for result in run["results"].as_array().ok_or("no results")? {
        let index = usize::try_from(result["ruleIndex"].as_u64().ok_or("no ruleIndex")?).unwrap();
        ensure(rules[index]["id"] == result["ruleId"], "ruleIndex")?;
        ensure(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()), "message")?;
        ensure(
            ["error", "warning", "note"].contains(&result["level"].as_str().unwrap_or_default()),
            "level",
        )?;
        ensure(result["locations"].as_array().is_some_and(|list| list.len() == 1), "locations")?;
        for location in result["locations"]
            .as_array()
            .unwrap()
            .iter()
            .chain(result["relatedLocations"].as_array().unwrap())
        {
            let physical = &location["physicalLocation"];
            let uri = physical["artifactLocation"]["uri"].as_str().ok_or("no uri")?;
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/%".contains(&byte);
            ensure(!uri.is_empty() && uri.bytes().all(plain), uri)?;
            ensure(physical["region"]["startLine"].as_u64().is_some_and(|line| line > 0), "startLine")?;
        }
    }
    Ok(())
}
