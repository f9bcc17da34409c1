//! Bodies as text: Markdown, plain, and Jira's wiki markup.
//!
//! Quoted lines stand in code, where no target reads markup, mentions or links.

use super::body::Block;
use crate::render::markdown::{code, inline, span};

/// Markdown.
pub(super) fn markdown(blocks: &[Block]) -> String {
    joined(blocks, |block| match block {
        Block::Heading(title) => format!("### {title}"),
        Block::Text(text) => inline(text),
        Block::List(items) => lines(items.iter().map(|item| format!("- {}", inline(item)))),
        Block::Steps(steps) => lines(steps.iter().enumerate().map(|(index, (text, command))| {
            let command =
                command.as_ref().map(|command| format!("\n\n   {}\n", code(command).replace('\n', "\n   ")));
            format!("{}. {}{}", index + 1, inline(text), command.unwrap_or_default())
        })),
        Block::Quote(place, text) => format!("{}\n\n{}", inline(place), code(text)),
        Block::Links(links) => lines(links.iter().map(|link| format!("- {}", span(link)))),
    })
}

/// Text without any markup.
pub(super) fn plain(blocks: &[Block]) -> String {
    joined(blocks, |block| match block {
        Block::Heading(title) => format!("{title}:"),
        Block::Text(text) => text.clone(),
        Block::List(items) | Block::Links(items) => lines(items.iter().map(|item| format!("- {item}"))),
        Block::Steps(steps) => lines(steps.iter().enumerate().map(|(index, (text, command))| {
            let command = command.as_ref().map(|command| format!("\n   $ {command}"));
            format!("{}. {text}{}", index + 1, command.unwrap_or_default())
        })),
        Block::Quote(place, text) => format!("{place}\n    {text}"),
    })
}

/// Jira's wiki markup.
pub(super) fn wiki(blocks: &[Block]) -> String {
    joined(blocks, |block| match block {
        Block::Heading(title) => format!("h3. {title}"),
        Block::Text(text) => wiki_inline(text),
        Block::List(items) => lines(items.iter().map(|item| format!("* {}", wiki_inline(item)))),
        Block::Steps(steps) => lines(steps.iter().map(|(text, command)| {
            let command = command.as_ref().map(|command| format!("\n{}", wiki_code(command)));
            format!("# {}{}", wiki_inline(text), command.unwrap_or_default())
        })),
        Block::Quote(place, text) => format!("{}\n{}", wiki_inline(place), wiki_code(text)),
        Block::Links(links) => lines(links.iter().map(|link| format!("* {}", wiki_inline(link)))),
    })
}

/// Text in which nothing is wiki markup: marks are escaped, backslashes written as entities.
fn wiki_inline(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '\\' => out.push_str("&#92;"),
            '&' => out.push_str("&amp;"),
            '{' | '}' | '[' | ']' | '|' | '*' | '_' | '^' | '~' | '!' | '+' | '#' | '@' | '-' => {
                out.push('\\');
                out.push(character);
            }
            _ => out.push(character),
        }
    }
    out
}

/// A block that the text cannot end.
fn wiki_code(text: &str) -> String {
    format!("{{noformat}}{}{{noformat}}", text.replace("{noformat", "(noformat"))
}

fn joined(blocks: &[Block], write: impl Fn(&Block) -> String) -> String {
    blocks.iter().map(write).collect::<Vec<_>>().join("\n\n")
}

fn lines(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wiki_markup_of_a_log_is_text() {
        assert_eq!(wiki_inline("[~root] {x} a\\b"), "\\[\\~root\\] \\{x\\} a&#92;b");
        assert_eq!(wiki_code("a{noformat}b"), "{noformat}a(noformat}b{noformat}");
    }
}
