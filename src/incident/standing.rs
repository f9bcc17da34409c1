//! What a list of containers shows to have ended, where nothing else tells of an end: people paste `docker ps -a`, or
//! the flag that `docker inspect` was asked for.

use super::{Identity, Incident, Incidents, Strength};
use crate::{
    event::{ContainerState, Event},
    timeline::Timeline,
};

/// An incident for each container that stands there ended by a signal.
pub(super) fn standing(timeline: &Timeline, incidents: &Incidents) -> Vec<Incident> {
    let moments = timeline.moments.iter().enumerate().filter(|(index, moment)| {
        let Event::ContainerState(state) = &moment.record.event else { return false };
        let nobody = Identity::default();
        let identity = incidents.identities.get(*index).unwrap_or(&nobody);
        ended_by_signal(state) && !incidents.strangers.include(identity, moment, false)
    });
    let incident = |(index, moment)| {
        let own = incidents.identities.get(index).cloned().unwrap_or_default();
        Incident::of_one(index, moment, Strength::Ending, own)
    };
    moments.map(incident).collect()
}

/// Whether a signal ended it (128 and the signal's number). A format string prints the flag and the code without the
/// status; a container that runs has none.
fn ended_by_signal(state: &ContainerState) -> bool {
    let ended = match state.status.as_deref() {
        Some(status) => matches!(status, "exited" | "dead"),
        None => state.oom_killed.is_some(),
    };
    // 130 and 143 are Ctrl-C and an orderly stop.
    ended && state.exit_code.is_some_and(|code| (129..=192).contains(&code) && code != 130 && code != 143)
}
