//! Cullers of platforms without a hub: Kubeflow's notebook controller, and the autostop script of `SageMaker`.
//!
//! A stopped workbench carries the annotation `kubeflow-resource-stopped` whoever stopped it, so that tells nothing.

use crate::{
    event::HubServerCulled,
    line::Line,
    parse::{Claim, Found},
};

/// Looks at one line.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    let Some(event) = controller(line.text).or_else(|| autostop(line.text)) else { return Claim::NotMine };
    found.push(Found::on(line, event));
    Claim::Mine
}

/// `Notebook ml/ana-lab needs culling. Updating Notebook CR Annotations...` (Kubeflow 1.3 and later, alone or as `msg`
/// of a JSON line). A notebook's pod is the first of its stateful set.
fn controller(text: &str) -> Option<HubServerCulled> {
    let (before, _) = text.split_once(" needs culling")?;
    let (_, name) = before.rsplit_once("Notebook ")?;
    let (_, name) = name.trim().rsplit_once('/')?;
    let pod = Some(format!("{name}-0")).filter(|_| !name.is_empty() && !name.contains(' '));
    pod.is_some().then(|| culled("notebook-controller", pod))
}

/// `Closing idle notebook`: the lifecycle script's only word before it stops the instance. Its forks add a reason, and
/// say `NOT closing` when they do not.
fn autostop(text: &str) -> Option<HubServerCulled> {
    text.contains("Closing idle notebook").then(|| culled("autostop", None))
}

/// Makes the event.
fn culled(what: &str, pod: Option<String>) -> HubServerCulled {
    HubServerCulled { what: Some(what.to_owned()), pod, ..HubServerCulled::default() }
}
