//! Daemons that kill for want of memory before Linux does: systemd-oomd, earlyoom, nohang, Meta's oomd, Talos'
//! controller, Android's low memory killers, macOS's.
//!
//! For their kills Linux prints nothing. What systemd says of the units they empty is `systemd`'s.

mod earlyoom;
mod nohang;
mod oomd;
mod others;

use super::{Claim, Found, Parser, Spec};
use crate::line::Line;

/// The parser.
pub const PARSER: Spec = Spec {
    name: "memory daemon",
    needles: &[
        "mem avail: ",
        "low memory! at or below",
        "sending SIG",
        " cmdline ",
        "Killing process ",
        " due to memory ",
        "systemd-oomd killed ",
        "oomd kill: ",
        "Memory status that requires corrective actions",
        "Victim status",
        " to the victim",
        "Sending SIGKILL to cgroup",
        "lowmemorykiller: Kill",
        "memorystatus: killing_",
        "low swap: killing largest compressed process",
    ],
    parts: &[],
    make: || Box::new(Daemons::default()),
};

/// The daemons' records at work.
#[derive(Default)]
struct Daemons {
    earlyoom: earlyoom::Earlyoom,
    nohang: nohang::Nohang,
    oomd: oomd::Oomd,
}

impl Parser for Daemons {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        let claims = [self.earlyoom.line(line, found), self.nohang.line(line, found), self.oomd.line(line, found), others::line(line, found)];
        claims.into_iter().flatten().next().unwrap_or(Claim::NotMine)
    }

    fn hungry(&self) -> bool {
        self.earlyoom.hungry() || self.nohang.hungry() || self.oomd.hungry()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        self.earlyoom.finish(found);
        self.oomd.finish(found);
    }
}
