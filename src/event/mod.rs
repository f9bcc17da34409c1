//! The event catalogue and the record that carries an event.
//!
//! Parsers produce events, rules ask for them; neither knows the other. It does not know time zones,
//! incidents or rules.

mod catalogue;
mod macros;
mod record;
mod value;

pub use catalogue::*;
pub use record::{Channel, Origin, Record};
pub use value::{Field, FieldType, Value};

/// What an event of a kind can mean for the search for deaths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A kernel ended without being asked: always a death.
    Death,
    /// Something ended that a kernel may have been part of: a death only if a rule says so.
    Ending,
    /// Trouble that a rule may report as a finding, or as the cause of a death nearby.
    Trouble,
    /// Background: identity, time, what was going on.
    Context,
}

/// The description of a kind of event.
#[derive(Debug, Eq)]
pub struct Kind {
    /// `subject.happening`.
    pub name: &'static str,
    /// What it can mean for the search for deaths.
    pub role: Role,
    /// The documentation, a line each.
    pub doc: &'static [&'static str],
    /// The fields, in the order of their declaration.
    pub fields: &'static [FieldSpec],
}

/// Each has its own name, so that its documentation need not be compared a million times.
impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The description of a field of a kind.
#[derive(Debug, PartialEq, Eq)]
pub struct FieldSpec {
    /// Its name, with the unit in it.
    pub name: &'static str,
    /// Its type.
    pub kind: FieldType,
    /// The documentation, a line each.
    pub doc: &'static [&'static str],
}

/// The subjects of events that only Linux, a container engine, a cluster or a driver can know of. Whoever else says so
/// quotes them, or invents it.
const OF_THE_HOST: &[&str] = &["oom", "fault", "host", "unit", "container", "pod"];
/// Kinds of the same sort whose subject speaks of more than that.
const OF_THE_DRIVER: &[&str] = &["gpu.xid", "gpu.driver_fault"];
/// The subjects of events that are told by programs which pass on what their kernels print: all of it stands in the same
/// log.
const OF_SERVERS: &[&str] = &["server", "hub", "runner", "editor", "kernel"];

impl Kind {
    /// What it is about: the part of its name before the dot.
    fn subject(&self) -> &'static str {
        self.name.split('.').next().unwrap_or_default()
    }

    /// Whether only the host's own programs can know of it.
    pub fn is_of_the_host(&self) -> bool {
        OF_THE_HOST.contains(&self.subject()) || OF_THE_DRIVER.contains(&self.name)
    }

    /// Whether it is told by a program whose log holds what kernels print, too.
    pub fn is_of_servers(&self) -> bool {
        OF_SERVERS.contains(&self.subject())
    }
}

/// The kind of this name.
pub fn kind_named(name: &str) -> Option<&'static Kind> {
    Event::empty(name).map(|event| event.kind())
}

impl Event {
    /// What this event can mean. Last words and the end of a notebook's unit end a process by what they say, not by their
    /// kind; the end of a sidecar ends no kernel.
    pub fn role(&self) -> Role {
        if self.is_of_a_sidecar() {
            Role::Trouble
        } else if self.is_last_words() || self.ends_notebook_unit() {
            Role::Ending
        } else {
            self.kind().role
        }
    }

    /// Whether it is about a container of a notebook's pod in which no kernel runs.
    pub fn is_of_a_sidecar(&self) -> bool {
        matches!(self, Self::PodEnded(ended) if ended.container_role.as_deref() == Some("sidecar"))
    }

    /// Whether a scheduler tells, when a job ends, of what happened at any time in it.
    pub fn is_late_report(&self) -> bool {
        matches!(self, Self::JobEnded(ended) if ended.told.as_deref() == Some("late"))
    }

    /// Whether it is what a process said as it ended, so that only its log tells whose words they are.
    pub fn is_last_words(&self) -> bool {
        match self {
            Self::NativeMessage(message) => message.severity.as_deref() == Some("fatal"),
            Self::PythonException(exception) => exception.place.as_deref() == Some("kernel-start"),
            Self::PythonFatalError(_) => true,
            _ => false,
        }
    }

    /// Whether systemd tells that a notebook server did not end by itself and not by its own order: the journal of one unit, of
    /// The Littlest `JupyterHub` say, often holds nothing else.
    fn ends_notebook_unit(&self) -> bool {
        let Self::UnitStopped(stopped) = self else { return false };
        let (Some(unit), Some(result)) = (&stopped.unit, &stopped.result) else { return false };
        // The hub is no notebook server, and its servers may outlive it.
        let of_notebooks = unit.contains("jupyter") && !unit.contains("hub") || unit.contains("notebook");
        of_notebooks && matches!(result.as_str(), "oom-kill" | "signal" | "core-dump")
    }

    /// The fields that are set, in the order of their declaration.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, Value)> + '_ {
        self.kind().fields.iter().filter_map(|spec| self.get(spec.name).map(|value| (spec.name, value)))
    }

    /// A text field's value.
    pub fn text(&self, field: &str) -> Option<String> {
        self.get(field).and_then(|value| value.text().map(str::to_owned))
    }

    /// An integer field's value.
    pub fn integer(&self, field: &str) -> Option<i64> {
        match self.get(field) {
            Some(Value::Integer(value)) => Some(value),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subject_and_kind_named_here_exists() {
        let all = kinds();
        for subject in OF_THE_HOST.iter().chain(OF_SERVERS) {
            assert!(all.iter().any(|kind| kind.subject() == *subject), "{subject}");
        }
        assert!(OF_THE_DRIVER.iter().all(|name| kind_named(name).is_some()));
    }
}
