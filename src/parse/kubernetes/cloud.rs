//! A cloud's word that it takes a machine back, where no event object carries it: AWS's termination handler in its own log,
//! Google's audit log.

use crate::{
    envelope::prim::iso,
    event::PodEvent,
    line::{Line, shorten},
    parse::{Claim, Found, linux::between},
};

/// Looks at one line; `None` if it is neither's.
///
/// `… INF Adding new event to the event store event={…"Kind":"SPOT_ITN"…}` (aws-node-termination-handler; a recommendation to
/// rebalance, `REBALANCE_RECOMMENDATION`, takes nothing back), `{"protoPayload":{…"methodName":"compute.instances.preempted"…`
/// (Google).
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    let text = line.text;
    let (reason, component) = if text.contains("\"compute.instances.preempted\"") {
        ("PreemptionNotice", "compute.googleapis.com")
    } else if text.contains("Spot ITN received") {
        ("SpotInterruption", "aws-node-termination-handler")
    } else {
        return None;
    };
    let event = PodEvent {
        object: Some("Node".to_owned()),
        reason: Some(reason.to_owned()),
        message: Some(shorten(text.trim())),
        component: Some(component.to_owned()),
        ..PodEvent::default()
    };
    let mut event = Found::on(line, event);
    let told = between(text, "\"timestamp\":\"", "\"").or_else(|| between(text, "\"timestamp\": \"", "\""));
    if let Some((_, stamp)) = told.filter(|_| !line.exact).and_then(|time| iso(time).ok()) {
        event.mark.date(stamp);
    }
    found.push(event);
    Some(Claim::Mine)
}
