//! What a container is in its pod: the notebook's, or one beside it in which no kernel runs.
//!
//! Every cluster adds containers to a pod: a mesh's proxy, a database's, a synchroniser of files. It judges by names,
//! images and neighbours; it reads no lines.

use crate::event::PodEnded;

/// A container of a pod.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Container {
    /// Its name.
    pub(crate) name: Option<String>,
    /// Its image.
    pub(crate) image: Option<String>,
    /// Whether it runs before the others, or beside them from then on.
    pub(crate) init: bool,
    /// Its memory limit.
    pub(crate) memory_limit_bytes: Option<i64>,
}

/// What stands in the names of containers that help others.
const HELPERS: &[&str] = &[
    "proxy", "sidecar", "envoy", "istio", "linkerd", "consul", "tailscale", "git-sync", "gitsync", "vault", "fluent",
    "filebeat", "promtail", "otel", "telemetry", "exporter", "metrics", "gcsfuse", "dind", "docker-in-docker", "logger",
    "log-shipper", "cloud-metadata", "token-refresh", "culler",
];
/// What stands in the names or images of containers in which notebooks run.
const NOTEBOOKS: &[&str] =
    &["jupyter", "notebook", "singleuser", "workbench", "ipykernel", "jhub", "datascience", "kernel", "papermill"];
/// Names of a pod's main container where nobody chose a better one.
const MAIN: &[&str] = &["main", "lab", "server", "base", "user", "default"];

impl Container {
    /// Its role among the containers of a pod; `None` if nothing tells.
    pub(crate) fn role(&self, all: &[Self], pod: Option<&str>) -> Option<&'static str> {
        let others = || all.iter().filter(|other| !other.init && other.name != self.name);
        if self.init {
            return Some("sidecar");
        }
        if self.is_notebook(pod) {
            return Some("notebook");
        }
        // Where it is the only one, whatever runs in the pod runs in it.
        let alone = others().next().is_none() && !all.is_empty();
        (!alone && (self.helps() || others().any(|other| other.is_notebook(pod)))).then_some("sidecar")
    }

    /// An end of it, with what is known of it among the containers of the pod that ended.
    pub(crate) fn end(&self, all: &[Self], ended: PodEnded) -> PodEnded {
        PodEnded {
            container_name: self.name.clone(),
            image: self.image.clone(),
            container_role: self.role(all, ended.pod.as_deref()).map(str::to_owned),
            memory_limit_bytes: self.memory_limit_bytes,
            ..ended
        }
    }

    /// Whether its name is a helper's.
    fn helps(&self) -> bool {
        self.name.as_deref().is_some_and(|name| holds(name, HELPERS))
    }

    /// Whether notebooks run in it, by its name or image. Kubeflow names it after the notebook, as the pod is named.
    fn is_notebook(&self, pod: Option<&str>) -> bool {
        let Some(name) = self.name.as_deref() else { return false };
        let named = pod.and_then(|pod| pod.strip_prefix(name)).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
        let image = self.image.as_deref().map(|image| image.rsplit('/').next().unwrap_or(image));
        let spoken = || holds(name, NOTEBOOKS) || MAIN.contains(&name) || image.is_some_and(|image| holds(image, NOTEBOOKS));
        named || (!self.helps() && spoken())
    }
}

/// The role of a container of which only the name is known.
pub(super) fn role_of_name(name: Option<&str>) -> Option<String> {
    let container = Container { name: name.map(str::to_owned), ..Container::default() };
    container.role(&[], None).map(str::to_owned)
}

/// Whether a text holds one of some words, in capitals or not.
fn holds(text: &str, words: &[&str]) -> bool {
    let text = text.to_ascii_lowercase();
    words.iter().any(|word| text.contains(word))
}

/// A quantity of memory as Kubernetes writes it: `4Gi`, `512M`, `4294967296`, `1.5Gi`, `128e6`, `2147483648000m`.
pub(crate) fn quantity(text: &str) -> Option<i64> {
    let (unit, value) = crate::parse::prim::number(text.trim()).ok()?;
    let factor = match unit {
        "" => 1.0,
        "m" => 0.001,
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        "P" => 1e15,
        "Ki" => 1024.0,
        "Mi" => 1024.0 * 1024.0,
        "Gi" => 1024.0 * 1024.0 * 1024.0,
        "Ti" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        "Pi" => 1024.0 * 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    Some(crate::parse::prim::rounded(value * factor)).filter(|bytes| *bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn container(name: &str, image: &str) -> Container {
        Container { name: Some(name.to_owned()), image: Some(image.to_owned()), ..Container::default() }
    }

    #[test]
    fn roles_are_told_by_names_images_and_neighbours() {
        for (name, image, other, pod, role) in [
            ("notebook", "hub/user:4", Some("istio-proxy"), "jupyter-ada", Some("notebook")),
            ("istio-proxy", "istio/proxyv2", Some("notebook"), "jupyter-ada", Some("sidecar")),
            ("istio-proxy", "istio/proxyv2", Some("work"), "ada-1", Some("sidecar")),
            ("postgres", "postgres:16", Some("notebook"), "jupyter-ada", Some("sidecar")),
            ("work", "team/image:1", Some("postgres"), "ada-1", None),
            ("work", "quay.io/jupyter/scipy-notebook:latest", Some("postgres"), "ada-1", Some("notebook")),
            ("otel-demo", "team/image:1", Some("oauth-proxy"), "otel-demo-0", Some("notebook")),
            ("my-proxy", "jupyter/base", None, "ada-1", None),
            ("work", "team/image:1", None, "ada-1", None),
            ("wait", "argoproj/argoexec", Some("main"), "fit-9x2", Some("sidecar")),
        ] {
            let one = container(name, image);
            let all: Vec<_> = other.map(|name| container(name, "")).into_iter().chain([one.clone()]).collect();
            assert_eq!(one.role(&all, Some(pod)), role, "{name} beside {other:?} in {pod}");
        }
        let init = Container { init: true, ..container("notebook-data", "team/image:1") };
        assert_eq!(init.role(&[container("notebook", "")], None), Some("sidecar"));
        assert_eq!(role_of_name(Some("git-sync")).as_deref(), Some("sidecar"));
        assert_eq!(role_of_name(Some("work")), None);
    }

    #[test]
    fn quantities_have_units() {
        for (text, bytes) in [
            ("4Gi", Some(4 << 30)),
            ("1.5Gi", Some(3 << 29)),
            ("512M", Some(512_000_000)),
            ("4294967296", Some(1 << 32)),
            ("128e6", Some(128_000_000)),
            ("2000m", Some(2)),
            ("0", None),
            ("many", None),
        ] {
            assert_eq!(quantity(text), bytes, "{text}");
        }
    }
}
