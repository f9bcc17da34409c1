//! The page around the verdicts: head, policy, headline, foot.
//!
//! It says nothing about a single verdict.

use super::{logs, overview, verdict, writer::Html};
use crate::{
    language::{Language, Messages, counted, fill},
    render::{text::group::groups, view::headline},
    report::Report,
};
use sha2::{Digest, Sha256};

/// The only style sheet. It is named by its hash in the page's policy, so that no other can take effect.
const STYLE: &str = include_str!("style.css");

/// The whole page.
pub(super) fn page(report: &Report, language: Language) -> String {
    let title = headline(report, language.messages());
    around(&title, &report.tool.version, language, |html| body(report, html))
}

/// A page with this title, and its foot.
pub(super) fn around(title: &str, version: &str, language: Language, body: impl FnOnce(&mut Html)) -> String {
    let mut html = Html::document(language);
    html.element("html", &[("lang", language.tag())], |html| {
        head(title, html);
        html.line();
        html.element("body", &[], |html| {
            body(html);
            foot(version, html);
        });
    });
    html.line();
    html.finish()
}

fn foot(version: &str, html: &mut Html) {
    let messages = html.messages;
    html.line();
    html.element("footer", &[], |html| {
        html.text(&fill(messages.made_by, &[("version", version)]));
        html.text(messages.space);
        html.text(messages.secrets_out);
    });
}

fn head(title: &str, html: &mut Html) {
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        base64(&Sha256::digest(STYLE.as_bytes()))
    );
    html.element("head", &[], |html| {
        html.void("meta", &[("charset", "utf-8")]);
        html.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", &policy)]);
        html.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
        html.void("meta", &[("name", "color-scheme"), ("content", "light dark")]);
        html.void("meta", &[("name", "referrer"), ("content", "no-referrer")]);
        html.tag("title", "", &format!("{title} – kerneldoc"));
        html.style(STYLE);
    });
}

fn body(report: &Report, html: &mut Html) {
    let messages = html.messages;
    let groups = groups(report);
    html.element("header", &[], |html| {
        html.tag("p", "brand", "kerneldoc");
        html.tag("h1", "", &headline(report, messages));
        html.tag("p", "faint", &read(report, messages));
    });
    html.line();
    html.element("main", &[], |html| {
        if groups.len() > 1 {
            overview::table(&groups, html);
        }
        for group in &groups {
            html.line();
            verdict::article(group, groups.len() > 1, html);
        }
        html.line();
        logs::section(report, html);
    });
}

/// What was read.
fn read(report: &Report, messages: &Messages) -> String {
    let inputs = &report.inputs;
    let [files, lines, events] = [
        counted(messages.files, inputs.files),
        counted(messages.lines, inputs.lines),
        counted(messages.events, inputs.events),
    ];
    let read = fill(messages.in_read, &[("files", &files), ("lines", &lines), ("events", &events)]);
    if inputs.skipped.is_empty() {
        return read;
    }
    let skipped = counted(messages.files, inputs.skipped.len() as u64);
    format!("{read}{}{}", messages.semicolon, fill(messages.not_read_count, &[("files", &skipped)]))
}

/// Base64, as a policy's hash is written.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = (bits >> (18 - 6 * place) & 63) as usize;
            let character = DIGITS.get(digit).copied().map_or('=', char::from);
            out.push(if place <= chunk.len() { character } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_pads() {
        assert_eq!(
            [&b""[..], b"f", b"fo", b"foo", b"foob"].map(base64),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
    }

    #[test]
    fn the_style_sheet_cannot_end_its_element() {
        assert!(!STYLE.contains('<') && !STYLE.contains("url(") && !STYLE.contains("@import"));
    }
}
