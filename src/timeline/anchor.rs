//! Pairs of events that belong together in time: what lets one log's clock be read off another's.
//!
//! Lags are one-sided windows measured on real machines (`research/containers.md` 4.4, Docker 26.1, Linux 6.1–6.18,
//! `jupyter_client` 8): the restarter polls every 3 s, dockerd reports an OOM kill 0.1–0.7 s later, more under load.

use crate::event::Record;

/// A cause and its effect.
pub(super) struct Anchor {
    /// The kind of the earlier event.
    pub cause: &'static str,
    /// The kind of the later event.
    pub effect: &'static str,
    /// The least lag, in milliseconds.
    pub least: i64,
    /// The usual lag.
    pub usual: i64,
    /// The greatest lag.
    pub most: i64,
}

/// Every pair that is used. A userspace daemon asks with SIGTERM first, and a large process takes its time to go.
pub(super) const ANCHORS: &[Anchor] = &[
    // The same line of Linux's ring buffer, saved twice: `dmesg` and `dmesg -T` of one boot. `-T` is off by up to 2 s.
    Anchor { cause: "oom.kill", effect: "oom.kill", least: -2_000, usual: 0, most: 2_000 },
    Anchor { cause: "fault.segfault", effect: "fault.segfault", least: -2_000, usual: 0, most: 2_000 },
    Anchor { cause: "fault.trap", effect: "fault.trap", least: -2_000, usual: 0, most: 2_000 },
    Anchor { cause: "gpu.xid", effect: "gpu.xid", least: -2_000, usual: 0, most: 2_000 },
    // A proxy and the server behind it tell of one request.
    Anchor {
        cause: "frontend.websocket_refused",
        effect: "frontend.websocket_refused",
        least: -2_000,
        usual: 0,
        most: 2_000,
    },
    // kerneldoc's recorder is called by the restarter itself, and told of starts by the server.
    Anchor { cause: "kernel.died", effect: "server.kernel_restarting", least: -1_500, usual: 0, most: 1_500 },
    Anchor { cause: "kernel.died", effect: "server.kernel_restarted", least: -1_500, usual: 0, most: 1_500 },
    Anchor {
        cause: "server.kernel_started",
        effect: "server.kernel_started",
        least: -1_500,
        usual: 0,
        most: 1_500,
    },
    Anchor { cause: "oom.kill", effect: "container.oom", least: -100, usual: 400, most: 10_000 },
    Anchor { cause: "oom.kill", effect: "server.kernel_restarting", least: -500, usual: 1_500, most: 4_500 },
    Anchor { cause: "oom.kill", effect: "server.kernel_restarted", least: -500, usual: 1_500, most: 4_500 },
    Anchor { cause: "oom.kill", effect: "runner.kernel_died", least: -500, usual: 1_500, most: 6_000 },
    Anchor { cause: "oom.kill", effect: "hub.server_gone", least: 0, usual: 15_000, most: 40_000 },
    Anchor {
        cause: "container.oom",
        effect: "server.kernel_restarting",
        least: -4_000,
        usual: 1_000,
        most: 4_500,
    },
    Anchor {
        cause: "fault.segfault",
        effect: "server.kernel_restarting",
        least: -500,
        usual: 1_500,
        most: 4_500,
    },
    Anchor {
        cause: "fault.segfault",
        effect: "server.kernel_restarted",
        least: -500,
        usual: 1_500,
        most: 4_500,
    },
    Anchor { cause: "fault.segfault", effect: "runner.kernel_died", least: -500, usual: 1_500, most: 6_000 },
    Anchor {
        cause: "fault.trap",
        effect: "server.kernel_restarting",
        least: -500,
        usual: 1_500,
        most: 4_500,
    },
    Anchor {
        cause: "oom.daemon_kill",
        effect: "server.kernel_restarting",
        least: -500,
        usual: 1_500,
        most: 20_000,
    },
    Anchor {
        cause: "oom.daemon_kill",
        effect: "server.kernel_restarted",
        least: -500,
        usual: 1_500,
        most: 20_000,
    },
    Anchor { cause: "code.run", effect: "server.kernel_restarting", least: 0, usual: 1_500, most: 4_500 },
    Anchor { cause: "server.stopping", effect: "hub.server_gone", least: 0, usual: 15_000, most: 40_000 },
    Anchor { cause: "server.stopping", effect: "hub.server_stopped", least: 0, usual: 2_000, most: 12_000 },
    Anchor { cause: "pod.ended", effect: "hub.server_gone", least: -1_000, usual: 15_000, most: 45_000 },
    Anchor { cause: "container.die", effect: "hub.server_gone", least: -1_000, usual: 15_000, most: 40_000 },
    Anchor {
        cause: "gpu.xid",
        effect: "server.kernel_restarting",
        least: -1_000,
        usual: 2_000,
        most: 30_000,
    },
    Anchor { cause: "container.kill", effect: "server.stopping", least: -200, usual: 50, most: 3_000 },
    Anchor {
        cause: "hub.server_culled",
        effect: "server.stopping",
        least: -1_000,
        usual: 1_000,
        most: 10_000,
    },
    Anchor { cause: "job.ended", effect: "server.stopping", least: -2_000, usual: 100, most: 5_000 },
    Anchor { cause: "pod.ended", effect: "server.stopping", least: -3_000, usual: 500, most: 10_000 },
    Anchor {
        cause: "server.kernel_restarting",
        effect: "server.kernel_restarted",
        least: -50,
        usual: 1,
        most: 1_000,
    },
];

/// Fields that say which process, container or kernel an event is about.
const IDENTITIES: [&str; 4] = ["container_id", "kernel_id", "pod_uid", "pod"];

/// What an event is about, by each of these fields.
pub(super) type About = [Option<String>; 4];

/// What a record's event is about.
pub(super) fn about(record: &Record) -> About {
    IDENTITIES.map(|field| record.event.text(field))
}

/// Whether two events name the same thing: yes, no, or they do not say.
pub(super) fn same_identity(one: &About, other: &About) -> Option<bool> {
    one.iter().zip(other).find_map(|(one, other)| {
        let (one, other) = (one.as_ref()?, other.as_ref()?);
        let shorter = one.len().min(other.len());
        Some(shorter >= 7 && one.get(..shorter) == other.get(..shorter) || one == other)
    })
}
