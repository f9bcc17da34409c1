//! Kubernetes as lines: `kubectl get events`, `describe pod`, events as JSON lines, kubelet's own log.
//!
//! Whole documents (a pod's YAML or JSON) are `pod_status`'s. Linux's kills on the node are `oom`'s.

mod cloud;
mod describe;
pub(super) mod event;
mod kubelet;
mod table;

use super::{Claim, Found, Parser, Spec};
use crate::line::Line;

/// The parser.
pub const PARSER: Spec = Spec {
    name: "kubernetes",
    needles: &[
        "involvedObject",
        "reportingController",
        "Warning  ",
        "Normal  ",
        "LAST SEEN",
        "Name:    ",
        "Last State:",
        "Exit Code:",
        "eviction_manager.go:",
        "Killing container with a grace period",
        "Message for Container of pod",
        "Probe failed",
        "iveness probe for ",
        "Spot ITN received",
        "compute.instances.preempted",
        "liveness probe, will be restarted",
        "imminent node shutdown",
    ],
    parts: &[],
    make: || Box::new(Kubernetes::default()),
};

/// The records at work.
#[derive(Default)]
struct Kubernetes {
    table: table::Table,
    describe: describe::Describe,
    kubelet: kubelet::Kubelet,
}

impl Parser for Kubernetes {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        if let Some(claim) = event::json_line(line, found) {
            return claim;
        }
        if let Some(claim) = cloud::line(line, found) {
            return claim;
        }
        let described = self.describe.line(line, found);
        let claim = described.or_else(|| self.kubelet.line(line, found));
        claim.or_else(|| self.table.line(line, self.describe.pod(), found)).unwrap_or(Claim::NotMine)
    }

    fn hungry(&self) -> bool {
        self.describe.hungry()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        self.describe.finish(found);
    }
}
