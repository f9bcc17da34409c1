//! Access-log lines of proxies in text form: `"GET /api/kernels/<id>/channels HTTP/1.1" 101 …`.
//!
//! The plain combined format has no duration; a 101 in it says nothing.

use crate::{
    envelope::prim as time,
    event::{Event, FrontendProxyClosed, FrontendWebsocketRefused},
    line::Line,
    parse::{
        Claim, Found,
        jupyter::{kernel_in, meaning},
        prim,
    },
    stamp::Stamp,
};
use chrono::NaiveDate;
use nom::{IResult, Parser, character::complete::char, combinator::map_opt};

/// Looks at one line.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let Some(event) = request(line.text) else { return Claim::NotMine };
    let mut request = Found::on(line, event);
    if !line.exact
        && let Some(stamp) = stamp(line.text)
    {
        request.mark.date(stamp);
    }
    found.push(request);
    Claim::Mine
}

/// `[12/Mar/2025:09:10:00 +0100]`, which stands in the middle of the line, behind the client and its user.
fn stamp(text: &str) -> Option<Stamp> {
    let (_, rest) = text.split_once('[')?;
    common_log_time(rest).ok().map(|(_, stamp)| stamp)
}

/// `12/Mar/2025:09:10:00 +0100`.
fn common_log_time(input: &str) -> IResult<&str, Stamp> {
    let date = (time::digits(2), char('/'), time::month, char('/'), time::digits(4));
    map_opt(
        (date, char(':'), time::time, char(' '), time::zone),
        |((day, _, month, _, year), _, clock, _, zone)| {
            let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
            Some(time::placed(time::local_micros(date, clock)?, Some(zone)))
        },
    )
    .parse(input)
}

/// A websocket's request with its outcome.
fn request(text: &str) -> Option<Event> {
    let (_, path) = text.split_once("/api/kernels/")?;
    let (path, rest) = path.split_once(" HTTP/")?;
    path.contains("/channels").then_some(())?;
    let (_, rest) = rest.split_once('"')?;
    let (rest, status) = prim::integer(rest.trim_start()).ok()?;
    outcome(status, kernel_in(text, "/api/kernels/"), seconds(rest), text)
}

/// What a status and a duration mean for a websocket. A 101 is logged when the connection ends.
pub(super) fn outcome(
    status: i64,
    kernel_id: Option<String>,
    seconds: Option<f64>,
    words: &str,
) -> Option<Event> {
    if let Some(what) = meaning(status) {
        let (what, status) = (Some(what.to_owned()), Some(status));
        return Some(FrontendWebsocketRefused { what, kernel_id, status, ..Default::default() }.into());
    }
    let closed = status == 101 || status == 504;
    let seconds = seconds.filter(|_| closed)?;
    let message = Some(crate::line::shorten(words.trim()));
    Some(FrontendProxyClosed { kernel_id, seconds: Some(seconds), message }.into())
}

/// How long it took: nginx's `rt=60.001` by convention, or the second number behind the user agent in ingress-nginx's
/// format (`"agent" 1024 60.001 [upstream] …`).
fn seconds(rest: &str) -> Option<f64> {
    let named = ["rt", "request_time", "urt"].into_iter().find_map(|key| prim::value_of(rest, key));
    if let Some(value) = named {
        return value.trim_matches('"').parse().ok();
    }
    let (_, behind_agent) = rest.rsplit_once('"')?;
    let mut words = behind_agent.split_whitespace();
    let (length, time) = (words.next()?, words.next()?);
    length.parse::<u64>().ok()?;
    time.contains('.').then(|| time.parse().ok()).flatten()
}
