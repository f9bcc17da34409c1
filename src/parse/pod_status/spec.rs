//! What a pod's document says of its containers: names, images, limits. How they ended is the parent's.

use crate::{
    event::PodEnded,
    parse::kubernetes::{
        container::{Container, quantity},
        event::text,
    },
};
use serde_json::Value;

/// The containers of a pod, as it was asked for; where that is left out, as it runs.
pub(super) fn containers(object: &Value, status: &Value) -> Vec<Container> {
    let spec = object.get("spec").unwrap_or(&Value::Null);
    let of_pod = limit(spec);
    let asked = listed(spec, "initContainers", true).into_iter().chain(listed(spec, "containers", false));
    let mut all: Vec<Container> = asked.collect();
    for running in listed(status, "containerStatuses", false) {
        match all.iter_mut().find(|known| known.name == running.name) {
            // A limit that was changed while it runs.
            Some(known) => known.memory_limit_bytes = running.memory_limit_bytes.or(known.memory_limit_bytes),
            None => all.push(running),
        }
    }
    for container in &mut all {
        container.memory_limit_bytes = container.memory_limit_bytes.or(of_pod);
    }
    all
}

/// What is known of a pod, and of its container of this name.
pub(super) fn about(pod: &PodEnded, name: Option<&str>, all: &[Container]) -> PodEnded {
    let unnamed = Container::default();
    let container = all.iter().find(|container| container.name.as_deref() == name).unwrap_or(&unnamed);
    PodEnded { container_name: name.map(str::to_owned), ..container.end(all, pod.clone()) }
}

/// The containers of a list.
fn listed(object: &Value, key: &str, init: bool) -> Vec<Container> {
    let items = object.get(key).and_then(Value::as_array).into_iter().flatten();
    let container = |item: &Value| Container {
        name: text(item, "name"),
        image: text(item, "image"),
        init,
        memory_limit_bytes: limit(item),
    };
    items.map(container).collect()
}

/// The memory limit of a container, or of a pod as a whole.
fn limit(of: &Value) -> Option<i64> {
    let memory = of.get("resources")?.get("limits")?.get("memory")?;
    memory.as_i64().or_else(|| quantity(memory.as_str()?))
}
