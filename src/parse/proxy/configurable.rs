//! configurable-http-proxy: what it says when the server behind it does not answer.
//!
//! ```text
//! 2026-11-30T15:45:22.552Z [ConfigProxy] error: 503 GET /user/alice/api/kernels connect ECONNREFUSED 127.0.0.1:43671
//! ```
//!
//! configurable-http-proxy 5 prints this before the hub's next poll: it is the first trace that a dead server leaves.

use crate::{
    event::HubNoBackend,
    line::Line,
    parse::{Claim, Found, jupyter::kernel_in},
};

/// What Node.js says of a connection that the other side does not hold.
const UNANSWERED: &[&str] = &["ECONNREFUSED", "ECONNRESET", "EHOSTUNREACH", "ETIMEDOUT", "socket hang up"];

/// Looks at one line.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let Some(event) = unanswered(line.text) else { return Claim::NotMine };
    found.push(Found::on(line, event));
    Claim::Mine
}

/// `503 GET /user/alice/lab connect ECONNREFUSED 10.0.3.17:8888`.
fn unanswered(text: &str) -> Option<HubNoBackend> {
    let (_, request) = text.split_once("503 ")?;
    let (method, request) = request.split_once(' ')?;
    method.bytes().all(|byte| byte.is_ascii_uppercase()).then_some(())?;
    let (path, reason) = request.split_once(' ')?;
    let (user, path) = path.split_once("/user/")?.1.split_once('/')?;
    let reason = reason.trim();
    UNANSWERED.iter().any(|words| reason.contains(words)).then_some(())?;
    Some(HubNoBackend {
        user: Some(user.to_owned()),
        kernel_id: kernel_in(path, "api/kernels/"),
        message: Some(crate::line::shorten(reason)),
    })
}
