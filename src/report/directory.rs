//! Who is who: names that one log gives and another needs, gathered once for a whole report.

use crate::{source::SourceId, timeline::Timeline};
use std::collections::{BTreeMap, BTreeSet};

/// Containers are named by the beginning of their id.
const SHORT_ID: usize = 12;

/// What logs call things.
#[derive(Debug, Default)]
pub(super) struct Directory {
    /// A container's name and image, by the beginning of its id.
    containers: BTreeMap<String, BTreeMap<&'static str, String>>,
    /// The notebooks that a log speaks of.
    notebooks: BTreeMap<SourceId, BTreeSet<String>>,
    /// A kernel's name, by its log and id; without an id, the log's only one.
    kernels: BTreeMap<(SourceId, Option<String>), String>,
}

impl Directory {
    /// Reads all names of a timeline.
    pub(super) fn new(timeline: &Timeline) -> Self {
        let mut directory = Self::default();
        for moment in &timeline.moments {
            let (event, source) = (&moment.record.event, moment.record.at.source);
            if let Some(id) = event.text("container_id").as_deref().and_then(|id| id.get(..SHORT_ID)) {
                let details = directory.containers.entry(id.to_owned()).or_default();
                for field in ["container_name", "image"] {
                    if let Some(text) = event.text(field) {
                        details.entry(field).or_insert(text);
                    }
                }
            }
            if let Some(notebook) = event.text("notebook") {
                directory.notebooks.entry(source).or_default().insert(notebook);
            }
            if let Some(name) = event.text("kernel_name") {
                directory.kernels.entry((source, event.text("kernel_id"))).or_insert(name);
            }
        }
        directory
    }

    /// A container's name (`container_name`) or `image`.
    pub(super) fn container(&self, id: &str, field: &str) -> Option<String> {
        self.containers.get(id.get(..SHORT_ID)?)?.get(field).cloned()
    }

    /// The notebook of a log that speaks of only one.
    pub(super) fn only_notebook(&self, source: SourceId) -> Option<String> {
        let names = self.notebooks.get(&source).filter(|names| names.len() == 1)?;
        names.first().cloned()
    }

    /// The kernelspec's name of a kernel.
    pub(super) fn kernel_name(&self, source: SourceId, id: Option<String>) -> Option<String> {
        self.kernels.get(&(source, id)).or_else(|| self.kernels.get(&(source, None))).cloned()
    }
}
